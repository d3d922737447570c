/* SPDX-License-Identifier: BSD-3-Clause */
/* All messages are posted at once, in the order of the neighbors. */
#include "algorithms/registry.h"
#include "algorithms/sparse.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_sparse_direct(plan, call, true);
}

const struct ct_descriptor ct_neighbor_allgather_linear = {
    .text = "all messages at once",
    .source = "MPI 4.0, section 8.6",
    .cost = "d (alpha + m beta)",
    .build = build,
};
