/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/predict.h"
#include "base/memory.h"
#include "models/predict/candidates.h"
#include "models/predict/vote.h"
#include "plan/pattern_features.h"
#include "samples/element.h"
#include "samples/run_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* --- the run, which grows in memory --- */

/* Datatypes and operations of the samples. */
enum { WORD_BYTE, WORD_ELEMENT, WORD_OPERATION, WORDS };

struct results {
    struct ct_method *methods; /* those that have a sample */
    size_t method_count, method_capacity;
    struct ct_sample *samples;
    size_t sample_count, sample_capacity;
    struct ct_run_cell *cells;
    size_t cell_count, cell_capacity;
};

/* Adds a sample of the method, which is added as well if it is new. */
static int add_sample(struct results *results, const struct ct_method *method, struct ct_sample sample)
{
    const size_t m = ct_method_index(method, results->methods, results->method_count);
    int status = ct_grow(&results->methods, &results->method_capacity, m + 1, sizeof *results->methods);
    if (status == CT_OK)
        status = ct_grow(&results->samples, &results->sample_capacity, results->sample_count + 1,
                         sizeof *results->samples);
    if (status != CT_OK)
        return status;
    if (m == results->method_count)
        results->methods[results->method_count++] = *method;
    sample.method = (uint32_t)m;
    results->samples[results->sample_count++] = sample;
    return CT_OK;
}

static int add_cell(struct results *results, struct ct_run_cell cell)
{
    int status =
        ct_grow(&results->cells, &results->cell_capacity, results->cell_count + 1, sizeof *results->cells);
    if (status == CT_OK)
        results->cells[results->cell_count++] = cell;
    return status;
}

static int write_results(const struct ct_prediction *prediction, struct results *results, const char *folder,
                         struct ct_run_description *description, struct ct_error *error)
{
    char byte[] = "byte", element[64], operation[64];
    char *words[WORDS] = {[WORD_BYTE] = byte, [WORD_ELEMENT] = element, [WORD_OPERATION] = operation};
    snprintf(element, sizeof element, "%s", prediction->datatype ? prediction->datatype : "double");
    snprintf(operation, sizeof operation, "%s", prediction->operation ? prediction->operation : "sum");
    free(description->methods);
    description->methods = results->methods;
    description->method_count = results->method_count;
    results->methods = NULL;
    qsort(results->cells, results->cell_count, sizeof *results->cells, ct_run_cell_compare);
    const struct ct_run run = {.description = *description,
                               .words = words,
                               .word_count = WORDS,
                               .methods = description->methods,
                               .method_count = description->method_count,
                               .samples = results->samples,
                               .sample_count = results->sample_count,
                               .cells = results->cells,
                               .cell_count = results->cell_count};
    return ct_run_write(folder, &run, error);
}

/* --- one cell --- */

struct predicting {
    const struct ct_prediction *prediction;
    const struct ct_run_description *description;
    struct results run;
    struct ct_predictor *predictor;
    struct ct_candidates candidates;
    struct ct_error *error;
    struct ct_prediction_summary summary;
    double *times[CT_COMMUNICATION_MODELS]; /* in the cell, by candidate */
    bool *by_formula;                       /* by candidate */
    size_t pattern;                         /* ct_pattern_id() of the pattern that is predicted; 0: none */
    size_t *too_large; /* by source: message size from which on plans take too much on so many ranks */
    size_t cells;      /* done */
    size_t all_cells;
    double done; /* of 1 */
};

/* The candidate's times under the models asked; NAN where there is none. */
static int predict_candidate(struct predicting *predicting, size_t c, const struct ct_call *call,
                             size_t msg_bytes)
{
    const struct ct_prediction *prediction = predicting->prediction;
    const struct ct_candidate *candidate = &predicting->candidates.in_cell[c];
    size_t *too_large = &predicting->too_large[candidate->source];
    struct ct_predicted predicted[CT_COMMUNICATION_MODELS];
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        predicting->times[kind][c] = NAN;
    predicting->by_formula[c] = false;
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        if (prediction->weights[kind] <= 0)
            continue;
        int status = ct_predictor_seconds(predicting->predictor, &candidate->method, call, msg_bytes,
                                          (enum ct_communication_model)kind, msg_bytes >= *too_large,
                                          predicting->error, &predicted[kind]);
        if (status != CT_OK)
            return status;
        if (predicted[kind].beyond && msg_bytes < *too_large) /* longer messages are not tried */
            *too_large = msg_bytes;
        if (isnan(predicted[kind].seconds)) {
            predicting->summary.beyond++;
            return CT_OK;
        }
        predicting->by_formula[c] |= predicted[kind].by_formula;
    }
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        if (prediction->weights[kind] > 0)
            predicting->times[kind][c] = predicted[kind].seconds;
    return CT_OK;
}

static int take_cell(struct predicting *predicting, enum ct_collective collective, const struct ct_call *call,
                     size_t msg_bytes)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    size_t ppn = predicting->prediction->ppn, size = (size_t)call->size;
    size_t before = predicting->run.sample_count;
    enum ct_communication_model followed =
        ct_vote((const double *const *)predicting->times, predicting->prediction->weights,
                predicting->candidates.count);
    const struct ct_cell_key of_call = ct_call_key(collective, call);
    struct ct_sample sample = {.key = {.nodes = (size - 1) / ppn + 1,
                                       .ppn = ppn < size ? ppn : size,
                                       .comm_size = size,
                                       .msg_bytes = msg_bytes,
                                       .degree = of_call.degree,
                                       .mean_degree = of_call.mean_degree,
                                       .imbalance = of_call.imbalance,
                                       .on_node = of_call.on_node,
                                       .pattern = predicting->pattern},
                               .datatype = !about->has_size ? WORDS
                                           : about->reduces ? WORD_ELEMENT
                                                            : WORD_BYTE,
                               .operation = about->reduces ? WORD_OPERATION : WORDS};
    int status = CT_OK;
    for (size_t c = 0; status == CT_OK && c < predicting->candidates.count; c++) {
        sample.seconds = predicting->times[followed][c];
        if (isnan(sample.seconds))
            continue;
        status = add_sample(&predicting->run, &predicting->candidates.in_cell[c].method, sample);
        predicting->summary.by_formula += predicting->by_formula[c];
    }
    bool is_empty = predicting->run.sample_count == before;
    predicting->summary.beyond_cells += is_empty;
    return status == CT_OK && !is_empty ? add_cell(&predicting->run, ct_sample_cell(&sample, collective))
                                        : status;
}

/* --- the grid --- */

static int predict_cell(struct predicting *predicting, enum ct_collective collective, size_t msg_bytes)
{
    struct ct_call call = ct_predictor_call(predicting->predictor, collective, msg_bytes);
    int status = ct_predictor_add_neighbors(predicting->predictor, collective, msg_bytes, &call);
    if (status == CT_OK && call.pattern && call.pattern->degree == 0)
        return CT_OK; /* nothing is sent, which takes no time */
    if (status == CT_OK)
        status = ct_candidates_of_cell(&predicting->candidates, predicting->prediction, predicting->predictor,
                                       collective, &call, msg_bytes, predicting->error);
    for (size_t c = 0; status == CT_OK && c < predicting->candidates.count; c++)
        status = predict_candidate(predicting, c, &call, msg_bytes);
    return status == CT_OK && predicting->candidates.count > 0
               ? take_cell(predicting, collective, &call, msg_bytes)
               : status;
}

static int predict_size(struct predicting *predicting, enum ct_collective collective, size_t bytes,
                        double share)
{
    ct_watch_progress(predicting->prediction->watch, &(struct ct_progress){.what = "predicting",
                                                                           .units = "cells",
                                                                           .done = predicting->cells++,
                                                                           .total = predicting->all_cells,
                                                                           .share = predicting->done});
    predicting->done += share;
    return predict_cell(predicting, collective, bytes);
}

static int predict_sizes(struct predicting *predicting, enum ct_collective collective, double share)
{
    const struct ct_run_description *description = predicting->description;
    int status = CT_OK;
    if (!ct_collectives[collective].has_size)
        return predict_size(predicting, collective, 0, share);
    for (size_t i = 0; status == CT_OK && i < description->msg_size_count; i++) {
        size_t bytes = description->msg_sizes[i];
        if (ct_has_elements(collective, bytes))
            status = predict_size(predicting, collective, bytes, share / (double)description->msg_size_count);
        else
            predicting->summary.uneven++;
    }
    return status;
}

static size_t count_cells(const struct ct_run_description *description)
{
    size_t count = 0;
    for (size_t c = 0; c < description->collective_count; c++) {
        enum ct_collective collective = description->collectives[c];
        size_t sized = 0;
        for (size_t i = 0; i < description->msg_size_count; i++)
            sized += ct_has_elements(collective, description->msg_sizes[i]);
        count += description->comm_size_count * (ct_collectives[collective].has_size ? sized : 1) *
                 (ct_collectives[collective].is_sparse ? description->pattern_count : 1);
    }
    return count;
}

/* All patterns in turn. */
static int predict_patterns(struct predicting *predicting, enum ct_collective collective, double share)
{
    const struct ct_run_description *description = predicting->description;
    int status = CT_OK;
    if (!ct_collectives[collective].is_sparse)
        return predict_sizes(predicting, collective, share);
    for (size_t i = 0; status == CT_OK && i < description->pattern_count; i++) {
        for (size_t m = 0; m < predicting->candidates.source_count; m++)
            predicting->too_large[m] = SIZE_MAX;
        predicting->pattern = ct_pattern_id(description->patterns[i]);
        status = ct_predictor_set_pattern(predicting->predictor, description->patterns[i], predicting->error);
        if (status == CT_OK)
            status = predict_sizes(predicting, collective, share / (double)description->pattern_count);
    }
    predicting->pattern = 0;
    return status;
}

static int predict_ranks(struct predicting *predicting, size_t comm_size, double share)
{
    const struct ct_run_description *description = predicting->description;
    int status = ct_predictor_set_ranks(predicting->predictor, comm_size);
    for (size_t i = 0; i < predicting->candidates.source_count; i++)
        predicting->too_large[i] = SIZE_MAX;
    for (size_t c = 0; status == CT_OK && c < description->collective_count; c++)
        status = predict_patterns(predicting, description->collectives[c],
                                  share / (double)description->collective_count);
    return status;
}

/* Why no cell is left. */
static int fail_empty(const struct predicting *predicting)
{
    size_t most = predicting->prediction->most_messages;
    if (predicting->candidates.source_count == 0)
        return ct_fail(predicting->error, CT_E_INPUT, "none of the methods has a formula");
    if (predicting->summary.beyond > 0)
        return ct_fail(predicting->error, CT_E_INPUT,
                       "every prediction needs more than %zu messages, or takes too long", most);
    if (predicting->summary.uneven > 0)
        return ct_fail(predicting->error, CT_E_INPUT, "nothing to predict: %s", ct_uneven_text);
    return ct_fail(predicting->error, CT_E_INPUT,
                   "none of the methods applies to any of the sizes (messages allowed: %zu)", most);
}

static int predict_all(struct predicting *predicting)
{
    const struct ct_run_description *description = predicting->description;
    double all = 0;
    int status = CT_OK;
    predicting->all_cells = count_cells(description);
    for (size_t i = 0; i < description->comm_size_count; i++)
        all += (double)description->comm_sizes[i];
    for (size_t i = 0; status == CT_OK && i < description->comm_size_count; i++)
        status =
            predict_ranks(predicting, description->comm_sizes[i], (double)description->comm_sizes[i] / all);
    predicting->summary.cells = predicting->run.cell_count;
    predicting->summary.samples = predicting->run.sample_count;
    return status == CT_OK && predicting->summary.cells == 0 ? fail_empty(predicting) : status;
}

/* --- the run --- */

static int make_room(struct predicting *predicting)
{
    const struct ct_run_description *description = predicting->description;
    int status = ct_candidates_make(description->methods, description->method_count, predicting->prediction,
                                    &predicting->candidates);
    if (status == CT_OK)
        status = ct_predictor_new(predicting->prediction, &predicting->predictor);
    size_t most = description->method_count * CT_COMMUNICATION_MODELS;
    double *times = predicting->times[0] = ct_allocate(most * CT_COMMUNICATION_MODELS, sizeof *times);
    for (size_t kind = 1; times && kind < CT_COMMUNICATION_MODELS; kind++)
        predicting->times[kind] = times + kind * most;
    predicting->too_large = ct_allocate(description->method_count, sizeof *predicting->too_large);
    predicting->by_formula = ct_allocate(most, sizeof *predicting->by_formula);
    return status == CT_OK && times && predicting->too_large && predicting->by_formula ? CT_OK : CT_E_MEMORY;
}

static void free_room(struct predicting *predicting)
{
    free(predicting->times[0]); /* holds them all */
    free(predicting->too_large);
    free(predicting->by_formula);
    free(predicting->run.methods);
    free(predicting->run.samples);
    free(predicting->run.cells);
    ct_candidates_free(&predicting->candidates);
    ct_predictor_free(predicting->predictor);
}

int ct_predict(const char *folder, struct ct_run_description *description,
               const struct ct_prediction *prediction, struct ct_error *error,
               struct ct_prediction_summary *ret_summary)
{
    struct predicting predicting = {.prediction = prediction, .description = description, .error = error};
    char count[24];
    if (access(folder, F_OK) == 0) /* checked again when the run is written */
        return ct_fail(error, CT_E_INPUT, "%s: exists already; nothing was overwritten", folder);
    for (size_t m = 0; prediction->way == CT_PREDICTION_BY_FORMULAS && m < description->method_count; m++)
        predicting.summary.without += !ct_formula_find(&description->methods[m]);
    int status = make_room(&predicting);
    if (status == CT_OK)
        status = predict_all(&predicting);
    snprintf(count, sizeof count, "%zu", predicting.summary.by_formula);
    if (status == CT_OK)
        status = ct_run_add_property(description, "prediction.by-formula", count);
    if (status == CT_OK)
        status = write_results(prediction, &predicting.run, folder, description, error);
    free_room(&predicting);
    if (status == CT_OK && ret_summary)
        *ret_summary = predicting.summary;
    return status;
}
