/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/script_internal.h"

/* A plan's rounds turned into actions. */

/* A round on its way into the script. */
struct round {
    const struct ct_step *steps;
    size_t count;
    unsigned window;
    size_t messages;
    size_t receives;   /* of them, that it waits for at its end */
    bool awaits_sends; /* it waits for some, */
    bool defers_sends; /* and not for others */
    bool works;
    size_t done;         /* what it waits for is complete up to before this step, */
    size_t expected_end; /* and deferred receives before this index were posted before it */
    size_t sent;         /* sends that it waits for: posted, */
    size_t completed;    /* and complete, as far as a window asks */
};

/* Numbers under which the ends of sends are remembered: the last one that a round waits for; those that hold
 * slots, which are 1 and up; those in a window. */
enum { LAST_AWAITED = 0 };

static size_t number_of_slot(unsigned slot)
{
    return 2 * (size_t)slot;
}

static size_t number_in_window(const struct round *round, size_t send)
{
    return 2 * (send % round->window) + 1;
}

static inline bool is_message(const struct ct_step *step)
{
    return step->kind <= CT_STEP_RECEIVE;
}

static inline bool is_awaited(const struct ct_step *step)
{
    return is_message(step) && step->until == CT_ROUND_END;
}

static int bytes_of(const struct ct_script *script, const struct ct_step *step, size_t *ret_bytes)
{
    if (ct_multiply(step->n, script->terms.unit_bytes, ret_bytes))
        return CT_OK;
    return ct_fail(script->error, CT_E_LIMIT, "rank %d: a step of %zu units has too many bytes", script->rank,
                   step->n);
}

/* Checks a message and finds what it costs. */
static inline int look_at(struct ct_script *script, const struct ct_step *step, size_t *ret_bytes,
                          uint32_t *ret_cost)
{
    if ((unsigned)step->peer >= (unsigned)script->terms.size || step->peer == script->rank)
        return ct_fail(script->error, CT_E_ANSWER, "rank %d has a message with rank %d of %d", script->rank,
                       step->peer, script->terms.size);
    int status = bytes_of(script, step, ret_bytes);
    return status == CT_OK ? ct_script_cost(script, step->peer, *ret_bytes, ret_cost) : status;
}

/* Behind a send: what must be known of it later. */
static inline int remember(struct ct_script *script, struct round *round, const struct ct_step *step)
{
    int status = CT_OK;
    if (step->until == CT_PLAN_END) {
        script->sends_at_end = true;
    } else if (step->until != CT_ROUND_END) {
        status = ct_script_hold(script, step->until, CT_HOLDS_SEND, number_of_slot(step->until));
        if (status == CT_OK)
            status = ct_action_add_number(script, CT_ACTION_REMEMBER, number_of_slot(step->until));
    } else {
        round->awaits_sends = true;
        if (round->window > 0)
            status = ct_action_add_number(script, CT_ACTION_REMEMBER, number_in_window(round, round->sent++));
        if (status == CT_OK && round->defers_sends)
            status = ct_action_add_number(script, CT_ACTION_REMEMBER, LAST_AWAITED);
    }
    return status;
}

static inline int post_send(struct ct_script *script, struct round *round, const struct ct_step *step)
{
    size_t bytes = 0;
    uint32_t cost = 0;
    if (script->messages == script->terms.most_messages)
        return ct_fail(script->error, CT_E_LIMIT, "more than %zu messages", script->terms.most_messages);
    int status = look_at(script, step, &bytes, &cost);
    if (status != CT_OK)
        return status;
    script->messages++;
    script->bytes += bytes;
    status = ct_action_add(
        script, (struct ct_action){.kind = CT_ACTION_SEND, .peer = (uint32_t)step->peer, .number = cost});
    return status == CT_OK ? remember(script, round, step) : status;
}

static inline int post_receive(struct ct_script *script, const struct ct_step *step)
{
    size_t bytes = 0;
    uint32_t cost = 0;
    if (step->until == CT_ROUND_END)
        return CT_OK;
    int status = look_at(script, step, &bytes, &cost);
    return status == CT_OK ? ct_script_expect(script, step, cost) : status;
}

/* Takes in a message that the round waits for. */
static inline int take(struct ct_script *script, const struct round *round, const struct ct_step *step)
{
    size_t bytes = 0;
    uint32_t cost = 0;
    int status = look_at(script, step, &bytes, &cost);
    if (status == CT_OK && script->expected_from)
        status = ct_script_take_expected(script, step->peer, round->expected_end);
    if (status != CT_OK)
        return status;
    return ct_action_add(script, (struct ct_action){.kind = CT_ACTION_TAKE,
                                                    .is_expected = round->receives > 1,
                                                    .is_posted = 1,
                                                    .peer = (uint32_t)step->peer,
                                                    .number = cost});
}

/* Completes the next message that the round waits for; where there is none, nothing. Sends only as far as a
 * window asks for it. */
static int complete_next(struct ct_script *script, struct round *round, bool sends)
{
    while (round->done < round->count) {
        const struct ct_step *step = &round->steps[round->done++];
        if (!is_message(step))
            continue;
        if (!is_awaited(step))
            round->expected_end += step->kind == CT_STEP_RECEIVE;
        else if (step->kind == CT_STEP_RECEIVE)
            return take(script, round, step);
        else if (sends)
            return ct_action_add_number(script, CT_ACTION_AWAIT, number_in_window(round, round->completed++));
    }
    return CT_OK;
}

static inline int post(struct ct_script *script, struct round *round, const struct ct_step *step)
{
    return step->kind == CT_STEP_SEND ? post_send(script, round, step) : post_receive(script, step);
}

/* So many may be under way: before the next one, another is complete. */
static int post_in_window(struct ct_script *script, struct round *round)
{
    size_t outstanding = 0;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < round->count; i++) {
        const struct ct_step *step = &round->steps[i];
        if (!is_message(step))
            continue;
        if (is_awaited(step) && ++outstanding > round->window)
            status = complete_next(script, round, true);
        if (status == CT_OK)
            status = post(script, round, step);
    }
    return status;
}

static int post_all(struct ct_script *script, struct round *round)
{
    int status = CT_OK;
    if (round->window > 0)
        return post_in_window(script, round);
    for (const struct ct_step *step = round->steps, *end = step + round->count; step < end; step++) {
        if (is_message(step))
            status = post(script, round, step);
        if (status != CT_OK)
            break;
    }
    return status;
}

static inline int work(struct ct_script *script, const struct round *round)
{
    double seconds = 0;
    uint32_t number = 0;
    for (size_t i = 0; i < round->count; i++) {
        const struct ct_step *step = &round->steps[i];
        size_t bytes = 0;
        if (is_message(step) || step->kind == CT_STEP_WAIT)
            continue;
        int status = bytes_of(script, step, &bytes);
        if (status != CT_OK)
            return status;
        seconds += (step->kind == CT_STEP_REDUCE ? script->terms.gamma : script->terms.delta) * (double)bytes;
    }
    if (seconds == 0)
        return CT_OK;
    int status = ct_script_work(script, seconds, &number);
    return status == CT_OK ? ct_action_add_number(script, CT_ACTION_WORK, number) : status;
}

/* Mostly the last message has just been taken: then its action says so. */
static int await_sent(struct ct_script *script)
{
    struct ct_action *last = script->count > 0 ? &script->actions[script->count - 1] : NULL;
    if (!last || last->kind != CT_ACTION_TAKE)
        return ct_action_add_number(script, CT_ACTION_AWAIT_SENT, 0);
    last->is_last = 1;
    return CT_OK;
}

static int await_rest(struct ct_script *script, struct round *round)
{
    int status = CT_OK;
    while (status == CT_OK && round->done < round->count)
        status = complete_next(script, round, false);
    if (status != CT_OK || !round->awaits_sends)
        return status;
    return round->defers_sends ? ct_action_add_number(script, CT_ACTION_AWAIT, LAST_AWAITED)
                               : await_sent(script);
}

/* Waits for what the round names and looks at the rest. */
static int begin_round(struct ct_script *script, struct round *round)
{
    for (const struct ct_step *step = round->steps, *end = step + round->count; step < end; step++) {
        int status = CT_OK;
        round->messages += is_message(step);
        if (step->kind == CT_STEP_WAIT)
            status = ct_script_await_slot(script, step->until);
        else if (step->kind == CT_STEP_SEND)
            round->defers_sends |= step->until != CT_ROUND_END;
        else if (step->kind == CT_STEP_RECEIVE)
            round->receives += step->until == CT_ROUND_END;
        else
            round->works = true;
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* Posts the round's messages, works, and takes in what it waits for. */
static int communicate(struct ct_script *script, struct round *round)
{
    int status = CT_OK;
    if (script->expected_first == script->expected_count)
        script->expected_first = script->expected_count = 0;
    round->expected_end = script->expected_count;
    if (round->receives > 0 && script->terms.notes_posting)
        status = ct_action_add_number(script, CT_ACTION_POST, 0);
    if (status == CT_OK && round->receives > 1)
        status = ct_action_add_number(script, CT_ACTION_EXPECT, round->receives);
    if (status == CT_OK)
        status = post_all(script, round);
    if (status == CT_OK && round->works)
        status = work(script, round);
    return status == CT_OK ? await_rest(script, round) : status;
}

/* What is to be done for a round. */
static inline int add_round(struct ct_script *script, const struct ct_step *steps, size_t count,
                            unsigned window)
{
    struct round round = {.steps = steps, .count = count, .window = window};
    int status = begin_round(script, &round);
    if (status == CT_OK && round.messages > 0)
        return communicate(script, &round);
    return status == CT_OK && round.works ? work(script, &round) : status;
}

int ct_script_add(struct ct_script *script, const struct ct_plan *plan)
{
    size_t begin = 0;
    for (size_t i = 0; i < plan->round_count; i++) {
        size_t end = plan->rounds[i].end;
        if (end < begin || end > plan->step_count)
            return ct_fail(script->error, CT_E_ANSWER, "rank %d: round %zu ends at step %zu of %zu",
                           script->rank, i, end, plan->step_count);
        int status = add_round(script, plan->steps + begin, end - begin, plan->rounds[i].window);
        if (status != CT_OK)
            return status;
        begin = end;
    }
    return CT_OK;
}
