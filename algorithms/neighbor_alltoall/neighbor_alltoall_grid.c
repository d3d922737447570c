/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks travel along the dimensions of a grid of all ranks, one after another. In each stage a rank sends
 * one message to those of its line for which it has blocks, so it sends few messages however many
 * destinations it has. Of an allgather, a block for several ranks behind one neighbor travels once. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "base/memory.h"
#include "plan/rank_grid.h"
#include "plan/routed_plan.h"

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

static const struct ct_forwarding forwarding = {.begin = begin, .end = free, .stages = stages, .next = next};

const struct ct_descriptor ct_neighbor_alltoall_grid = {
    .text = "along the dimensions of a grid, combining messages",
    .source = "Selvitopi, Aykanat 2019, algorithm 1",
    .cost = "at most sum over the dimensions of (k_i - 1) alpha, and each block up to dims times",
    .parameters = {&ct_dimensions_parameter},
    .forwarding = &forwarding,
    .build = ct_routes_build,
};
