/* SPDX-License-Identifier: BSD-3-Clause */
/* As linear, with a bound on the messages that a rank sends at once. */
#include "algorithms/registry.h"
#include "algorithms/sparse.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_sparse_direct(plan, call, false);
}

const struct ct_descriptor ct_neighbor_alltoall_window = {
    .text = "all messages, with a bound on those outstanding",
    .source = "MPI 4.0, section 8.6",
    .cost = "d (alpha + m beta)",
    .parameters = {&ct_requests_parameter},
    .build = build,
};
