/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_PLACEMENTS_H
#define CT_MEASURE_SWEEP_PLACEMENTS_H

#include "base/error.h"

#include <stddef.h>

/* Where the ranks of a sweep's communicators lie, if a sweep varies it: numbers of ranks with numbers of
 * ranks on each node. A job has one number of ranks on each node, so that each of them has jobs of its own.
 */

struct ct_placement {
    size_t ranks;
    size_t ppn; /* asked for; where `ranks` is less, there are fewer on the node */
};

struct ct_placements {
    struct ct_placement *items; /* by ppn, largest first, then by ranks, largest first; none twice */
    size_t count;               /* 0: the sweep has one number of ranks on each node, or the launcher's own */
};

/* The nodes that it takes, and the ranks on the fullest of them. */
size_t ct_placement_nodes(const struct ct_placement *placement);
size_t ct_placement_ppn(const struct ct_placement *placement);

/* All products of numbers of nodes and of ranks on each, but for a rank alone. CT_OK; CT_E_INPUT where there
 * are none, or too many ranks; CT_E_MEMORY. Caller frees. */
int ct_placements_of_nodes(const size_t *nodes, size_t node_count, const size_t *ppns, size_t ppn_count,
                           struct ct_error *error, struct ct_placements *ret_placements);
/* Each number of ranks with each number on a node; ranks that fit on one node in several ways are placed so
 * once. CT_OK; CT_E_MEMORY. Caller frees. */
int ct_placements_of_sizes(const size_t *ranks, size_t rank_count, const size_t *ppns, size_t ppn_count,
                           struct ct_placements *ret_placements);
void ct_placements_free(struct ct_placements *placements);

/* The numbers of ranks that occur, each once. CT_OK, CT_E_MEMORY. Caller frees. */
int ct_placements_sizes(const struct ct_placements *placements, size_t **ret_sizes, size_t *ret_count);
/* How many of the items from `first` on have the ppn of the first of them. */
size_t ct_placements_run(const struct ct_placements *placements, size_t first);

/* "16/4,8/4,4/1": ranks and ranks on a node; NULL without memory. Caller frees. */
char *ct_placements_format(const struct ct_placements *placements);
/* Reads that. CT_OK, CT_E_INPUT, CT_E_MEMORY. Caller frees. */
int ct_placements_parse(const char *text, struct ct_error *error, struct ct_placements *ret_placements);

#endif
