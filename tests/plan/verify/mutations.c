/* SPDX-License-Identifier: BSD-3-Clause */
#include "mutations.h"

#include <string.h>

size_t mutation_below(uint64_t *random, size_t n)
{
    *random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *random;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((x ^ x >> 31) % n);
}

/* Up or down by one. */
static size_t beside(const struct place *place, size_t value)
{
    return mutation_below(place->random, 2) || value == 0 ? value + 1 : value - 1;
}

static bool change_peer(struct place *place)
{
    int peer = (int)mutation_below(place->random, (size_t)place->size);
    if (!ct_step_is_message(place->step) || peer == place->step->peer)
        return false;
    place->step->peer = peer;
    return true;
}

static bool change_offset(struct place *place)
{
    struct ct_step *step = place->step;
    if (step->n == 0 || step->kind == CT_STEP_WAIT)
        return false;
    if ((!ct_step_is_message(step) || step->kind == CT_STEP_RECEIVE_UPPER) &&
        mutation_below(place->random, 2))
        step->other_offset = beside(place, step->other_offset);
    else
        step->offset = beside(place, step->offset);
    return true;
}

static bool change_length(struct place *place)
{
    if (place->step->kind == CT_STEP_WAIT)
        return false;
    place->step->n = beside(place, place->step->n);
    return true;
}

static bool change_block(struct place *place)
{
    struct ct_step *step = place->step;
    unsigned buffer =
        ct_step_is_message(step) || step->buffer < CT_BUFFER_TEMPORARY ? step->buffer : step->other;
    if (step->n == 0 || step->kind == CT_STEP_WAIT || buffer >= CT_BUFFER_TEMPORARY ||
        ct_step_is_fused(step) || !place->share->buffers[buffer].blocks)
        return false;
    if (ct_step_is_message(step))
        step->block = beside(place, step->block);
    else
        step->peer = (int)beside(place, (size_t)step->peer);
    return true;
}

static bool change_buffer(struct place *place)
{
    struct ct_step *step = place->step;
    unsigned buffer =
        (unsigned)mutation_below(place->random, place->plan->buffer_count) & (CT_BUFFERS_MAX - 1);
    if (step->n == 0 || step->kind == CT_STEP_WAIT || buffer == step->buffer)
        return false;
    step->buffer = buffer & (CT_BUFFERS_MAX - 1);
    return true;
}

/* Receives and reduces, or receives only, or reduces otherwise. */
static bool change_fusion(struct place *place)
{
    struct ct_step *step = place->step;
    if (!ct_step_is_fused(step) && (step->kind != CT_STEP_RECEIVE || step->n == 0))
        return false;
    unsigned kind = CT_STEP_RECEIVE + (unsigned)mutation_below(place->random, 3);
    if (kind == step->kind)
        return false;
    step->kind = kind & 15;
    return true;
}

static bool swap_operands(struct place *place)
{
    struct ct_step *step = place->step;
    if (step->kind != CT_STEP_REDUCE)
        return false;
    unsigned buffer = step->buffer;
    size_t offset = step->offset;
    step->buffer = step->other;
    step->offset = step->other_offset;
    step->other = buffer & (CT_BUFFERS_MAX - 1);
    step->other_offset = offset;
    return true;
}

static bool drop_step(struct place *place)
{
    struct ct_plan *plan = place->plan;
    for (size_t i = place->index; i + 1 < plan->step_count; i++)
        plan->steps[i] = plan->steps[i + 1];
    plan->step_count--;
    for (size_t i = place->round; i < plan->round_count; i++)
        plan->rounds[i].end--;
    return true;
}

/* With the step behind it. */
static bool swap_steps(struct place *place)
{
    struct ct_step step = *place->step;
    if (place->index + 1 == place->plan->step_count || memcmp(&step, place->step + 1, sizeof step) == 0)
        return false;
    *place->step = place->step[1];
    place->step[1] = step;
    return true;
}

/* The step's round and the one behind it become one. */
static bool join_rounds(struct place *place)
{
    struct ct_plan *plan = place->plan;
    if (place->round + 1 == plan->round_count)
        return false;
    for (size_t i = place->round; i + 1 < plan->round_count; i++)
        plan->rounds[i] = plan->rounds[i + 1];
    plan->round_count--;
    return true;
}

/* Waited for at the end of the plan, or at once. */
static bool change_wait(struct place *place)
{
    struct ct_step *step = place->step;
    if (!ct_step_is_message(step) || (step->until != CT_ROUND_END && step->until != CT_PLAN_END))
        return false;
    step->until = step->until == CT_ROUND_END ? CT_PLAN_END : CT_ROUND_END;
    return true;
}

const struct mutation mutations[MUTATIONS] = {
    {"peer", change_peer},   {"offset", change_offset}, {"length", change_length},
    {"block", change_block}, {"buffer", change_buffer}, {"operands", swap_operands},
    {"drop", drop_step},     {"swap", swap_steps},      {"join", join_rounds},
    {"wait", change_wait},   {"fusion", change_fusion},
};

struct place mutation_place(struct ct_plan *plan, const struct ct_share *share, int size, uint64_t *random)
{
    size_t index = mutation_below(random, plan->step_count);
    struct place place = {.plan = plan,
                          .index = index,
                          .step = &plan->steps[index],
                          .size = size,
                          .share = share,
                          .random = random};
    while (plan->rounds[place.round].end <= index)
        place.round++;
    return place;
}

int mutation_count_case(const struct ct_method *method, const struct ct_call *call, void *context)
{
    (void)method;
    (void)call;
    ++*(size_t *)context;
    return CT_OK;
}
