/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/allgather/allgather_steps.h"
#include "algorithms/descriptor.h"
#include "algorithms/inner_plan.h"
#include "plan/shapes.h"

const struct ct_parameter ct_barrier_every_parameter = {
    "barrier_every", "messages from one barrier to the next, 0 for none", "0", .least = 0, .most = 65536,
    .standard = 0};

const struct ct_parameter ct_group_parameter = {"k",        "ranks in a group", "8",
                                                .least = 2, .most = 4096,       .standard = 8};

struct ct_allgather_steps ct_allgather_steps_begin(struct ct_plan *plan, const struct ct_call *call)
{
    if (!call->in_place)
        ct_copy_slice(plan, ct_recv_block(call, call->rank),
                      (struct ct_slice){.buffer = CT_BUFFER_SEND, .n = call->count});
    return (struct ct_allgather_steps){.plan = plan, .call = call, .held = call->rank};
}

static void barrier(struct ct_plan *plan, const struct ct_call *call)
{
    struct ct_call inner = {.rank = call->rank, .size = call->size, .unit_bytes = call->unit_bytes};
    ct_inner_build(plan, call, &ct_barrier_dissemination, &inner);
}

void ct_allgather_step(struct ct_allgather_steps *steps, int to, int from, int coming)
{
    const struct ct_call *call = steps->call;
    struct ct_slice held = ct_recv_block(call, steps->held);
    if (steps->held == call->rank && !call->in_place)
        held = (struct ct_slice){.buffer = CT_BUFFER_SEND, .n = call->count};
    ct_receive_slice(steps->plan, from, ct_recv_block(call, coming));
    ct_send_slice(steps->plan, to, held);
    ct_round_end(steps->plan);
    steps->done++;
    int every = (int)ct_value(call, &ct_barrier_every_parameter);
    if (every > 0 && steps->done % every == 0 && steps->done < call->size - 1)
        barrier(steps->plan, call);
}

int ct_allgather_group(const struct ct_call *call)
{
    size_t group = ct_value(call, &ct_group_parameter);
    return group < (size_t)call->size ? (int)group : call->size;
}

/* To the rank so far after this one, from that so far before it. */
static void shift(struct ct_allgather_steps *steps, int offset)
{
    const struct ct_call *call = steps->call;
    int distance = (offset + call->size) % call->size;
    int from = ct_virtual(call->rank, distance, call->size);
    ct_allgather_step(steps, ct_actual(call->rank, distance, call->size), from,
                      ct_virtual(steps->held, distance, call->size));
}

/* In iteration t the block held is that of the rank t k before this one. It goes to the ranks from `before`
 * before this one to `after` after it, k in all with itself, and becomes the next block of the rank k further
 * on. What is left for the end is an iteration of fewer ranks, if that includes the rank itself; otherwise
 * the iteration before it goes further instead of passing its block on. */
void ct_allgather_shift(struct ct_allgather_steps *steps, int group)
{
    int size = steps->call->size, before = group / 2, after = (group - 1) / 2;
    int iterations = (size - 1) / group + 1, left = size - (iterations - 1) * group;
    bool is_short = left > before;
    int full = is_short ? iterations : iterations - 1;
    for (int t = 0; t < full; t++) {
        int end = after;
        if (t == full - 1)
            end = is_short ? left - 1 - before : after + left;
        for (int offset = -before; offset <= end; offset++)
            if (offset != 0)
                shift(steps, offset);
        if (t < full - 1) {
            int next = ct_virtual(steps->held, group, size);
            shift(steps, group);
            steps->held = next;
        }
    }
}
