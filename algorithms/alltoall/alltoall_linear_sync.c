/* SPDX-License-Identifier: BSD-3-Clause */
/* As alltoall/linear, with a bound on the messages of a rank that are outstanding: as one is done, the next
 * is posted.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2.
 * Cost:   (P - 1) (alpha + m beta), less what messages overlap.
 * Memory: none. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    ct_alltoall_at_once(plan, call, (unsigned)call->values[0]);
}

const struct ct_descriptor ct_alltoall_linear_sync = {
    .text = "all messages, a bounded number of them outstanding",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) (alpha + m beta)",
    .sends = {"P - 1", "(P - 1) * m", "P * (P - 1)", "P * (P - 1) * m"},
    .parameters = {&ct_requests_parameter},
    .build = build,
};
