/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_SHORTCUT_H
#define CT_LIBRARY_EXECUTE_SHORTCUT_H

#include "library/execute/flight_state.h"

/* The shortcut of a plan that is kept: its steps, with all that is found out again each time where its rounds
 * are carried out (rounds.c): lanes, bytes and addresses. A plan has one if each message is short, goes
 * through a lane and is waited for in its round. Such calls take much of their time to find these out.
 *
 * Where a message does not arrive soon, or cannot be sent, the call leaves the shortcut and goes on by rounds
 * from the same place, so that all waiting and all errors are there. */
struct ct_shortcut;

/* Plans of more steps have none: they take long anyway. */
enum { CT_SHORTCUT_STEPS = 128 };

/* Makes that of a plan of units of so many bytes, which lie one after another. The plan must stay as it is.
 * NULL if it has none, or without memory. */
struct ct_shortcut *ct_shortcut_make(const struct ct_messages *messages, const struct ct_plan *plan,
                                     size_t unit_bytes);
void ct_shortcut_free(struct ct_shortcut *shortcut);

/* That of a plan for calls whose blocks in SEND and RECV begin where `at` says, in bytes (NULL: the buffer
 * has none). Valid as long as the memory, which an earlier one may have left, and that of the plan. NULL
 * without memory. */
const struct ct_shortcut *ct_shortcut_place(const struct ct_shortcut *shortcut, const struct ct_plan *plan,
                                            const MPI_Aint *const at[2], struct ct_kept_memory *memory);

/* Does it reduce? */
bool ct_shortcut_reduces(const struct ct_shortcut *shortcut);

/* Can a call of the flight take a shortcut now? */
bool ct_shortcut_may_begin(const struct ct_flight *flight);
/* Puts the flight before the first step. Sets its temporary buffers; SEND and RECV are the caller's to set,
 * and are bytes as they lie in the user's memory. False: the call cannot take the shortcut now. */
bool ct_shortcut_begin(struct ct_flight *flight, const struct ct_shortcut *shortcut);
/* Goes on with the call, and looks for each message as long as so many looks without
 * pauses take, see pause.h. `reduction` is that of the call; it is not used by a shortcut that does not
 * reduce. Returns whether the call is complete. */
bool ct_shortcut_run(struct ct_flight *flight, const struct ct_shortcut *shortcut,
                     ct_short_reduction *reduction, unsigned looks);
/* Leaves the shortcut for rounds: where the flight stands then, ct_rounds_run() goes on with the plan. Its
 * operands must have been taken. Returns an MPI error code. */
int ct_shortcut_leave(struct ct_flight *flight, const struct ct_shortcut *shortcut,
                      const struct ct_plan *plan);

#endif
