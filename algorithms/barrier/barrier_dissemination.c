/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k each rank tells the one 2^k further on and hears from the one 2^k before, around the ring.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2 (Bruck), table 4.2.
 * Cost:   ceil(log2 P) messages a rank; ceil(log2 P) alpha.
 * Memory: none. */
#include "algorithms/registry.h"
#include "algorithms/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int size = call->size;
    for (long distance = 1; distance < size; distance *= 2) {
        ct_receive_token(plan, ct_virtual(call->rank, (int)distance, size));
        ct_send_token(plan, ct_actual(call->rank, (int)distance, size));
        ct_round_end(plan);
    }
}

const struct ct_algorithm barrier_dissemination = {
    .name = "dissemination",
    .collective = CT_BARRIER,
    .text = "in step k each tells the rank 2^k further on",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "ceil(log2 P) alpha",
    .sends = {"lg(P)", "0", "P * lg(P)", "0"},
    .build = build,
};
