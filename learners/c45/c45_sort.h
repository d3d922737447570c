/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_SORT_H
#define CT_LEARNERS_C45_C45_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Cases that weigh less than 1 are summed in the order they have, so their sort must leave equal numbers in
 * the very order that C4.5 Release 8 leaves them in: that of its quicksort, which takes the last number for
 * the pivot. What it moves is kept, how it goes about it is not. */

/* A number, and the place that it comes from. */
struct ct_c45_item {
    float key;
    uint32_t place;
};

/* Sorts as that quicksort does, in n log^2 n at worst. */
void ct_c45_sort_items(struct ct_c45_item *items, size_t count);

/* What does the same for ranges whose pivots part little, as long as these do (c45_peel.c): sorts all but
 * items *ret_from..*ret_to - 1, which then are a range that the quicksort has still to sort. Without memory
 * that is all of it. */
void ct_c45_peel_items(struct ct_c45_item *items, size_t count, size_t *ret_from, size_t *ret_to);

/* Brings items that equal the pivot, none of them greater, behind the others as the quicksort does; returns
 * how many others there are. */
size_t ct_c45_part_equal(struct ct_c45_item *items, size_t count, float pivot);

/* Of a range whose pivots take less than this part of it, peeling is quicker than parting. */
enum { CT_C45_PEEL_SHARE = 16 };

#endif
