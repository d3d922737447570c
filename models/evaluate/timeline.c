/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/timeline.h"
#include "base/memory.h"
#include "base/process.h"
#include "models/evaluate/timeline_transfers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What keeps a rank from going on. */
enum obstacle { NOTHING, SLOT, WINDOW, ROUND, PLAN };

/* The parts of a round; each goes on from the step at which it was left. Local work is done before the rank
 * waits for messages, or, in a blocking exchange, after it. */
enum part { WAIT, POST, LOCAL, FINISH, LOCAL_LAST, PARTS };

/* The progress of a rank. */
struct walker {
    double now;      /* its CPU is busy until then */
    double slowness; /* of its CPU */
    enum obstacle waits;
    enum part part;
    bool exchanges;     /* the round is a blocking exchange */
    size_t round, step; /* of the plan; after the last round the step is one of all steps */
    size_t in_round;    /* messages of the round that are in transfer */
    double ready;       /* CPU time for messages of the round that had come in before */
    uint32_t awaited;   /* message; of SLOT and PLAN */
    uint32_t *slots;    /* message by slot */
    size_t slot_capacity;
};

struct ct_timeline {
    const struct ct_timeline_terms *terms;
    struct ct_error *error;
    struct walker *walkers; /* by rank */
    size_t walker_capacity;
    struct ct_timeline_transfers transfers;
};

struct ct_timeline *ct_timeline_new(void)
{
    struct ct_timeline *timeline = ct_allocate(1, sizeof *timeline);
    if (!timeline)
        return NULL;
    if (ct_timeline_transfers_make(&timeline->transfers))
        return timeline;
    free(timeline);
    return NULL;
}

void ct_timeline_free(struct ct_timeline *timeline)
{
    if (!timeline)
        return;
    for (size_t i = 0; i < timeline->walker_capacity; i++)
        free(timeline->walkers[i].slots);
    free(timeline->walkers);
    ct_timeline_transfers_free(&timeline->transfers);
    free(timeline);
}

/* --- one rank --- */

static double later(double a, double b)
{
    return a > b ? a : b;
}

static struct walker *hold_slot(struct ct_timeline *timeline, int rank, unsigned slot, uint32_t number)
{
    struct walker *walker = &timeline->walkers[rank];
    const size_t before = walker->slot_capacity;
    if (ct_grow(&walker->slots, &walker->slot_capacity, (size_t)slot + 1, sizeof *walker->slots) != CT_OK)
        return NULL;
    for (size_t i = before; i < walker->slot_capacity; i++)
        walker->slots[i] = CT_NO_MESSAGE;
    walker->slots[slot] = number;
    return walker;
}

/* The message had come in before its receive is posted: only the CPU's work is left. */
static int receive_at_once(struct ct_timeline *timeline, int rank, unsigned until, uint32_t number)
{
    struct walker *walker = &timeline->walkers[rank];
    const double seconds =
        timeline->transfers.messages.costs[timeline->transfers.messages.all[number].cost].receive;
    timeline->transfers.messages.all[number].is_done[CT_MESSAGE_RECEIVER] = true;
    if (until == CT_ROUND_END)
        walker->ready += seconds;
    else if (until != CT_PLAN_END && !hold_slot(timeline, rank, until, number))
        return CT_E_MEMORY;
    return CT_OK;
}

/* Counts a message that is in transfer with those that the rank will wait for. */
static int note_posted(struct ct_timeline *timeline, int rank, unsigned until, uint32_t number)
{
    struct walker *walker = &timeline->walkers[rank];
    if (until == CT_ROUND_END)
        walker->in_round++;
    else if (until != CT_PLAN_END && !hold_slot(timeline, rank, until, number))
        return CT_E_MEMORY;
    return CT_OK;
}

/* `blocks`: the round is this send alone. Then it is a blocking one, whose own work the parameters have. */
static int post(struct ct_timeline *timeline, int rank, const struct ct_step *step, uint32_t number,
                bool blocks)
{
    struct walker *walker = &timeline->walkers[rank];
    struct ct_timeline_message *message = &timeline->transfers.messages.all[number];
    const struct ct_transfer_cost *cost = &timeline->transfers.messages.costs[message->cost];
    const enum ct_message_side side = step->kind == CT_STEP_SEND ? CT_MESSAGE_SENDER : CT_MESSAGE_RECEIVER;
    if (side == CT_MESSAGE_SENDER)
        walker->now += cost->waits && !blocks ? cost->post : cost->send;
    message->is_posted[side] = true;
    int status = CT_OK;
    if (side == CT_MESSAGE_RECEIVER && message->has_arrived)
        return receive_at_once(timeline, rank, step->until, number);
    if (side == CT_MESSAGE_SENDER || cost->meets)
        message->posted = later(message->posted, walker->now);
    if (side == CT_MESSAGE_SENDER && !cost->waits)
        message->is_done[CT_MESSAGE_SENDER] = true;
    if (!message->is_done[side])
        status = note_posted(timeline, rank, step->until, number);
    else if (step->until != CT_ROUND_END && step->until != CT_PLAN_END)
        status = hold_slot(timeline, rank, step->until, number) ? CT_OK : CT_E_MEMORY;
    const bool begins = cost->meets
                            ? message->is_posted[CT_MESSAGE_SENDER] && message->is_posted[CT_MESSAGE_RECEIVER]
                            : side == CT_MESSAGE_SENDER;
    if (status == CT_OK && begins)
        status = ct_timeline_transfers_begin(&timeline->transfers, number);
    return status;
}

/* --- rounds --- */

/* Where a round lies in its plan. */
struct span {
    const struct ct_step *steps;
    const uint32_t *messages;
    size_t count;
    unsigned window;
};

static struct span round_of(const struct ct_timeline *timeline, int rank)
{
    const struct walker *walker = &timeline->walkers[rank];
    const struct ct_plan *plan = &timeline->terms->plans[rank];
    const size_t begin = walker->round > 0 ? plan->rounds[walker->round - 1].end : 0;
    return (struct span){.steps = plan->steps + begin,
                         .messages = timeline->transfers.messages.of_steps +
                                     timeline->transfers.messages.first_steps[rank] + begin,
                         .count = plan->rounds[walker->round].end - begin,
                         .window = plan->rounds[walker->round].window};
}

/* Waits for a deferred step. False: its message is not done, and the rank waits for it. */
static bool wait_for_deferred(struct ct_timeline *timeline, int rank, uint32_t number, enum obstacle obstacle)
{
    struct walker *walker = &timeline->walkers[rank];
    const struct ct_timeline_message *message = &timeline->transfers.messages.all[number];
    const enum ct_message_side side =
        message->ranks[CT_MESSAGE_SENDER] == rank ? CT_MESSAGE_SENDER : CT_MESSAGE_RECEIVER;
    if (!message->is_done[side]) {
        walker->waits = obstacle;
        walker->awaited = number;
        return false;
    }
    walker->now = later(walker->now, message->done);
    walker->now +=
        side == CT_MESSAGE_RECEIVER ? timeline->transfers.messages.costs[message->cost].receive : 0;
    return true;
}

/* Waits for the deferred steps that the round names. */
static int wait_for_slots(struct ct_timeline *timeline, int rank, const struct span *round)
{
    struct walker *walker = &timeline->walkers[rank];
    for (; walker->step < round->count; walker->step++) {
        const struct ct_step *step = &round->steps[walker->step];
        if (step->kind != CT_STEP_WAIT)
            continue;
        const unsigned slot = step->until;
        const uint32_t number = slot < walker->slot_capacity ? walker->slots[slot] : CT_NO_MESSAGE;
        if (number == CT_NO_MESSAGE)
            return ct_fail(timeline->error, CT_E_ANSWER, "rank %d: slot %u holds no step to wait for", rank,
                           slot);
        if (!wait_for_deferred(timeline, rank, number, SLOT))
            return CT_OK;
        walker->slots[slot] = CT_NO_MESSAGE;
    }
    return CT_OK;
}

/* The library carries out a round of one send, one receive, or both by one blocking function, if local work
 * would not hide the messages (library/execute/rounds.c). */
static bool is_exchange(const struct ct_timeline *timeline, const struct span *round)
{
    enum { SHORT = 4096 }; /* bytes */
    size_t counts[CT_MESSAGE_SIDES] = {0}, longest = 0;
    for (size_t i = 0; i < round->count; i++) {
        const struct ct_step *step = &round->steps[i];
        if (step->kind == CT_STEP_WAIT || (ct_step_is_message(step) && step->until != CT_ROUND_END))
            return false;
        if (!ct_step_is_message(step))
            continue;
        counts[step->kind == CT_STEP_SEND ? CT_MESSAGE_SENDER : CT_MESSAGE_RECEIVER]++;
        longest = step->n > longest ? step->n : longest;
    }
    const size_t messages = counts[CT_MESSAGE_SENDER] + counts[CT_MESSAGE_RECEIVER];
    return messages > 0 && counts[CT_MESSAGE_SENDER] <= 1 && counts[CT_MESSAGE_RECEIVER] <= 1 &&
           (round->window == 0 || round->window >= messages) &&
           (messages == round->count || longest * timeline->terms->unit_bytes <= SHORT);
}

/* The simulator's MPI_Sendrecv() sends, then posts the receive. */
static int post_exchange(struct ct_timeline *timeline, int rank, const struct span *round)
{
    int status = CT_OK;
    for (int side = CT_MESSAGE_SENDER; side < CT_MESSAGE_SIDES; side++)
        for (size_t i = 0; status == CT_OK && i < round->count; i++) {
            const struct ct_step *step = &round->steps[i];
            if (ct_step_is_message(step) && (step->kind == CT_STEP_SEND) == (side == CT_MESSAGE_SENDER))
                status = post(timeline, rank, step, round->messages[i], round->count == 1);
        }
    return status;
}

static int post_all(struct ct_timeline *timeline, int rank, const struct span *round)
{
    struct walker *walker = &timeline->walkers[rank];
    walker->exchanges = walker->step == 0 && is_exchange(timeline, round);
    if (walker->exchanges)
        return post_exchange(timeline, rank, round);
    for (; walker->step < round->count; walker->step++) {
        const struct ct_step *step = &round->steps[walker->step];
        if (!ct_step_is_message(step))
            continue;
        if (round->window > 0 && walker->in_round >= round->window) {
            walker->waits = WINDOW;
            return CT_OK;
        }
        int status = post(timeline, rank, step, round->messages[walker->step], false);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static void work(struct ct_timeline *timeline, int rank, const struct span *round)
{
    const struct ct_model *model = timeline->terms->model;
    struct walker *walker = &timeline->walkers[rank];
    for (size_t i = 0; i < round->count; i++) {
        const struct ct_step *step = &round->steps[i];
        double rate = step->kind == CT_STEP_COPY ? model->delta : 0;
        if (step->kind == CT_STEP_REDUCE || ct_step_is_fused(step))
            rate = model->gamma;
        walker->now += walker->slowness * rate * (double)step->n * (double)timeline->terms->unit_bytes;
    }
}

static void finish_round(struct walker *walker)
{
    walker->now += walker->ready;
    walker->ready = 0;
    walker->waits = walker->in_round > 0 ? ROUND : NOTHING;
}

/* The library waits for the steps that are deferred to the end of the plan one after the other, as they were
 * posted (ct_messages_wait_deferred()): what comes early is received late if an earlier one is missing. */
static void finish_plan(struct ct_timeline *timeline, int rank)
{
    const struct ct_plan *plan = &timeline->terms->plans[rank];
    struct walker *walker = &timeline->walkers[rank];
    for (; walker->step < plan->step_count; walker->step++) {
        const struct ct_step *step = &plan->steps[walker->step];
        if (ct_step_is_message(step) && step->until == CT_PLAN_END &&
            !wait_for_deferred(timeline, rank,
                               timeline->transfers.messages
                                   .of_steps[timeline->transfers.messages.first_steps[rank] + walker->step],
                               PLAN))
            return;
    }
}

/* Lets the rank go on until it must wait, or leaves. */
static int advance(struct ct_timeline *timeline, int rank)
{
    const struct ct_plan *plan = &timeline->terms->plans[rank];
    struct walker *walker = &timeline->walkers[rank];
    int status = CT_OK;
    walker->waits = NOTHING;
    while (walker->round < plan->round_count) {
        const struct span round = round_of(timeline, rank);
        if (walker->part == WAIT)
            status = wait_for_slots(timeline, rank, &round);
        else if (walker->part == POST)
            status = post_all(timeline, rank, &round);
        else if (walker->part == FINISH)
            finish_round(walker);
        else if (walker->exchanges == (walker->part == LOCAL_LAST))
            work(timeline, rank, &round);
        if (status != CT_OK || walker->waits != NOTHING)
            return status;
        walker->step = 0;
        walker->part = (walker->part + 1) % PARTS;
        walker->round += walker->part == WAIT;
    }
    finish_plan(timeline, rank);
    return CT_OK;
}

/* A message is done for one of its ranks: a rank that waits for it takes it at once. */
static int take(struct ct_timeline *timeline, uint32_t number, enum ct_message_side side, double time)
{
    struct ct_timeline_message *message = &timeline->transfers.messages.all[number];
    const int rank = message->ranks[side];
    struct walker *walker = &timeline->walkers[rank];
    const double seconds =
        side == CT_MESSAGE_RECEIVER ? timeline->transfers.messages.costs[message->cost].receive : 0;
    const unsigned until = message->until[side];
    const size_t window = walker->waits == WINDOW ? round_of(timeline, rank).window : 1;
    message->done = time;
    if (!message->is_posted[side]) {
        message->has_arrived = true;
        return CT_OK;
    }
    message->is_done[side] = true;
    if (until == CT_ROUND_END) {
        walker->in_round--;
        walker->now = later(walker->now, time) + seconds;
        return walker->in_round < window ? advance(timeline, rank) : CT_OK;
    }
    const bool is_deferred = walker->waits == SLOT || walker->waits == PLAN;
    return is_deferred && walker->awaited == number ? advance(timeline, rank) : CT_OK;
}

/* --- all ranks --- */

static int make_walkers(struct ct_timeline *timeline)
{
    const size_t count = (size_t)timeline->terms->size, before = timeline->walker_capacity;
    int status = ct_grow(&timeline->walkers, &timeline->walker_capacity, count, sizeof *timeline->walkers);
    if (status != CT_OK)
        return status;
    memset(timeline->walkers + before, 0, (timeline->walker_capacity - before) * sizeof *timeline->walkers);
    for (size_t i = 0; i < count; i++) {
        struct walker *walker = &timeline->walkers[i];
        *walker = (struct walker){
            .slowness = ct_interconnect_slowness(timeline->terms->topology,
                                                 (size_t)ct_timeline_node_of(timeline->terms, (int)i)),
            .slots = walker->slots,
            .slot_capacity = walker->slot_capacity};
        for (size_t k = 0; k < walker->slot_capacity; k++)
            walker->slots[k] = CT_NO_MESSAGE;
    }
    return CT_OK;
}

static int set_up(struct ct_timeline *timeline, const struct ct_timeline_terms *terms, struct ct_error *error)
{
    timeline->terms = terms;
    timeline->error = error;
    int status = make_walkers(timeline);
    return status == CT_OK ? ct_timeline_transfers_set_up(&timeline->transfers, terms, error) : status;
}

static int run(struct ct_timeline *timeline)
{
    enum { LOOK_AFTER = 1024 };
    const struct ct_timeline_terms *terms = timeline->terms;
    const double end = terms->most_seconds > 0 ? ct_thread_seconds() + terms->most_seconds : INFINITY;
    int status = CT_OK;
    for (int rank = 0; status == CT_OK && rank < terms->size; rank++)
        status = advance(timeline, rank);
    for (size_t count = 1; status == CT_OK; count++) {
        bool is_any = false;
        uint32_t number = 0;
        double time = 0;
        status = ct_timeline_transfers_next(&timeline->transfers, &is_any, &number, &time);
        if (status != CT_OK || !is_any)
            break;
        if (!timeline->transfers.messages.all[number].is_done[CT_MESSAGE_SENDER])
            status = take(timeline, number, CT_MESSAGE_SENDER, time);
        if (status == CT_OK)
            status = take(timeline, number, CT_MESSAGE_RECEIVER, time);
        if (count % LOOK_AFTER != 0)
            continue;
        if (terms->stop && *terms->stop)
            status = CT_E_STOPPED;
        else if (end < INFINITY && ct_thread_seconds() > end)
            status = ct_fail(timeline->error, CT_E_LIMIT, "more than %g seconds", terms->most_seconds);
    }
    return status;
}

/* Ranks that wait now wait for each other. */
static int check_left(const struct ct_timeline *timeline)
{
    for (int rank = 0; rank < timeline->terms->size; rank++)
        if (timeline->walkers[rank].waits != NOTHING)
            return ct_fail(timeline->error, CT_E_ANSWER,
                           "rank %d waits in round %zu for ranks that are waiting, too", rank,
                           timeline->walkers[rank].round + 1);
    return CT_OK;
}

int ct_timeline_run(struct ct_timeline *timeline, const struct ct_timeline_terms *terms, double *leaves,
                    struct ct_error *error, struct ct_timeline_result *ret_result)
{
    int status = set_up(timeline, terms, error);
    if (status == CT_OK)
        status = run(timeline);
    if (status == CT_OK)
        status = check_left(timeline);
    if (status != CT_OK)
        return status;
    for (int rank = 0; rank < terms->size; rank++)
        leaves[rank] = timeline->walkers[rank].now;
    *ret_result =
        (struct ct_timeline_result){timeline->transfers.messages.count, timeline->transfers.messages.bytes};
    return CT_OK;
}
