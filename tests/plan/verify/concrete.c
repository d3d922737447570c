/* SPDX-License-Identifier: BSD-3-Clause */
#include "concrete_state.h"

#include <string.h>

/* Where the slice begins among all values; out of bounds is wrong. */
static struct value *locate(struct concrete *concrete, int r, unsigned buffer, size_t block, size_t offset,
                            size_t n)
{
    const struct rank *rank = &concrete->ranks[r];
    size_t begin = 0, length = buffer < rank->plan->buffer_count ? rank->lengths[buffer] : 0;
    if (buffer < CT_BUFFER_TEMPORARY && concrete->task->shares[r].buffers[buffer].blocks) {
        const size_t *blocks = concrete->task->shares[r].buffers[buffer].blocks;
        bool exists = block < concrete->task->shares[r].buffers[buffer].block_count;
        begin = exists ? blocks[block] : 0;
        length = exists ? blocks[block + 1] - begin : 0;
    }
    if (offset > length || n > length - offset) {
        concrete->wrong = true;
        return NULL;
    }
    return concrete->values + rank->begins[buffer] + begin + offset;
}

static void finish(struct concrete *concrete, struct flight *flight)
{
    struct rank *rank = &concrete->ranks[flight->rank];
    if (!flight->done && flight->round == rank->round)
        rank->outstanding--;
    flight->done = true;
}

/* What the receive makes of the message, whose values are `from`. */
static void deliver(struct concrete *concrete, int r, const struct ct_step *step, const struct value *from,
                    size_t n)
{
    bool commutes = concrete->task->commutative, is_fused = ct_step_is_fused(step);
    struct value *to = locate(concrete, r, step->buffer, is_fused ? 0 : step->block, step->offset, step->n);
    const struct value *operand = to;
    if (step->kind == CT_STEP_RECEIVE_UPPER)
        operand = locate(concrete, r, step->other, 0, step->other_offset, step->n);
    for (size_t i = 0; from && to && operand && i < n; i++) {
        if (!is_fused)
            to[i] = from[i];
        else if (step->kind == CT_STEP_RECEIVE_LOWER)
            to[i] = concrete_combine(from[i], operand[i], commutes);
        else
            to[i] = concrete_combine(operand[i], from[i], commutes);
    }
}

static void move(struct concrete *concrete, int a, int b)
{
    struct flight *send = &concrete->flights[concrete->flights[a].step->kind == CT_STEP_SEND ? a : b];
    struct flight *receive = &concrete->flights[send == &concrete->flights[a] ? b : a];
    size_t n = send->step->n;
    finish(concrete, send);
    finish(concrete, receive);
    if (n > receive->step->n)
        concrete->wrong = true;
    if (n == 0 || n > receive->step->n)
        return;
    const struct value *from =
        locate(concrete, send->rank, send->step->buffer, send->step->block, send->step->offset, n);
    deliver(concrete, receive->rank, receive->step, from, n);
}

/* Between two ranks the k-th send meets the k-th receive. */
static void post(struct concrete *concrete, int r, const struct ct_step *step)
{
    if (step->peer < 0 || step->peer >= concrete->task->size || step->peer == r ||
        (step->n > 0 && !locate(concrete, r, step->buffer, ct_step_is_fused(step) ? 0 : step->block,
                                step->offset, step->n))) {
        concrete->wrong = true;
        return;
    }
    concrete->flights = concrete_grown(concrete->flights, &concrete->flight_capacity,
                                       concrete->flight_count + 1, sizeof *concrete->flights);
    struct rank *rank = &concrete->ranks[r];
    int index = (int)concrete->flight_count++;
    struct flight *flight = &concrete->flights[index];
    *flight = (struct flight){.step = step, .round = rank->round, .rank = r, .other = NONE, .next = NONE};
    *(rank->oldest == NONE ? &rank->oldest : &concrete->flights[rank->latest].next) = index;
    rank->latest = index;
    rank->outstanding++;
    if (concrete->timing == EAGER && step->kind == CT_STEP_SEND)
        finish(concrete, flight);
    for (int i = concrete->ranks[step->peer].oldest; i != NONE; i = concrete->flights[i].next) {
        struct flight *other = &concrete->flights[i];
        if (other->other != NONE || other->step->peer != r ||
            ct_step_is_receive(other->step) == ct_step_is_receive(step))
            continue;
        other->other = index;
        flight->other = i;
        if (concrete->timing != LATE)
            move(concrete, i, index);
        break;
    }
}

static void do_local(struct concrete *concrete, int r, const struct ct_step *step)
{
    const struct value *from = locate(concrete, r, step->buffer, (size_t)step->peer, step->offset, step->n);
    struct value *to = locate(concrete, r, step->other, (size_t)step->peer, step->other_offset, step->n);
    for (size_t i = 0; from && to && i < step->n; i++)
        to[i] = step->kind == CT_STEP_COPY ? from[i]
                                           : concrete_combine(from[i], to[i], concrete->task->commutative);
}

/* Waits for the rank's flights that are due: those of `slot`, be it a slot, the end of the round or of the
 * plan. Returns whether none is left to wait for. */
static bool wait_for(struct concrete *concrete, int r, unsigned slot, bool *ret_found)
{
    bool all_done = true;
    for (int i = concrete->ranks[r].oldest; i != NONE; i = concrete->flights[i].next) {
        struct flight *flight = &concrete->flights[i];
        if (flight->ended || flight->step->until != slot)
            continue;
        *ret_found = flight->waited = true;
        all_done = all_done && flight->done;
    }
    return all_done;
}

static void end_waited(struct concrete *concrete, int r)
{
    struct rank *rank = &concrete->ranks[r];
    int *link = &rank->oldest;
    rank->latest = NONE;
    while (*link != NONE) {
        struct flight *flight = &concrete->flights[*link];
        flight->ended = flight->ended || flight->waited;
        if (flight->ended && flight->other != NONE) {
            *link = flight->next;
        } else {
            rank->latest = *link;
            link = &flight->next;
        }
    }
}

static bool leave(struct concrete *concrete, int r)
{
    bool found;
    if (!wait_for(concrete, r, CT_PLAN_END, &found))
        return false;
    end_waited(concrete, r);
    for (int i = concrete->ranks[r].oldest; i != NONE; i = concrete->flights[i].next)
        concrete->wrong |= !concrete->flights[i].ended;
    concrete->ranks[r].phase = LEFT;
    return true;
}

static bool wait_for_named(struct concrete *concrete, int r, size_t begin, size_t end)
{
    const struct ct_plan *plan = concrete->ranks[r].plan;
    bool all_done = true;
    for (size_t i = begin; i < end; i++) {
        bool found = false;
        if (plan->steps[i].kind != CT_STEP_WAIT)
            continue;
        if (!wait_for(concrete, r, plan->steps[i].until, &found))
            all_done = false;
        concrete->wrong |= !found;
    }
    return all_done;
}

/* Returns whether all of the round is posted. */
static bool post_round(struct concrete *concrete, int r, size_t end)
{
    struct rank *rank = &concrete->ranks[r];
    unsigned window = rank->plan->rounds[rank->round].window;
    for (; rank->at < end; rank->at++) {
        const struct ct_step *step = &rank->plan->steps[rank->at];
        if (!ct_step_is_message(step))
            continue;
        rank->stalled = window > 0 && rank->outstanding >= window;
        if (rank->stalled)
            return false;
        post(concrete, r, step);
    }
    return true;
}

/* Goes on by one phase. False where the rank has to wait. */
static bool advance(struct concrete *concrete, int r)
{
    struct rank *rank = &concrete->ranks[r];
    const struct ct_plan *plan = rank->plan;
    if (rank->round == plan->round_count)
        return leave(concrete, r);
    size_t begin = rank->round ? plan->rounds[rank->round - 1].end : 0, end = plan->rounds[rank->round].end;
    bool found;
    switch (rank->phase) {
    case NAMES:
        if (!wait_for_named(concrete, r, begin, end))
            return false;
        end_waited(concrete, r);
        rank->phase = POSTS;
        rank->at = begin;
        rank->outstanding = 0;
        return true;
    case POSTS: {
        size_t before = rank->at;
        if (!post_round(concrete, r, end))
            return rank->at > before;
        for (size_t i = begin; i < end; i++)
            if (!ct_step_is_message(&plan->steps[i]) && plan->steps[i].kind != CT_STEP_WAIT)
                do_local(concrete, r, &plan->steps[i]);
        rank->phase = WAITS;
        return true;
    }
    default:
        if (!wait_for(concrete, r, CT_ROUND_END, &found))
            return false;
        end_waited(concrete, r);
        rank->phase = NAMES;
        rank->round++;
        return true;
    }
}

/* Where nobody can go on, the messages move that somebody waits for. */
static bool move_awaited(struct concrete *concrete)
{
    bool moved = false;
    for (int r = 0; concrete->timing == LATE && r < concrete->task->size; r++) {
        for (int i = concrete->ranks[r].oldest; i != NONE; i = concrete->flights[i].next) {
            const struct flight *flight = &concrete->flights[i];
            if (flight->done || flight->other == NONE || (!flight->waited && !concrete->ranks[r].stalled))
                continue;
            move(concrete, i, flight->other);
            moved = true;
        }
    }
    return moved;
}

static void carry_out(struct concrete *concrete, const struct ct_plan *plans, enum timing timing, int late)
{
    concrete->timing = timing;
    concrete->flight_count = 0;
    if (concrete->value_count > 0)
        memcpy(concrete->values, concrete->initial, concrete->value_count * sizeof *concrete->values);
    for (int r = 0; r < concrete->task->size; r++) {
        struct rank *rank = &concrete->ranks[r];
        rank->plan = &plans[r];
        rank->phase = NAMES;
        rank->round = rank->at = rank->outstanding = 0;
        rank->oldest = rank->latest = NONE;
        rank->stalled = false;
    }
    bool goes_on = true;
    while (goes_on && !concrete->wrong) {
        goes_on = false;
        for (int r = 0; r < concrete->task->size; r++)
            while (r != late && concrete->ranks[r].phase != LEFT && !concrete->wrong && advance(concrete, r))
                goes_on = true;
        goes_on = goes_on || move_awaited(concrete);
    }
}

/* Does any rank leave while another has not entered? */
static bool leaves_early(struct concrete *concrete, const struct ct_plan *plans)
{
    for (int late = 0; late < concrete->task->size; late++) {
        carry_out(concrete, plans, EAGER, late);
        for (int r = 0; r < concrete->task->size; r++)
            if (concrete->ranks[r].phase == LEFT)
                return true;
    }
    return false;
}

bool concrete_is_right(struct concrete *concrete, const struct ct_plan *plans)
{
    const enum timing timings[] = {EARLY, LATE};
    concrete->wrong = false;
    for (int i = 0; i < 2; i++) {
        carry_out(concrete, plans, timings[i], NONE);
        if (concrete->wrong || !concrete_is_complete(concrete))
            return false;
    }
    return !concrete->task->synchronizes || !leaves_early(concrete, plans);
}
