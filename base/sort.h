/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_BASE_SORT_H
#define CT_BASE_SORT_H

#include <stddef.h>

/* Sorting of plain values. Needs libc alone. */

/* -1, 0 or 1, as qsort() wants it; for comparison functions of structures, too. */
#define CT_COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

/* Comparison functions for qsort() and bsearch() of size_t and of double (none of them NAN), rising. */
int ct_compare_sizes(const void *a, const void *b);
int ct_compare_doubles(const void *a, const void *b);

/* Sorts doubles, none of them NAN, rising. */
void ct_sort(double *values, size_t count);

/* Sorts sizes, rising, and drops duplicates; returns how many are left. */
size_t ct_sort_unique(size_t *values, size_t count);

#endif
