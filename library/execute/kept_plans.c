/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/execute/kept_plans.h"
#include "base/memory.h"
#include "library/execute/near_messages.h"
#include "plan/routes.h"
#include "plan/share_sends.h"

#include <stdlib.h>
#include <string.h>

/* A call's plan is in one of so many entries from its own. */
enum { KEPT_NEAR = 8 };

/* The first entry for such a plan. The upper bits of the products are spread best (Knuth 1998, The Art of
 * Computer Programming, volume 3, section 6.4). */
static size_t kept_number(const struct ct_method *method, const struct ct_call *call)
{
    const uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t number = (uint64_t)(method->algorithm - ct_algorithms) + (uint64_t)call->root + call->count;
    for (int i = 0; i < CT_PARAMETERS_MAX; i++)
        number = (number ^ method->values[i]) * factor;
    return (size_t)(number >> 32);
}

static struct ct_kept_plan **kept_entry(struct ct_channel *channel, size_t number, size_t i)
{
    return &channel->kept[(number + i) % CT_KEPT_PLANS];
}

/* Are the lengths of blocks that differ those of the call? Mostly there are none. */
static bool has_lengths(const size_t *kept, const size_t *lengths, size_t blocks)
{
    return !kept == !lengths && (!kept || memcmp(kept, lengths, blocks * sizeof *kept) == 0);
}

/* Plans for lengths that few calls have are not kept. */
static bool may_be_kept(const struct ct_call *call)
{
    return !call->routed;
}

static unsigned routes_of(const struct ct_call *call)
{
    return call->routes ? call->routes->number : 0;
}

static bool is_kept_for(const struct ct_kept_plan *kept, const struct ct_method *method,
                        const struct ct_call *call)
{
    return ct_method_equal(&kept->method, method) && kept->root == call->root &&
           kept->in_place == call->in_place && kept->commutative == call->commutative &&
           kept->count == call->count && kept->unit_bytes == call->unit_bytes &&
           kept->routes == routes_of(call) &&
           has_lengths(kept->lengths[CT_BUFFER_SEND], call->send_counts,
                       ct_call_blocks(call, CT_BUFFER_SEND)) &&
           has_lengths(kept->lengths[CT_BUFFER_RECV], call->recv_counts,
                       ct_call_blocks(call, CT_BUFFER_RECV));
}

static void empty(struct ct_kept_plan *kept)
{
    for (int i = 0; i < 2; i++) {
        free(kept->lengths[i]);
        kept->lengths[i] = NULL;
    }
    if (!kept->is_whole)
        return;
    ct_shortcut_free(kept->shortcut);
    ct_plan_free(&kept->plan);
    ct_plan_free(&kept->fused);
    kept->shortcut = NULL;
    kept->is_whole = kept->reduces = false;
}

static bool is_near(const void *context, int peer)
{
    return ct_message_lane(context, peer) != NULL;
}

_Static_assert((int)CT_FUSED_BYTES > (int)CT_CELL_BYTES, "messages in cells need not be looked at");

static void keep_fused(const struct ct_channel *channel, struct ct_kept_plan *kept)
{
    const struct ct_messages *messages = &channel->flight.messages;
    struct ct_fusion fusion = {
        .is_near = is_near, .context = messages, .least = (CT_FUSED_BYTES - 1) / kept->unit_bytes + 1};
    size_t fused = 0, shared = 0;
    if (!messages->node || !ct_node_fuses(messages->node) || ct_plan_copy(&kept->plan, &kept->fused) != CT_OK)
        return;
    fusion.limit = (ct_node_copy_from(messages->node) - 1) / kept->unit_bytes + 1;
    if (ct_collectives[kept->method.algorithm->collective].reduces)
        ct_plan_fuse(&kept->fused, &fusion, &fused);
    fusion.least = (CT_SHARED_BYTES - 1) / kept->unit_bytes + 1;
    ct_plan_share_sends(&kept->fused, &fusion, &shared);
    kept->reduces = fused > 0;
    if (fused + shared == 0)
        ct_plan_free(&kept->fused);
}

/* False without memory. */
static bool copy_lengths(const size_t *lengths, size_t blocks, size_t **ret_copy)
{
    *ret_copy = lengths ? ct_allocate(blocks + 1, sizeof **ret_copy) : NULL;
    if (*ret_copy)
        memcpy(*ret_copy, lengths, blocks * sizeof **ret_copy);
    return !*ret_copy == !lengths;
}

static struct ct_kept_plan *search_kept(struct ct_channel *channel, const struct ct_method *method,
                                        const struct ct_call *call)
{
    size_t number = kept_number(method, call);
    for (size_t i = 0; i < KEPT_NEAR; i++) {
        struct ct_kept_plan *kept = *kept_entry(channel, number, i);
        if (!kept || is_kept_for(kept, method, call))
            return kept;
    }
    return NULL;
}

struct ct_kept_plan *ct_kept_plan_find(struct ct_channel *channel, const struct ct_method *method,
                                       const struct ct_call *call)
{
    struct ct_kept_plan *kept = channel->kept_last;
    if (!may_be_kept(call))
        kept = channel->kept_last = NULL;
    else if (!kept || !is_kept_for(kept, method, call))
        kept = channel->kept_last = search_kept(channel, method, call);
    if (kept)
        kept->used = ++channel->kept_uses;
    return kept;
}

void ct_kept_plan_note(struct ct_channel *channel, const struct ct_method *method, const struct ct_call *call)
{
    if (!may_be_kept(call))
        return;
    size_t number = kept_number(method, call);
    struct ct_kept_plan **entry = kept_entry(channel, number, 0);
    for (size_t i = 1; *entry && i < KEPT_NEAR; i++) {
        struct ct_kept_plan **other = kept_entry(channel, number, i);
        if (!*other || (*entry)->flights > 0 || ((*other)->flights == 0 && (*other)->used < (*entry)->used))
            entry = other;
    }
    if ((!*entry && !(*entry = ct_allocate(1, sizeof **entry))) || (*entry)->flights > 0)
        return;
    struct ct_kept_plan *kept = *entry;
    size_t *lengths[2] = {NULL, NULL};
    if (!copy_lengths(call->send_counts, ct_call_blocks(call, CT_BUFFER_SEND), &lengths[CT_BUFFER_SEND]) ||
        !copy_lengths(call->recv_counts, ct_call_blocks(call, CT_BUFFER_RECV), &lengths[CT_BUFFER_RECV])) {
        free(lengths[CT_BUFFER_SEND]);
        return;
    }
    empty(kept);
    kept->used = kept->noted = ++channel->kept_uses;
    kept->method = *method;
    kept->root = call->root;
    kept->in_place = call->in_place;
    kept->commutative = call->commutative;
    kept->count = call->count;
    kept->unit_bytes = call->unit_bytes;
    kept->routes = routes_of(call);
    for (int i = 0; i < 2; i++)
        kept->lengths[i] = lengths[i];
}

void ct_kept_plan_fill(struct ct_channel *channel, struct ct_kept_plan *kept, const struct ct_plan *plan)
{
    kept->is_whole = ct_plan_copy(plan, &kept->plan) == CT_OK;
    if (!kept->is_whole)
        return;
    kept->shortcut = ct_shortcut_make(&channel->flight.messages, &kept->plan, kept->unit_bytes);
    if (!kept->shortcut) /* where there is one, all messages fit into cells */
        keep_fused(channel, kept);
}

void ct_kept_plans_forget(struct ct_channel *channel)
{
    for (int i = 0; i < CT_KEPT_PLANS; i++) {
        if (!channel->kept[i])
            continue;
        empty(channel->kept[i]);
        free(channel->kept[i]);
        channel->kept[i] = NULL;
    }
    channel->kept_last = NULL;
}
