/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/timeline.h"
#include "base/memory.h"
#include "base/process.h"
#include "models/evaluate/flows.h"
#include "models/evaluate/timeline_messages.h"

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
    struct ct_flows *flows;
    struct walker *walkers; /* by rank */
    size_t walker_capacity;
    struct ct_timeline_messages messages;
    uint32_t *way;
    size_t way_capacity;
};

struct ct_timeline *ct_timeline_new(void)
{
    struct ct_timeline *timeline = ct_allocate(1, sizeof *timeline);
    if (!timeline)
        return NULL;
    timeline->flows = ct_flows_new();
    if (timeline->flows)
        return timeline;
    free(timeline);
    return NULL;
}

void ct_timeline_free(struct ct_timeline *timeline)
{
    if (!timeline)
        return;
    ct_flows_free(timeline->flows);
    for (size_t i = 0; i < timeline->walker_capacity; i++)
        free(timeline->walkers[i].slots);
    free(timeline->walkers);
    ct_timeline_messages_free(&timeline->messages);
    free(timeline->way);
    free(timeline);
}

/* --- one rank --- */

static double later(double a, double b)
{
    return a > b ? a : b;
}

/* The message of the same two ranks before this one; NULL if it is the first. */
static struct ct_timeline_message *message_before(const struct ct_timeline *timeline, uint32_t number)
{
    struct ct_timeline_message *message = &timeline->messages.all[number];
    const bool is_first = number == 0 ||
                          message[-1].ranks[CT_MESSAGE_SENDER] != message->ranks[CT_MESSAGE_SENDER] ||
                          message[-1].ranks[CT_MESSAGE_RECEIVER] != message->ranks[CT_MESSAGE_RECEIVER];
    return is_first ? NULL : message - 1;
}

/* Seconds of latency that a message of the measured way has because of its size. Its time has them in the
 * transfer, where they would keep links busy. */
static double latency_of_size(const struct ct_network_routes *routes, size_t bytes)
{
    const struct ct_network_factors *factors = &routes->factors;
    return routes->measured.latency *
           (ct_network_factor_of(factors, (double)bytes) - ct_network_factor_of(factors, 0));
}

/* Seconds of the way's links beyond those of the way that was measured. */
static double further_latency(const struct ct_timeline *timeline, size_t from, size_t to, size_t bytes)
{
    const struct ct_timeline_terms *terms = timeline->terms;
    const struct ct_network_routes *routes = terms->topology->routes;
    if (routes)
        return (routes->ways[from * routes->nodes + to].latency - routes->measured.latency) *
               ct_network_factor_of(&routes->factors, (double)bytes);
    if (terms->hop_latency <= 0)
        return 0;
    const size_t links = ct_interconnect_route(terms->topology, from, to, timeline->way);
    return ((double)links - terms->hops) * terms->hop_latency;
}

/* Every rank that the transfer needs has come: it begins after the latency of the way, and not before
 * `earliest`. */
static int transfer(struct ct_timeline *timeline, uint32_t number, double earliest)
{
    const struct ct_timeline_message *message = &timeline->messages.all[number];
    const struct ct_transfer_cost *cost = &timeline->messages.costs[message->cost];
    const int from = ct_timeline_node_of(timeline->terms, message->ranks[CT_MESSAGE_SENDER]),
              to = ct_timeline_node_of(timeline->terms, message->ranks[CT_MESSAGE_RECEIVER]);
    double latency = cost->latency, seconds = cost->transfer;
    if (from != to && timeline->terms->topology->routes) {
        const double of_size = latency_of_size(timeline->terms->topology->routes, cost->bytes);
        latency += of_size;
        seconds = later(seconds - of_size, 0);
    }
    if (from != to)
        latency = later(latency + further_latency(timeline, (size_t)from, (size_t)to, cost->bytes), 0);
    return ct_flows_send(timeline->flows, number, later(message->posted + latency, earliest), seconds,
                         (size_t)from, (size_t)to);
}

/* Messages that do not meet their receive leave one after another for each receiver. */
static int begin_transfer(struct ct_timeline *timeline, uint32_t number)
{
    struct ct_timeline_message *message = &timeline->messages.all[number];
    const struct ct_timeline_message *before = message_before(timeline, number);
    message->is_queued = before && !before->is_through && !timeline->messages.costs[message->cost].meets;
    return message->is_queued ? CT_OK : transfer(timeline, number, 0);
}

/* The message behind it may go. */
static int end_transfer(struct ct_timeline *timeline, uint32_t number, double time)
{
    timeline->messages.all[number].is_through = true;
    if (number + 1 == timeline->messages.count || !timeline->messages.all[number + 1].is_queued ||
        !message_before(timeline, number + 1))
        return CT_OK;
    timeline->messages.all[number + 1].is_queued = false;
    return transfer(timeline, number + 1, time);
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
    const double seconds = timeline->messages.costs[timeline->messages.all[number].cost].receive;
    timeline->messages.all[number].is_done[CT_MESSAGE_RECEIVER] = true;
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
    struct ct_timeline_message *message = &timeline->messages.all[number];
    const struct ct_transfer_cost *cost = &timeline->messages.costs[message->cost];
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
        status = begin_transfer(timeline, number);
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
                         .messages =
                             timeline->messages.of_steps + timeline->messages.first_steps[rank] + begin,
                         .count = plan->rounds[walker->round].end - begin,
                         .window = plan->rounds[walker->round].window};
}

/* Waits for a deferred step. False: its message is not done, and the rank waits for it. */
static bool wait_for_deferred(struct ct_timeline *timeline, int rank, uint32_t number, enum obstacle obstacle)
{
    struct walker *walker = &timeline->walkers[rank];
    const struct ct_timeline_message *message = &timeline->messages.all[number];
    const enum ct_message_side side =
        message->ranks[CT_MESSAGE_SENDER] == rank ? CT_MESSAGE_SENDER : CT_MESSAGE_RECEIVER;
    if (!message->is_done[side]) {
        walker->waits = obstacle;
        walker->awaited = number;
        return false;
    }
    walker->now = later(walker->now, message->done);
    walker->now += side == CT_MESSAGE_RECEIVER ? timeline->messages.costs[message->cost].receive : 0;
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
            !wait_for_deferred(
                timeline, rank,
                timeline->messages.of_steps[timeline->messages.first_steps[rank] + walker->step], PLAN))
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
    struct ct_timeline_message *message = &timeline->messages.all[number];
    const int rank = message->ranks[side];
    struct walker *walker = &timeline->walkers[rank];
    const double seconds = side == CT_MESSAGE_RECEIVER ? timeline->messages.costs[message->cost].receive : 0;
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
    int status =
        ct_grow(&timeline->way, &timeline->way_capacity, terms->topology->longest, sizeof *timeline->way);
    if (status == CT_OK)
        status = make_walkers(timeline);
    if (status == CT_OK)
        status = ct_timeline_messages_match(&timeline->messages, terms, error);
    if (status == CT_OK)
        status = ct_flows_begin(timeline->flows, terms->topology, timeline->messages.count);
    return status;
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
        size_t number = 0;
        double time = 0;
        status = ct_flows_next(timeline->flows, &is_any, &number, &time);
        if (status != CT_OK || !is_any)
            break;
        status = end_transfer(timeline, (uint32_t)number, time);
        if (status == CT_OK && !timeline->messages.all[number].is_done[CT_MESSAGE_SENDER])
            status = take(timeline, (uint32_t)number, CT_MESSAGE_SENDER, time);
        if (status == CT_OK)
            status = take(timeline, (uint32_t)number, CT_MESSAGE_RECEIVER, time);
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
    *ret_result = (struct ct_timeline_result){timeline->messages.count, timeline->messages.bytes};
    return CT_OK;
}
