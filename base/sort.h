/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_SORT_H
#define CT_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorting of plain values. Needs libc alone. */

/* -1, 0 or 1, as qsort() wants it; for comparison functions of structures, too. */
#define CT_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Comparison function for qsort() and bsearch() of size_t, rising. */
int ct_compare_sizes(const void *a, const void *b);

/* Sorts doubles, none of them NAN, rising. */
void ct_sort(double *values, size_t count);

/* A value and the number that it is sorted by. */
struct ct_keyed {
    uint64_t key;
    size_t value;
};

/* Sorts by key, rising; equal keys keep their order. `spare` has room for as many. Returns which of the two
 * arrays holds the result. Takes time in proportion to `count` and to the bytes in which keys differ (Knuth
 * 1998, The Art of Computer Programming, volume 3, section 5.2.5). */
struct ct_keyed *ct_sort_keyed(struct ct_keyed *items, struct ct_keyed *spare, size_t count);

/* Sorts sizes, rising, and drops duplicates; returns how many are left. */
size_t ct_sort_unique(size_t *values, size_t count);

#endif
