/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_PATTERNS_H
#define CT_PLAN_VERIFY_VERIFIER_PATTERNS_H

#include "plan/pattern.h"

/* The patterns for which algorithms of sparse collectives are verified: up to 3 ranks all directed graphs,
 * ranks that send to themselves included; for 4 ranks all without these; for more ranks, and with repeated
 * edges, random ones of several densities, hubs, grids, a complete one, an empty one, and ones whose edges
 * all lead one way. */

/* How many there are for that number of ranks. */
size_t ct_patterns_tried(int size);

/* The edges of one of them, with lengths around `length`, some of them 0 if `uneven`. The caller frees
 * *ret_edges. CT_OK or CT_E_MEMORY. */
int ct_pattern_tried(int size, size_t index, size_t length, bool uneven, struct ct_edge **ret_edges,
                     size_t *ret_count);

#endif
