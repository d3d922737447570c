/* SPDX-License-Identifier: BSD-3-Clause */
/* A block goes to the k ranks around a rank, one by one, and then to the rank k further on, which does the
 * same with it: in k - 1 of k rounds data stay near. Among neighbouring ranks of a fat tree such shifts do
 * not meet, and a rank that is missing disturbs some rounds only. */
#include "algorithms/allgather/allgather_steps.h"
#include "algorithms/descriptor.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_steps steps = ct_allgather_steps_begin(plan, call);
    ct_allgather_shift(&steps, ct_allgather_group(call));
}

const struct ct_descriptor ct_allgather_k_shift = {
    .text = "blocks go to the k ranks around each, then k ranks further on",
    .source = "Kumar 2005, section 4.3.4",
    .cost = "(P - 1) (alpha + m beta)",
    .parameters = {&ct_group_parameter, &ct_barrier_every_parameter},
    .build = build,
};
