/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k each rank sends a token to the ranks 1, 2, ... radix - 1 times radix^k after it, around the ring,
 * and receives one from the ranks as far before it. Then it knows of the radix^(k + 1) - 1 ranks before it.
 * Messages that would reach around the whole ring are left out. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int size = call->size;
    long radix = (long)ct_value(call, &ct_radix_parameter);
    for (long nearest = 1; nearest < size; nearest *= radix) {
        for (long distance = nearest; distance < radix * nearest && distance < size; distance += nearest) {
            ct_receive_token(plan, ct_virtual(call->rank, (int)distance, size));
            ct_send_token(plan, ct_actual(call->rank, (int)distance, size));
        }
        ct_round_end(plan);
    }
}

const struct ct_descriptor ct_barrier_dissemination = {
    .text = "in step k each rank signals the ranks radix^k further on, and multiples of that",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2, table 4.2 (radix 2)",
    .cost = "(radix - 1) ceil(log_radix P) alpha",
    .parameters = {&ct_radix_parameter},
    .build = build,
};
