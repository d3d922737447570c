/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REDUCE_SCATTER_REDUCE_SCATTER_HALVING_H
#define CT_ALGORITHMS_REDUCE_SCATTER_REDUCE_SCATTER_HALVING_H

#include "plan/parts.h"

/* Recursive halving and doubling (Thakur, Rabenseifner, Gropp 2005), the core of what reduces long vectors:
 * members of a group, 2^k of them, hold sums of a vector of 2^k pieces. Halving: in each step two members
 * swap the halves of what they have and combine the halves that they keep, until each has one piece of the
 * sum of all. Doubling brings the pieces together again. */

/* The members are consecutive ranks, 2^k of them. The first ones may represent pairs: each has taken in the
 * rank after it. */
struct ct_halving_group {
    int size; /* a power of two */
    int rank; /* this rank's number; that of its pair where it is taken in */
    int begin;
    int pairs;
};

/* All ranks; those beyond 2^k are taken in. */
struct ct_halving_group ct_halving_group_of(int rank, int size);

/* The member's rank in the communicator. */
static inline int ct_halving_peer(const struct ct_halving_group *group, int member)
{
    return group->begin + member + (member < group->pairs ? member : group->pairs);
}

static inline bool ct_halving_is_member(const struct ct_halving_group *group, int rank)
{
    return ct_halving_peer(group, group->rank) == rank;
}

/* A buffer that the vector lies in, from its unit `begin` on. */
struct ct_halving_place {
    unsigned buffer; /* 0: none yet, where it is not the input */
    size_t begin;
};

/* The sum that a rank has combined so far: pieces [first, last) of the vector. */
struct ct_halving_sum {
    const struct ct_parts *parts;
    int pairs; /* the first so many pieces are two parts each, the others one */
    int first;
    int last;
    bool ordered;                  /* lower ranks must come first */
    bool is_input;                 /* nothing is combined yet, and `held` must not be written */
    struct ct_halving_place held;  /* where it lies */
    struct ct_halving_place spare; /* where the next data comes in */
    struct ct_halving_place home;  /* where it is wanted; if nowhere, the first place where it is combined */
};

/* The input of a reduce or allreduce, as `pieces` of parts; a rank that gets the result wants it in
 * CT_BUFFER_RECV.
 */
struct ct_halving_sum ct_halving_sum_of(const struct ct_call *call, const struct ct_parts *parts, int pieces,
                                        bool gets_result);

/* The input of a reduce_scatter, a piece for each member of the group of all ranks. */
struct ct_halving_sum ct_halving_sum_of_parts(const struct ct_call *call, const struct ct_parts *parts,
                                              const struct ct_halving_group *group);

/* Where a piece begins in the vector; the number of pieces is its end. */
static inline size_t ct_halving_piece(const struct ct_halving_sum *sum, int piece)
{
    return ct_part_begin(sum->parts, piece + (piece < sum->pairs ? piece : sum->pairs));
}

/* Units in pieces [first, last). */
static inline size_t ct_halving_length(const struct ct_halving_sum *sum, int first, int last)
{
    return ct_halving_piece(sum, last) - ct_halving_piece(sum, first);
}

/* Sends or receives pieces [first, last) of a vector that lies there. */
void ct_halving_send(struct ct_plan *plan, int peer, const struct ct_halving_sum *sum,
                     struct ct_halving_place place, int first, int last);
void ct_halving_receive(struct ct_plan *plan, int peer, const struct ct_halving_sum *sum,
                        struct ct_halving_place place, int first, int last);

/* Combines with what a peer of a higher rank sends of the same pieces. Ends the round. */
void ct_halving_take(struct ct_plan *plan, struct ct_halving_sum *sum, int peer);

/* The first members of pairs take in the sums of the others. Is this rank one of the members? */
bool ct_halving_fold(struct ct_plan *plan, const struct ct_call *call, const struct ct_halving_group *group,
                     struct ct_halving_sum *sum);

/* In which order members meet. Near first: those whose sums are combined are always neighbours, so that the
 * order of ranks is kept, but pieces end up in mirrored order; far first: member i gets piece i. */
enum ct_halving_meeting { CT_HALVING_NEAR_FIRST, CT_HALVING_FAR_FIRST };

void ct_halving_halve(struct ct_plan *plan, const struct ct_halving_group *group,
                      enum ct_halving_meeting meeting, struct ct_halving_sum *sum);

/* The piece that a member has after halving near first, of as many as there are members: the bits of its
 * number in reverse. Its own inverse. */
int ct_halving_mirror(int member, int size);

/* Copies what is held to `home`, if it is elsewhere. */
void ct_halving_settle(struct ct_plan *plan, struct ct_halving_sum *sum);

/* Widens to twice as many pieces, by those before or after. Returns the first of the added ones. */
int ct_halving_widen(struct ct_halving_sum *sum, bool before);

/* The reverse of halving near first: brings the members' pieces together in what each holds. */
void ct_halving_double(struct ct_plan *plan, const struct ct_halving_group *group,
                       struct ct_halving_sum *sum);

/* The end of a reduce_scatter: each member holds the piece of the member `counterpart`, which holds its own,
 * and sends the parts in it, of `parts`, to their ranks. */
void ct_halving_hand_out(struct ct_plan *plan, const struct ct_call *call,
                         const struct ct_halving_group *group, const struct ct_parts *parts,
                         const struct ct_halving_sum *sum, int counterpart);

/* The whole of a reduce_scatter by halving: fold, halve, hand the parts out. */
void ct_halving_reduce_scatter(struct ct_plan *plan, const struct ct_call *call,
                               enum ct_halving_meeting meeting);

#endif
