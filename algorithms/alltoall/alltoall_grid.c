/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks are points of a grid. In each dimension a rank exchanges with those that differ in this coordinate
 * alone, one message each: all that it has for ranks with the other's coordinate. So there are some
 * dims P^(1 / dims) messages instead of P - 1, and each block is sent up to dims times. See
 * alltoall_forward.h for memory, and plan/rank_grid.h for numbers of ranks that leave holes in the grid. */
#include "algorithms/alltoall/alltoall_forward.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_rank_grid grid = ct_rank_grid_make(call->size, (int)ct_value(call, &ct_dimensions_parameter));
    ct_alltoall_forward(plan, call, &grid);
}

const struct ct_descriptor ct_alltoall_grid = {
    .text = "blocks travel along the dimensions of a grid, in few messages",
    .source = "Kumar 2005, section 3.1 (2 and 3 dimensions, holes); Selvitopi and Aykanat 2019",
    .cost = "d (P^(1/d) - 1) (alpha + P^(1 - 1/d) m beta) with d dimensions",
    .parameters = {&ct_dimensions_parameter},
    .build = build,
};
