/* SPDX-License-Identifier: BSD-3-Clause */
/* One exchange per round: where P is a power of two, ranks whose numbers differ in the same bits swap blocks;
 * otherwise each rank receives from the k-th rank before it and sends to the k-th after it. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/descriptor.h"
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
    .text = "one exchange per round, each with another partner",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.7; Thakur, Rabenseifner, Gropp 2005",
    .cost = "(P - 1) (alpha + m beta)",
    .build = build,
};
