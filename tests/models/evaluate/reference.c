/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/models/evaluate/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Time that is in use, in no order. */
struct busy {
    struct {
        double begin, end;
    } * spans;
    size_t count;
    double since; /* what lies before cannot be used any more */
    double end;   /* of what has been decided on */
};

struct state {
    bool taken;
    double sent; /* of a send: when it is done */
};

struct rank {
    const struct ct_plan *plan;
    double *in; /* by step: of a send when it is in, if the way in is free; of a receive of its message */
    const double **ins; /* by step: of a receive where that stands */
    struct state *states;
    struct busy way_in, cpu;
    double now, way_out, all_sent;
    size_t expected;
    size_t begin; /* of the round */
};

struct evaluation {
    struct rank ranks[REFERENCE_RANKS];
    const struct ct_call *call;
    const struct ct_model *model;
    enum ct_communication_model kind;
};

/* Spans stay in the order of their beginnings. */
static void use(struct busy *busy, double begin, double end)
{
    size_t place = busy->count++;
    for (; place > 0 && busy->spans[place - 1].begin > begin; place--)
        busy->spans[place] = busy->spans[place - 1];
    busy->spans[place].begin = begin;
    busy->spans[place].end = end;
    busy->end = fmax(busy->end, end);
}

/* The first free time from `at` on, not behind `end`. */
static double free_from(const struct busy *busy, double at, double *ret_end)
{
    double end = busy->end;
    for (size_t i = 0; i < busy->count; i++) { /* by begin */
        if (busy->spans[i].begin <= at)
            at = fmax(at, busy->spans[i].end);
        else
            end = fmin(end, busy->spans[i].begin);
    }
    *ret_end = end;
    return at;
}

/* Uses the free time from `from` to the end; returns what is left to do. */
static double use_free(struct busy *busy, double from, double seconds, double *ret_end)
{
    double at = fmax(from, busy->since), end;
    *ret_end = from;
    while (seconds > 0 && (at = free_from(busy, at, &end)) < busy->end) {
        double used = fmin(end - at, seconds);
        seconds = used < seconds ? seconds - used : 0;
        *ret_end = seconds > 0 ? end : at + used;
        use(busy, at, *ret_end);
    }
    return seconds;
}

static const struct ct_link *link_of(const struct evaluation *evaluation, int a, int b)
{
    const struct ct_nodes *nodes = evaluation->call->nodes;
    const struct ct_link *links = evaluation->model->links;
    bool together = nodes && nodes->node_of[a] == nodes->node_of[b];
    return together && links[CT_LINK_NODE].known[evaluation->kind] ? &links[CT_LINK_NODE]
                                                                   : &links[CT_LINK_NETWORK];
}

static const struct ct_link *regime_of(const struct ct_link *link, double m)
{
    const struct ct_link *regime = link;
    for (size_t i = 0; i < link->regime_count; i++)
        if (m >= link->regimes[i].from)
            regime = &link->regimes[i];
    return regime;
}

/* The models' own terms, as the dissertation has them. */
struct terms {
    double transfer, spacing, o_send, o_receive, send_done;
    bool receives_behind; /* o_receive lies behind the transfer, not in it */
};

static struct terms terms_of(const struct evaluation *evaluation, int a, int b, double m)
{
    const struct ct_link *link = link_of(evaluation, a, b);
    if (evaluation->kind != CT_MODEL_PLOGP)
        link = regime_of(link, m);
    const double rest = fmax(m - 1, 0) * link->loggp.gap_per_byte, o = link->loggp.overhead;
    const double whole = link->hockney.alpha + m * link->hockney.beta, gap = ct_curve_at(&link->plogp.gap, m);
    const double o_s = ct_curve_at(&link->plogp.send_overhead, m),
                 o_r = ct_curve_at(&link->plogp.receive_overhead, m);
    const struct terms all[] = {
        [CT_MODEL_HOCKNEY] = {whole, whole, 0, 0, whole, false},
        [CT_MODEL_LOGGP] = {o + rest + link->loggp.latency, link->loggp.gap + rest, o, o, o, true},
        [CT_MODEL_PLOGP] = {link->plogp.latency + gap, gap, o_s, o_r, o_s, false}};
    return all[evaluation->kind];
}

static double bytes_of(const struct evaluation *evaluation, const struct ct_step *step)
{
    return (double)step->n * (double)evaluation->call->unit_bytes;
}

static void work(struct rank *rank, double seconds)
{
    if (seconds > 0)
        use(&rank->cpu, rank->now, rank->now + seconds);
    rank->now += seconds;
}

/* Nothing is expected: what was free before is of no use any more. */
static void forget(struct rank *rank)
{
    if (rank->expected > 0)
        return;
    rank->way_in.since = rank->way_in.end;
    rank->cpu.since = rank->now;
}

static void wait_until(struct rank *rank, double time)
{
    rank->now = fmax(rank->now, time);
    rank->cpu.end = fmax(rank->cpu.end, rank->now);
    forget(rank);
}

static void take(struct evaluation *evaluation, int self, size_t i, bool counted)
{
    struct rank *rank = &evaluation->ranks[self];
    const struct ct_step *step = &rank->plan->steps[i];
    if (rank->states[i].taken)
        return;
    for (size_t before = 0; before < i; before++) { /* of the same peer, in order */
        const struct ct_step *other = &rank->plan->steps[before];
        if (other->kind == CT_STEP_RECEIVE && other->peer == step->peer && other->until != CT_ROUND_END)
            take(evaluation, self, before, true);
    }
    struct terms terms = terms_of(evaluation, step->peer, self, bytes_of(evaluation, step));
    double in = *rank->ins[i], end;
    rank->states[i].taken = true;
    double rest = use_free(&rank->way_in, in - terms.spacing, terms.spacing, &end);
    if (in - terms.spacing >= rank->way_in.end) {
        use(&rank->way_in, in - terms.spacing, in);
    } else {
        if (rest > 0) {
            end = rank->way_in.end + rest;
            use(&rank->way_in, rank->way_in.end, end);
        }
        in = fmax(in, end);
    }
    double begun = terms.receives_behind ? in : in - terms.o_receive;
    rank->now = fmax(rank->now, in);
    rank->cpu.end = fmax(rank->cpu.end, rank->now);
    rest = use_free(&rank->cpu, begun, terms.o_receive, &end);
    work(rank, rest);
    rank->expected -= counted;
    forget(rank);
}

static void send(struct evaluation *evaluation, int self, size_t i)
{
    struct rank *rank = &evaluation->ranks[self];
    const struct ct_step *step = &rank->plan->steps[i];
    struct terms terms = terms_of(evaluation, self, step->peer, bytes_of(evaluation, step));
    double begin = fmax(rank->now, rank->way_out);
    rank->way_out = begin + terms.spacing;
    rank->in[i] = begin + terms.transfer;
    rank->all_sent = fmax(rank->all_sent, begin + terms.send_done);
    rank->states[i].sent = rank->all_sent;
    work(rank, terms.o_send);
    forget(rank);
}

static bool is_message(const struct ct_step *step)
{
    return step->kind == CT_STEP_SEND || step->kind == CT_STEP_RECEIVE;
}

static void complete(struct evaluation *evaluation, int self, size_t i, bool counted)
{
    struct rank *rank = &evaluation->ranks[self];
    if (rank->plan->steps[i].kind == CT_STEP_SEND)
        wait_until(rank, rank->states[i].sent);
    else
        take(evaluation, self, i, counted);
}

/* The step that holds the slot: the last one before that says so. */
static size_t holder(const struct rank *rank, size_t end, unsigned slot)
{
    while (!is_message(&rank->plan->steps[end - 1]) || rank->plan->steps[end - 1].until != slot)
        end--;
    return end - 1;
}

static void post_round(struct evaluation *evaluation, int self, size_t end, unsigned window, bool counted)
{
    struct rank *rank = &evaluation->ranks[self];
    size_t outstanding = 0, oldest = rank->begin;
    for (size_t i = rank->begin; i < end; i++) {
        const struct ct_step *step = &rank->plan->steps[i];
        if (!is_message(step))
            continue;
        if (step->until == CT_ROUND_END && window > 0 && outstanding++ >= window) {
            while (!is_message(&rank->plan->steps[oldest]) || rank->plan->steps[oldest].until != CT_ROUND_END)
                oldest++;
            complete(evaluation, self, oldest++, counted);
        }
        if (step->kind == CT_STEP_SEND)
            send(evaluation, self, i);
        else if (step->until != CT_ROUND_END)
            rank->expected++;
    }
}

static void carry_out_round(struct evaluation *evaluation, int self, size_t end, unsigned window)
{
    struct rank *rank = &evaluation->ranks[self];
    const struct ct_step *steps = rank->plan->steps;
    size_t awaited = 0;
    for (size_t i = rank->begin; i < end; i++)
        if (steps[i].kind == CT_STEP_WAIT)
            complete(evaluation, self, holder(rank, rank->begin, steps[i].until), true);
        else
            awaited += steps[i].kind == CT_STEP_RECEIVE && steps[i].until == CT_ROUND_END;
    if (awaited > 1)
        rank->expected += awaited;
    post_round(evaluation, self, end, window, awaited > 1);
    for (size_t i = rank->begin; i < end; i++) {
        double bytes = bytes_of(evaluation, &steps[i]);
        if (steps[i].kind == CT_STEP_COPY)
            work(rank, evaluation->model->delta * bytes);
        else if (steps[i].kind == CT_STEP_REDUCE)
            work(rank, evaluation->model->gamma * bytes);
    }
    forget(rank);
    for (int kind = 0; kind < 2; kind++) /* receives, then sends */
        for (size_t i = rank->begin; i < end; i++)
            if (steps[i].kind == (kind == 0 ? CT_STEP_RECEIVE : CT_STEP_SEND) &&
                steps[i].until == CT_ROUND_END)
                complete(evaluation, self, i, awaited > 1);
    rank->begin = end;
}

static void carry_out(struct evaluation *evaluation, int self)
{
    struct rank *rank = &evaluation->ranks[self];
    const struct ct_plan *plan = rank->plan;
    memset(rank->states, 0, (plan->step_count + 1) * sizeof *rank->states);
    rank->way_in.count = rank->cpu.count = rank->begin = rank->expected = 0;
    rank->way_in.since = rank->way_in.end = -INFINITY;
    rank->cpu.since = rank->cpu.end = rank->now = rank->way_out = rank->all_sent = 0;
    for (size_t i = 0; i < plan->round_count; i++)
        carry_out_round(evaluation, self, plan->rounds[i].end, plan->rounds[i].window);
    for (int kind = 0; kind < 2; kind++)
        for (size_t i = 0; i < plan->step_count; i++)
            if (plan->steps[i].kind == (kind == 0 ? CT_STEP_RECEIVE : CT_STEP_SEND) &&
                plan->steps[i].until == CT_PLAN_END)
                complete(evaluation, self, i, true);
}

/* The k-th send from one to another meets the k-th receive. */
static bool match(struct evaluation *evaluation, int from, int to)
{
    struct rank *sender = &evaluation->ranks[from], *receiver = &evaluation->ranks[to];
    size_t s = 0, r = 0;
    for (;; s++, r++) {
        const struct ct_step *sends = sender->plan->steps, *receives = receiver->plan->steps;
        while (s < sender->plan->step_count && (sends[s].kind != CT_STEP_SEND || sends[s].peer != to))
            s++;
        while (r < receiver->plan->step_count &&
               (receives[r].kind != CT_STEP_RECEIVE || receives[r].peer != from))
            r++;
        bool no_send = s == sender->plan->step_count, no_receive = r == receiver->plan->step_count;
        if (no_send || no_receive)
            return no_send && no_receive;
        if (sends[s].n != receives[r].n)
            return false;
        receiver->ins[r] = &sender->in[s];
    }
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        abort();
    return memory;
}

static size_t sends_of_all(const struct evaluation *evaluation)
{
    size_t count = 0;
    for (int rank = 0; rank < evaluation->call->size; rank++)
        count += evaluation->ranks[rank].plan->step_count;
    return count;
}

/* Until nothing changes: as often as messages can hang on one another. */
static bool come_to_rest(struct evaluation *evaluation)
{
    for (size_t left = sends_of_all(evaluation) + 2; left > 0; left--) {
        bool changed = false;
        for (int i = evaluation->call->size - 1; i >= 0; i--) {
            struct rank *rank = &evaluation->ranks[i];
            size_t bytes = rank->plan->step_count * sizeof *rank->in;
            double *before = allocate(bytes + 1, 1);
            memcpy(before, rank->in, bytes);
            carry_out(evaluation, i);
            changed |= memcmp(before, rank->in, bytes) != 0;
            free(before);
        }
        if (!changed)
            return true;
    }
    return false;
}

bool reference_evaluate(const struct ct_plan *plans, const struct ct_call *call, const struct ct_model *model,
                        enum ct_communication_model kind, double ret_leaves[REFERENCE_RANKS])
{
    struct evaluation *evaluation = allocate(1, sizeof *evaluation);
    *evaluation = (struct evaluation){.call = call, .model = model, .kind = kind};
    bool good = true;
    for (int i = 0; i < call->size; i++) {
        struct rank *rank = &evaluation->ranks[i];
        size_t steps = plans[i].step_count + 1;
        rank->plan = &plans[i];
        rank->in = allocate(steps, sizeof *rank->in);
        rank->ins = allocate(steps, sizeof *rank->ins);
        rank->states = allocate(steps, sizeof *rank->states);
        /* a step uses way and CPU, in pieces where it fills what is free between others */
        rank->way_in.spans = allocate(8 * steps, sizeof *rank->way_in.spans);
        rank->cpu.spans = allocate(8 * steps, sizeof *rank->cpu.spans);
    }
    for (int from = 0; from < call->size; from++)
        for (int to = 0; to < call->size; to++)
            good &= from == to || match(evaluation, from, to);
    good = good && come_to_rest(evaluation);
    for (int i = 0; i < call->size; i++) {
        struct rank *rank = &evaluation->ranks[i];
        ret_leaves[i] = rank->now;
        free(rank->in);
        free((void *)rank->ins);
        free(rank->states);
        free(rank->way_in.spans);
        free(rank->cpu.spans);
    }
    free(evaluation);
    return good;
}
