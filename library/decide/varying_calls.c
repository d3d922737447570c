/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/varying_calls.h"
#include "base/memory.h"
#include "library/execute/channel.h"

static bool is_seen(struct ct_varying_calls *calls, uint32_t tag)
{
    uint32_t *seen = &calls->seen[tag / 2 % CT_SEEN_TAGS];
    const bool is_it = *seen == tag;
    *seen = tag;
    return is_it;
}

static const struct ct_side *side_of(const struct ct_operands *operands, unsigned which)
{
    return which == CT_BUFFER_SEND ? &operands->send : &operands->recv;
}

static uint32_t mix(uint32_t number, size_t count)
{
    return (number ^ (uint32_t)count) * UINT32_C(0x9e3779b1);
}

/* Mixes the counts into the number, and those of blocks as far as they mean something at this rank. */
static uint32_t mix_counts(uint32_t number, const struct ct_channel *channel, enum ct_collective collective,
                           const struct ct_operands *operands)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    const bool elsewhere = ct_is_elsewhere(about, channel->rank, operands->root);
    number = mix(mix(number, operands->send.count), operands->recv.count);
    for (unsigned which = CT_BUFFER_SEND; which <= CT_BUFFER_RECV; which++) {
        const struct ct_side *side = side_of(operands, which);
        const bool is_read = side->counts && ct_is_typed_side(about, which, elsewhere, side);
        const size_t blocks = is_read ? (size_t)channel->size : 0;
        for (size_t i = 0; i < blocks; i++)
            number = mix(number, ct_side_count(side, i));
    }
    return number;
}

/* Does the description of calls like it depend on the counts as lengths do? Not without data, and with an
 * operation of the program's all elements are one unit. Elements without bytes are no data. */
static bool may_be_resized(const struct ct_varying_call *call)
{
    const struct ct_known_call *known = &call->known;
    for (unsigned which = CT_BUFFER_SEND; which <= CT_BUFFER_RECV; which++)
        if (call->has_count[which] && side_of(&known->operands, which)->count == 0)
            return false;
    return !known->has_own_op &&
           (call->has_lengths ? ct_known_call_may_be_measured(known) : known->call.count > 0);
}

static bool differs_in_counts(const struct ct_varying_call *last, enum ct_collective collective,
                              const struct ct_operands *operands)
{
    const struct ct_operands *other = &last->known.operands;
    return last->is_known && last->collective == collective && other->root == operands->root &&
           other->recv.type == operands->recv.type &&
           (ct_collectives[collective].reduces ? other->op == operands->op
                                               : other->send.type == operands->send.type) &&
           ct_is_known_description(&last->known, operands->send.buffer, operands->recv.buffer);
}

/* Are all counts the same number of times those of the last call? Then *ret_from is one of the last call, and
 * *ret_to is the one that it has become. */
static bool is_scaled(const struct ct_varying_call *last, const struct ct_operands *operands,
                      size_t *ret_from, size_t *ret_to)
{
    const struct ct_operands *other = &last->known.operands;
    const unsigned which = last->has_count[CT_BUFFER_RECV] ? CT_BUFFER_RECV : CT_BUFFER_SEND;
    size_t sent, received;
    *ret_from = side_of(other, which)->count;
    *ret_to = side_of(operands, which)->count;
    return *ret_to > 0 && ct_is_count(*ret_to) &&
           (!last->has_count[CT_BUFFER_SEND] || which == CT_BUFFER_SEND ||
            (ct_multiply(operands->send.count, *ret_from, &sent) &&
             ct_multiply(other->send.count, *ret_to, &received) && sent == received));
}

/* False if the counts are not scaled alike, or there are too many bytes to be counted. */
static bool scale(struct ct_varying_call *last, const struct ct_operands *operands)
{
    struct ct_known_call *known = &last->known;
    size_t from, to, units;
    if (!is_scaled(last, operands, &from, &to) || !ct_multiply(known->call.count, to, &units))
        return false;
    struct ct_alias alias = known->alias;
    ct_alias_resize(&alias, from, to);
    if (ct_is_aliased(&alias, operands->send.buffer, operands->recv.buffer))
        return false;
    known->alias = alias;
    known->call.count = units / from; /* each element has as many units as before */
    return true;
}

/* False if an argument is wrong, or there are too many bytes to be counted. */
static bool measure(struct ct_varying_call *last, struct ct_channel *channel,
                    const struct ct_operands *operands)
{
    struct ct_known_call *known = &last->known;
    if (!ct_known_call_measure(known, last->collective, operands) ||
        !ct_arguments_are_sound(channel, last->collective, operands, &known->alias, &known->is_cut))
        return false;
    const size_t *lengths = known->call.send_counts ? known->call.send_counts : known->call.recv_counts;
    known->call.count = lengths[known->call.rank];
    return true;
}

static void decide_again(struct ct_varying_call *last, const struct ct_operands *operands,
                         enum ct_agreement agreement)
{
    struct ct_known_call *known = &last->known;
    known->plans = &last->plans;
    ct_known_call_set_operands(known, last->collective, operands);
    last->features.value[CT_FEATURE_MSG_BYTES] = ct_call_bytes(last->collective, &known->call);
    known->choice = ct_tuner_decide_by(agreement, last->collective, &known->call, &last->features);
}

bool ct_varying_call_resize(struct ct_varying_calls *calls, struct ct_channel *channel,
                            enum ct_collective collective, const struct ct_operands *operands,
                            enum ct_agreement agreement, struct ct_varying_call **ret_call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    *ret_call = NULL;
    if (!about->has_data || about->is_sparse ||
        (!ct_has_arrays(operands) && operands->send.count == 0 && operands->recv.count == 0))
        return false;
    /* Where arrays lie does not matter. */
    struct ct_operands bare = {.root = operands->root, .op = operands->op};
    bare.recv.type = operands->recv.type;
    const uint32_t kind_tag = ct_known_call_tag(collective, &bare);
    if (is_seen(calls, mix_counts(kind_tag, channel, collective, operands)))
        return false;
    struct ct_varying_call *last = &calls->last[kind_tag % CT_VARYING_CALLS];
    if (differs_in_counts(last, collective, operands) &&
        (last->has_lengths ? measure(last, channel, operands) : scale(last, operands))) {
        decide_again(last, operands, agreement);
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
    const struct ct_collective_description *about = &ct_collectives[collective];
    const struct ct_operands *operands = &call->known.operands;
    const bool elsewhere = ct_is_elsewhere(about, call->known.call.rank, operands->root);
    for (unsigned which = CT_BUFFER_SEND; which <= CT_BUFFER_RECV; which++) {
        const struct ct_side *side = side_of(operands, which);
        call->has_count[which] = !side->counts && ct_is_typed_side(about, which, elsewhere, side);
    }
    call->has_lengths = call->known.call.send_counts || call->known.call.recv_counts;
    call->is_known = call->known.collective == collective && may_be_resized(call);
    call->collective = collective;
    call->known.collective = CT_COLLECTIVES;
    call->features = ct_call_features(collective, &call->known.call);
}

void ct_varying_calls_free(struct ct_varying_calls *calls)
{
    for (int i = 0; i < CT_VARYING_CALLS; i++) {
        ct_scaled_plans_free(&calls->last[i].plans);
        ct_known_call_free(&calls->last[i].known);
    }
}
