/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/script.h"
#include "base/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* A deferred receive that has been posted. */
struct ct_expected {
    uint32_t cost; /* by number */
    int32_t peer;
    uint16_t slot; /* CT_PLAN_END: none */
    bool taken;
    size_t next; /* the next of that peer: 1 + its index; 0 if there is none */
};

/* Of one peer: 1 + the index of the first and the last expected receive. */
struct ct_expected_from {
    size_t first, last;
};

enum ct_holds { CT_HOLDS_NOTHING, CT_HOLDS_SEND, CT_HOLDS_EXPECTED, CT_HOLDS_TAKEN };

struct ct_slot_holder {
    enum ct_holds holds;
    size_t index; /* of the expected receive; for a send the number that it is remembered under */
};

/* Their number fits into 32 bits. */
#define CT_ACTIONS_MAX (UINT32_MAX / 2)

static inline int add_action(struct ct_script *script, struct ct_action action)
{
    if (script->count == script->capacity) {
        if (script->count >= CT_ACTIONS_MAX)
            return CT_E_LIMIT;
        int status = ct_grow(&script->actions, &script->capacity, script->count + 1, sizeof *script->actions);
        if (status != CT_OK)
            return status;
    }
    script->actions[script->count++] = action;
    return CT_OK;
}

static inline int add_number(struct ct_script *script, enum ct_action_kind kind, size_t number)
{
    return add_action(script, (struct ct_action){.kind = kind, .number = (uint32_t)number});
}

/* --- deferred steps: who waits for them, and what may be received before --- */

static struct ct_slot_holder *holder_of(struct ct_script *script, unsigned slot)
{
    size_t before = script->slot_capacity;
    if (ct_grow(&script->slots, &script->slot_capacity, (size_t)slot + 1, sizeof *script->slots) != CT_OK)
        return NULL;
    if (script->slot_capacity > before)
        memset(script->slots + before, 0, (script->slot_capacity - before) * sizeof *script->slots);
    return &script->slots[slot];
}

/* The slot, if it is one, holds that from now on. */
static int hold(struct ct_script *script, unsigned slot, enum ct_holds holds, size_t index)
{
    if (slot == CT_PLAN_END)
        return CT_OK;
    struct ct_slot_holder *holder = holder_of(script, slot);
    if (!holder)
        return CT_E_MEMORY;
    if (holder->holds != CT_HOLDS_NOTHING)
        return ct_fail(script->error, CT_E_ANSWER, "rank %d: slot %u still holds another step", script->rank,
                       slot);
    *holder = (struct ct_slot_holder){holds, index};
    script->slots_held++;
    return CT_OK;
}

/* A deferred receive is posted. */
static int expect(struct ct_script *script, const struct ct_step *step, uint32_t cost)
{
    size_t index = script->expected_count;
    if (!script->expected_from) {
        script->expected_from = ct_allocate((size_t)script->terms.size, sizeof *script->expected_from);
        if (!script->expected_from)
            return CT_E_MEMORY;
    }
    int status = ct_grow(&script->expected, &script->expected_capacity, index + 1, sizeof *script->expected);
    if (status != CT_OK)
        return status;
    script->expected[script->expected_count++] =
        (struct ct_expected){.cost = cost, .peer = step->peer, .slot = step->until};
    struct ct_expected_from *from = &script->expected_from[step->peer];
    if (from->first == 0)
        from->first = index + 1;
    else
        script->expected[from->last - 1].next = index + 1;
    from->last = index + 1;
    status = hold(script, step->until, CT_HOLDS_EXPECTED, index);
    return status == CT_OK ? add_number(script, CT_ACTION_EXPECT, 1) : status;
}

static int take_one(struct ct_script *script, struct ct_expected *expected)
{
    expected->taken = true;
    script->expected_from[expected->peer].first = expected->next;
    if (expected->slot != CT_PLAN_END)
        script->slots[expected->slot].holds = CT_HOLDS_TAKEN;
    while (script->expected_first < script->expected_count && script->expected[script->expected_first].taken)
        script->expected_first++;
    return add_action(script, (struct ct_action){.kind = CT_ACTION_TAKE,
                                                 .is_expected = true,
                                                 .peer = (uint32_t)expected->peer,
                                                 .number = expected->cost});
}

/* Receives the expected messages of the peer with indices below `end`: earlier messages arrive before. */
static int take_expected(struct ct_script *script, int peer, size_t end)
{
    int status = CT_OK;
    if (!script->expected_from)
        return CT_OK;
    const struct ct_expected_from *from = &script->expected_from[peer];
    while (status == CT_OK && from->first > 0 && from->first <= end)
        status = take_one(script, &script->expected[from->first - 1]);
    return status;
}

static int await_slot(struct ct_script *script, unsigned slot)
{
    struct ct_slot_holder *holder =
        slot == CT_ROUND_END || slot == CT_PLAN_END ? NULL : holder_of(script, slot);
    if (!holder || holder->holds == CT_HOLDS_NOTHING)
        return ct_fail(script->error, CT_E_ANSWER, "rank %d: slot %u holds no step to wait for", script->rank,
                       slot);
    int status = CT_OK;
    if (holder->holds == CT_HOLDS_SEND)
        status = add_number(script, CT_ACTION_AWAIT, holder->index);
    else if (holder->holds == CT_HOLDS_EXPECTED)
        status = take_expected(script, script->expected[holder->index].peer, holder->index + 1);
    assert(script->slots_held > 0);
    holder->holds = CT_HOLDS_NOTHING;
    script->slots_held--;
    return status;
}

/* --- all scripts of a call --- */

void ct_script_free(struct ct_script *script)
{
    free(script->actions);
    ct_script_costs_free(&script->costs);
    free(script->expected);
    free(script->expected_from);
    free(script->slots);
    *script = (struct ct_script){0};
}

int ct_scripts_begin(struct ct_script *script, const struct ct_script_terms *terms, struct ct_error *error)
{
    if (terms->size >= 1 << CT_PEER_BITS)
        return ct_fail(error, CT_E_LIMIT, "%d ranks: expected fewer than %d", terms->size, 1 << CT_PEER_BITS);
    script->terms = *terms;
    script->error = error;
    script->messages = 0;
    script->bytes = 0;
    ct_script_costs_begin(&script->costs, terms->links, terms->model, terms->notes_posting);
    free(script->expected_from);
    script->expected_from = NULL;
    return CT_OK;
}

void ct_script_begin(struct ct_script *script, int rank)
{
    script->rank = rank;
    script->count = 0;
    script->expected_first = 0;
    script->expected_count = 0;
    if (script->slots_held > 0)
        memset(script->slots, 0, script->slot_capacity * sizeof *script->slots);
    script->slots_held = 0;
    script->sends_at_end = false;
}

int ct_script_end(struct ct_script *script)
{
    int status = CT_OK;
    for (size_t i = script->expected_first; status == CT_OK && i < script->expected_count; i++)
        if (script->expected[i].slot == CT_PLAN_END)
            status = take_expected(script, script->expected[i].peer, i + 1);
    for (size_t slot = 0; status == CT_OK && script->slots_held > 0 && slot < script->slot_capacity; slot++)
        if (script->slots[slot].holds != CT_HOLDS_NOTHING)
            return ct_fail(script->error, CT_E_ANSWER, "rank %d: slot %zu is never waited for", script->rank,
                           slot);
    return status == CT_OK && script->sends_at_end ? add_number(script, CT_ACTION_AWAIT_SENT, 0) : status;
}

/* --- rounds --- */

/* A round that is being turned into actions. */
struct round {
    const struct ct_step *steps;
    size_t count;
    unsigned window;
    size_t messages;
    size_t receives;   /* of them, those that it waits for at its end */
    bool awaits_sends; /* waits for some sends */
    bool defers_sends; /* does not wait for some sends */
    bool works;
    size_t done;         /* messages that it waits for are complete before this step */
    size_t expected_end; /* deferred receives below this index were posted before that step */
    size_t sent;         /* of the sends that it waits for, those posted */
    size_t completed;    /* and those complete, as far as a window asks for it */
};

/* Numbers under which the ends of sends are remembered: 0 for the last send that a round waits for, even
 * numbers for slots, which are 1 and up, odd numbers for sends in a window. */
enum { LAST_AWAITED = 0 };

static size_t number_of_slot(unsigned slot)
{
    return 2 * (size_t)slot;
}

static size_t number_in_window(const struct round *round, size_t send)
{
    return 2 * (send % round->window) + 1;
}

static inline bool is_awaited(const struct ct_step *step)
{
    return ct_step_is_message(step) && step->until == CT_ROUND_END;
}

static int bytes_of(const struct ct_script *script, const struct ct_step *step, size_t *ret_bytes)
{
    if (ct_multiply(step->n, script->terms.unit_bytes, ret_bytes))
        return CT_OK;
    return ct_fail(script->error, CT_E_LIMIT, "rank %d: a step of %zu units has too many bytes", script->rank,
                   step->n);
}

/* The number of the cost of a message with that peer. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
static inline int cost_of(struct ct_script *script, int peer, size_t bytes, uint32_t *ret_number)
{
    const int *node_of = script->terms.node_of;
    enum ct_link_kind link =
        node_of && node_of[script->rank] == node_of[peer] ? CT_LINK_NODE : CT_LINK_NETWORK;
    return ct_script_costs_of_message(&script->costs, link, bytes, ret_number);
}

/* Checks a message and finds what it costs. */
static inline int look_at(struct ct_script *script, const struct ct_step *step, size_t *ret_bytes,
                          uint32_t *ret_cost)
{
    if ((unsigned)step->peer >= (unsigned)script->terms.size || step->peer == script->rank)
        return ct_fail(script->error, CT_E_ANSWER, "rank %d has a message with rank %d of %d", script->rank,
                       step->peer, script->terms.size);
    int status = bytes_of(script, step, ret_bytes);
    return status == CT_OK ? cost_of(script, step->peer, *ret_bytes, ret_cost) : status;
}

/* After a send: remember when it ends, if that is needed later. */
static inline int remember(struct ct_script *script, struct round *round, const struct ct_step *step)
{
    int status = CT_OK;
    if (step->until == CT_PLAN_END) {
        script->sends_at_end = true;
    } else if (step->until != CT_ROUND_END) {
        status = hold(script, step->until, CT_HOLDS_SEND, number_of_slot(step->until));
        if (status == CT_OK)
            status = add_number(script, CT_ACTION_REMEMBER, number_of_slot(step->until));
    } else {
        round->awaits_sends = true;
        if (round->window > 0)
            status = add_number(script, CT_ACTION_REMEMBER, number_in_window(round, round->sent++));
        if (status == CT_OK && round->defers_sends)
            status = add_number(script, CT_ACTION_REMEMBER, LAST_AWAITED);
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
    status = add_action(
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
    return status == CT_OK ? expect(script, step, cost) : status;
}

/* Receives a message that the round waits for. */
static inline int take(struct ct_script *script, const struct round *round, const struct ct_step *step)
{
    size_t bytes = 0;
    uint32_t cost = 0;
    int status = look_at(script, step, &bytes, &cost);
    if (status == CT_OK && script->expected_from)
        status = take_expected(script, step->peer, round->expected_end);
    if (status != CT_OK)
        return status;
    return add_action(script, (struct ct_action){.kind = CT_ACTION_TAKE,
                                                 .is_expected = round->receives > 1,
                                                 .is_posted = 1,
                                                 .peer = (uint32_t)step->peer,
                                                 .number = cost});
}

/* Completes the next message that the round waits for, if any. Sends count only if a window asks for it. */
static int complete_next(struct ct_script *script, struct round *round, bool sends)
{
    while (round->done < round->count) {
        const struct ct_step *step = &round->steps[round->done++];
        if (!ct_step_is_message(step))
            continue;
        if (!is_awaited(step))
            round->expected_end += ct_step_is_receive(step);
        else if (ct_step_is_receive(step))
            return take(script, round, step);
        else if (sends)
            return add_number(script, CT_ACTION_AWAIT, number_in_window(round, round->completed++));
    }
    return CT_OK;
}

static inline int post(struct ct_script *script, struct round *round, const struct ct_step *step)
{
    return step->kind == CT_STEP_SEND ? post_send(script, round, step) : post_receive(script, step);
}

/* At most `window` messages are in transfer: one completes before the next is posted. */
static int post_in_window(struct ct_script *script, struct round *round)
{
    size_t outstanding = 0;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < round->count; i++) {
        const struct ct_step *step = &round->steps[i];
        if (!ct_step_is_message(step))
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
        if (ct_step_is_message(step))
            status = post(script, round, step);
        if (status != CT_OK)
            break;
    }
    return status;
}

/* Seconds per byte of the step's local work. A message that is reduced while it arrives counts with the work
 * of its round, which the messages overlap with. */
static inline double seconds_per_byte(const struct ct_script *script, const struct ct_step *step)
{
    if (step->kind == CT_STEP_REDUCE || ct_step_is_fused(step))
        return script->terms.gamma;
    return step->kind == CT_STEP_COPY ? script->terms.delta : 0;
}

static inline int work(struct ct_script *script, const struct round *round)
{
    double seconds = 0;
    uint32_t number = 0;
    for (size_t i = 0; i < round->count; i++) {
        const struct ct_step *step = &round->steps[i];
        size_t bytes = 0;
        double rate = seconds_per_byte(script, step);
        if (rate == 0)
            continue;
        int status = bytes_of(script, step, &bytes);
        if (status != CT_OK)
            return status;
        seconds += rate * (double)bytes;
    }
    if (seconds == 0)
        return CT_OK;
    int status = ct_script_costs_of_work(&script->costs, seconds, &number);
    return status == CT_OK ? add_number(script, CT_ACTION_WORK, number) : status;
}

/* Usually the last action receives a message: then a flag in that action suffices. */
static int await_sent(struct ct_script *script)
{
    struct ct_action *last = script->count > 0 ? &script->actions[script->count - 1] : NULL;
    if (!last || last->kind != CT_ACTION_TAKE)
        return add_number(script, CT_ACTION_AWAIT_SENT, 0);
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
    return round->defers_sends ? add_number(script, CT_ACTION_AWAIT, LAST_AWAITED) : await_sent(script);
}

/* Waits for the deferred steps that the round names, and counts the others. */
static int begin_round(struct ct_script *script, struct round *round)
{
    for (const struct ct_step *step = round->steps, *end = step + round->count; step < end; step++) {
        int status = CT_OK;
        round->messages += ct_step_is_message(step);
        if (step->kind == CT_STEP_WAIT)
            status = await_slot(script, step->until);
        else if (step->kind == CT_STEP_SEND)
            round->defers_sends |= step->until != CT_ROUND_END;
        else if (ct_step_is_receive(step))
            round->receives += step->until == CT_ROUND_END;
        round->works |= ct_step_is_local(step) || ct_step_is_fused(step);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* Posts the round's messages, works, and receives the messages that it waits for. */
static int communicate(struct ct_script *script, struct round *round)
{
    int status = CT_OK;
    if (script->expected_first == script->expected_count)
        script->expected_first = script->expected_count = 0;
    round->expected_end = script->expected_count;
    if (round->receives > 0 && script->terms.notes_posting)
        status = add_number(script, CT_ACTION_POST, 0);
    if (status == CT_OK && round->receives > 1)
        status = add_number(script, CT_ACTION_EXPECT, round->receives);
    if (status == CT_OK)
        status = post_all(script, round);
    if (status == CT_OK && round->works)
        status = work(script, round);
    return status == CT_OK ? await_rest(script, round) : status;
}

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
