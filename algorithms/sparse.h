/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_SPARSE_H
#define CT_ALGORITHMS_SPARSE_H

#include "algorithms/descriptor.h"

/* Shared by algorithms of sparse collectives. Dense collectives may have them, too: there all ranks are
 * destinations and sources. */

/* A rank's blocks for itself: the k-th is the k-th that it has from itself. Goes from this destination and
 * source on to the next such pair; false: there is none. */
static inline bool ct_sparse_own_pair(const struct ct_call *call, size_t *out, size_t *in)
{
    const size_t out_count = ct_call_blocks(call, CT_BUFFER_SEND);
    const size_t in_count = ct_call_blocks(call, CT_BUFFER_RECV);
    while (*out < out_count && ct_call_destination(call, *out) != call->rank)
        ++*out;
    while (*in < in_count && ct_call_source(call, *in) != call->rank)
        ++*in;
    return *out < out_count && *in < in_count;
}

/* The block for destination `i`; where all destinations get one block, that. */
static inline struct ct_slice ct_sparse_sent_block(const struct ct_call *call, bool one_for_all, size_t i)
{
    return one_for_all ? (struct ct_slice){.buffer = CT_BUFFER_SEND, .n = call->count}
                       : ct_send_block(call, (int)i);
}

/* Plans in which each rank sends straight to its destinations, in their order, a block for each or one for
 * all; at most as many messages at once as ct_requests_parameter says, all at once where the algorithm does
 * not have it. */
void ct_sparse_blocks(struct ct_plan *plan, const struct ct_call *call);
void ct_sparse_one_block(struct ct_plan *plan, const struct ct_call *call);

/* The plan of a call by a method that forwards, at a rank where blocks have other lengths than call->routed
 * says. Both ends of an edge know the length of its block, while ranks that forward it know only what was
 * agreed. So along the routes goes a block of the agreed length, which holds nothing, and the block itself is
 * sent straight to its destination after all messages of the routes. Ranks whose blocks have the agreed
 * lengths write the usual plan, that of call->descriptor. The rank has a block for each destination, or one
 * for all. */
void ct_sparse_changed_blocks(struct ct_plan *plan, const struct ct_call *call, bool one_for_all);

/* Ways to forward blocks, of algorithms with these parameters. */

/* In one stage, to the destination: an algorithm without parameters. */
extern const struct ct_forwarding ct_forwarding_direct;

/* Between nodes through representatives: for each pair of nodes one rank on either side sends and receives
 * all blocks between them. A node has as many representatives as ct_leaders_parameter says, which divide the
 * other nodes among them; where the algorithm does not have it, all of its ranks are. */
extern const struct ct_forwarding ct_forwarding_nodes;
extern const struct ct_parameter ct_leaders_parameter;

/* By groups of friends, with the parameters below: see sparse_friends.c. */
extern const struct ct_forwarding ct_forwarding_friends;
extern const struct ct_parameter ct_friends_parameter;
extern const struct ct_parameter ct_within_parameter;
extern const struct ct_parameter ct_friends_order_parameter;
extern const struct ct_parameter ct_threshold_parameter;

#endif
