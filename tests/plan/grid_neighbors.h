/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_GRID_NEIGHBORS_H
#define CT_TESTS_GRID_NEIGHBORS_H

#include "plan/rank_grid.h"

/* The most messages that a rank of a grid sends: of every dimension its length less one, added up. */
static inline int grid_neighbors(const struct ct_rank_grid *grid)
{
    int count = 0;
    for (int d = 0; d < grid->dimensions; d++)
        count += grid->length[d] - 1;
    return count;
}

#endif
