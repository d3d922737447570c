/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/share_sends.h"

static bool may_share(const struct ct_fusion *fusion, const struct ct_step *step)
{
    return step->kind == CT_STEP_SEND && step->other == 0 && step->n > 0 && step->n >= fusion->least &&
           fusion->is_near(fusion->context, step->peer);
}

/* Marks the sends behind the step that read its slice, and it if there is one. Returns how many there are. */
static size_t mark(const struct ct_fusion *fusion, struct ct_step *first, struct ct_step *end, unsigned group)
{
    size_t marked = 0;
    for (struct ct_step *step = first + 1; step < end; step++) {
        if (!may_share(fusion, step) || !ct_is_same_slice(first, step))
            continue;
        first->other = step->other = group & (CT_BUFFERS_MAX - 1);
        marked++;
    }
    return marked > 0 ? marked + 1 : 0;
}

void ct_plan_share_sends(struct ct_plan *plan, const struct ct_fusion *fusion, size_t *ret_shared)
{
    struct ct_step *step = plan->steps;
    *ret_shared = 0;
    for (size_t round = 0; round < plan->round_count; round++) {
        struct ct_step *end = plan->steps + plan->rounds[round].end;
        unsigned group = 1;
        for (; step < end; step++) {
            size_t marked =
                group < CT_BUFFERS_MAX && may_share(fusion, step) ? mark(fusion, step, end, group) : 0;
            group += marked > 0;
            *ret_shared += marked;
        }
    }
}
