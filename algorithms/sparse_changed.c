/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/sparse.h"

struct changed {
    struct ct_plan *plan;
    const struct ct_call *call;
    struct ct_call routed; /* the same call with the lengths that travel along the routes */
    bool one_for_all;
    bool *sent, *received;     /* by destination and source: is the block another one on the routes? */
    size_t *begins[2];         /* where blocks of the routes lie in the two buffers below */
    unsigned buffers[2];       /* what stands for SEND and RECV on the routes */
    size_t blocks[2], most[2]; /* how many blocks there are, and how long all of them are */
};

/* --- which blocks are others --- */

/* A block for this rank itself is another one if it is at either end. */
static void join_own(struct changed *changed)
{
    for (size_t out = 0, in = 0; ct_sparse_own_pair(changed->call, &out, &in); out++, in++)
        changed->sent[out] = changed->received[in] = changed->sent[out] || changed->received[in];
}

static void find_changed(struct changed *changed)
{
    const struct ct_call *call = changed->call, *routed = &changed->routed;
    for (size_t i = 0; i < ct_call_blocks(call, CT_BUFFER_SEND); i++)
        changed->sent[i] = ct_sparse_sent_block(call, changed->one_for_all, i).n !=
                           ct_sparse_sent_block(routed, changed->one_for_all, i).n;
    for (size_t i = 0; i < ct_call_blocks(call, CT_BUFFER_RECV); i++)
        changed->received[i] = ct_recv_block(call, (int)i).n != ct_recv_block(routed, (int)i).n;
    join_own(changed);
}

/* --- along the routes --- */

static struct ct_slice routed_block(const struct changed *changed, unsigned side, size_t i)
{
    return side == CT_BUFFER_RECV ? ct_recv_block(&changed->routed, (int)i)
                                  : ct_sparse_sent_block(&changed->routed, changed->one_for_all, i);
}

static bool is_changed(const struct changed *changed, unsigned side, size_t i)
{
    if (side == CT_BUFFER_RECV)
        return changed->received[i];
    return changed->one_for_all ? changed->call->count != changed->routed.count : changed->sent[i];
}

static void place_blocks(struct changed *changed, unsigned side)
{
    size_t end = 0;
    for (size_t i = 0; i < changed->blocks[side]; i++) {
        changed->begins[side][i] = end;
        end += routed_block(changed, side, i).n;
    }
    changed->begins[side][changed->blocks[side]] = end;
    changed->buffers[side] = ct_temporary(changed->plan, end);
}

/* Copies the blocks that travel along the routes from the user's buffer, or to it. */
static void copy_blocks(const struct changed *changed, unsigned side)
{
    for (size_t i = 0; i < changed->blocks[side]; i++) {
        struct ct_slice user = side == CT_BUFFER_RECV
                                   ? ct_recv_block(changed->call, (int)i)
                                   : ct_sparse_sent_block(changed->call, changed->one_for_all, i);
        const struct ct_slice own = {
            .buffer = changed->buffers[side], .offset = changed->begins[side][i], .n = user.n};
        if (user.n > 0 && !is_changed(changed, side, i))
            ct_copy_slice(changed->plan, side == CT_BUFFER_RECV ? user : own,
                          side == CT_BUFFER_RECV ? own : user);
    }
    ct_round_end(changed->plan);
}

/* --- straight to the destination --- */

/* Copies what this rank sends to itself, by way of a temporary buffer, since a copy names one block. */
static void copy_own(const struct changed *changed)
{
    const struct ct_call *call = changed->call;
    size_t units = 0;
    for (size_t out = 0; out < ct_call_blocks(call, CT_BUFFER_SEND); out++)
        if (ct_call_destination(call, out) == call->rank && changed->sent[out])
            units += ct_sparse_sent_block(changed->call, changed->one_for_all, out).n;
    struct ct_slice between = {.buffer = units > 0 ? ct_temporary(changed->plan, units) : 0};
    for (size_t out = 0, in = 0; ct_sparse_own_pair(changed->call, &out, &in); out++, in++) {
        struct ct_slice from = ct_sparse_sent_block(changed->call, changed->one_for_all, out);
        struct ct_slice to = ct_recv_block(changed->call, (int)in);
        between.n = from.n = to.n = from.n < to.n ? from.n : to.n;
        if (!changed->sent[out] || between.n == 0)
            continue;
        ct_copy_slice(changed->plan, between, from);
        ct_copy_slice(changed->plan, to, between);
        between.offset += between.n;
    }
}

static void send_changed(const struct changed *changed)
{
    const struct ct_call *call = changed->call;
    for (size_t i = 0; i < ct_call_blocks(call, CT_BUFFER_RECV); i++)
        if (changed->received[i] && ct_call_source(call, i) != call->rank)
            ct_receive_slice(changed->plan, ct_call_source(call, i), ct_recv_block(call, (int)i));
    for (size_t i = 0; i < ct_call_blocks(call, CT_BUFFER_SEND); i++)
        if (changed->sent[i] && ct_call_destination(call, i) != call->rank)
            ct_send_slice(changed->plan, ct_call_destination(call, i),
                          ct_sparse_sent_block(call, changed->one_for_all, i));
    copy_own(changed);
    ct_round_end(changed->plan);
}

/* --- both --- */

static bool make_tables(struct changed *changed)
{
    const size_t destinations = ct_call_blocks(changed->call, CT_BUFFER_SEND);
    const size_t sources = ct_call_blocks(changed->call, CT_BUFFER_RECV);
    struct ct_plan *plan = changed->plan;
    changed->blocks[CT_BUFFER_SEND] = changed->one_for_all ? 1 : destinations;
    changed->blocks[CT_BUFFER_RECV] = sources;
    changed->sent = ct_scratch(plan, destinations + 1, sizeof *changed->sent);
    changed->received = ct_scratch(plan, sources + 1, sizeof *changed->received);
    for (int side = 0; side < 2; side++)
        changed->begins[side] = ct_scratch(plan, changed->blocks[side] + 1, sizeof *changed->begins[side]);
    return plan->status == CT_OK;
}

void ct_sparse_changed_blocks(struct ct_plan *plan, const struct ct_call *call, bool one_for_all)
{
    struct changed changed = {.plan = plan, .call = call, .routed = *call, .one_for_all = one_for_all};
    changed.routed.routed = NULL;
    changed.routed.count = call->routed->count;
    changed.routed.send_counts = call->routed->blocks[CT_BUFFER_SEND];
    changed.routed.recv_counts = call->routed->blocks[CT_BUFFER_RECV];
    if (!make_tables(&changed))
        return;
    find_changed(&changed);
    for (unsigned side = 0; side < 2; side++)
        place_blocks(&changed, side);
    copy_blocks(&changed, CT_BUFFER_SEND);
    struct ct_view view = {.map = {{changed.buffers[CT_BUFFER_SEND], 0,
                                    changed.routed.send_counts ? changed.begins[CT_BUFFER_SEND] : NULL},
                                   {changed.buffers[CT_BUFFER_RECV], 0,
                                    changed.routed.recv_counts ? changed.begins[CT_BUFFER_RECV] : NULL}}};
    ct_view_enter(plan, &view);
    call->descriptor->build(plan, &changed.routed);
    ct_view_leave(plan);
    copy_blocks(&changed, CT_BUFFER_RECV);
    send_changed(&changed);
}
