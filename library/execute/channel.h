/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_EXECUTE_CHANNEL_H
#define CT_LIBRARY_EXECUTE_CHANNEL_H

#include "library/execute/channel_state.h"

/* Some or all ranks of a private communicator, with what their calls reuse: tags, plans, temporary memory. It
 * carries out one call at a time. */

/* Opens a channel over `comm`, which must carry no other messages and stays the caller's, to be freed after
 * ct_channel_close(). Its errors are set to return. Returns an MPI error code. */
int ct_channel_open(MPI_Comm comm, enum ct_wait_policy policy, struct ct_channel **ret_channel);
void ct_channel_close(struct ct_channel *channel);
/* Does the channel join these ranks of the communicator that carries it, in this order? */
bool ct_channel_joins(const struct ct_channel *channel, const int *ranks, int size);
/* Frees the memory that calls of any size have left; plans are kept. */
void ct_channel_trim(struct ct_channel *channel);
/* Tells which ranks share a node, by a label for each; without it node-aware methods do not apply. Returns an
 * MPI error code. */
int ct_channel_set_nodes(struct ct_channel *channel, const int *labels);
void ct_channel_set_policy(struct ct_channel *channel, enum ct_wait_policy policy);
/* The number of messages that this rank has sent through the channel. */
uint64_t ct_channel_messages(const struct ct_channel *channel);

/* Makes a communicator of the group of `comm` and opens a channel over it. Collective over `comm`, by native
 * calls. Returns an MPI error code; *ret_comm is MPI_COMM_NULL, or is there after an error, too, since it is
 * freed collectively. */
int ct_channel_open_apart(MPI_Comm comm, enum ct_wait_policy policy, MPI_Comm *ret_comm,
                          struct ct_channel **ret_channel);
/* Closes it, if it is open, and frees the communicator, if there is one; clears both. Collective as above. */
void ct_channel_close_apart(MPI_Comm *comm, struct ct_channel **channel);

/* Opens a channel between some ranks of another channel's communicator, by its rank of each; this one is
 * `rank`. All messages have one tag, which follows from the ranks. Returns an MPI error code. */
int ct_channel_open_part(const struct ct_channel *whole, const int *ranks, int rank, int size,
                         enum ct_wait_policy policy, struct ct_channel **ret_channel);

/* Messages of a channel on a communicator of its own go through the lanes of the node, too, if all its ranks
 * are of the node's communicator. All of them set the context that rank 0 has given. Returns an MPI error
 * code. */
int ct_channel_use_lanes(struct ct_channel *channel, struct ct_node *node);
void ct_channel_set_context(struct ct_channel *channel, unsigned context);

/* Lets messages tell blocking calls apart, after the context is set: by the count of the set of ranks, or, if
 * it is NULL, by one of the channel's own. Whoever carries out calls counts them before, alike on all ranks.
 */
void ct_channel_count_calls(struct ct_channel *channel, struct ct_call_count *count);

/* Drops what has arrived of calls before the latest one: once in many calls, before their numbers wrap. */
void ct_channel_tidy(struct ct_channel *channel);

/* Before the messages of a blocking call. */
static inline void ct_channel_begin_call(struct ct_channel *channel)
{
    channel->flight.messages.label_end =
        channel->label_end | (uint64_t)(channel->count->number & channel->numbers) << 8;
}

/* How many blocks the user has on a side of a v or w form, or of a sparse collective. */
size_t ct_channel_blocks(const struct ct_channel *channel, enum ct_collective collective, unsigned side);

/* Sets a label for each rank, which must stay. */
void ct_channel_set_labels(struct ct_channel *channel, const uint64_t *labels);

/* Finds the layout of a type on a side (CT_BUFFER_SEND, CT_BUFFER_RECV) and keeps it for the next call: an
 * application's calls mostly repeat one predefined type. It is the channel's, valid until the next type on
 * that side. Returns an MPI error code. */
int ct_channel_layout(struct ct_channel *channel, unsigned side, MPI_Datatype type,
                      const struct ct_layout **ret_layout);

#endif
