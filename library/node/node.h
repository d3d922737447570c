/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_NODE_NODE_H
#define CT_LIBRARY_NODE_NODE_H

#include "library/node/contexts.h"
#include "library/node/lane.h"

#include <mpi.h>

/* The ranks that share this rank's node and memory, and the lanes to them. */
struct ct_node;

/* What a rank wants. */
struct ct_node_wishes {
    bool lanes;
    bool many_threads; /* several of its threads send messages */
    bool sleep;        /* it shares its CPU, so that ranks of the node sleep while they wait for long */
    bool plain;        /* it carries out plans as they are written */
};

/* Makes the memory of the lanes between the ranks of `comm` on a node. `here` has those that share memory
 * with this one, in the order of `comm`, and becomes the node's; MPI_COMM_NULL is none. Collective over
 * `here`, by native calls. Where a rank of the node does not want lanes, or its memory turns out not to be
 * common, as in containers of one host, no rank of the node has any. Returns NULL where there are no lanes.
 */
struct ct_node *ct_node_open(MPI_Comm comm, MPI_Comm here, const struct ct_node_wishes *wishes);
/* Frees the memory. There are no lanes then; the node itself stays, since channels of MPI sessions may
 * outlive it. Collective over the ranks of the node. NULL is no node. */
void ct_node_close(struct ct_node *node);

/* Between two looks at its lanes: pauses as long as these do, see pause.h. */
void ct_node_pause(const struct ct_node *node);
/* For a rank that has waited for long, where the ranks of the node sleep: the first call announces it, and
 * the next one sleeps, after the rank has looked once more at what it waits for. *is_announced is false at
 * first.
 */
void ct_node_sleep(struct ct_node *node, bool *is_announced);
/* Do the ranks of the node sleep? */
bool ct_node_sleeps(const struct ct_node *node);

/* Lets the MPI library work, as a call that waits for a message does: others may need it at this rank. */
void ct_node_let_mpi_work(struct ct_node *node);

/* Are there lanes, which one thread alone uses, so that it needs no lock? */
bool ct_node_is_quick(const struct ct_node *node);

/* Around all use of lanes and transfers, where several threads may call. */
void ct_node_lock(struct ct_node *node);
void ct_node_unlock(struct ct_node *node);

/* Returns the lane to a rank of that communicator; NULL: there is none. Valid as long as the node. */
struct ct_lane *ct_node_lane(struct ct_node *node, int rank);

/* Arrivals. A rank that arrives for another one of the node counts up a number in its own memory, and need
 * not wait. Two ranks arrive for each other in the same order, so that the other one has arrived, too, when
 * it has counted as far. Are they counted? Equal on all ranks of the node. `rank` is another rank of the
 * node. */
bool ct_node_counts_arrivals(const struct ct_node *node);
void ct_node_arrive(struct ct_node *node, int rank);
bool ct_node_has_arrived(const struct ct_node *node, int rank);

/* Bytes of the shortest message that its receiver copies out of the sender's memory; SIZE_MAX: none is. */
size_t ct_node_copy_from(const struct ct_node *node);
/* Does this rank rewrite plans for messages through its lanes, see fuse.h and share_sends.h? */
bool ct_node_fuses(const struct ct_node *node);
/* Returns the first of CT_NODE_GROUPS numbers for groups of messages that may share a copy, see board.h. */
enum { CT_NODE_GROUPS = 64 };
uint64_t ct_node_begin_groups(struct ct_node *node);
/* Bytes that this rank has copied for messages that are longer than a cell, see struct ct_lane. */
uint64_t ct_node_copied(const struct ct_node *node);

/* Finds the ranks in the node's communicator of all `size` ranks of another one. *ret_belong: all are there.
 * Returns an MPI error code. */
int ct_node_ranks(struct ct_node *node, MPI_Comm comm, int size, int *ret_ranks, bool *ret_belong);

/* Labels. Messages of one channel have a label of their own, so that calls of different channels may be under
 * way in any order: a rank of the channel, and a context, which that rank has given to no other channel that
 * is open; or, by pair of ranks, a number that both have counted; or, for blocking calls on the carrier, a
 * part of the key of the set of ranks, see call_counts.h. */
enum { CT_LANE_TAGS = 1 << 16, CT_LANE_RANKS = 1 << 19 };

static inline uint64_t ct_node_context_label(int rank, unsigned context)
{
    return ((uint64_t)(unsigned)rank * CT_LANE_CONTEXTS + context) << 24;
}

/* The first two bits tell it from others. The number wraps after 2^38 channels of the pair, which count from
 * 1 on. */
enum { CT_NO_PAIR = 0 };
static inline uint64_t ct_node_pair_label(uint64_t number)
{
    return (uint64_t)1 << 63 | number % ((uint64_t)1 << 38) << 24;
}

/* The bits of a label that tell the tag. */
static inline uint64_t ct_node_tag_bits(int tag)
{
    return (uint64_t)((unsigned)tag % CT_LANE_TAGS) << 8;
}

/* So many blocking calls of a channel with a context are told apart, by tags from this one on. */
enum { CT_CONTEXT_CALLS = 1 << 15 };

/* Lets the lanes look up the counts, which must stay; see struct ct_lane. NULL is no node. */
void ct_node_set_counts(struct ct_node *node, struct ct_call_counts *counts);
/* Lets the other ranks of the node see which calls of a set this rank has left, if there is room for one
 * more. NULL is no node. */
void ct_node_show_count(struct ct_node *node, struct ct_call_count *count);
/* Is it seen that another rank, by its number in that communicator, has left a call? */
bool ct_node_has_left(const struct ct_node *node, int rank, const struct ct_lane_call *call);
/* ct_lane_tidy() of all lanes. */
void ct_node_tidy(struct ct_node *node, const struct ct_lane_call *call);
/* Tells other ranks of all sets but that of this call which calls this rank has left. */
void ct_node_tell_left(struct ct_node *node, const struct ct_lane_call *call);

#endif
