/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_MESSAGES_H
#define CT_LIBRARY_EXECUTE_MESSAGES_H

#include "library/execute/message_state.h"

/* These return the MPI error code of an error that ends the call. Messages of another length than the plan
 * has do not: they set messages->code, and the call goes on, since other ranks wait for its messages. */

/* May this rank wait inside MPI? Not where it shares its CPU, and not while other calls of its own are in
 * flight, which it has to move. */
bool ct_messages_may_block(const struct ct_messages *messages);

/* Posts the message of a send or receive step from or to `address`. A message that MPI's int counts cannot
 * carry is split, alike at both ends. */
int ct_message_post(struct ct_messages *messages, const struct ct_step *step, char *address,
                    const struct ct_units *units);
/* Carries out both messages of an exchange, from and to the addresses of the same numbers, and waits. */
int ct_messages_exchange(struct ct_messages *messages, const struct ct_exchange *exchange,
                         char *const addresses[2], const struct ct_units *units);
int ct_messages_wait_round(struct ct_messages *messages);
/* Waits until fewer than `window` messages of the round are outstanding. */
int ct_messages_wait_window(struct ct_messages *messages, size_t window);
/* Waits for the deferred messages of a slot, or of all. */
enum { CT_ALL_SLOTS = 0 };
int ct_messages_wait_deferred(struct ct_messages *messages, unsigned slot);

/* Withdraws what is outstanding after an error that ended the call. False: the MPI library may still use the
 * memory of some. */
bool ct_messages_abandon(struct ct_messages *messages);

void ct_messages_free(struct ct_messages *messages);

#endif
