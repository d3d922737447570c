/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/evaluate.h"
#include "algorithms/routing.h"
#include "base/memory.h"
#include "base/process.h"
#include "models/evaluate/action_store.h"
#include "models/evaluate/evaluate_together.h"
#include "models/evaluate/mail.h"
#include "models/evaluate/ports.h"
#include "models/evaluate/script.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* State that only some ranks need. While receives are posted that the rank is not waiting for: when its
 * receive port and its CPU were idle, because messages that arrive meanwhile are handled then. And when sends
 * are done, by the number that they are remembered under. */
struct notes {
    size_t expected; /* messages that may arrive at any time */
    struct ct_idle receive_port;
    struct ct_idle cpu;
    double *sent;
    size_t sent_capacity;
};

/* The progress of a rank. */
struct clock {
    double now;                   /* the CPU is busy until then */
    double send_port;             /* is busy until then */
    double receive_port;          /* is busy until then */
    double posted;                /* when the receives of its round were */
    double all_sent;              /* all sends so far are done then */
    const struct ct_action *next; /* actions; `left` of them */
    uint32_t left;                /* NOT_ENTERED while there are none yet */
    uint32_t chunk;               /* of the action store; or NOT_KEPT */
    struct notes *notes;
};

_Static_assert(sizeof(struct clock) == 64, "a clock fills one cache line");

#define NOT_ENTERED UINT32_MAX
#define NOT_KEPT    UINT32_MAX

struct ct_evaluator {
    struct clock *clocks; /* by rank */
    size_t clock_capacity;
    int size; /* ranks whose clocks are in use */
    double *leaves;
    size_t leaves_capacity;
    struct ct_mail mail;
    int *ready; /* stack of ranks that can go on */
    size_t ready_count, ready_capacity;
    struct ct_script script;
    struct ct_action_store store;
    bool shares_links; /* of the options */
    struct ct_batch batch;
    struct ct_plan plan;
    struct ct_timeline *timeline; /* NULL until it is needed */
    struct ct_error *error;
};

/* --- memory --- */

static void free_notes(struct notes *notes)
{
    if (!notes)
        return;
    free(notes->receive_port.intervals);
    free(notes->cpu.intervals);
    free(notes->sent);
    free(notes);
}

struct ct_evaluator *ct_evaluator_new(void)
{
    return ct_allocate(1, sizeof(struct ct_evaluator));
}

static void end_call(struct ct_evaluator *evaluator)
{
    for (int rank = 0; rank < evaluator->size; rank++)
        free_notes(evaluator->clocks[rank].notes);
    ct_action_store_clear(&evaluator->store);
    evaluator->size = 0;
}

void ct_evaluator_free(struct ct_evaluator *evaluator)
{
    if (!evaluator)
        return;
    end_call(evaluator);
    free(evaluator->clocks);
    free(evaluator->leaves);
    free(evaluator->ready);
    free(evaluator->batch.begins);
    ct_mail_free(&evaluator->mail);
    ct_script_free(&evaluator->script);
    ct_action_store_free(&evaluator->store);
    ct_plan_free(&evaluator->plan);
    ct_timeline_free(evaluator->timeline);
    free(evaluator);
}

static int make_clocks(struct ct_evaluator *evaluator, size_t count)
{
    if (count <= evaluator->clock_capacity)
        return CT_OK;
    free(evaluator->clocks);
    evaluator->clocks = ct_allocate_lines(count, sizeof *evaluator->clocks);
    evaluator->clock_capacity = evaluator->clocks ? count : 0;
    return evaluator->clocks ? CT_OK : CT_E_MEMORY;
}

static int begin(struct ct_evaluator *evaluator, int size)
{
    size_t n = (size_t)size;
    int status = make_clocks(evaluator, n);
    if (status == CT_OK)
        status = ct_grow(&evaluator->leaves, &evaluator->leaves_capacity, n, sizeof *evaluator->leaves);
    if (status == CT_OK)
        status = ct_grow(&evaluator->ready, &evaluator->ready_capacity, n, sizeof *evaluator->ready);
    if (status != CT_OK)
        return status;
    for (int rank = 0; rank < size; rank++)
        evaluator->clocks[rank] =
            (struct clock){.receive_port = -INFINITY, .left = NOT_ENTERED, .chunk = NOT_KEPT};
    evaluator->size = size;
    evaluator->ready_count = 0;
    return ct_mail_begin(&evaluator->mail, n);
}

/* --- one rank's actions, timed --- */

static inline double later(double a, double b)
{
    return a > b ? a : b;
}

static int make_notes(struct clock *clock)
{
    if (!clock->notes)
        clock->notes = ct_allocate(1, sizeof *clock->notes);
    return clock->notes ? CT_OK : CT_E_MEMORY;
}

/* How many actions from `action` on send messages of one cost, one after another; actions that only remember
 * may lie between them. */
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

/* When the transfer of a message that a rank posts now begins. */
static inline int find_begin(struct ct_evaluator *evaluator, const struct clock *clock,
                             const struct ct_action *action, const struct ct_action *end, double *ret_begin)
{
    const struct ct_message_cost *cost = &evaluator->script.costs[action->number];
    struct ct_batch *batch = &evaluator->batch;
    double begin = later(clock->now, clock->send_port);
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
    struct clock *clock = &evaluator->clocks[rank];
    const struct ct_message_cost *cost = &evaluator->script.costs[action->number];
    double begin;
    bool is_awaited;
    int status = find_begin(evaluator, clock, action, end, &begin);
    if (status != CT_OK)
        return status;
    clock->send_port = begin + cost->gap;
    clock->all_sent = later(clock->all_sent, begin + cost->send_done);
    clock->now += cost->send_busy;
    const struct ct_mail_message message = {.in = begin + cost->flight, .cost = action->number};
    status = ct_mail_put(&evaluator->mail, rank, (int)action->peer, &message, &is_awaited);
    if (is_awaited)
        evaluator->ready[evaluator->ready_count++] = (int)action->peer; /* each at most once */
    return status;
}

static inline bool expects(const struct clock *clock)
{
    return clock->notes && clock->notes->expected > 0;
}

static inline int idle_until(struct clock *clock, double until)
{
    if (clock->now >= until)
        return CT_OK;
    int status = expects(clock) ? ct_idle_add(&clock->notes->cpu, clock->now, until) : CT_OK;
    clock->now = until;
    return status;
}

/* Receives a message while others are expected, too: receive port and CPU handle it as soon as they are free.
 * The port may have been ready `early` seconds before the message arrives. */
static int take_meanwhile(struct clock *clock, double in, double early, const struct ct_message_cost *cost)
{
    double from = in - early - cost->gap, rest, end;
    int status;
    if (from >= clock->receive_port) {
        status = ct_idle_add(&clock->notes->receive_port, clock->receive_port, from);
        clock->receive_port = in - early;
    } else {
        status = ct_idle_spend(&clock->notes->receive_port, from, cost->gap, &rest, &end);
        if (status == CT_OK && rest > 0)
            end = clock->receive_port += rest;
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

static inline int take(struct ct_evaluator *evaluator, struct clock *clock, const struct ct_action *action,
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
            ct_idle_clear(&clock->notes->receive_port);
            ct_idle_clear(&clock->notes->cpu);
        }
        return status;
    }
    clock->receive_port = later(in - early, clock->receive_port + cost->gap);
    clock->now = later(clock->now + cost->take_before, later(in, clock->receive_port)) + cost->take_after;
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

static int expect(struct clock *clock, size_t count)
{
    int status = make_notes(clock);
    if (status == CT_OK)
        clock->notes->expected += count;
    return status;
}

static int remember(struct clock *clock, size_t number)
{
    int status = make_notes(clock);
    if (status == CT_OK)
        status = ct_grow(&clock->notes->sent, &clock->notes->sent_capacity, number + 1,
                         sizeof *clock->notes->sent);
    if (status == CT_OK)
        clock->notes->sent[number] = clock->all_sent;
    return status;
}

/* Boxes of other ranks lie anywhere in memory: prefetch the next ones. */
static inline void look_ahead(const struct ct_evaluator *evaluator, const struct ct_action *action,
                              const struct ct_action *end)
{
    enum { AHEAD = 8 };
    if (end - action > AHEAD && action[AHEAD].kind == CT_ACTION_SEND)
        ct_mail_prefetch(&evaluator->mail, (int)action[AHEAD].peer);
}

static int advance(struct ct_evaluator *evaluator, int rank)
{
    struct clock *clock = &evaluator->clocks[rank];
    const struct ct_action *action = clock->next;
    const struct ct_action *end = clock->left > 0 ? action + clock->left : action; /* without actions NULL */
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

/* --- a whole call --- */

/* After so many steps a plan is turned into actions, and its space is used again. */
enum { DRAIN_AT = 64 };

/* --- set up --- */

static int check_link(const struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject,
                      const struct ct_model *model, enum ct_communication_model kind)
{
    const struct ct_call *call = subject->call;
    if (ct_model_link(model, kind, call->nodes && call->nodes->count == 1))
        return CT_OK;
    return ct_fail(evaluator->error, CT_E_INPUT, "%s: no %s parameters for messages between nodes",
                   model->name ? model->name : "model", ct_communication_model_titles[kind]);
}

static int set_up(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject,
                  const struct ct_model *model, enum ct_communication_model kind)
{
    const struct ct_call *call = subject->call;
    const struct ct_link *network = &model->links[CT_LINK_NETWORK], *node = &model->links[CT_LINK_NODE];
    const struct ct_script_terms terms = {.size = call->size,
                                          .unit_bytes = call->unit_bytes,
                                          .links = {network, node},
                                          .node_of =
                                              call->nodes && node->known[kind] ? call->nodes->node_of : NULL,
                                          .model = kind,
                                          .gamma = model->gamma,
                                          .delta = model->delta,
                                          .most_messages = subject->options.most_messages,
                                          .notes_posting = subject->options.shares_links};
    evaluator->shares_links = subject->options.shares_links;
    evaluator->batch.at = evaluator->batch.count = 0;
    int status = ct_scripts_begin(&evaluator->script, &terms, evaluator->error);
    return status == CT_OK ? begin(evaluator, call->size) : status;
}

/* --- scripts --- */

struct building {
    struct ct_script *script;
    int status; /* the first failure; later steps are dropped */
};

static int drain(struct ct_plan *plan, void *context)
{
    struct building *building = context;
    if (building->status == CT_OK)
        building->status = ct_script_add(building->script, plan);
    return CT_OK;
}

/* Writes the rank's plan and turns it into actions, round by round. */
static int build(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject, int rank)
{
    struct ct_plan *plan = &evaluator->plan;
    struct building building = {.script = &evaluator->script};
    struct ct_call own = ct_call_of_rank(subject->method->algorithm->collective, subject->call, rank);
    ct_plan_reset(plan);
    plan->drain = drain;
    plan->drain_context = &building;
    plan->drain_at = DRAIN_AT;
    int status = ct_method_build(subject->method, plan, &own);
    if (building.status != CT_OK)
        return building.status;
    return status == CT_OK ? ct_script_add(&evaluator->script, plan) : status;
}

static int write_script(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject, int rank)
{
    struct ct_script *script = &evaluator->script;
    ct_script_begin(script, rank);
    int status =
        subject->plans ? ct_script_add(script, &subject->plans[rank]) : build(evaluator, subject, rank);
    return status == CT_OK ? ct_script_end(script) : status;
}

/* --- all ranks --- */

static bool has_left(const struct clock *clock)
{
    return clock->left == 0;
}

static void leave(struct ct_evaluator *evaluator, struct clock *clock)
{
    if (clock->chunk != NOT_KEPT)
        ct_action_store_release(&evaluator->store, clock->chunk);
    free_notes(clock->notes);
    clock->chunk = NOT_KEPT;
    clock->notes = NULL;
}

static int advance_ready(struct ct_evaluator *evaluator)
{
    while (evaluator->ready_count > 0) {
        int rank = evaluator->ready[--evaluator->ready_count];
        int status = advance(evaluator, rank);
        if (status != CT_OK)
            return status;
        if (has_left(&evaluator->clocks[rank]))
            leave(evaluator, &evaluator->clocks[rank]);
    }
    return CT_OK;
}

static int enter(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject, int rank)
{
    int status = write_script(evaluator, subject, rank);
    if (status != CT_OK)
        return status;
    struct clock *clock = &evaluator->clocks[rank];
    clock->next = evaluator->script.actions;
    clock->left = (uint32_t)evaluator->script.count;
    status = advance(evaluator, rank);
    if (status != CT_OK)
        return status;
    if (!has_left(clock)) /* it has to wait, and the next rank's actions will overwrite its own */
        status =
            ct_action_store_keep(&evaluator->store, clock->next, clock->left, &clock->next, &clock->chunk);
    else
        leave(evaluator, clock);
    return status == CT_OK ? advance_ready(evaluator) : status;
}

/* Data flow from the root to others, or from others to the root, mostly through ranks in between. A rank
 * needs no memory if its turn comes when all its messages have been sent. */
static int rank_in_turn(const struct ct_evaluation_subject *subject, int i)
{
    const struct ct_call *call = subject->call;
    if (subject->options.order)
        return subject->options.order[i];
    if (!subject->method)
        return i;
    const struct ct_collective_description *about = &ct_collectives[subject->method->algorithm->collective];
    bool runs_to_root = about->has_root && about->input[1] != CT_CONTENTS_NOTHING;
    return (int)(((unsigned)call->root + (unsigned)(runs_to_root ? call->size - 1 - i : i)) %
                 (unsigned)call->size);
}

/* --- the end --- */

/* Why no rank can continue. */
static int stuck(const struct ct_evaluator *evaluator)
{
    int rank = 0, from, to;
    while (rank < evaluator->size && has_left(&evaluator->clocks[rank]))
        rank++;
    if (rank < evaluator->size) {
        int peer = (int)evaluator->mail.boxes[rank].awaits;
        const struct clock *other = &evaluator->clocks[peer];
        return ct_fail(evaluator->error, CT_E_ANSWER, "rank %d waits for a message of rank %d, which %s",
                       rank, peer, has_left(other) ? "never sends it" : "is waiting, too");
    }
    if (ct_mail_left(&evaluator->mail, &from, &to))
        return ct_fail(evaluator->error, CT_E_ANSWER,
                       "rank %d sends rank %d a message that it never receives", from, to);
    return CT_OK;
}

static int run(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject)
{
    enum { LOOK_AFTER = 64 }; /* ranks */
    const struct ct_evaluation_options *options = &subject->options;
    double end = options->most_seconds > 0 ? ct_thread_seconds() + options->most_seconds : INFINITY;
    for (int i = 0; i < evaluator->size; i++) {
        int status = enter(evaluator, subject, rank_in_turn(subject, i));
        if (status != CT_OK)
            return status;
        if (i % LOOK_AFTER != 0)
            continue;
        if (options->stop && *options->stop)
            return CT_E_STOPPED;
        if (end < INFINITY && ct_thread_seconds() > end)
            return ct_fail(evaluator->error, CT_E_LIMIT, "more than %g seconds", options->most_seconds);
    }
    return stuck(evaluator);
}

static struct ct_evaluation result_of(struct ct_evaluator *evaluator)
{
    struct ct_evaluation evaluation = {.messages = evaluator->script.messages,
                                       .bytes = evaluator->script.bytes,
                                       .leaves = evaluator->leaves};
    for (int rank = 0; rank < evaluator->size; rank++) {
        evaluator->leaves[rank] = evaluator->clocks[rank].now;
        evaluation.seconds = fmax(evaluation.seconds, evaluator->leaves[rank]);
    }
    return evaluation;
}

/* The subject, with what options leave open. */
static struct ct_evaluation_subject subject_of(const struct ct_method *method, const struct ct_plan *plans,
                                               const struct ct_call *call,
                                               const struct ct_evaluation_options *options)
{
    struct ct_evaluation_subject subject = {.method = method, .plans = plans, .call = call};
    if (options)
        subject.options = *options;
    if (subject.options.most_messages == 0)
        subject.options.most_messages = CT_MESSAGES_USUAL;
    return subject;
}

/* All ranks in the order of time; *ret_is_done: false where their plans are too many for that. */
static int evaluate_together(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject,
                             const struct ct_model *model, enum ct_communication_model kind,
                             struct ct_evaluation *ret_evaluation, bool *ret_is_done)
{
    if (!evaluator->timeline && !(evaluator->timeline = ct_timeline_new()))
        return CT_E_MEMORY;
    int status = ct_grow(&evaluator->leaves, &evaluator->leaves_capacity, (size_t)subject->call->size,
                         sizeof *evaluator->leaves);
    return status == CT_OK
               ? ct_evaluate_together(evaluator->timeline, subject, model, kind, evaluator->leaves,
                                      evaluator->error, ret_evaluation, ret_is_done)
               : status;
}

static int evaluate(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject,
                    const struct ct_model *model, enum ct_communication_model kind, struct ct_error *error,
                    struct ct_evaluation *ret_evaluation)
{
    evaluator->error = error;
    if (error)
        error->text[0] = '\0';
    bool is_done = false;
    int status = check_link(evaluator, subject, model, kind);
    if (status == CT_OK && subject->options.shares_links)
        status = evaluate_together(evaluator, subject, model, kind, ret_evaluation, &is_done);
    if (status != CT_OK || is_done)
        return status;
    status = set_up(evaluator, subject, model, kind);
    if (status == CT_OK)
        status = run(evaluator, subject);
    if (status == CT_OK)
        *ret_evaluation = result_of(evaluator);
    end_call(evaluator);
    return status;
}

int ct_evaluate(struct ct_evaluator *evaluator, const struct ct_method *method, const struct ct_call *call,
                const struct ct_model *model, enum ct_communication_model kind,
                const struct ct_evaluation_options *options, struct ct_error *error,
                struct ct_evaluation *ret_evaluation)
{
    char spelling[CT_METHOD_TEXT];
    struct ct_call routed = *call;
    struct ct_routes *routes = NULL;
    const struct ct_evaluation_subject subject = subject_of(method, NULL, &routed, options);
    if (!ct_has_plan(method->algorithm))
        return ct_fail(error, CT_E_INPUT, "%s has no plan: the MPI library carries it out",
                       ct_method_format(method, true, spelling));
    int status =
        ct_needs_routes(method) && !call->routes ? ct_routes_make(method, call, error, &routes) : CT_OK;
    if (routes)
        routed.routes = routes;
    if (status == CT_OK)
        status = evaluate(evaluator, &subject, model, kind, error, ret_evaluation);
    ct_routes_free_all(routes, call->size);
    return status == CT_E_ANSWER || status == CT_E_LIMIT
               ? ct_fail_in(error, status, ct_method_format(method, true, spelling))
               : status;
}

int ct_evaluate_plans(struct ct_evaluator *evaluator, const struct ct_plan *plans, const struct ct_call *call,
                      const struct ct_model *model, enum ct_communication_model kind,
                      const struct ct_evaluation_options *options, struct ct_error *error,
                      struct ct_evaluation *ret_evaluation)
{
    const struct ct_evaluation_subject subject = subject_of(NULL, plans, call, options);
    return evaluate(evaluator, &subject, model, kind, error, ret_evaluation);
}
