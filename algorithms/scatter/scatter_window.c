/* SPDX-License-Identifier: BSD-3-Clause */
/* The root sends every rank its block, at most `reqs` sends at once.
 *
 * Source: Open MPI 4.1, scatter 3 (linear_nb with max_requests).
 * Cost:   P - 1 messages of m at the root; (P - 1) (alpha + m beta).
 * Memory: none. */
#include "algorithms/registry.h"
#include "algorithms/scatter/scatter_flat.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_scatter_flat(plan, call, (unsigned)call->values[0]);
}

const struct ct_descriptor ct_scatter_window = {
    .text = "the root sends to every rank, to a few at a time",
    .source = "Open MPI 4.1, scatter linear_nb",
    .cost = "(P - 1) (alpha + m beta)",
    .sends = {"P - 1", "(P - 1) * m", "P - 1", "(P - 1) * m"},
    .parameters = {&ct_requests_parameter},
    .build = build,
};
