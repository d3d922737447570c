/* SPDX-License-Identifier: BSD-3-Clause */
/* A binomial tree from every rank at once, whose distances halve: before the step of distance d a rank has
 * every (2 d)-th block, backwards from its own, and sends them to the rank d further on, as far as they are
 * new there. Then every d-th block is there. No block moves within memory, but each is a message.
 *
 * Source: Loch and Koslovski 2021, Sparbit: a new logarithmic-cost and data locality-aware MPI Allgather
 *         algorithm, arXiv 2109.08751.
 * Cost:   ceil(log2 P) alpha + (P - 1) m beta, if the messages of a step cost one alpha.
 * Memory: none. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/registry.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_allgather_in_result(call);
    int rank = call->rank, size = call->size;
    ct_allgather_place_own(plan, &group, ct_recv_block(call, rank));
    for (int distance = ct_power_of_two_below(size > 1 ? size - 1 : 1); distance > 0; distance /= 2) {
        int next = ct_actual(rank, distance, size), previous = ct_virtual(rank, distance, size);
        for (int back = 0; back < size - distance; back += 2 * distance) {
            struct ct_slice held = back == 0 ? group.own : ct_recv_block(call, ct_virtual(rank, back, size));
            ct_post(plan, CT_STEP_RECEIVE, previous,
                    ct_recv_block(call, ct_virtual(rank, back + distance, size)), CT_DEFERRAL_IN_ROUND);
            ct_post(plan, CT_STEP_SEND, next, held, CT_DEFERRAL_IN_ROUND);
        }
        ct_round_end(plan);
    }
}

const struct ct_descriptor ct_allgather_sparbit = {
    .text = "a binomial tree from every rank, distances halve",
    .source = "Loch and Koslovski 2021",
    .cost = "ceil(log2 P) alpha + (P - 1) m beta",
    .sends = {"P - 1", "(P - 1) * m", "P * (P - 1)", "P * (P - 1) * m"},
    .build = build,
};
