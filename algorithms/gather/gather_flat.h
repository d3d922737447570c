/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_GATHER_GATHER_FLAT_H
#define CT_ALGORITHMS_GATHER_GATHER_FLAT_H

#include "algorithms/algorithm.h"

/* The root receives from every rank, at most `window` messages at once (0: all). Blocks may differ. */
void ct_gather_flat(struct ct_plan *plan, const struct ct_call *call, unsigned window);

/* Puts the root's own block in its place, where it is not there already. */
void ct_gather_own(struct ct_plan *plan, const struct ct_call *call);

#endif
