/* SPDX-License-Identifier: BSD-3-Clause */
/* In round i a rank swaps its own block with the rank whose number differs in the bits of i: on a fat tree
 * these messages do not meet. Where P is not a power of two, round i sends to the i-th rank further on. */
#include "algorithms/allgather/allgather_steps.h"
#include "algorithms/descriptor.h"
#include "plan/shapes.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_steps steps = ct_allgather_steps_begin(plan, call);
    bool in_pairs = ct_power_of_two_below(call->size) == call->size;
    for (int i = 1; i < call->size; i++) {
        int to = in_pairs ? call->rank ^ i : ct_actual(call->rank, i, call->size);
        int from = in_pairs ? call->rank ^ i : ct_virtual(call->rank, i, call->size);
        ct_allgather_step(&steps, to, from, from);
    }
}

const struct ct_descriptor ct_allgather_prefix = {
    .text = "one block per round, to another partner each",
    .source = "Kumar 2005, section 4.3.2 (powers of two)",
    .cost = "(P - 1) (alpha + m beta)",
    .parameters = {&ct_barrier_every_parameter},
    .build = build,
};
