/* SPDX-License-Identifier: BSD-3-Clause */
/* The root lets one rank after the other send, so that they do not flood it. A block comes in two segments:
 * the next rank may send when the first segment has arrived, so the second overlaps with what follows. */
#include "algorithms/descriptor.h"
#include "algorithms/gather_scatter.h"

static const struct ct_parameter first_parameter = {
    .name = "first",
    .text = "bytes of a block that must arrive before the next rank may go ahead",
    .least = 0,
    .most = SIZE_MAX,
    .standard = 1024,
    .in_bytes = true,
    .sweep = "1K,8K,32K",
};

static void send_block(struct ct_plan *plan, const struct ct_call *call, size_t first)
{
    ct_receive_token(plan, call->root);
    ct_round_end(plan);
    ct_send(plan, call->root, CT_BUFFER_SEND, 0, first);
    ct_round_end(plan);
    ct_send(plan, call->root, CT_BUFFER_SEND, first, call->count - first);
}

static void receive_block(struct ct_plan *plan, int peer, struct ct_slice block, size_t first)
{
    struct ct_slice rest = block;
    rest.offset += first;
    rest.n -= first;
    block.n = first;
    ct_receive_slice(plan, peer, block);
    ct_send_token(plan, peer);
    ct_post(plan, CT_STEP_RECEIVE, peer, rest, CT_DEFERRAL_AT_END);
    ct_round_end(plan);
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    size_t first =
        call->count < ct_value(call, &first_parameter) ? call->count : ct_value(call, &first_parameter);
    if (call->count == 0) /* nothing to go ahead with */
        return;
    if (call->rank != call->root) {
        send_block(plan, call, first);
        return;
    }
    for (int peer = 0; peer < call->size; peer++)
        if (peer != call->root)
            receive_block(plan, peer, ct_recv_block(call, peer), first);
    ct_gather_own(plan, call);
}

const struct ct_descriptor ct_gather_linear_sync = {
    .text = "the root lets one rank after the other send, the next when a first segment has arrived",
    .source = "Pjesivac-Grbovic 2007, sections 4.1.2 and 4.3.2; Open MPI 4.1, gather 3",
    .cost = "alpha + (P - 1) (2 alpha + m beta)",
    .parameters = {&first_parameter},
    .build = build,
};
