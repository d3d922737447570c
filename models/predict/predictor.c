/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/predictor.h"

#include "base/memory.h"
#include "models/evaluate/evaluate.h"
#include "models/formulas/formula.h"
#include "plan/pattern.h"
#include "plan/pattern_share.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_predictor {
    const struct ct_prediction *prediction;
    struct ct_evaluator *evaluator;
    size_t ranks, ppn; /* of the calls; 0 ranks: none are set */
    struct ct_nodes nodes;
    size_t *counts;        /* of blocks that vary; in a neighbor_allgatherv of each rank */
    char *text;            /* of the pattern that is set; NULL: none */
    struct ct_edge *edges; /* of that pattern */
    size_t edge_count;
    struct ct_pattern pattern; /* of the last sparse call */
    struct ct_pattern_features features;
};

int ct_predictor_new(const struct ct_prediction *prediction, struct ct_predictor **ret_predictor)
{
    struct ct_predictor *predictor = calloc(1, sizeof *predictor);
    if (!predictor)
        return CT_E_MEMORY;
    predictor->prediction = prediction;
    predictor->evaluator = ct_evaluator_new();
    if (!predictor->evaluator) {
        free(predictor);
        return CT_E_MEMORY;
    }
    *ret_predictor = predictor;
    return CT_OK;
}

static void forget_pattern(struct ct_predictor *predictor)
{
    ct_pattern_free(&predictor->pattern);
    free(predictor->text);
    free(predictor->edges);
    predictor->text = NULL;
    predictor->edges = NULL;
    predictor->edge_count = 0;
}

static void forget_ranks(struct ct_predictor *predictor)
{
    forget_pattern(predictor);
    if (predictor->ranks > 0)
        ct_nodes_free(&predictor->nodes);
    free(predictor->counts);
    predictor->counts = NULL;
    predictor->ranks = 0;
}

void ct_predictor_free(struct ct_predictor *predictor)
{
    if (!predictor)
        return;
    forget_ranks(predictor);
    ct_evaluator_free(predictor->evaluator);
    free(predictor);
}

int ct_predictor_set_ranks(struct ct_predictor *predictor, size_t ranks)
{
    const size_t ppn = predictor->prediction->ppn;
    if (ranks == predictor->ranks && ppn == predictor->ppn)
        return CT_OK;
    forget_ranks(predictor);
    int *labels = ct_allocate(ranks, sizeof *labels);
    predictor->counts = ct_allocate(ranks, sizeof *predictor->counts);
    if (!labels || !predictor->counts) {
        free(labels);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < ranks; i++)
        labels[i] = (int)(i / ppn);
    int status = ct_nodes_make(labels, (int)ranks, &predictor->nodes);
    free(labels);
    predictor->ranks = status == CT_OK ? ranks : 0;
    predictor->ppn = ppn;
    return status;
}

int ct_predictor_set_pattern(struct ct_predictor *predictor, const char *text, struct ct_error *error)
{
    if (predictor->text && strcmp(predictor->text, text) == 0)
        return CT_OK;
    forget_pattern(predictor);
    int status =
        ct_pattern_edges(text, (int)predictor->ranks, error, &predictor->edges, &predictor->edge_count);
    if (status == CT_OK)
        predictor->text = strdup(text);
    return status != CT_OK || predictor->text ? status : CT_E_MEMORY;
}

int ct_predictor_add_neighbors(struct ct_predictor *predictor, enum ct_collective collective,
                               size_t msg_bytes, struct ct_call *call)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    const double mean = ct_edges_mean(predictor->edges, predictor->edge_count);
    if (!about->is_sparse)
        return CT_OK;
    struct ct_edge *edges = ct_allocate(predictor->edge_count + 1, sizeof *edges);
    if (!edges)
        return CT_E_MEMORY;
    for (size_t i = 0; i < predictor->edge_count; i++) {
        edges[i] = predictor->edges[i];
        edges[i].length = ct_edge_bytes(collective, &predictor->edges[i], mean, msg_bytes);
    }
    ct_pattern_free(&predictor->pattern);
    int status = ct_pattern_make((int)predictor->ranks, edges, predictor->edge_count, about->varies,
                                 &predictor->pattern);
    free(edges);
    if (status != CT_OK)
        return status;
    call->neighbors = predictor->pattern.ranks;
    call->recv_counts = NULL;
    call->send_counts = NULL;
    for (size_t rank = 0; about->varies && about->input[0] == CT_CONTENTS_OWN && rank < predictor->ranks;
         rank++) {
        const struct ct_edge own = {.from = (int)rank};
        predictor->counts[rank] = ct_edge_bytes(collective, &own, 1, msg_bytes);
        call->send_counts = predictor->counts;
    }
    predictor->features = ct_pattern_features_of_all(collective, call);
    call->pattern = &predictor->features;
    return CT_OK;
}

struct ct_call ct_predictor_call(struct ct_predictor *predictor, enum ct_collective collective,
                                 size_t msg_bytes)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    struct ct_call call = {.size = (int)predictor->ranks,
                           .unit_bytes = !about->reduces                  ? 1
                                         : predictor->prediction->element ? predictor->prediction->element
                                                                          : CT_PREDICTED_ELEMENT,
                           .commutative = !predictor->prediction->is_ordered,
                           .nodes = predictor->prediction->ppn > 1 ? &predictor->nodes : NULL};
    call.count = msg_bytes / call.unit_bytes;
    if (!about->varies)
        return call;
    const bool has_parts = about->input[0] == CT_CONTENTS_PARTS;
    for (int i = 0; i < call.size; i++)
        predictor->counts[i] =
            ct_block_length(collective, call.count, has_parts ? 0 : i, has_parts ? i : 0, call.size);
    *(has_parts ? &call.send_counts : &call.recv_counts) = predictor->counts;
    return call;
}

struct ct_formula_call ct_predictor_formula_call(const struct ct_predictor *predictor,
                                                 enum ct_communication_model kind,
                                                 const struct ct_method *method, size_t msg_bytes)
{
    const struct ct_model *model = predictor->prediction->model;
    return (struct ct_formula_call){.link = ct_model_link(model, kind, predictor->nodes.count == 1),
                                    .gamma = model->gamma,
                                    .delta = model->delta,
                                    .ranks = (double)predictor->ranks,
                                    .bytes = (double)msg_bytes,
                                    .segment = ct_formula_segment(method)};
}

/* NAN where the plans need too much. */
static int evaluate(struct ct_predictor *predictor, const struct ct_method *method,
                    const struct ct_call *call, enum ct_communication_model kind, struct ct_error *error,
                    double *ret_seconds)
{
    const struct ct_prediction *prediction = predictor->prediction;
    const struct ct_evaluation_options options = {.most_messages = prediction->most_messages,
                                                  .most_seconds = prediction->most_seconds,
                                                  .shares_links = prediction->shares_links,
                                                  .stop = ct_watch_flag(prediction->watch)};
    struct ct_evaluation evaluation = {.seconds = NAN};
    int status = ct_evaluate(predictor->evaluator, method, call, prediction->model, kind, &options, error,
                             &evaluation);
    if (status != CT_OK && status != CT_E_LIMIT)
        return status;
    *ret_seconds = evaluation.seconds;
    return CT_OK;
}

int ct_predictor_seconds(struct ct_predictor *predictor, const struct ct_method *method,
                         const struct ct_call *call, size_t msg_bytes, enum ct_communication_model kind,
                         bool is_beyond, struct ct_error *error, struct ct_predicted *ret_predicted)
{
    const struct ct_prediction *prediction = predictor->prediction;
    const struct ct_formula *formula = ct_formula_find(method);
    struct ct_predicted predicted = {.seconds = NAN};
    bool by_plans = prediction->way == CT_PREDICTION_BY_PLANS;
    int status =
        by_plans && !is_beyond ? evaluate(predictor, method, call, kind, error, &predicted.seconds) : CT_OK;
    if (status != CT_OK)
        return status;
    predicted.beyond = by_plans && isnan(predicted.seconds);
    if (isnan(predicted.seconds) && formula) {
        const struct ct_formula_call asked = ct_predictor_formula_call(predictor, kind, method, msg_bytes);
        predicted.seconds = ct_formula_seconds(formula, kind, &asked);
        predicted.by_formula = !isnan(predicted.seconds);
    }
    if (predicted.seconds <= 0)
        return ct_fail(error, CT_E_INPUT,
                       "the model %s: every method takes 0 s; expected positive parameters",
                       prediction->model->name);
    *ret_predicted = predicted;
    return CT_OK;
}

int ct_predictor_method_seconds(struct ct_predictor *predictor, const struct ct_method *method,
                                size_t msg_bytes, enum ct_communication_model kind, struct ct_error *error,
                                struct ct_predicted *ret_predicted)
{
    enum ct_collective collective = method->algorithm->collective;
    struct ct_call call = ct_predictor_call(predictor, collective, msg_bytes);
    int status = ct_predictor_add_neighbors(predictor, collective, msg_bytes, &call);
    if (status != CT_OK)
        return status;
    bool is_whole = !ct_collectives[collective].reduces || msg_bytes % CT_PREDICTED_ELEMENT == 0;
    if (call.pattern && call.pattern->degree == 0) /* nothing is sent */
        is_whole = false;
    if (is_whole && ct_has_plan(method->algorithm) && ct_method_applies(method, &call, NULL))
        return ct_predictor_seconds(predictor, method, &call, msg_bytes, kind, false, error, ret_predicted);
    *ret_predicted = (struct ct_predicted){.seconds = NAN};
    return CT_OK;
}
