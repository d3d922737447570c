/* SPDX-License-Identifier: BSD-3-Clause */
/* All messages are posted at once, each rank's in the order of the ranks after it, so that no rank is first
 * in all lists. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

/* The k-th receive of any rank meets the k-th send of another: with two messages outstanding at each, those
 * of the least k that is not done are in flight at both ends. So any bound of two or more will do. */
void ct_alltoall_at_once(struct ct_plan *plan, const struct ct_call *call)
{
    ct_window(plan, (unsigned)ct_value_or(call, &ct_requests_parameter, 0));
    for (int distance = 1; distance < call->size; distance++)
        ct_alltoall_exchange(plan, call, ct_virtual(call->rank, distance, call->size),
                             ct_actual(call->rank, distance, call->size));
    ct_alltoall_own(plan, call);
}

const struct ct_descriptor ct_alltoall_linear = {
    .text = "all messages at once",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.7",
    .cost = "(P - 1) (alpha + m beta)",
    .build = ct_alltoall_at_once,
};
