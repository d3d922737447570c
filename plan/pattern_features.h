/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_PATTERN_FEATURES_H
#define CT_PLAN_PATTERN_FEATURES_H

#include <stddef.h>
#include <stdint.h>

/* What decisions may look at in the pattern of a sparse collective, besides its ranks: numbers that are equal
 * on all ranks. plan/pattern_share.h finds them. */

struct ct_pattern_features {
    size_t edge_bytes;    /* of the mean edge, rounded down */
    uint32_t degree;      /* destinations of the rank that has most, or sources if some rank has more */
    uint32_t mean_degree; /* mean destinations of a rank, in hundredths, rounded down */
    uint32_t imbalance;   /* bytes that one rank sends or receives at most, in percent of what a rank sends on
                             average, rounded down; 100 where nothing is sent */
    uint32_t on_node;     /* edges whose ranks share a node, in percent of all, rounded down; 0 where that is
                             not known */
};

#endif
