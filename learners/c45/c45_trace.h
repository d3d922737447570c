/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_TRACE_H
#define CT_LEARNERS_C45_C45_TRACE_H

#include "learners/c45/c45_prune.h"

/* What -v prints on the way, into engine->trace; nothing where that is NULL. */

/* A node that is no leaf yet: how much there is of it, and then what each judged attribute would bring (-v
 * 2), and their average gain (likewise). */
void ct_c45_trace_node(const struct ct_c45_engine *engine, size_t items, float weight);
void ct_c45_trace_merit(const struct ct_c45_engine *engine, size_t attribute);
void ct_c45_trace_average(const struct ct_c45_engine *engine, float gain);

/* Which test it gets, or that no attribute is worth one. */
void ct_c45_trace_best(const struct ct_c45_engine *engine, size_t attribute, float worth);
void ct_c45_trace_none(const struct ct_c45_engine *engine, const struct ct_c45_node *node);

/* The share of cases where the chosen attribute is unknown; that the branches were no better than a leaf. */
void ct_c45_trace_unknown(const struct ct_c45_engine *engine, const struct ct_c45_node *node, float known);
void ct_c45_trace_collapse(const struct ct_c45_engine *engine, const struct ct_c45_node *node, size_t items);

/* Estimates of pruning, a line behind an empty one. */
void ct_c45_trace_leaf(const struct ct_c45_engine *engine, const struct ct_c45_node *leaf, size_t level);
void ct_c45_trace_test(const struct ct_c45_engine *engine, const struct ct_c45_node *node,
                       const struct ct_c45_estimates *estimates, size_t level);

#endif
