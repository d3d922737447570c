/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank collects blocks in the order of ranks, beginning with its own: when it has w blocks it receives up
 * to w from each of the ranks w, 2 w, ... (radix - 1) w further on, at once, and then has radix w. In the end
 * all are copied to their places; equal blocks are there already at rank 0.
 * Memory: P m. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"

/* With `held` blocks there, those that begin at `begin`: as many, or what is left. */
static void exchange(struct ct_plan *plan, const struct ct_allgather_parts *group, int held, int begin)
{
    int rank = group->rank, size = group->size;
    int n = held < size - begin ? held : size - begin;
    int from = ct_actual(rank, begin, size), to = ct_virtual(rank, begin, size);
    size_t offset = ct_allgather_packed_begin(group, rank, begin);
    ct_receive(plan, from, group->buffer, offset, ct_allgather_packed_begin(group, rank, begin + n) - offset);
    if (held == 1)
        ct_send_slice(plan, to, group->own);
    else
        ct_send(plan, to, group->buffer, 0, ct_allgather_packed_begin(group, rank, n));
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_allgather_parts group = ct_allgather_packed(plan, call);
    if (group.buffer == CT_BUFFER_RECV && call->rank > 0)
        group.buffer = ct_temporary(plan, ct_part_begin(&group.parts, call->size));
    int size = call->size, radix = (int)ct_value(call, &ct_radix_parameter);

    ct_allgather_place_own(plan, &group, (struct ct_slice){.buffer = group.buffer});
    for (int held = 1, most; held < size; held = most) {
        most = size / radix < held ? size : held * radix;
        for (int begin = held; begin < most; begin += held)
            exchange(plan, &group, held, begin);
        ct_round_end(plan);
    }
    if (group.buffer != CT_BUFFER_RECV)
        ct_allgather_unpack(plan, call, &group, call->rank);
}

const struct ct_descriptor ct_allgather_bruck = {
    .text = "the blocks that follow a rank's own double, or multiply, in each step",
    .source = "Bruck et al. 1997; Pjesivac-Grbovic 2007, section 4.1.2, table 4.6 (radix 2)",
    .cost = "ceil(log_radix P) alpha + (P - 1) m beta",
    .parameters = {&ct_radix_parameter},
    .build = build,
};
