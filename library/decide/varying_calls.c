/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/varying_calls.h"
#include "base/memory.h"

static bool is_seen(struct ct_varying_calls *calls, uint32_t tag)
{
    uint32_t *seen = &calls->seen[tag / 2 % CT_SEEN_TAGS];
    const bool is_it = *seen == tag;
    *seen = tag;
    return is_it;
}

/* Does the description of calls like it depend on the count as lengths do? Not without data, and with an
 * operation of the program's all elements are one unit. Elements without bytes are no data. */
static bool may_be_resized(const struct ct_known_call *known)
{
    return known->operands.recv.count > 0 && known->call.count > 0 && !known->has_own_op;
}

static bool differs_in_count(const struct ct_varying_call *last, enum ct_collective collective,
                             const struct ct_operands *operands)
{
    const struct ct_operands *other = &last->known.operands;
    return last->is_known && last->collective == collective && other->root == operands->root &&
           other->recv.type == operands->recv.type && other->op == operands->op &&
           ct_is_known_description(&last->known, operands->send.buffer, operands->recv.buffer);
}

/* False if it has too many bytes to be counted. */
static bool resize(struct ct_varying_call *last, const struct ct_operands *operands,
                   enum ct_agreement agreement)
{
    struct ct_known_call *known = &last->known;
    const size_t each = known->call.count / known->operands.recv.count; /* units of an element */
    if (!ct_multiply(each, operands->recv.count, &known->call.count))
        return false;
    known->operands = *operands;
    known->plans = &last->plans;
    last->features.value[CT_FEATURE_MSG_BYTES] = ct_call_bytes(last->collective, &known->call);
    known->choice = ct_tuner_decide_by(agreement, last->collective, &known->call, &last->features);
    return true;
}

bool ct_varying_call_resize(struct ct_varying_calls *calls, enum ct_collective collective,
                            const struct ct_operands *operands, enum ct_agreement agreement,
                            struct ct_varying_call **ret_call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    const uint32_t tag = ct_known_call_tag(collective, operands);
    *ret_call = NULL;
    if (!(about->one_buffer || about->reduces) || ct_has_arrays(operands) || operands->recv.count == 0 ||
        !ct_is_count(operands->recv.count) || is_seen(calls, tag))
        return false;
    struct ct_operands kind = *operands;
    kind.recv.count = 0;
    const uint32_t kind_tag = ct_known_call_tag(collective, &kind);
    struct ct_varying_call *last = &calls->last[kind_tag % CT_VARYING_CALLS];
    if (differs_in_count(last, collective, operands) && resize(last, operands, agreement)) {
        *ret_call = last;
        return true;
    }
    if (is_seen(calls, kind_tag)) {
        last->is_known = false;
        ct_scaled_plans_free(&last->plans);
        *ret_call = last;
    }
    return false;
}

void ct_varying_call_keep(struct ct_varying_call *call, enum ct_collective collective)
{
    call->is_known = call->known.collective == collective && may_be_resized(&call->known);
    call->collective = collective;
    call->known.collective = CT_COLLECTIVES;
    call->features = ct_call_features(collective, &call->known.call);
}

void ct_varying_calls_free(struct ct_varying_calls *calls)
{
    for (int i = 0; i < CT_VARYING_CALLS; i++)
        ct_scaled_plans_free(&calls->last[i].plans);
}
