/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/evaluate.h"
#include "algorithms/routing.h"
#include "base/memory.h"
#include "base/process.h"
#include "models/evaluate/action_store.h"
#include "models/evaluate/evaluate_together.h"
#include "models/evaluate/rank_clocks.h"

#include <math.h>
#include <stdlib.h>

struct ct_evaluator {
    struct ct_rank_clocks clocks;
    double *leaves;
    size_t leaves_capacity;
    struct ct_script script;
    struct ct_action_store store;
    struct ct_plan plan;
    struct ct_timeline *timeline; /* NULL until it is needed */
    struct ct_error *error;
};

/* --- memory --- */

struct ct_evaluator *ct_evaluator_new(void)
{
    return ct_allocate(1, sizeof(struct ct_evaluator));
}

static void end_call(struct ct_evaluator *evaluator)
{
    ct_rank_clocks_end(&evaluator->clocks);
    ct_action_store_clear(&evaluator->store);
}

void ct_evaluator_free(struct ct_evaluator *evaluator)
{
    if (!evaluator)
        return;
    ct_rank_clocks_free(&evaluator->clocks);
    free(evaluator->leaves);
    ct_script_free(&evaluator->script);
    ct_action_store_free(&evaluator->store);
    ct_plan_free(&evaluator->plan);
    ct_timeline_free(evaluator->timeline);
    free(evaluator);
}

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
    int status = ct_scripts_begin(&evaluator->script, &terms, evaluator->error);
    return status == CT_OK
               ? ct_rank_clocks_begin(&evaluator->clocks, call->size, subject->options.shares_links,
                                      &evaluator->script.costs, evaluator->error)
               : status;
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

/* After so many steps a plan is turned into actions, and its space is used again. */
enum { DRAIN_AT = 64 };

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

static void leave(struct ct_evaluator *evaluator, struct ct_rank_clock *clock)
{
    if (clock->chunk != CT_NOT_KEPT)
        ct_action_store_release(&evaluator->store, clock->chunk);
    clock->chunk = CT_NOT_KEPT;
    ct_rank_clock_leave(clock);
}

static int advance_ready(struct ct_evaluator *evaluator)
{
    struct ct_rank_clocks *clocks = &evaluator->clocks;
    while (clocks->ready_count > 0) {
        int rank = clocks->ready[--clocks->ready_count];
        int status = ct_rank_clocks_advance(clocks, rank);
        if (status != CT_OK)
            return status;
        if (ct_rank_clock_is_done(&clocks->all[rank]))
            leave(evaluator, &clocks->all[rank]);
    }
    return CT_OK;
}

static int enter(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject, int rank)
{
    int status = write_script(evaluator, subject, rank);
    if (status != CT_OK)
        return status;
    struct ct_rank_clock *clock = &evaluator->clocks.all[rank];
    clock->next = evaluator->script.actions;
    clock->left = (uint32_t)evaluator->script.count;
    status = ct_rank_clocks_advance(&evaluator->clocks, rank);
    if (status != CT_OK)
        return status;
    if (!ct_rank_clock_is_done(clock)) /* it waits, and the next rank's actions will overwrite its own */
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

static int run(struct ct_evaluator *evaluator, const struct ct_evaluation_subject *subject)
{
    enum { LOOK_AFTER = 64 }; /* ranks */
    const struct ct_evaluation_options *options = &subject->options;
    double end = options->most_seconds > 0 ? ct_thread_seconds() + options->most_seconds : INFINITY;
    for (int i = 0; i < subject->call->size; i++) {
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
    return ct_rank_clocks_check_end(&evaluator->clocks);
}

static struct ct_evaluation result_of(struct ct_evaluator *evaluator)
{
    struct ct_evaluation evaluation = {.messages = evaluator->script.messages,
                                       .bytes = evaluator->script.bytes,
                                       .leaves = evaluator->leaves};
    for (int rank = 0; rank < evaluator->clocks.size; rank++) {
        evaluator->leaves[rank] = evaluator->clocks.all[rank].now;
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
    return ct_evaluate_together(evaluator->timeline, subject, model, kind, evaluator->leaves,
                                evaluator->error, ret_evaluation, ret_is_done);
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
    if (status == CT_OK)
        status = ct_grow(&evaluator->leaves, &evaluator->leaves_capacity, (size_t)subject->call->size,
                         sizeof *evaluator->leaves);
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
