/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/verify/verifier_report.h"
#include "base/text.h"
#include "plan/step_text.h"
#include "plan/verify/verifier_locate.h"

#include <stdarg.h>
#include <stdio.h>

static size_t round_of(const struct ct_plan *plan, const struct ct_step *step)
{
    size_t round = 0;
    while (plan->rounds[round].end <= (size_t)(step - plan->steps))
        round++;
    return round;
}

size_t ct_step_place(const struct ct_plan *plan, const struct ct_step *step)
{
    size_t round = round_of(plan, step);
    return (size_t)(step - plan->steps) - (round > 0 ? plan->rounds[round - 1].end : 0);
}

static int note(struct ct_verifier *verifier, enum ct_flaw flaw, int rank, const struct ct_step *step,
                const char *text)
{
    const struct ct_rank_state *state = &verifier->ranks[rank];
    struct ct_verdict *result = &verifier->result;
    char words[CT_STEP_TEXT] = "nothing done";
    *result = (struct ct_verdict){.flaw = flaw, .rank = rank, .round = state->round, .peer = -1};
    if (step) {
        result->round = round_of(state->plan, step);
        result->step = ct_step_place(state->plan, step);
        result->peer = ct_step_is_message(step) ? step->peer : -1;
        ct_step_format(step, words);
    }
    return ct_fail(verifier->error, CT_E_ANSWER, "%s: rank %d, round %zu, step %zu (%s): %s",
                   ct_flaw_names[flaw], rank, result->round, result->step, words, text);
}

int ct_verifier_fail(struct ct_verifier *verifier, enum ct_flaw flaw, int rank, const struct ct_step *step,
                     const char *format, ...)
{
    char text[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return note(verifier, flaw, rank, step, text);
}

/* The last of the first `steps` steps that wrote the position; NULL where none did. */
static const struct ct_step *last_store(const struct ct_verifier *verifier, int rank, unsigned buffer,
                                        size_t position, size_t steps)
{
    const struct ct_plan *plan = verifier->ranks[rank].plan;
    for (size_t i = steps; i-- > 0;) {
        unsigned written;
        size_t begin;
        const struct ct_step *step = &plan->steps[i];
        if (ct_step_locate(verifier, rank, step, true, &written, &begin) && written == buffer &&
            position >= begin && position - begin < step->n)
            return step;
    }
    return NULL;
}

int ct_verifier_fail_at(struct ct_verifier *verifier, enum ct_flaw flaw, int rank, unsigned buffer,
                        size_t position, const char *format, ...)
{
    char text[300], where[400], name[CT_BUFFER_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(where, sizeof where, "position %zu of %s: %s", position, ct_buffer_format(buffer, name), text);
    const struct ct_plan *plan = verifier->ranks[rank].plan;
    const struct ct_step *step = last_store(verifier, rank, buffer, position, plan->step_count);
    if (!step && plan->step_count > 0)
        step = &plan->steps[plan->step_count - 1];
    return note(verifier, flaw, rank, step, where);
}

static const char *fault_text(enum ct_flaw flaw)
{
    static const char *const texts[CT_FLAWS] = {
        [CT_FLAW_UNDEFINED] = "nothing was written there before",
        [CT_FLAW_MISPLACED] = "units of different positions are combined",
        [CT_FLAW_ORDER] = "the source's ranks are not those just before the destination's",
        [CT_FLAW_DEAD_STORE] = "overwrites what was never read",
    };
    return texts[flaw] ? texts[flaw] : ct_flaw_names[flaw];
}

int ct_verifier_fault(struct ct_verifier *verifier, const struct ct_fault *fault, int rank,
                      const struct ct_step *step, unsigned buffer)
{
    char name[CT_BUFFER_TEXT], before[80] = "";
    const struct ct_plan *plan = verifier->ranks[rank].plan;
    const struct ct_step *store = NULL;
    if (fault->flaw == CT_FLAW_DEAD_STORE)
        store = last_store(verifier, rank, buffer, fault->where, (size_t)(step - plan->steps));
    if (store)
        snprintf(before, sizeof before, " since round %zu, step %zu stored it", round_of(plan, store),
                 ct_step_place(plan, store));
    return ct_verifier_fail(verifier, fault->flaw, rank, step, "position %zu of %s: %s%s", fault->where,
                            ct_buffer_format(buffer, name), fault_text(fault->flaw), before);
}

/* The flight that keeps a rank from going on. */
static uint32_t blocker(const struct ct_verifier *verifier, int rank)
{
    const struct ct_rank_state *state = &verifier->ranks[rank];
    const uint32_t lists[] = {state->reading, state->writing};
    uint32_t found = CT_NO_FLIGHT;
    for (int i = 0; i < 2; i++) {
        for (uint32_t flight = lists[i]; flight != CT_NO_FLIGHT; flight = verifier->flights[flight].after) {
            bool posted = true; /* a window keeps the rest of its round waiting */
            for (uint32_t next = state->to_post; next != CT_NO_FLIGHT;
                 next = verifier->flights[next].next_to_post)
                posted = posted && next != flight;
            const struct ct_flight *candidate = &verifier->flights[flight];
            if (candidate->done || !posted || (!state->stalled && !candidate->waited))
                continue;
            if (found == CT_NO_FLIGHT || candidate->step < verifier->flights[found].step)
                found = flight;
        }
    }
    return found;
}

static size_t count_messages(const struct ct_plan *plan, size_t steps, bool receives, int peer)
{
    size_t count = 0;
    for (size_t i = 0; i < steps; i++)
        count += ct_step_is_message(&plan->steps[i]) && plan->steps[i].peer == peer &&
                 ct_step_is_receive(&plan->steps[i]) == receives;
    return count;
}

/* Does its other end exist at all? */
static bool has_other_end(const struct ct_verifier *verifier, const struct ct_flight *flight)
{
    const struct ct_plan *plan = verifier->ranks[flight->rank].plan;
    const struct ct_plan *other = verifier->ranks[flight->step->peer].plan;
    bool receives = ct_step_is_receive(flight->step);
    size_t nth = count_messages(plan, (size_t)(flight->step - plan->steps) + 1, receives, flight->step->peer);
    return count_messages(other, other->step_count, !receives, flight->rank) >= nth;
}

static int fail_deadlock(struct ct_verifier *verifier, int rank)
{
    enum { SHOWN = 8 };
    const struct ct_flight *flight = &verifier->flights[blocker(verifier, rank)];
    struct ct_text chain = {0};
    int at = rank;
    for (int i = 0; i < SHOWN && (i == 0 || at != rank); i++) {
        uint32_t next = verifier->ranks[at].phase == CT_PHASE_LEFT ? CT_NO_FLIGHT : blocker(verifier, at);
        if (next == CT_NO_FLIGHT)
            break;
        at = verifier->flights[next].step->peer;
        ct_text_append(&chain, "%s waits for rank %d", i ? ", which" : "", at);
    }
    int status = ct_verifier_fail(verifier, CT_FLAW_DEADLOCK, rank, flight->step, "%s",
                                  chain.failed ? "ranks wait for each other" : chain.data);
    ct_text_free(&chain);
    return status;
}

int ct_verifier_stuck(struct ct_verifier *verifier)
{
    int stuck = -1;
    for (int rank = 0; rank < verifier->task->size; rank++) {
        uint32_t index =
            verifier->ranks[rank].phase == CT_PHASE_LEFT ? CT_NO_FLIGHT : blocker(verifier, rank);
        if (index == CT_NO_FLIGHT)
            continue;
        stuck = stuck < 0 ? rank : stuck;
        const struct ct_flight *flight = &verifier->flights[index];
        if (!has_other_end(verifier, flight))
            return ct_verifier_fail(verifier, CT_FLAW_UNMATCHED, rank, flight->step, "rank %d %s it",
                                    flight->step->peer,
                                    flight->step->kind == CT_STEP_SEND ? "never receives" : "never sends");
    }
    return fail_deadlock(verifier, stuck);
}
