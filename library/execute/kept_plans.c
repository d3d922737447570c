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

static unsigned routes_of(const struct ct_call *call)
{
    return call->routes ? call->routes->number : 0;
}

/* The upper bits of the products are spread best (Knuth 1998, The Art of Computer Programming, volume 3,
 * section 6.4). */
static uint64_t mix(uint64_t number, const size_t *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        number = (number ^ values[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return number;
}

/* A number of all that the plan depends on. */
static uint64_t call_number(const struct ct_method *method, const struct ct_call *call)
{
    const size_t values[] = {(size_t)(method->algorithm - ct_algorithms) * 4 + call->in_place * 2 +
                                 call->commutative,
                             (size_t)call->root, call->count, call->unit_bytes};
    uint64_t number = mix(routes_of(call), values, sizeof values / sizeof values[0]);
    number = mix(number, method->values, CT_PARAMETERS_MAX);
    if (call->send_counts)
        number = mix(number, call->send_counts, ct_call_blocks(call, CT_BUFFER_SEND));
    if (call->recv_counts)
        number = mix(number, call->recv_counts, ct_call_blocks(call, CT_BUFFER_RECV));
    return number ^ number >> 32;
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
    for (int i = 0; i < 2; i++)
        free(kept->lengths[i]);
    ct_shortcut_free(kept->shortcut);
    free(kept->plan);
    free(kept->fused);
    *kept = (struct ct_kept_plan){0};
}

static bool is_near(const void *context, int peer)
{
    return ct_message_lane(context, peer) != NULL;
}

static void keep_fused(const struct ct_channel *channel, struct ct_kept_plan *kept)
{
    const struct ct_messages *messages = &channel->flight.messages;
    struct ct_fusion fusion = {
        .is_near = is_near, .context = messages, .least = (CT_FUSED_BYTES - 1) / kept->unit_bytes + 1};
    size_t fused = 0, shared = 0;
    if (!messages->node || !ct_node_fuses(messages->node) || !(kept->fused = ct_plan_clone(kept->plan)))
        return;
    fusion.limit = (ct_node_copy_from(messages->node) - 1) / kept->unit_bytes + 1;
    if (ct_collectives[kept->method.algorithm->collective].reduces)
        ct_plan_fuse(kept->fused, &fusion, &fused);
    fusion.least = (CT_SHARED_BYTES - 1) / kept->unit_bytes + 1;
    ct_plan_share_sends(kept->fused, &fusion, &shared);
    kept->reduces = fused > 0;
    if (fused + shared == 0) {
        free(kept->fused);
        kept->fused = NULL;
    }
}

/* False without memory. */
static bool copy_lengths(const size_t *lengths, size_t blocks, size_t **ret_copy)
{
    *ret_copy = lengths ? ct_allocate(blocks + 1, sizeof **ret_copy) : NULL;
    if (*ret_copy)
        memcpy(*ret_copy, lengths, blocks * sizeof **ret_copy);
    return !*ret_copy == !lengths;
}

/* By the number of the call. */
static struct ct_kept_plan *search(struct ct_kept_plans *kept, const struct ct_method *method,
                                   const struct ct_call *call)
{
    for (size_t i = 0; i < KEPT_NEAR; i++) {
        const size_t entry = (kept->number + i) % CT_KEPT_PLANS;
        if (kept->numbers[entry] == kept->number && is_kept_for(&kept->plans[entry], method, call))
            return &kept->plans[entry];
    }
    return NULL;
}

struct ct_kept_plan *ct_kept_plan_find(struct ct_channel *channel, const struct ct_method *method,
                                       const struct ct_call *call)
{
    struct ct_kept_plans *kept = channel->kept;
    if (!kept && !(kept = channel->kept = ct_allocate(1, sizeof *kept)))
        return NULL;
    struct ct_kept_plan *plan = kept->last;
    if (!may_be_kept(call)) {
        plan = NULL;
    } else if (!plan || !is_kept_for(plan, method, call)) {
        kept->number = call_number(method, call);
        plan = search(kept, method, call);
    }
    if (plan)
        plan->used = ++kept->uses;
    return kept->last = plan;
}

bool ct_kept_plan_is_wanted(struct ct_channel *channel, const struct ct_call *call)
{
    struct ct_kept_plans *kept = channel->kept;
    if (!kept || !may_be_kept(call))
        return false;
    uint64_t *seen = &kept->seen[kept->number % CT_SEEN_CALLS];
    const bool is_seen = *seen == kept->number;
    *seen = kept->number;
    return is_seen;
}

/* The entry for a plan of this number: an empty one, or that which was not used for longest. NULL if all are
 * in use. */
static struct ct_kept_plan *take_entry(struct ct_kept_plans *kept)
{
    size_t entry = kept->number % CT_KEPT_PLANS;
    for (size_t i = 1; kept->plans[entry].since > 0 && i < KEPT_NEAR; i++) {
        const size_t next = (kept->number + i) % CT_KEPT_PLANS;
        const struct ct_kept_plan *best = &kept->plans[entry], *other = &kept->plans[next];
        if (other->since == 0 || best->flights > 0 || (other->flights == 0 && other->used < best->used))
            entry = next;
    }
    if (kept->plans[entry].flights > 0)
        return NULL;
    empty(&kept->plans[entry]);
    kept->numbers[entry] = kept->number;
    return &kept->plans[entry];
}

struct ct_kept_plan *ct_kept_plan_keep(struct ct_channel *channel, const struct ct_method *method,
                                       const struct ct_call *call, const struct ct_plan *plan)
{
    struct ct_kept_plan fresh = {.method = *method,
                                 .root = call->root,
                                 .in_place = call->in_place,
                                 .commutative = call->commutative,
                                 .count = call->count,
                                 .unit_bytes = call->unit_bytes,
                                 .routes = routes_of(call)};
    struct ct_kept_plans *kept = channel->kept;
    struct ct_kept_plan *entry = kept && may_be_kept(call) ? take_entry(kept) : NULL;
    if (!entry)
        return NULL;
    if (!copy_lengths(call->send_counts, ct_call_blocks(call, CT_BUFFER_SEND),
                      &fresh.lengths[CT_BUFFER_SEND]) ||
        !copy_lengths(call->recv_counts, ct_call_blocks(call, CT_BUFFER_RECV),
                      &fresh.lengths[CT_BUFFER_RECV]) ||
        !(fresh.plan = ct_plan_clone(plan))) {
        empty(&fresh);
        return NULL;
    }
    fresh.used = fresh.since = ++kept->uses;
    fresh.shortcut = ct_shortcut_make(&channel->flight.messages, fresh.plan, fresh.unit_bytes);
    keep_fused(channel, &fresh); /* also for calls that cannot take the shortcut */
    *entry = fresh;
    return kept->last = entry;
}

void ct_kept_plans_forget(struct ct_channel *channel)
{
    for (int i = 0; channel->kept && i < CT_KEPT_PLANS; i++)
        empty(&channel->kept->plans[i]);
    free(channel->kept);
    channel->kept = NULL;
}
