/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALLGATHER_ALLGATHER_PARTS_H
#define CT_ALGORITHMS_ALLGATHER_ALLGATHER_PARTS_H

#include "plan/parts.h"

/* An allgather of the parts of one buffer: each rank has its own at first and all of them in the end. Ranks
 * are virtual, and part i is that of rank i. */
struct ct_allgather_parts {
    int rank;
    int size;
    int root; /* the rank in the communicator whose virtual rank is 0 */
    unsigned buffer;
    struct ct_parts parts;      /* from the buffer's beginning on; without meaning where there are: */
    const size_t *block_counts; /* part i is block i of the buffer, of this length; only for the ring */
    struct ct_slice own;        /* this rank's part; out of the buffer: copied while it is being sent */
    bool scattered;             /* down a binomial tree: a rank has the parts of its subtree, too */
};

/* The call's result as parts, in CT_BUFFER_RECV. */
struct ct_allgather_parts ct_allgather_in_result(const struct ct_call *call);

/* The same, but where blocks vary packed in rank order in a temporary buffer, so that those of several ranks
 * are one message. Where `buffer` is not CT_BUFFER_RECV, ct_allgather_unpack() is to follow. */
struct ct_allgather_parts ct_allgather_packed(struct ct_plan *plan, const struct ct_call *call);

/* Copies the parts to where the result wants them. In the group's buffer they lie in the order first,
 * first + 1, ... with wraparound; see also ct_allgather_packed_begin(). */
void ct_allgather_unpack(struct ct_plan *plan, const struct ct_call *call,
                         const struct ct_allgather_parts *group, int first);

/* Where the part of rank first + i begins in that order; i may be `size`. */
size_t ct_allgather_packed_begin(const struct ct_allgather_parts *group, int first, int i);

/* Where the part of a rank belongs. */
struct ct_slice ct_allgather_part(const struct ct_allgather_parts *group, int rank);

/* The rank in the communicator. */
static inline int ct_allgather_peer(const struct ct_allgather_parts *group, int rank)
{
    return ct_actual(rank, group->root, group->size);
}

/* Copies the rank's own part to this place in the group's buffer, if it is not in that buffer. */
void ct_allgather_place_own(struct ct_plan *plan, const struct ct_allgather_parts *group,
                            struct ct_slice place);

/* Parts go around the ring of all ranks. */
void ct_allgather_parts_ring(struct ct_plan *plan, const struct ct_allgather_parts *group);

/* In step k ranks 2^k apart swap all they have. Where the size is not a power of two, the first ranks form
 * pairs: the even one, as one of the `core`, takes part for both and in the end sends the whole to the odd
 * one. In the last `direct` steps (0, or 2 and more; at most as many as there are), ranks do not double what
 * they have: each sends what it has to all others that these steps would reach, at once. That is not for
 * parts that were scattered. */
void ct_allgather_parts_double(struct ct_plan *plan, const struct ct_allgather_parts *group, int direct);

/* How many pairs there are. */
static inline int ct_allgather_folded(int size)
{
    return size - ct_power_of_two_below(size);
}

/* The c-th rank of the core, and the first of those that it takes part for: all before the next one. */
static inline int ct_allgather_core_rank(int c, int folded)
{
    return c < folded ? 2 * c : c + folded;
}

/* The rank's place in the core; that of its pair where it is not in it itself. */
static inline int ct_allgather_core_place(int rank, int folded)
{
    return rank < 2 * folded ? rank / 2 : rank - folded;
}

#endif
