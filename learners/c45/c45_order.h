/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_ORDER_H
#define CT_LEARNERS_C45_C45_ORDER_H

#include "learners/c45/c45_state.h"

float ct_c45_weight(const struct ct_c45_engine *engine, size_t from, size_t to);

/* Sums of weights by class, in the order of the cases. */
void ct_c45_distribute(const struct ct_c45_engine *engine, size_t from, size_t to, float *ret_frequencies);

/* Multiplies weights by `factor`, or divides them by it. */
void ct_c45_scale(struct ct_c45_engine *engine, size_t from, size_t to, float factor);
void ct_c45_unscale(struct ct_c45_engine *engine, size_t from, size_t to, float factor);

void ct_c45_swap(struct ct_c45_engine *engine, size_t a, size_t b);

/* Moves the cases whose value at this node is unknown to the front; returns the place behind them. */
size_t ct_c45_part_unknown(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t from,
                           size_t to);

/* The same for the cases that go down a branch; no value is unknown. */
size_t ct_c45_part_branch(struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t branch,
                          size_t from, size_t to);

/* Sorts by a continuous attribute, of which no value is unknown, and leaves the numbers in engine->keys. */
void ct_c45_sort(struct ct_c45_engine *engine, size_t attribute, size_t from, size_t to);

/* Sorts by the numbers in engine->keys. */
void ct_c45_sort_keys(struct ct_c45_engine *engine, size_t from, size_t to);

#endif
