/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k each rank tells those 1, 2, ... radix - 1 times radix^k further on and hears from those as far
 * before, around the ring. After it each knows of the radix^(k + 1) - 1 ranks before it. What would reach
 * beyond the ring is left out.
 *
 * Source: Pjesivac-Grbovic 2007, section 4.1.2 (Bruck), table 4.2, with radix 2.
 * Cost:   (radix - 1) ceil(log_radix P) messages a rank at most; ceil(log_radix P) steps, in each of which
 * they are in flight together.
 * Memory: none. */
#include "algorithms/registry.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    int size = call->size;
    long radix = (long)call->values[0];
    for (long nearest = 1; nearest < size; nearest *= radix) {
        for (long distance = nearest; distance < radix * nearest && distance < size; distance += nearest) {
            ct_receive_token(plan, ct_virtual(call->rank, (int)distance, size));
            ct_send_token(plan, ct_actual(call->rank, (int)distance, size));
        }
        ct_round_end(plan);
    }
}

const struct ct_descriptor ct_barrier_dissemination = {
    .text = "in step k each tells the ranks radix^k further on, and multiples of it",
    .source = "Pjesivac-Grbovic 2007, section 4.1.2",
    .cost = "(radix - 1) ceil(log_radix P) alpha",
    /* lgr(radix, P + 1) - 1 is the rounded down logarithm: so many steps are full, and what is left in one
       more */
    .sends = {"(lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1))", "0",
              "P * ((lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1)))",
              "0"},
    .parameters = {&ct_radix_parameter},
    .build = build,
};
