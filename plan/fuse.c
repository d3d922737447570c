/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/fuse.h"
#include "base/memory.h"

#include <stdlib.h>

/* Not a kind of step: a reduction that has become a part of a receive. */
enum { DROPPED = CT_STEP_WAIT + 1 };

struct range {
    unsigned buffer;
    size_t begin;
    size_t n;
};

static bool is_same(struct range a, struct range b)
{
    return a.buffer == b.buffer && a.begin == b.begin && a.n == b.n;
}

static bool overlap(struct range a, struct range b)
{
    return a.buffer == b.buffer && a.begin < b.begin + b.n && b.begin < a.begin + a.n;
}

static bool covers(struct range a, struct range b)
{
    return a.buffer == b.buffer && a.begin <= b.begin && b.begin + b.n <= a.begin + a.n;
}

static struct range buffer_of(const struct ct_step *step)
{
    return (struct range){step->buffer, step->offset, step->n};
}

static struct range other_of(const struct ct_step *step)
{
    return (struct range){step->other, step->other_offset, step->n};
}

/* Does the step have a second slice? */
static bool has_other(const struct ct_step *step)
{
    return ct_step_is_local(step) || step->kind == CT_STEP_RECEIVE_UPPER;
}

static bool writes(const struct ct_step *step, struct range range)
{
    if (ct_step_is_receive(step))
        return overlap(buffer_of(step), range);
    return ct_step_is_local(step) && overlap(other_of(step), range);
}

static bool reads(const struct ct_step *step, struct range range)
{
    if (step->kind == CT_STEP_RECEIVE_UPPER || step->kind == CT_STEP_REDUCE)
        if (overlap(other_of(step), range))
            return true;
    return (step->kind == CT_STEP_SEND || step->kind == CT_STEP_RECEIVE_LOWER || ct_step_is_local(step)) &&
           overlap(buffer_of(step), range);
}

static bool touches(const struct ct_step *step, struct range range)
{
    return ((ct_step_is_message(step) || ct_step_is_local(step)) && overlap(buffer_of(step), range)) ||
           (has_other(step) && overlap(other_of(step), range));
}

/* --- */

struct fusing {
    struct ct_plan *plan;
    const struct ct_fusion *fusion;
    size_t round;
    size_t begin; /* of the round's steps */
    size_t *open; /* deferred messages of earlier rounds that are in flight in the round */
    size_t open_count;
    size_t fused;
};

/* A receive and a reduction that may become one. */
struct pair {
    struct ct_step *receive;
    struct ct_step *reduction;
    size_t round; /* of the reduction */
    struct range arrival;
    bool is_lower;
};

static size_t begin_of(const struct ct_plan *plan, size_t round)
{
    return round > 0 ? plan->rounds[round - 1].end : 0;
}

/* A round's messages are posted before its local work, however they lie in the list: first the former, then
 * the latter. NULL at the end of the round. */
static struct ct_step *step_after(const struct ct_plan *plan, size_t round, const struct ct_step *before)
{
    struct ct_step *begin = plan->steps + begin_of(plan, round), *end = plan->steps + plan->rounds[round].end;
    bool local = before && !ct_step_is_message(before);
    for (struct ct_step *step = before ? plan->steps + (before - plan->steps) + 1 : begin; step < end; step++)
        if (local ? ct_step_is_local(step) : ct_step_is_message(step))
            return step;
    for (struct ct_step *step = begin; !local && step < end; step++)
        if (ct_step_is_local(step))
            return step;
    return NULL;
}

/* Finds the first step that uses what is received. False if that is no reduction of just that. */
static bool find_reduction(const struct fusing *fusing, struct ct_step *receive, struct pair *ret_pair)
{
    const struct ct_plan *plan = fusing->plan;
    const struct range arrival = buffer_of(receive);
    for (size_t round = fusing->round + 1; round < plan->round_count; round++) {
        for (struct ct_step *step = NULL; (step = step_after(plan, round, step));) {
            if (!touches(step, arrival))
                continue;
            bool is_lower = is_same(buffer_of(step), arrival);
            *ret_pair = (struct pair){receive, step, round, arrival, is_lower};
            return step->kind == CT_STEP_REDUCE && is_lower != is_same(other_of(step), arrival);
        }
    }
    return false;
}

/* Does the step forbid that the reduction is done while the message arrives? */
static bool is_in_way(const struct pair *pair, const struct ct_step *step)
{
    if (step == pair->receive)
        return false;
    return pair->is_lower ? touches(step, other_of(pair->reduction))
                          : writes(step, buffer_of(pair->reduction));
}

/* Looks at all steps that are in flight or done from the round of the receive to the reduction. */
static bool may_move(const struct fusing *fusing, const struct pair *pair)
{
    const struct ct_plan *plan = fusing->plan;
    for (size_t i = 0; i < fusing->open_count; i++)
        if (is_in_way(pair, &plan->steps[fusing->open[i]]))
            return false;
    for (size_t round = fusing->round; round <= pair->round; round++)
        for (struct ct_step *step = NULL; (step = step_after(plan, round, step)) && step != pair->reduction;)
            if (is_in_way(pair, step))
                return false;
    return true;
}

/* Is what is received never read after the reduction? */
static bool is_spent(const struct fusing *fusing, const struct pair *pair)
{
    const struct ct_plan *plan = fusing->plan;
    struct ct_step *step = pair->reduction;
    for (size_t round = pair->round; round < plan->round_count; round++, step = NULL) {
        while ((step = step_after(plan, round, step))) {
            if (reads(step, pair->arrival))
                return false;
            if ((step->kind == CT_STEP_RECEIVE || step->kind == CT_STEP_RECEIVE_UPPER) &&
                covers(buffer_of(step), pair->arrival))
                return true;
            if (step->kind == CT_STEP_COPY && covers(other_of(step), pair->arrival))
                return true;
        }
    }
    return pair->arrival.buffer >= CT_BUFFER_TEMPORARY;
}

static void fuse(struct fusing *fusing, const struct pair *pair)
{
    struct ct_step *receive = pair->receive, *reduction = pair->reduction;
    receive->kind = pair->is_lower ? CT_STEP_RECEIVE_LOWER : CT_STEP_RECEIVE_UPPER;
    if (pair->is_lower) {
        receive->buffer = reduction->other;
        receive->offset = reduction->other_offset;
    } else {
        receive->other = reduction->buffer;
        receive->other_offset = reduction->offset;
    }
    reduction->kind = DROPPED;
    fusing->fused++;
}

static void fuse_receive(struct fusing *fusing, struct ct_step *step)
{
    const struct ct_fusion *fusion = fusing->fusion;
    struct pair pair;
    if (step->kind != CT_STEP_RECEIVE || step->n == 0 || step->n < fusion->least ||
        (fusion->limit > 0 && step->n >= fusion->limit) || !fusion->is_near(fusion->context, step->peer) ||
        !find_reduction(fusing, step, &pair))
        return;
    if (may_move(fusing, &pair) && (!pair.is_lower || is_spent(fusing, &pair)))
        fuse(fusing, &pair);
}

/* Those that the round waits for are no longer in flight. */
static void close_named(struct fusing *fusing)
{
    const struct ct_plan *plan = fusing->plan;
    for (size_t i = fusing->begin; i < plan->rounds[fusing->round].end; i++) {
        size_t kept = 0;
        if (plan->steps[i].kind != CT_STEP_WAIT)
            continue;
        for (size_t k = 0; k < fusing->open_count; k++)
            if (plan->steps[fusing->open[k]].until != plan->steps[i].until)
                fusing->open[kept++] = fusing->open[k];
        fusing->open_count = kept;
    }
}

static void open_deferred(struct fusing *fusing)
{
    const struct ct_plan *plan = fusing->plan;
    for (size_t i = fusing->begin; i < plan->rounds[fusing->round].end; i++)
        if (ct_step_is_message(&plan->steps[i]) && plan->steps[i].until != CT_ROUND_END)
            fusing->open[fusing->open_count++] = i;
}

/* Takes the dropped steps out, and rounds that have become empty. What a round only waited for, the next one
 * waits for. */
static void close_up(struct ct_plan *plan)
{
    size_t step_count = 0, round_count = 0;
    for (size_t round = 0, i = 0; round < plan->round_count; round++) {
        struct ct_round own = plan->rounds[round];
        bool works = round + 1 == plan->round_count && step_count > begin_of(plan, round_count);
        for (; i < own.end; i++) {
            if (plan->steps[i].kind == DROPPED)
                continue;
            works |= plan->steps[i].kind != CT_STEP_WAIT || round + 1 == plan->round_count;
            plan->steps[step_count++] = plan->steps[i];
        }
        if (works)
            plan->rounds[round_count++] = (struct ct_round){.end = step_count, .window = own.window};
    }
    plan->step_count = plan->round_begin = step_count;
    plan->round_count = round_count;
}

/* Buffers that no step uses any more need no memory. */
static void release_buffers(struct ct_plan *plan)
{
    bool is_used[CT_BUFFERS_MAX] = {false};
    for (size_t i = 0; i < plan->step_count; i++) {
        const struct ct_step *step = &plan->steps[i];
        is_used[step->buffer] |= step->kind != CT_STEP_WAIT;
        is_used[step->other] |= has_other(step);
    }
    for (unsigned buffer = CT_BUFFER_TEMPORARY; buffer < plan->buffer_count; buffer++)
        if (!is_used[buffer])
            plan->temporary[buffer] = 0;
}

int ct_plan_fuse(struct ct_plan *plan, const struct ct_fusion *fusion, size_t *ret_fused)
{
    struct fusing fusing = {.plan = plan, .fusion = fusion};
    fusing.open = ct_allocate(plan->step_count ? plan->step_count : 1, sizeof *fusing.open);
    if (!fusing.open)
        return CT_E_MEMORY;
    for (; fusing.round < plan->round_count; fusing.round++) {
        fusing.begin = begin_of(plan, fusing.round);
        close_named(&fusing);
        for (size_t i = fusing.begin; i < plan->rounds[fusing.round].end; i++)
            fuse_receive(&fusing, &plan->steps[i]);
        open_deferred(&fusing);
    }
    free(fusing.open);
    if (fusing.fused > 0) {
        close_up(plan);
        release_buffers(plan);
    }
    *ret_fused = fusing.fused;
    return CT_OK;
}
