/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank sends its block to the root, which has at most `reqs` receives posted, so that no more ranks
 * than that pour large blocks into it at a time.
 *
 * Source: the counterpart of Open MPI's scatter 3, linear_nb; Pjesivac-Grbovic 2007, section 4.1.2 on
 * overloading the root.
 * Cost:   P - 1 messages of m at the root; (P - 1) (alpha + m beta).
 * Memory: none. */
#include "algorithms/gather/gather_flat.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_gather_flat(plan, call, (unsigned)call->values[0]);
}

const struct ct_descriptor ct_gather_window = {
    .text = "every rank sends to the root, which receives a few at a time",
    .source = "Open MPI 4.1, scatter linear_nb turned round",
    .cost = "(P - 1) (alpha + m beta)",
    .sends = {"min(P - 1, 1)", "min(P - 1, 1) * m", "P - 1", "(P - 1) * m"},
    .parameters = {&ct_requests_parameter},
    .build = build,
};
