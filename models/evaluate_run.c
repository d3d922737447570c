/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate_parts.h"

#include "base/memory.h"

#include <stdlib.h>

/* One rank's actions, timed. */

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

void ct_notes_free(struct ct_notes *notes)
{
    if (!notes)
        return;
    free(notes->way_in.intervals);
    free(notes->cpu.intervals);
    free(notes->sent);
    free(notes);
}

static int make_notes(struct ct_clock *clock)
{
    if (!clock->notes)
        clock->notes = ct_allocate(1, sizeof *clock->notes);
    return clock->notes ? CT_OK : CT_E_MEMORY;
}

static inline int deliver(struct ct_evaluator *evaluator, int from, int to,
                          const struct ct_mail_message *message)
{
    struct ct_clock *receiver = &evaluator->clocks[to];
    if (receiver->awaits != from)
        return ct_mail_put(&evaluator->mail, from, to, message);
    receiver->awaits = CT_NOBODY;
    receiver->handed = *message;
    receiver->is_handed = true;
    evaluator->ready[evaluator->ready_count++] = to; /* each rank stands there at most once */
    return CT_OK;
}

/* How many actions follow that send as much, one after another; those that only remember do not part them. */
static size_t count_alike(const struct ct_clock *clock)
{
    size_t count = 0;
    uint32_t number = clock->actions[clock->at].number;
    for (size_t i = clock->at; i < clock->count; i++) {
        const struct ct_action *action = &clock->actions[i];
        if (action->kind == CT_ACT_SEND && action->number == number)
            count++;
        else if (action->kind != CT_ACT_REMEMBER)
            break;
    }
    return count;
}

/* When the message that a rank posts now begins. */
static inline int find_begin(struct ct_evaluator *evaluator, const struct ct_clock *clock,
                             const struct ct_message_cost *cost, double *ret_begin)
{
    struct ct_batch *batch = &evaluator->batch;
    double begin = later(clock->now, clock->way_out);
    if (!evaluator->shares_links) {
        *ret_begin = begin;
        return CT_OK;
    }
    int status = batch->at == batch->count
                     ? ct_batch_begin(batch, begin, cost->send_busy, cost->gap, count_alike(clock))
                     : CT_OK;
    if (status == CT_OK)
        *ret_begin = batch->begins[batch->at++];
    return status;
}

static inline int send(struct ct_evaluator *evaluator, int rank, const struct ct_action *action)
{
    struct ct_clock *clock = &evaluator->clocks[rank];
    const struct ct_message_cost *cost = &evaluator->script.costs[action->number];
    double begin;
    int status = find_begin(evaluator, clock, cost, &begin);
    if (status != CT_OK)
        return status;
    clock->way_out = begin + cost->gap;
    clock->all_sent = later(clock->all_sent, begin + cost->send_done);
    clock->now += cost->send_busy;
    const struct ct_mail_message message = {.in = begin + cost->flight, .cost = action->number};
    return deliver(evaluator, rank, (int)action->peer, &message);
}

static inline int idle_until(struct ct_clock *clock, double until)
{
    if (clock->now >= until)
        return CT_OK;
    int status = clock->expected > 0 ? ct_idle_add(&clock->notes->cpu, clock->now, until) : CT_OK;
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
    if (clock->expected > 0) {
        int status = take_meanwhile(clock, in, early, cost);
        clock->expected -= action->is_expected;
        if (clock->expected == 0) {
            ct_idle_clear(&clock->notes->way_in);
            ct_idle_clear(&clock->notes->cpu);
        }
        return status;
    }
    clock->way_in = later(in - early, clock->way_in + cost->gap);
    clock->now = later(clock->now + cost->take_before, later(in, clock->way_in)) + cost->take_after;
    return CT_OK;
}

/* The message that the action takes: sent while the rank waited for it, or before; else the rank waits. */
static inline bool fetch(struct ct_evaluator *evaluator, int rank, const struct ct_action *action,
                         struct ct_mail_message *ret_message)
{
    struct ct_clock *clock = &evaluator->clocks[rank];
    if (clock->is_handed) {
        *ret_message = clock->handed;
        clock->is_handed = false;
        return true;
    }
    if (ct_mail_take(&evaluator->mail, (int)action->peer, rank, ret_message))
        return true;
    clock->awaits = (int)action->peer;
    return false;
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
    clock->expected += count;
    return make_notes(clock);
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

/* Messages lie anywhere in a large table, and clocks of other ranks far away: have what is needed soon
 * fetched. */
static inline void look_ahead(const struct ct_evaluator *evaluator, int rank, const struct ct_clock *clock)
{
    enum { AHEAD = 8 };
    if (clock->count - clock->at <= AHEAD)
        return;
    const struct ct_action *action = &clock->actions[clock->at + AHEAD];
    int peer = (int)action->peer;
    if (action->kind == CT_ACT_TAKE)
        ct_mail_prefetch(&evaluator->mail, peer, rank);
    if (action->kind != CT_ACT_SEND)
        return;
    __builtin_prefetch(&evaluator->clocks[peer]);
    ct_mail_prefetch(&evaluator->mail, rank, peer);
}

int ct_evaluator_advance(struct ct_evaluator *evaluator, int rank)
{
    struct ct_clock *clock = &evaluator->clocks[rank];
    struct ct_mail_message message;
    int status = CT_OK;
    for (; status == CT_OK && clock->at < clock->count; clock->at++) {
        const struct ct_action *action = &clock->actions[clock->at];
        look_ahead(evaluator, rank, clock);
        switch ((enum ct_action_kind)action->kind) {
        case CT_ACT_SEND:
            status = send(evaluator, rank, action);
            break;
        case CT_ACT_TAKE:
            if (!fetch(evaluator, rank, action, &message))
                return CT_OK;
            if (message.cost != action->number)
                status = check_length(evaluator, rank, action, message.cost);
            if (status == CT_OK)
                status = take(evaluator, clock, action, message.in);
            break;
        case CT_ACT_POST:
            clock->posted = clock->now;
            break;
        case CT_ACT_EXPECT:
            status = expect(clock, action->number);
            break;
        case CT_ACT_WORK:
            clock->now += evaluator->script.works[action->number];
            break;
        case CT_ACT_REMEMBER:
            status = remember(clock, action->number);
            break;
        case CT_ACT_AWAIT:
            status = idle_until(clock, clock->notes->sent[action->number]);
            break;
        case CT_ACT_AWAIT_SENT:
            status = idle_until(clock, clock->all_sent);
            break;
        }
    }
    return status;
}
