/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_EXECUTOR_H
#define CT_LIBRARY_EXECUTE_EXECUTOR_H

#include "algorithms/scaled_plans.h"
#include "library/execute/flight_state.h"
#include "library/execute/operands.h"
#include "library/execute/short_reduction.h"

#include <stdint.h>

/* Carries out plans over MPI point-to-point messages. Everything in library/ calls MPI by its PMPI_ names, so
 * that profilers and the library's own wrappers see the application's calls alone; only Fortran's procedures
 * call the tuned functions, and message_functions.h may show messages to profilers. */

/* Carries out one call by `method`, which is not `native` and applies to the call. All ranks of the channel
 * call with the same method. Returns an MPI error code. */
int ct_execute(struct ct_channel *channel, const struct ct_method *method,
               const struct ct_operands *operands);

/* The same for a call that ct_call_describe() has described. */
int ct_execute_call(struct ct_channel *channel, const struct ct_method *method,
                    const struct ct_operands *operands, struct ct_call *call);

/* The same for a call that is not likely to repeat, so that its plan is neither looked for nor kept. It is
 * one of `plans`, which are of calls that differ from this one in their count alone, if there is one. */
int ct_execute_once(struct ct_channel *channel, const struct ct_method *method,
                    const struct ct_operands *operands, struct ct_call *call, struct ct_scaled_plans *plans);

/* The plan of a call that repeats, if it has a shortcut (shortcut.h), as far as the channel keeps it. */
struct ct_short_call {
    struct ct_kept_plan *kept; /* NULL: there is none */
    uint64_t since;            /* when it was kept: the entry may be used for another plan */
    ct_short_reduction *reduction;
    const struct ct_shortcut *shortcut; /* the plan's, or the call's own, where its blocks have places */
    struct ct_kept_memory memory;       /* of its own */
};

/* Finds it for calls like the one that has been carried out last, but for the places of buffers. */
void ct_short_call_find(struct ct_channel *channel, struct ct_short_call *shorter);
void ct_short_call_free(struct ct_short_call *shorter);
/* Is it still there? */
bool ct_short_call_is_kept(const struct ct_short_call *shorter);
/* Carries out a call by it, as ct_execute_call() does otherwise. */
int ct_execute_short(struct ct_channel *channel, const struct ct_short_call *shorter,
                     const struct ct_method *method, const struct ct_operands *operands,
                     struct ct_call *call);

/* --- calls that are not waited for --- */

/* A flight of its own, whose messages have that tag. NULL without memory. */
struct ct_flight *ct_flight_make(struct ct_channel *channel, int tag);
/* The same with a flight that is not under way, whose memory serves again. */
void ct_flight_reuse(struct ct_flight *flight, struct ct_channel *channel, int tag);
void ct_flight_set_tag(struct ct_flight *flight, int tag);
/* Frees a flight that is not under way. */
void ct_flight_free(struct ct_flight *flight);

/* Makes the plan of a call, or finds one that the channel keeps, for as many times as the call is begun,
 * which are many if it `repeats`. Returns an MPI error code. */
int ct_flight_plan(struct ct_flight *flight, const struct ct_method *method, struct ct_call *call,
                   bool repeats);
/* Leaves the plan, and all memory but a little. */
void ct_flight_leave_plan(struct ct_flight *flight);

/* Begins a call whose plan is made. Operands and call must stay until it is complete. Returns an MPI error
 * code. */
int ct_flight_begin(struct ct_flight *flight, enum ct_collective collective,
                    const struct ct_operands *operands, const struct ct_call *call);
/* Finds the short way of the call that was begun last, for calls like it. There is none where blocks have
 * places of their own, since these are the call's. */
void ct_flight_find_short(const struct ct_flight *flight, struct ct_short_call *ret_short);
/* Begins a call of the channel the short way of an earlier one, which is still kept, so that it needs no
 * plan, with a flight that is not under way. False: it cannot be begun so now. Its tag and
 * ct_flight_run_short() come next, and if the call is not complete then, ct_flight_go_on_short(), from which
 * on operands and call must stay. */
bool ct_flight_begin_short(struct ct_flight *flight, struct ct_channel *channel,
                           const struct ct_short_call *shorter, void *send, void *recv);
void ct_flight_go_on_short(struct ct_flight *flight, const struct ct_short_call *shorter,
                           enum ct_collective collective, const struct ct_operands *operands,
                           const struct ct_call *call);
/* Goes on with a call on its shortcut as far as it goes within a tenth of a microsecond, by no function of
 * MPI. Sets the flight's code, and returns whether the call is complete. */
bool ct_flight_run_short(struct ct_flight *flight);
/* Begins the call that the flight has carried out once more, with the same buffers. False: it must be begun
 * as a new one. */
bool ct_flight_begin_again(struct ct_flight *flight);
/* Is there nothing in its first round that other ranks wait for, or that takes long? */
bool ct_flight_may_rest(const struct ct_flight *flight);
/* Advances the call: to where it would look whether messages are complete; as far as it goes without waiting;
 * or to its end, if no other is in flight. Returns CT_PENDING, or its MPI error code when it is complete. */
int ct_flight_advance(struct ct_flight *flight, enum ct_until until);

#endif
