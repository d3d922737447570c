/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 2 i and 2 i + 1 swap their blocks; then every rank alternates between its two neighbours and swaps
 * the pair of blocks that it received last. Pairs of blocks of different lengths are two messages: P - 1
 * latencies. */
#include "algorithms/allgather/allgather_parts.h"
#include "algorithms/descriptor.h"

/* The blocks of ranks 2 pair and 2 pair + 1, which are one slice only where all blocks are equal. */
static void post_pair(struct ct_plan *plan, const struct ct_call *call, enum ct_step_kind kind, int peer,
                      int pair)
{
    struct ct_slice first = ct_recv_block(call, 2 * pair);
    if (!call->recv_counts)
        first.n *= 2;
    ct_post(plan, kind, peer, first, CT_DEFERRAL_IN_ROUND);
    if (call->recv_counts)
        ct_post(plan, kind, peer, ct_recv_block(call, 2 * pair + 1), CT_DEFERRAL_IN_ROUND);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_allgather_parts group = ct_allgather_in_result(call);
    int rank = call->rank, size = call->size, pairs = size / 2, held = rank / 2;
    bool is_even = rank % 2 == 0;
    int other = is_even ? rank + 1 : rank - 1;

    ct_receive_slice(plan, other, ct_recv_block(call, other));
    ct_send_slice(plan, other, group.own);
    ct_allgather_place_own(plan, &group, ct_recv_block(call, rank));
    ct_round_end(plan);
    for (int step = 1; step < pairs; step++) {
        /* downwards for the even ones first; what comes is one pair further off every other step */
        bool down = is_even == (step % 2 == 1);
        int peer = down ? ct_virtual(rank, 1, size) : ct_actual(rank, 1, size);
        int far = (step + 1) / 2;
        int coming = down ? ct_virtual(rank / 2, far, pairs) : ct_actual(rank / 2, far, pairs);
        post_pair(plan, call, CT_STEP_RECEIVE, peer, coming);
        post_pair(plan, call, CT_STEP_SEND, peer, held);
        ct_round_end(plan);
        held = coming;
    }
}

const struct ct_descriptor ct_allgather_neighbor_exchange = {
    .text = "a rank alternates between its neighbours and swaps the two blocks received last",
    .source = "Chen et al. 2005; Pjesivac-Grbovic 2007, section 4.1.2, table 4.6",
    .cost = "P / 2 alpha + (P - 1) m beta",
    .constraints = CT_CONSTRAINT_EVEN,
    .build = build,
};
