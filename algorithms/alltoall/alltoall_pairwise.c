/* SPDX-License-Identifier: BSD-3-Clause */
/* One exchange a round: where P is a power of two, ranks whose numbers differ in the same bits swap blocks;
 * else each receives from the k-th rank before it and sends to the k-th behind.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2, table 4.7; Thakur, Rabenseifner, Gropp 2005.
 * Cost:   (P - 1) (alpha + m beta).
 * Memory: none. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/registry.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    bool in_pairs = ct_power_of_two_below(call->size) == call->size;
    ct_alltoall_own(plan, call);
    for (int k = 1; k < call->size; k++) {
        int from = in_pairs ? call->rank ^ k : ct_virtual(call->rank, k, call->size);
        int to = in_pairs ? call->rank ^ k : ct_actual(call->rank, k, call->size);
        ct_alltoall_exchange(plan, call, from, to);
        ct_round_end(plan);
    }
}

const struct ct_descriptor ct_alltoall_pairwise = {
    .text = "one exchange with another partner a round",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(P - 1) (alpha + m beta)",
    .sends = {"P - 1", "(P - 1) * m", "P * (P - 1)", "P * (P - 1) * m"},
    .build = build,
};
