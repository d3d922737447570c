/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of k consecutive ranks: a rank sends its block to the others of its group, in round i to the rank
 * whose number differs in the bits of i, then to the rank k further on, and goes on with the block that came
 * from k before. Where k is not a power of two, round i goes to the i-th rank further on in the group; where
 * groups would not be full, this is allgather/k_shift. */
#include "algorithms/allgather/allgather_steps.h"
#include "algorithms/descriptor.h"
#include "plan/shapes.h"

static void within_group(struct ct_allgather_steps *steps, int group)
{
    int rank = steps->call->rank, begin = rank - rank % group;
    int back = ct_virtual(rank, steps->held, steps->call->size); /* from where the block was at first */
    bool in_pairs = ct_power_of_two_below(group) == group;
    for (int i = 1; i < group; i++) {
        int to = in_pairs ? rank ^ i : begin + (rank - begin + i) % group;
        int from = in_pairs ? rank ^ i : begin + (rank - begin + group - i) % group;
        ct_allgather_step(steps, to, from, ct_virtual(from, back, steps->call->size));
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_steps steps = ct_allgather_steps_begin(plan, call);
    int group = ct_allgather_group(call), size = call->size;
    if (size % group != 0) {
        ct_allgather_shift(&steps, group);
        return;
    }
    for (int left = size / group; left > 0; left--) {
        within_group(&steps, group);
        if (left > 1) {
            int next = ct_virtual(steps.held, group, size);
            ct_allgather_step(&steps, ct_actual(call->rank, group, size), ct_virtual(call->rank, group, size),
                              next);
            steps.held = next;
        }
    }
}

const struct ct_descriptor ct_allgather_k_prefix = {
    .text = "blocks go to all of a group of k ranks in pairs, then k ranks further on",
    .source = "Kumar 2005, section 4.3.3",
    .cost = "(P - 1) (alpha + m beta)",
    .parameters = {&ct_group_parameter, &ct_barrier_every_parameter},
    .build = build,
};
