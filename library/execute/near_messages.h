/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_NEAR_MESSAGES_H
#define CT_LIBRARY_EXECUTE_NEAR_MESSAGES_H

#include "library/execute/message_errors.h"
#include "library/execute/message_state.h"

/* Messages of calls to ranks of the same node, through lanes. */

/* The lane to a rank; NULL: its messages go through MPI. */
struct ct_lane *ct_message_lane(const struct ct_messages *messages, int rank);
/* Finds the lanes of the steps. False: they must be posted one by one. */
bool ct_exchange_find_lanes(const struct ct_messages *messages, const struct ct_units *units,
                            struct ct_exchange *exchange);

/* Posts the message of a send or receive step, or `n` units of it, from or to `address`. Returns an MPI error
 * code, as the next one does. */
int ct_near_message_post(struct ct_messages *messages, struct ct_lane *lane, const struct ct_step *step,
                         size_t n, char *address, const struct ct_units *units);
/* Posts a receive that reduces into `to`, with the operand of CT_STEP_RECEIVE_UPPER, else NULL. There is a
 * lane. */
int ct_near_message_reduce(struct ct_messages *messages, const struct ct_step *step, char *to,
                           const char *operand, const struct ct_units *units);

/* A transfer of so many bytes, as it begins. */
static inline struct ct_transfer ct_near_transfer(const struct ct_messages *messages, int peer,
                                                  struct ct_lane *lane, char *address, size_t bytes)
{
    return (struct ct_transfer){.lane = lane,
                                .address = address,
                                .left = bytes,
                                .call = {ct_message_label(messages, peer), messages->numbers},
                                .slot = CT_NO_SLOT};
}

/* The receive of a message of so many bytes that is reduced while it arrives. */
static inline struct ct_transfer ct_near_reduction(const struct ct_messages *messages,
                                                   const struct ct_step *step, struct ct_lane *lane, char *to,
                                                   const char *operand, size_t bytes)
{
    struct ct_transfer transfer = ct_near_transfer(messages, step->peer, lane, to, bytes);
    transfer.reduction = &messages->reduction;
    transfer.operand = operand;
    return transfer;
}

/* Does this rank receive a message when it sends one, and reduce it? */
static inline enum ct_meanwhile ct_near_meanwhile(bool receives, bool reduces)
{
    return reduces ? CT_MEANWHILE_REDUCES : receives ? CT_MEANWHILE_RECEIVES : CT_MEANWHILE_NOTHING;
}

/* Keeps the error of a transfer that is complete, if it has one. */
static inline void ct_near_keep_flaw(struct ct_messages *messages, const struct ct_transfer *transfer)
{
    if (transfer->flaw != CT_TRANSFER_RIGHT)
        ct_messages_keep_error(messages,
                               transfer->flaw == CT_TRANSFER_TOO_LONG ? MPI_ERR_TRUNCATE : MPI_ERR_OTHER);
}

/* What ct_messages_abandon() does. */
bool ct_near_messages_abandon(struct ct_messages *messages);
/* Frees the list of transfers, in which none is left that a call waits for. */
void ct_near_messages_free(struct ct_messages *messages);

/* Are there any that are to be complete at `until`? */
bool ct_near_messages_left(const struct ct_messages *messages, unsigned until);
/* Moves them as far as goes without waiting. *ret_done: none is left that is to be complete at `until`.
 * Returns an MPI error code. */
int ct_near_messages_move(struct ct_messages *messages, unsigned until, bool *ret_done);

#endif
