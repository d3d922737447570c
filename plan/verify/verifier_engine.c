/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_engine.h"
#include "plan/share_sends.h"
#include "plan/verify/verifier_check.h"
#include "plan/verify/verifier_flight.h"
#include "plan/verify/verifier_message.h"
#include "plan/verify/verifier_report.h"

/* The state machine: each rank goes through its plan until it has to wait, and goes on once what it waits for
 * is done. A message moves when both its ends are posted. */

static int conflict(struct ct_verifier *verifier, int rank, const struct ct_step *step, uint32_t index)
{
    const struct ct_flight *other = &verifier->flights[index];
    ct_verifier_fail(verifier, CT_FLAW_CONFLICT, rank, step,
                     "overlaps with round %zu, step %zu, which is in flight", other->round,
                     ct_step_place(verifier->ranks[rank].plan, other->step));
    verifier->result.peer = other->step->peer;
    return CT_E_ANSWER;
}

/* What the step reads of this rank's data from now on until it is waited for must be there. */
static int read_operand(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t begin,
                        size_t operand)
{
    bool is_other = step->kind == CT_STEP_RECEIVE_UPPER;
    unsigned buffer = is_other ? step->other : step->buffer;
    struct ct_fault fault;
    if (step->kind == CT_STEP_RECEIVE || step->n == 0)
        return CT_OK;
    int status = ct_cells_read(ct_verifier_cells(verifier, rank, buffer), is_other ? operand : begin, step->n,
                               &verifier->patch, &fault);
    return status == CT_E_ANSWER ? ct_verifier_fault(verifier, &fault, rank, step, buffer) : status;
}

/* All communication of a round is in flight from its beginning, even what its window does not yet let be
 * posted. */
static int begin_message(struct ct_verifier *verifier, int rank, const struct ct_step *step,
                         uint32_t *ret_flight)
{
    size_t begin, operand;
    int status = ct_check_message(verifier, rank, step, &begin, &operand);
    if (status != CT_OK)
        return status;
    uint32_t other = ct_flight_in_way(verifier, rank, step->buffer, begin, step->n, ct_step_is_receive(step));
    if (other == CT_NO_FLIGHT && step->kind == CT_STEP_RECEIVE_UPPER)
        other = ct_flight_in_way(verifier, rank, step->other, operand, step->n, false);
    if (other != CT_NO_FLIGHT)
        return conflict(verifier, rank, step, other);
    if (step->until != CT_ROUND_END && step->until != CT_PLAN_END &&
        ct_flight_of_slot(verifier, rank, step->until) != CT_NO_FLIGHT)
        return ct_verifier_fail(verifier, CT_FLAW_SLOT, rank, step, "slot %u still holds another step",
                                step->until);
    status = read_operand(verifier, rank, step, begin, operand);
    return status == CT_OK ? ct_flight_begin(verifier, rank, step, begin, operand, ret_flight) : status;
}

/* Sends of a group must read the same slice. */
static int check_group(struct ct_verifier *verifier, int rank, const struct ct_step *step)
{
    const struct ct_rank_state *state = &verifier->ranks[rank];
    for (size_t i = state->begin; i < state->end; i++) {
        const struct ct_step *other = &state->plan->steps[i];
        if (other->kind == CT_STEP_SEND && other->other == step->other && !ct_is_same_slice(step, other))
            return ct_verifier_fail(verifier, CT_FLAW_STEP, rank, step,
                                    "step %zu shares its copy and reads another slice",
                                    ct_step_place(state->plan, other));
    }
    return CT_OK;
}

static int begin_messages(struct ct_verifier *verifier, int rank)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    uint32_t last = CT_NO_FLIGHT;
    state->to_post = CT_NO_FLIGHT;
    state->outstanding = 0;
    for (size_t i = state->begin; i < state->end; i++) {
        const struct ct_step *step = &state->plan->steps[i];
        if (!ct_step_is_message(step))
            continue;
        uint32_t flight;
        int status =
            step->kind == CT_STEP_SEND && step->other > 0 ? check_group(verifier, rank, step) : CT_OK;
        if (status == CT_OK)
            status = begin_message(verifier, rank, step, &flight);
        if (status != CT_OK)
            return status;
        if (last == CT_NO_FLIGHT)
            state->to_post = flight;
        else
            verifier->flights[last].next_to_post = flight;
        last = flight;
    }
    return CT_OK;
}

static int do_local(struct ct_verifier *verifier, int rank, const struct ct_step *step)
{
    size_t from, to;
    int status = ct_check_local(verifier, rank, step, &from, &to);
    if (status != CT_OK)
        return status;
    uint32_t other = ct_flight_in_way(verifier, rank, step->buffer, from, step->n, false);
    if (other == CT_NO_FLIGHT)
        other = ct_flight_in_way(verifier, rank, step->other, to, step->n, true);
    if (other != CT_NO_FLIGHT)
        return conflict(verifier, rank, step, other);
    struct ct_cells *source = ct_verifier_cells(verifier, rank, step->buffer);
    struct ct_cells *target = ct_verifier_cells(verifier, rank, step->other);
    struct ct_fault fault;
    status = ct_cells_read(source, from, step->n, &verifier->patch, &fault);
    unsigned faulty = step->buffer;
    if (status == CT_OK) {
        faulty = step->other;
        status = step->kind == CT_STEP_COPY
                     ? ct_cells_store(target, to, source, from, step->n, &verifier->patch, &fault)
                     : ct_cells_reduce(target, to, source, from, step->n, verifier->ordered, &verifier->patch,
                                       &fault);
    }
    return status == CT_E_ANSWER ? ct_verifier_fault(verifier, &fault, rank, step, faulty) : status;
}

static int do_locals(struct ct_verifier *verifier, int rank)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    for (size_t i = state->begin; i < state->end; i++) {
        const struct ct_step *step = &state->plan->steps[i];
        if (ct_step_is_message(step) || step->kind == CT_STEP_WAIT)
            continue;
        int status = do_local(verifier, rank, step);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static void await(struct ct_verifier *verifier, struct ct_rank_state *state, uint32_t index)
{
    struct ct_flight *flight = &verifier->flights[index];
    flight->waited = true;
    state->blockers += !flight->done;
}

static int await_named(struct ct_verifier *verifier, int rank)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    for (size_t i = state->begin; i < state->end; i++) {
        const struct ct_step *step = &state->plan->steps[i];
        if (step->kind != CT_STEP_WAIT)
            continue;
        uint32_t flight = step->until == CT_ROUND_END || step->until == CT_PLAN_END
                              ? CT_NO_FLIGHT
                              : ct_flight_of_slot(verifier, rank, step->until);
        if (flight == CT_NO_FLIGHT || verifier->flights[flight].waited)
            return ct_verifier_fail(verifier, CT_FLAW_SLOT, rank, step,
                                    "slot %u holds no step that is still to be waited for", step->until);
        await(verifier, state, flight);
    }
    return CT_OK;
}

/* Waits for the messages of the round that are not deferred or, if `all`, for all that are left. */
static int await_rest(struct ct_verifier *verifier, int rank, bool all)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    const uint32_t lists[] = {state->reading, state->writing};
    for (int i = 0; i < 2; i++) {
        for (uint32_t index = lists[i]; index != CT_NO_FLIGHT; index = verifier->flights[index].after) {
            const struct ct_flight *flight = &verifier->flights[index];
            unsigned until = flight->step->until;
            if (all && until != CT_ROUND_END && until != CT_PLAN_END)
                return ct_verifier_fail(verifier, CT_FLAW_SLOT, rank, flight->step,
                                        "slot %u is never waited for", until);
            if (all || until == CT_ROUND_END)
                await(verifier, state, index);
        }
    }
    return CT_OK;
}

/* Waiting is over. */
static void end_awaited(struct ct_verifier *verifier, int rank)
{
    const uint32_t lists[] = {verifier->ranks[rank].reading, verifier->ranks[rank].writing};
    for (int i = 0; i < 2; i++) {
        for (uint32_t index = lists[i], after; index != CT_NO_FLIGHT; index = after) {
            const struct ct_flight *flight = &verifier->flights[index];
            after = flight->after;
            if (!flight->waited)
                continue;
            if (ct_step_is_receive(flight->step) && flight->knowledge)
                ct_knowledge_receive(&verifier->knowledge, rank, flight->knowledge);
            ct_flight_end(verifier, index);
        }
    }
}

/* Posts as far as the window allows. */
static int post_messages(struct ct_verifier *verifier, int rank)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    unsigned window = state->plan->rounds[state->round].window;
    state->stalled = false;
    while (state->to_post != CT_NO_FLIGHT) {
        if (window > 0 && state->outstanding >= window) {
            state->stalled = true;
            return CT_OK;
        }
        uint32_t flight = state->to_post;
        state->to_post = verifier->flights[flight].next_to_post;
        int status = ct_verifier_post(verifier, flight);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static int enter_round(struct ct_verifier *verifier, int rank)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    if (state->round == state->plan->round_count) {
        state->phase = CT_PHASE_AWAITS_END;
        return await_rest(verifier, rank, true);
    }
    state->begin = state->round ? state->plan->rounds[state->round - 1].end : 0;
    state->end = state->plan->rounds[state->round].end;
    state->phase = CT_PHASE_AWAITS_NAMED;
    return await_named(verifier, rank);
}

/* Goes on until it has to wait or is done. */
static int advance(struct ct_verifier *verifier, int rank)
{
    struct ct_rank_state *state = &verifier->ranks[rank];
    int status = CT_OK;
    while (status == CT_OK && state->phase != CT_PHASE_LEFT) {
        if (state->blockers > 0 ||
            (state->stalled && state->outstanding >= state->plan->rounds[state->round].window)) {
            state->asleep = true;
            return CT_OK;
        }
        switch (state->phase) {
        case CT_PHASE_ENTERS:
            status = enter_round(verifier, rank);
            break;
        case CT_PHASE_AWAITS_NAMED:
            end_awaited(verifier, rank);
            state->phase = CT_PHASE_POSTS;
            status = begin_messages(verifier, rank);
            break;
        case CT_PHASE_POSTS:
            status = post_messages(verifier, rank);
            if (status != CT_OK || state->stalled)
                break;
            state->phase = CT_PHASE_AWAITS_ROUND;
            status = do_locals(verifier, rank);
            if (status == CT_OK)
                status = await_rest(verifier, rank, false);
            break;
        case CT_PHASE_AWAITS_ROUND:
            end_awaited(verifier, rank);
            state->round++;
            state->phase = CT_PHASE_ENTERS;
            break;
        case CT_PHASE_AWAITS_END:
            end_awaited(verifier, rank);
            state->phase = CT_PHASE_LEFT;
            break;
        case CT_PHASE_LEFT:
            break;
        }
    }
    return status;
}

/* Could every rank know that all had entered when it left? */
static int check_knowledge(struct ct_verifier *verifier)
{
    int size = verifier->task->size;
    for (int rank = 0; rank < size; rank++) {
        int other = ct_knowledge_lacks(&verifier->knowledge, rank, size);
        if (other == size)
            continue;
        const struct ct_plan *plan = verifier->ranks[rank].plan;
        const struct ct_step *last = plan->step_count ? &plan->steps[plan->step_count - 1] : NULL;
        ct_verifier_fail(verifier, CT_FLAW_EARLY, rank, last,
                         "leaves and cannot know that rank %d has entered", other);
        verifier->result.peer = other;
        return CT_E_ANSWER;
    }
    return CT_OK;
}

int ct_verifier_run(struct ct_verifier *verifier)
{
    int size = verifier->task->size;
    for (int rank = 0; rank < size; rank++)
        verifier->ready[size - 1 - rank] = rank;
    verifier->ready_count = (size_t)size;
    while (verifier->ready_count > 0) {
        int status = advance(verifier, verifier->ready[--verifier->ready_count]);
        if (status != CT_OK)
            return status;
    }
    for (int rank = 0; rank < size; rank++)
        if (verifier->ranks[rank].phase != CT_PHASE_LEFT)
            return ct_verifier_stuck(verifier);
    return verifier->task->synchronizes ? check_knowledge(verifier) : CT_OK;
}
