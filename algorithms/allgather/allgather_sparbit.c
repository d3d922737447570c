/* SPDX-License-Identifier: BSD-3-Clause */
/* A binomial tree from every rank at once, in which distances halve: before the step of distance d a rank has
 * every (2 d)-th block, backwards from its own, and sends those to the rank d further on that are new there.
 * Then it has every d-th block. No block moves within memory, but each is a message; those of a step
 * overlap. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_allgather_in_result(call);
    int rank = call->rank, size = call->size;
    ct_allgather_place_own(plan, &group, ct_recv_block(call, rank));
    for (int distance = ct_power_of_two_below(size > 1 ? size - 1 : 1); distance > 0; distance /= 2) {
        int next = ct_actual(rank, distance, size), previous = ct_virtual(rank, distance, size);
        for (int back = 0; back < size - distance; back += 2 * distance) {
            struct ct_slice held = back == 0 ? group.own : ct_recv_block(call, ct_virtual(rank, back, size));
            ct_receive_slice(plan, previous, ct_recv_block(call, ct_virtual(rank, back + distance, size)));
            ct_send_slice(plan, next, held);
        }
        ct_round_end(plan);
    }
}

const struct ct_descriptor ct_allgather_sparbit = {
    .text = "a binomial tree from every rank, with distances that halve",
    .source = "Loch and Koslovski 2021 (Sparbit), arXiv 2109.08751",
    .cost = "ceil(log2 P) alpha + (P - 1) m beta",
    .build = build,
};
