/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TREE_THRESHOLDS_H
#define CT_DECISION_TREE_THRESHOLDS_H

#include <stddef.h>
#include <stdint.h>

/* How many of a list of thresholds a value exceeds, found without branches that depend on the value: a
 * mispredicted branch costs more than the rest of a decision. The value's key is its length in bits with its
 * first few bits, as in a floating-point number. The key leads near the place; a search of a fixed number of
 * steps does the rest: none if the thresholds are small whole numbers, one if they are some doublings apart.
 */

enum { CT_THRESHOLDS_MAX = 1 << 14, CT_THRESHOLD_KEYS_MAX = 1 << 10 };

struct ct_thresholds {
    size_t *thresholds; /* rising */
    size_t count;
    size_t room;     /* of the array: after them come SIZE_MAX, which the search may read */
    size_t beyond;   /* one more than the last: what is larger has the same rank */
    uint16_t *first; /* by key: how many every value of that key exceeds */
    size_t keys;
    unsigned bits; /* that a key has of a value, behind its first one */
    size_t step;   /* first one of the search, a power of two; 0: nothing to search */
};

/* Of thresholds that rise without duplicates, the last below SIZE_MAX; at least one. CT_OK; CT_E_LIMIT beyond
 * CT_THRESHOLDS_MAX; CT_E_MEMORY. Caller frees with ct_thresholds_free(). */
int ct_thresholds_make(const size_t *thresholds, size_t count, struct ct_thresholds *ret_ranks);
void ct_thresholds_free(struct ct_thresholds *ranks);

/* Rises with the value, from 0 without gaps; values below 2^bits are their own keys. */
static inline size_t ct_threshold_key(size_t value, unsigned bits)
{
    size_t longest = 8 * sizeof(unsigned long long) - 1;
    size_t dropped = longest - (size_t)__builtin_clzll(value | 1ULL << bits) - bits;
    return (dropped << bits) + (value >> dropped);
}

/* How many thresholds the value exceeds. */
static inline size_t ct_threshold_index(const struct ct_thresholds *ranks, size_t value)
{
    size_t held = value < ranks->beyond ? value : ranks->beyond;
    size_t rank = ranks->first[ct_threshold_key(held, ranks->bits)];
    for (size_t step = ranks->step; step > 0; step /= 2)
        rank += -(size_t)(held > ranks->thresholds[rank + step - 1]) & step;
    return rank;
}

#endif
