/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/evaluate_internal.h"

#include <math.h>
#include <time.h>

/* So many steps of a plan are written before they are turned into actions and their space is used again. */
enum { DRAIN_AT = 64 };

/* What is to be evaluated: a method's plans, written when their turn comes, or plans that are there. */
struct subject {
    const struct ct_method *method;
    const struct ct_call *call;
    const struct ct_plan *plans;
    struct ct_evaluation_options options;
};

/* --- set up --- */

static int set_up(struct ct_evaluator *evaluator, const struct subject *subject, const struct ct_model *model,
                  enum ct_communication_model kind)
{
    const struct ct_call *call = subject->call;
    const struct ct_link *network = &model->links[CT_LINK_NETWORK], *node = &model->links[CT_LINK_NODE];
    if (!network->known[kind])
        return ct_fail(evaluator->error, CT_E_INPUT, "the model%s%s does not know %s of the network",
                       model->name ? " " : "", model->name ? model->name : "",
                       ct_communication_model_names[kind]);
    const struct ct_script_terms terms = {
        .size = call->size,
        .unit_bytes = call->unit_bytes,
        .links = {network, node},
        .node_of = call->nodes && node->known[kind] ? call->nodes->node_of : NULL,
        .model = kind,
        .gamma = model->gamma,
        .delta = model->delta,
        .most_messages = subject->options.most_messages ? subject->options.most_messages : CT_MESSAGES_USUAL,
        .notes_posting = subject->options.shares_links};
    evaluator->shares_links = subject->options.shares_links;
    evaluator->batch.at = evaluator->batch.count = 0;
    int status = ct_scripts_begin(&evaluator->script, &terms, evaluator->error);
    return status == CT_OK ? ct_evaluator_begin(evaluator, call->size) : status;
}

/* --- scripts --- */

struct building {
    struct ct_script *script;
    int status; /* the first failure; what is written behind it is thrown away */
};

static int drain(struct ct_plan *plan, void *context)
{
    struct building *building = context;
    if (building->status == CT_OK)
        building->status = ct_script_add(building->script, plan);
    return CT_OK;
}

/* Writes the rank's plan and turns it into actions, round by round. */
static int build(struct ct_evaluator *evaluator, const struct subject *subject, int rank)
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

static int write_script(struct ct_evaluator *evaluator, const struct subject *subject, int rank)
{
    struct ct_script *script = &evaluator->script;
    ct_script_begin(script, rank);
    int status =
        subject->plans ? ct_script_add(script, &subject->plans[rank]) : build(evaluator, subject, rank);
    return status == CT_OK ? ct_script_end(script) : status;
}

/* --- all ranks --- */

static void leave(struct ct_evaluator *evaluator, struct ct_clock *clock)
{
    if (clock->chunk != CT_NOT_KEPT)
        ct_action_store_release(&evaluator->store, clock->chunk);
    ct_notes_free(clock->notes);
    clock->chunk = CT_NOT_KEPT;
    clock->notes = NULL;
}

static int advance_ready(struct ct_evaluator *evaluator)
{
    while (evaluator->ready_count > 0) {
        int rank = evaluator->ready[--evaluator->ready_count];
        int status = ct_evaluator_advance(evaluator, rank);
        if (status != CT_OK)
            return status;
        if (ct_clock_has_left(&evaluator->clocks[rank]))
            leave(evaluator, &evaluator->clocks[rank]);
    }
    return CT_OK;
}

static int enter(struct ct_evaluator *evaluator, const struct subject *subject, int rank)
{
    int status = write_script(evaluator, subject, rank);
    if (status != CT_OK)
        return status;
    struct ct_clock *clock = &evaluator->clocks[rank];
    clock->next = evaluator->script.actions;
    clock->left = (uint32_t)evaluator->script.count;
    status = ct_evaluator_advance(evaluator, rank);
    if (status != CT_OK)
        return status;
    if (!ct_clock_has_left(clock)) /* it has to wait; the next rank's actions take the place of its */
        status =
            ct_action_store_keep(&evaluator->store, clock->next, clock->left, &clock->next, &clock->chunk);
    else
        leave(evaluator, clock);
    return status == CT_OK ? advance_ready(evaluator) : status;
}

/* Whose turn it is: data run from the root to others, or from others to the root, mostly by way of ranks that
 * lie between. Whoever comes when all it waits for has been sent needs no memory. */
static int rank_in_turn(const struct subject *subject, int i)
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

/* Why nobody goes on. */
static int stuck(const struct ct_evaluator *evaluator)
{
    int rank = 0, from, to;
    while (rank < evaluator->size && ct_clock_has_left(&evaluator->clocks[rank]))
        rank++;
    if (rank < evaluator->size) {
        int peer = (int)evaluator->mail.boxes[rank].awaits;
        bool has_left = ct_clock_has_left(&evaluator->clocks[peer]);
        return ct_fail(evaluator->error, CT_E_ANSWER, "rank %d waits for a message of rank %d, which %s",
                       rank, peer, has_left ? "sends it none" : "waits as well");
    }
    if (ct_mail_left(&evaluator->mail, &from, &to))
        return ct_fail(evaluator->error, CT_E_ANSWER,
                       "rank %d sends rank %d a message that it never receives", from, to);
    return CT_OK;
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int run(struct ct_evaluator *evaluator, const struct subject *subject)
{
    enum { LOOK_AFTER = 64 }; /* ranks */
    const struct ct_evaluation_options *options = &subject->options;
    double end = options->most_seconds > 0 ? cpu_seconds() + options->most_seconds : INFINITY;
    for (int i = 0; i < evaluator->size; i++) {
        int status = enter(evaluator, subject, rank_in_turn(subject, i));
        if (status != CT_OK)
            return status;
        if (i % LOOK_AFTER != 0)
            continue;
        if (options->stop && *options->stop)
            return CT_E_STOPPED;
        if (end < INFINITY && cpu_seconds() > end)
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

static int evaluate(struct ct_evaluator *evaluator, const struct subject *subject,
                    const struct ct_model *model, enum ct_communication_model kind, struct ct_error *error,
                    struct ct_evaluation *ret_evaluation)
{
    evaluator->error = error;
    if (error)
        error->text[0] = '\0';
    int status = set_up(evaluator, subject, model, kind);
    if (status == CT_OK)
        status = run(evaluator, subject);
    if (status == CT_OK)
        *ret_evaluation = result_of(evaluator);
    ct_evaluator_end(evaluator);
    return status;
}

int ct_evaluate(struct ct_evaluator *evaluator, const struct ct_method *method, const struct ct_call *call,
                const struct ct_model *model, enum ct_communication_model kind,
                const struct ct_evaluation_options *options, struct ct_error *error,
                struct ct_evaluation *ret_evaluation)
{
    char spelling[CT_METHOD_TEXT];
    const struct subject subject = {
        .method = method, .call = call, .options = options ? *options : (struct ct_evaluation_options){0}};
    if (ct_is_native(method->algorithm))
        return ct_fail(error, CT_E_INPUT, "%s has no plan: the MPI library carries it out",
                       ct_method_format(method, true, spelling));
    int status = evaluate(evaluator, &subject, model, kind, error, ret_evaluation);
    return status == CT_E_ANSWER || status == CT_E_LIMIT
               ? ct_fail_in(error, status, ct_method_format(method, true, spelling))
               : status;
}

int ct_evaluate_plans(struct ct_evaluator *evaluator, const struct ct_plan *plans, const struct ct_call *call,
                      const struct ct_model *model, enum ct_communication_model kind,
                      const struct ct_evaluation_options *options, struct ct_error *error,
                      struct ct_evaluation *ret_evaluation)
{
    const struct subject subject = {
        .plans = plans, .call = call, .options = options ? *options : (struct ct_evaluation_options){0}};
    return evaluate(evaluator, &subject, model, kind, error, ret_evaluation);
}
