/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_SCATTER_SCATTER_FLAT_H
#define CT_ALGORITHMS_SCATTER_SCATTER_FLAT_H

#include "algorithms/algorithm.h"

/* The root sends to every rank, at most `window` messages at once (0: all). Blocks may differ. */
void ct_scatter_flat(struct ct_plan *plan, const struct ct_call *call, unsigned window);

#endif
