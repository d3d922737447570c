/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/scaled_plans.h"

#include <assert.h>
#include <stdlib.h>

/* Where calls have more bytes, or plans more steps, the writing of a plan is no longer much of their time. */
enum { BYTES_MOST = 16 << 10, STEPS_MOST = 128 };

static bool is_scaled_step(const struct ct_step *one, const struct ct_step *step, size_t factor)
{
    return one->kind == step->kind && one->buffer == step->buffer && one->other == step->other &&
           one->until == step->until && one->peer == step->peer && step->offset == one->offset * factor &&
           step->n == one->n * factor && step->other_offset == one->other_offset * factor;
}

bool ct_is_scaled_plan(const struct ct_plan *one, const struct ct_plan *plan, size_t factor)
{
    bool is_like = one->step_count == plan->step_count && one->round_count == plan->round_count &&
                   one->buffer_count == plan->buffer_count;
    for (size_t i = 0; is_like && i < one->step_count; i++)
        is_like = is_scaled_step(&one->steps[i], &plan->steps[i], factor);
    for (size_t i = 0; is_like && i < one->round_count; i++)
        is_like =
            one->rounds[i].end == plan->rounds[i].end && one->rounds[i].window == plan->rounds[i].window;
    for (unsigned i = CT_BUFFER_TEMPORARY; is_like && i < one->buffer_count; i++)
        is_like = plan->temporary[i] == one->temporary[i] * factor;
    return is_like;
}

static int write_for(const struct ct_method *method, const struct ct_call *call, size_t count,
                     struct ct_plan *plan)
{
    struct ct_call other = *call;
    other.count = count;
    ct_plan_reset(plan);
    return ct_method_build(method, plan, &other);
}

/* The largest count, at most `limit`, up to which the plans are `one` but for scale. */
static size_t find_most(const struct ct_method *method, const struct ct_call *call, const struct ct_plan *one,
                        size_t limit)
{
    struct ct_plan plan = {0};
    size_t most = 1, next = limit;
    while (most < limit) {
        if (write_for(method, call, next, &plan) == CT_OK && ct_is_scaled_plan(one, &plan, next))
            most = next;
        else
            limit = next - 1;
        next = most + (limit - most + 1) / 2;
    }
    ct_plan_free(&plan);
    return most;
}

static void free_plan(struct ct_scaled_plan *plan)
{
    free(plan->one);
    *plan = (struct ct_scaled_plan){0};
}

static struct ct_scaled_plan *make_plan(struct ct_scaled_plan *plan, const struct ct_method *method,
                                        const struct ct_call *call)
{
    struct ct_plan one = {0};
    struct ct_call of_one = *call;
    const size_t limit = BYTES_MOST / call->unit_bytes;
    of_one.count = 1;
    free_plan(plan);
    plan->method = *method;
    if (limit > 0 && ct_method_applies(method, &of_one, NULL) && write_for(method, call, 1, &one) == CT_OK &&
        one.step_count <= STEPS_MOST && (plan->one = ct_plan_clone(&one)))
        plan->most = find_most(method, call, &one, limit);
    ct_plan_free(&one);
    return plan;
}

/* Makes the plan of a method that has none. Where calls change between many methods, it is not made each
 * time, since that takes as long as to write some ten plans. */
static struct ct_scaled_plan *add_plan(struct ct_scaled_plans *plans, const struct ct_method *method,
                                       const struct ct_call *call)
{
    enum { SELDOM = 64 };
    const unsigned absent = plans->absent++;
    if (absent < CT_SCALED_PLANS)
        return make_plan(&plans->of[absent], method, call);
    return absent % SELDOM ? NULL : make_plan(&plans->of[absent / SELDOM % CT_SCALED_PLANS], method, call);
}

bool ct_scaled_plan_write(struct ct_scaled_plans *plans, const struct ct_method *method,
                          const struct ct_call *call, struct ct_plan *plan)
{
    assert(!call->send_counts && !call->recv_counts && !call->neighbors && call->count > 0);
    const struct ct_scaled_plan *own = NULL;
    for (int i = 0; i < CT_SCALED_PLANS && !own; i++)
        if (ct_method_equal(&plans->of[i].method, method))
            own = &plans->of[i];
    if (!own)
        own = add_plan(plans, method, call);
    return own && call->count <= own->most && ct_plan_scale(own->one, call->count, plan) == CT_OK;
}

void ct_scaled_plans_free(struct ct_scaled_plans *plans)
{
    for (int i = 0; i < CT_SCALED_PLANS; i++)
        free_plan(&plans->of[i]);
    plans->absent = 0;
}
