/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_GROUPS_OF_FRIENDS_H
#define CT_ALGORITHMS_GROUPS_OF_FRIENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The groups of friends that a rank may belong to: it and some candidates that all have more than so many
 * destinations in common. A set of destinations is an array of bits. */

enum { CT_FRIENDS_MOST = 16, CT_SET_BITS = 64 };

/* A rank with which this one has common destinations. */
struct ct_friend_candidate {
    int rank;
    uint64_t *common; /* set of them */
};

/* The index of the candidate of that rank among some by rising rank; `count`: there is none. */
size_t ct_friend_candidate_find(const struct ct_friend_candidate *candidates, size_t count, int rank);

/* All zeroes has no groups. */
struct ct_friend_groups {
    size_t others;     /* candidates in each group */
    size_t count;      /* groups */
    uint32_t *weights; /* by group: common destinations */
    size_t weight_capacity;
    uint32_t *members; /* by group: indexes of its candidates, rising */
    size_t member_capacity;
    uint32_t *order; /* groups by weight, falling, and groups of one weight by members, rising */
    size_t order_capacity;
    bool *is_gone; /* by candidate: no group has it any more */
    size_t gone_capacity;
    size_t candidate_count;
};

/* How many destinations are in a set of so many words. */
size_t ct_set_count(const uint64_t *set, size_t words);

/* Finds all groups of `others` candidates, at most CT_FRIENDS_MOST - 1, that have more than `threshold`
 * destinations in common with each other and with `active`. No candidate is gone. CT_OK, CT_E_MEMORY, or
 * CT_E_LIMIT if there are more than 2^20 groups. */
int ct_friend_groups_find(struct ct_friend_groups *groups, const struct ct_friend_candidate *candidates,
                          size_t candidate_count, const uint64_t *active, size_t words, size_t others,
                          size_t threshold);
void ct_friend_groups_free(struct ct_friend_groups *groups);

/* The candidates of a group. */
static inline const uint32_t *ct_friend_group(const struct ct_friend_groups *groups, size_t group)
{
    return groups->members + group * groups->others;
}

/* Is none of its candidates gone? */
static inline bool ct_friend_group_is_left(const struct ct_friend_groups *groups, size_t group)
{
    const uint32_t *members = ct_friend_group(groups, group);
    for (size_t i = 0; i < groups->others; i++)
        if (groups->is_gone[members[i]])
            return false;
    return true;
}

/* Marks the candidates that are in groups that are left. `marks` has an entry for each candidate. */
void ct_friend_groups_mark(const struct ct_friend_groups *groups, bool *marks);

#endif
