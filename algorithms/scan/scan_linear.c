/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank receives the sum of those before it, adds its own data and passes it on to the next.
 * Memory: scan: none where the operation commutes, else, and in place, m; exscan: m. */
#include "algorithms/descriptor.h"
#include "algorithms/scan/scan_prefix.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_prefix prefix = ct_prefix_begin(plan, call, call->descriptor == &ct_exscan_linear);
    bool is_last = call->rank == call->size - 1;
    if (call->rank > 0)
        ct_prefix_receive(plan, &prefix, call->rank - 1, !is_last);
    if (!is_last)
        ct_send(plan, call->rank + 1, prefix.sum, 0, call->count);
}

const struct ct_descriptor ct_scan_linear = {
    .text = "each rank adds its own data to the sum and passes it on",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.11",
    .cost = "(P - 1) (alpha + m (beta + gamma))",
    .build = build,
};

const struct ct_descriptor ct_exscan_linear = {
    .text = "each rank keeps the sum, adds its own data and passes it on",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.11",
    .cost = "(P - 1) (alpha + m beta) + (P - 2) m gamma",
    .build = build,
};
