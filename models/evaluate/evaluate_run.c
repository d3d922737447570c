/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/evaluate_internal.h"

#include "base/memory.h"

#include <stdlib.h>

/* One rank's actions, timed. */

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

static int make_notes(struct ct_clock *clock)
{
    if (!clock->notes)
        clock->notes = ct_allocate(1, sizeof *clock->notes);
    return clock->notes ? CT_OK : CT_E_MEMORY;
}

/* How many actions from `action` on send as much, one after another; those that only remember do not part
 * them. */
static size_t count_alike(const struct ct_action *action, const struct ct_action *end)
{
    size_t count = 0;
    for (uint32_t number = action->number; action < end; action++) {
        if (action->kind == CT_ACTION_SEND && action->number == number)
            count++;
        else if (action->kind != CT_ACTION_REMEMBER)
            break;
    }
    return count;
}

/* When the message that a rank posts now begins. */
static inline int find_begin(struct ct_evaluator *evaluator, const struct ct_clock *clock,
                             const struct ct_action *action, const struct ct_action *end, double *ret_begin)
{
    const struct ct_message_cost *cost = &evaluator->script.costs[action->number];
    struct ct_batch *batch = &evaluator->batch;
    double begin = later(clock->now, clock->way_out);
    if (!evaluator->shares_links) {
        *ret_begin = begin;
        return CT_OK;
    }
    int status = batch->at == batch->count
                     ? ct_batch_begin(batch, begin, cost->send_busy, cost->gap, count_alike(action, end))
                     : CT_OK;
    if (status == CT_OK)
        *ret_begin = batch->begins[batch->at++];
    return status;
}

static inline int send(struct ct_evaluator *evaluator, int rank, const struct ct_action *action,
                       const struct ct_action *end)
{
    struct ct_clock *clock = &evaluator->clocks[rank];
    const struct ct_message_cost *cost = &evaluator->script.costs[action->number];
    double begin;
    bool is_awaited;
    int status = find_begin(evaluator, clock, action, end, &begin);
    if (status != CT_OK)
        return status;
    clock->way_out = begin + cost->gap;
    clock->all_sent = later(clock->all_sent, begin + cost->send_done);
    clock->now += cost->send_busy;
    const struct ct_mail_message message = {.in = begin + cost->flight, .cost = action->number};
    status = ct_mail_put(&evaluator->mail, rank, (int)action->peer, &message, &is_awaited);
    if (is_awaited)
        evaluator->ready[evaluator->ready_count++] = (int)action->peer; /* where each stands at most once */
    return status;
}

static inline bool expects(const struct ct_clock *clock)
{
    return clock->notes && clock->notes->expected > 0;
}

static inline int idle_until(struct ct_clock *clock, double until)
{
    if (clock->now >= until)
        return CT_OK;
    int status = expects(clock) ? ct_idle_add(&clock->notes->cpu, clock->now, until) : CT_OK;
    clock->now = until;
    return status;
}

/* Takes a message in while others are expected, too: way in and CPU deal with it as soon as they are free.
 * The way may have had time for it `early` before it is in. */
static int take_meanwhile(struct ct_clock *clock, double in, double early, const struct ct_message_cost *cost)
{
    double from = in - early - cost->gap, rest, end;
    int status;
    if (from >= clock->way_in) {
        status = ct_idle_add(&clock->notes->way_in, clock->way_in, from);
        clock->way_in = in - early;
    } else {
        status = ct_idle_spend(&clock->notes->way_in, from, cost->gap, &rest, &end);
        if (status == CT_OK && rest > 0)
            end = clock->way_in += rest;
        in = later(in, end);
    }
    if (status == CT_OK)
        status = idle_until(clock, in);
    if (status == CT_OK)
        status = ct_idle_spend(&clock->notes->cpu, in - cost->take_before,
                               cost->take_before + cost->take_after, &rest, &end);
    if (status == CT_OK)
        clock->now += rest;
    return status;
}

static inline int take(struct ct_evaluator *evaluator, struct ct_clock *clock, const struct ct_action *action,
                       double in)
{
    const struct ct_message_cost *cost = &evaluator->script.costs[action->number];
    double early = 0;
    if (evaluator->shares_links && action->is_posted) {
        double soonest = clock->posted + cost->flight - cost->send_busy;
        early = later(in - soonest, 0);
        in = later(in, soonest);
    }
    if (expects(clock)) {
        int status = take_meanwhile(clock, in, early, cost);
        clock->notes->expected -= action->is_expected;
        if (clock->notes->expected == 0) {
            ct_idle_clear(&clock->notes->way_in);
            ct_idle_clear(&clock->notes->cpu);
        }
        return status;
    }
    clock->way_in = later(in - early, clock->way_in + cost->gap);
    clock->now = later(clock->now + cost->take_before, later(in, clock->way_in)) + cost->take_after;
    return CT_OK;
}

/* The same length may have several numbers. */
static int check_length(const struct ct_evaluator *evaluator, int rank, const struct ct_action *action,
                        uint32_t cost)
{
    size_t sent = evaluator->script.costs[cost].bytes;
    size_t received = evaluator->script.costs[action->number].bytes;
    if (sent == received)
        return CT_OK;
    return ct_fail(evaluator->error, CT_E_ANSWER, "rank %d sends %zu bytes, of which rank %d receives %zu",
                   (int)action->peer, sent, rank, received);
}

static int expect(struct ct_clock *clock, size_t count)
{
    int status = make_notes(clock);
    if (status == CT_OK)
        clock->notes->expected += count;
    return status;
}

static int remember(struct ct_clock *clock, size_t number)
{
    int status = make_notes(clock);
    if (status == CT_OK)
        status = ct_grow(&clock->notes->sent, &clock->notes->sent_capacity, number + 1,
                         sizeof *clock->notes->sent);
    if (status == CT_OK)
        clock->notes->sent[number] = clock->all_sent;
    return status;
}

/* Boxes of other ranks lie anywhere: have what is needed soon fetched. */
static inline void look_ahead(const struct ct_evaluator *evaluator, const struct ct_action *action,
                              const struct ct_action *end)
{
    enum { AHEAD = 8 };
    if (end - action > AHEAD && action[AHEAD].kind == CT_ACTION_SEND)
        ct_mail_prefetch(&evaluator->mail, (int)action[AHEAD].peer);
}

int ct_evaluator_advance(struct ct_evaluator *evaluator, int rank)
{
    struct ct_clock *clock = &evaluator->clocks[rank];
    const struct ct_action *action = clock->next, *end = action + clock->left;
    struct ct_mail_message message;
    bool waits = false;
    int status = CT_OK;
    while (status == CT_OK && action < end) {
        look_ahead(evaluator, action, end);
        switch ((enum ct_action_kind)action->kind) {
        case CT_ACTION_SEND:
            status = send(evaluator, rank, action, end);
            break;
        case CT_ACTION_TAKE:
            waits = !ct_mail_take(&evaluator->mail, (int)action->peer, rank, &message);
            if (!waits && message.cost != action->number)
                status = check_length(evaluator, rank, action, message.cost);
            if (!waits && status == CT_OK)
                status = take(evaluator, clock, action, message.in);
            if (!waits && status == CT_OK && action->is_last)
                status = idle_until(clock, clock->all_sent);
            break;
        case CT_ACTION_POST:
            clock->posted = clock->now;
            break;
        case CT_ACTION_EXPECT:
            status = expect(clock, action->number);
            break;
        case CT_ACTION_WORK:
            clock->now += evaluator->script.works[action->number];
            break;
        case CT_ACTION_REMEMBER:
            status = remember(clock, action->number);
            break;
        case CT_ACTION_AWAIT:
            status = idle_until(clock, clock->notes->sent[action->number]);
            break;
        case CT_ACTION_AWAIT_SENT:
            status = idle_until(clock, clock->all_sent);
            break;
        }
        if (waits)
            break;
        action++;
    }
    clock->next = action;
    clock->left = (uint32_t)(end - action);
    return status;
}
