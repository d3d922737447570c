/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_FRIENDS_MATCHING_H
#define CT_ALGORITHMS_FRIENDS_MATCHING_H

#include "algorithms/groups_of_friends.h"
#include "plan/letters.h"

/* Ranks agree on groups of k friends, each rank on at most one. They ask the members of their best group, the
 * one with the most common destinations, until all members of a group have asked for it; then these send the
 * others away. That is a weighted matching on a hypergraph. Two things differ from the algorithm as printed:
 * members of the chosen group are not sent away, since one of them might then give the group up; and groups
 * of equal weight are in the order of their members, since else ranks may ask in a circle. With both, the
 * groups are those that a greedy choice finds that knows all groups.
 *
 * Source: Ghazimirsaeed 2019, section 7.3, algorithms 7.2 to 7.4. */

/* The first number of a letter. */
enum ct_friends_letter { CT_FRIENDS_REQUEST, CT_FRIENDS_SEND_AWAY, CT_FRIENDS_TAKEN };

/* Friends, this rank among them. */
struct ct_friends {
    size_t weight;                /* common destinations */
    int members[CT_FRIENDS_MOST]; /* rising */
};

/* Is the rank one of the k members? */
bool ct_is_friend(const struct ct_friends *group, size_t k, int rank);

struct ct_friends_request;

/* One rank's part in matchings. All zeroes but for the first two to begin with. */
struct ct_friends_matching {
    size_t k; /* ranks in a group */
    int rank;
    const struct ct_friend_candidate *candidates; /* by rank, rising */
    size_t candidate_count;
    struct ct_friend_groups groups;
    unsigned turn;          /* supersteps of this matching */
    size_t best;            /* place in their order of the group that this rank asks for; their count: none */
    struct ct_friends wish; /* that group */
    bool is_matched;        /* its members agree on it */
    struct ct_friends_request *requests;
    size_t request_count, request_capacity;
};

/* Begins another matching, of groups as ct_friend_groups_find() finds them for the arguments. The candidates
 * must stay until its end. CT_OK, or errors as there. */
int ct_friends_matching_begin(struct ct_friends_matching *matching,
                              const struct ct_friend_candidate *candidates, size_t candidate_count,
                              const uint64_t *active, size_t words, size_t threshold);
void ct_friends_matching_free(struct ct_friends_matching *matching);

/* One superstep, with the letters of the one before, of which the first has none. Asks for the best group
 * that is left, and sends the others away once it is agreed on. *ret_active is false while this rank only
 * waits; where all do, the matching is done. CT_OK or CT_E_MEMORY. */
int ct_friends_matching_proceed(struct ct_friends_matching *matching, const struct ct_letters *inbox,
                                struct ct_letters *outbox, bool *ret_active);

#endif
