/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks whose numbers differ in bit k alone swap all blocks for the other's half: P / 2 blocks.
 * Where P is not a power of two, each rank beyond the largest one hands its blocks to the rank so far before
 * it, which takes part for both.
 * Memory: see alltoall_forward.h. */
#include "algorithms/alltoall/alltoall_forward.h"
#include "algorithms/descriptor.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_rank_grid grid =
        ct_rank_grid_make(ct_power_of_two_below(call->size), CT_RANK_GRID_DIMENSIONS_MAX);
    ct_alltoall_forward(plan, call, &grid);
}

const struct ct_descriptor ct_alltoall_hypercube = {
    .text = "in step k ranks 2^k apart swap the blocks for each other's half",
    .source = "Kumar 2005, section 3.1.3",
    .cost = "log2 P (alpha + P / 2 m (beta + delta)); about twice as much where P is not a power of two",
    .build = build,
};
