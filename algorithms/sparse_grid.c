/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/sparse.h"
#include "base/memory.h"
#include "plan/rank_grid.h"

#include <stdlib.h>

static int begin(const struct ct_call *call, void **ret_rule)
{
    struct ct_rank_grid *grid = ct_allocate(1, sizeof *grid);
    if (!grid)
        return CT_E_MEMORY;
    *grid = ct_rank_grid_make(call->size, (int)ct_value(call, &ct_dimensions_parameter));
    *ret_rule = grid;
    return CT_OK;
}

static unsigned stages(const void *rule)
{
    const struct ct_rank_grid *grid = rule;
    return (unsigned)grid->dimensions;
}

static int next(const void *rule, unsigned stage, int holder, int destination)
{
    return ct_rank_grid_hop(rule, holder, destination, (int)stage);
}

const struct ct_forwarding ct_forwarding_grid = {.begin = begin, .end = free, .stages = stages, .next = next};
