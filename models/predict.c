/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict.h"

#include "base/file.h"
#include "base/memory.h"
#include "models/evaluate.h"
#include "models/vote.h"

#include <math.h>
#include <stdlib.h>

enum { ELEMENT_BYTES = 8 }; /* reductions sum doubles */

struct predicting {
    const struct ct_prediction *prediction;
    const struct ct_run_description *description;
    struct ct_evaluator *evaluator;
    struct ct_sample_writer writer;
    struct ct_error *error;
    struct ct_prediction_summary summary;
    double *times[CT_COMMUNICATION_MODELS]; /* in the cell, by method of the description */
    size_t *too_large; /* by method: message size from which on it takes too much on so many ranks */
    struct ct_nodes nodes;
    size_t *counts; /* of blocks that may vary, all alike */
    double done;    /* of 1 */
};

/* What each rank knows of the others' blocks is not said by a message size. */
bool ct_prediction_covers(enum ct_collective collective)
{
    return ct_collectives[collective].has_size || !ct_collectives[collective].has_data;
}

static struct ct_call call_of(const struct predicting *predicting, enum ct_collective collective,
                              size_t comm_size, size_t msg_bytes)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    struct ct_call call = {.size = (int)comm_size,
                           .unit_bytes = about->reduces ? ELEMENT_BYTES : 1,
                           .commutative = true,
                           .nodes = predicting->prediction->ppn > 1 ? &predicting->nodes : NULL};
    call.count = msg_bytes / call.unit_bytes;
    if (!about->varies)
        return call;
    for (size_t i = 0; i < comm_size; i++)
        predicting->counts[i] = call.count;
    *(about->input[0] == CT_PARTS ? &call.send_counts : &call.recv_counts) = predicting->counts;
    return call;
}

/* The method's times under the models asked; NAN where it takes too much. */
static int predict_method(struct predicting *predicting, size_t m, const struct ct_call *call,
                          size_t msg_bytes)
{
    const struct ct_prediction *prediction = predicting->prediction;
    const struct ct_method *method = &predicting->description->methods[m];
    const struct ct_evaluation_options options = {.most_messages = prediction->most_messages,
                                                  .most_seconds = prediction->most_seconds,
                                                  .shares_links = prediction->shares_links,
                                                  .stop = prediction->stop};
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        struct ct_evaluation evaluation;
        if (prediction->weights[kind] <= 0)
            continue;
        int status =
            msg_bytes >= predicting->too_large[m]
                ? CT_E_LIMIT
                : ct_evaluate(predicting->evaluator, method, call, prediction->model,
                              (enum ct_communication_model)kind, &options, predicting->error, &evaluation);
        if (status == CT_E_LIMIT) { /* so it is with longer messages, whatever the model */
            if (msg_bytes < predicting->too_large[m])
                predicting->too_large[m] = msg_bytes;
            predicting->summary.beyond++;
            return CT_OK;
        }
        if (status != CT_OK)
            return status;
        if (evaluation.seconds <= 0)
            return ct_fail(predicting->error, CT_E_INPUT, "the model %s: everything takes no time at all",
                           prediction->model->name);
        predicting->times[kind][m] = evaluation.seconds;
    }
    return CT_OK;
}

static int write_cell(struct predicting *predicting, enum ct_collective collective,
                      const struct ct_call *call, size_t msg_bytes)
{
    const struct ct_collective_description *about = &ct_collectives[collective];
    const struct ct_run_description *description = predicting->description;
    size_t ppn = predicting->prediction->ppn, size = (size_t)call->size;
    enum ct_communication_model followed = ct_vote(
        (const double *const *)predicting->times, predicting->prediction->weights, description->method_count);
    struct ct_sample sample = {.nodes = (uint32_t)((size + ppn - 1) / ppn),
                               .ppn = (uint32_t)(ppn < size ? ppn : size),
                               .comm_size = (uint32_t)size,
                               .msg_bytes = msg_bytes};
    size_t samples = 0;
    int status = CT_OK;
    for (size_t m = 0; status == CT_OK && m < description->method_count; m++) {
        sample.seconds = predicting->times[followed][m];
        if (isnan(sample.seconds))
            continue;
        status = ct_samples_add(&predicting->writer, &description->methods[m], &sample,
                                !about->has_size ? ""
                                : about->reduces ? "double"
                                                 : "byte",
                                about->reduces ? "sum" : "");
        samples++;
    }
    if (status == CT_OK && samples > 0)
        status = ct_samples_commit(&predicting->writer, collective, &sample);
    predicting->summary.samples += samples;
    predicting->summary.cells += samples > 0;
    predicting->summary.beyond_cells += samples == 0;
    return status == CT_OK
               ? CT_OK
               : ct_fail(predicting->error, status, "%s: cannot be written", predicting->writer.path);
}

static int predict_cell(struct predicting *predicting, enum ct_collective collective, size_t comm_size,
                        size_t msg_bytes)
{
    const struct ct_run_description *description = predicting->description;
    const struct ct_call call = call_of(predicting, collective, comm_size, msg_bytes);
    size_t applying = 0;
    int status = CT_OK;
    for (size_t m = 0; status == CT_OK && m < description->method_count; m++) {
        const struct ct_method *method = &description->methods[m];
        for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
            predicting->times[kind][m] = NAN;
        if (method->algorithm->collective != collective || !ct_method_applies(method, &call, NULL))
            continue;
        applying++;
        status = predict_method(predicting, m, &call, msg_bytes);
    }
    return status == CT_OK && applying > 0 ? write_cell(predicting, collective, &call, msg_bytes) : status;
}

static int predict_sizes(struct predicting *predicting, enum ct_collective collective, size_t comm_size)
{
    const struct ct_run_description *description = predicting->description;
    int status = CT_OK;
    if (!ct_collectives[collective].has_size)
        return predict_cell(predicting, collective, comm_size, 0);
    for (size_t i = 0; status == CT_OK && i < description->msg_size_count; i++) {
        size_t bytes = description->msg_sizes[i];
        if (!ct_collectives[collective].reduces || bytes % ELEMENT_BYTES == 0)
            status = predict_cell(predicting, collective, comm_size, bytes);
    }
    return status;
}

static int make_nodes(struct predicting *predicting, size_t comm_size)
{
    int *labels = ct_allocate(comm_size, sizeof *labels);
    if (!labels)
        return CT_E_MEMORY;
    for (size_t i = 0; i < comm_size; i++)
        labels[i] = (int)(i / predicting->prediction->ppn);
    int status = ct_nodes_make(labels, (int)comm_size, &predicting->nodes);
    free(labels);
    return status;
}

static int predict_ranks(struct predicting *predicting, size_t comm_size, double share)
{
    const struct ct_run_description *description = predicting->description;
    const struct ct_prediction *prediction = predicting->prediction;
    char note[40];
    snprintf(note, sizeof note, "%zu ranks", comm_size);
    int status = make_nodes(predicting, comm_size);
    if (status != CT_OK)
        return status;
    for (size_t m = 0; m < description->method_count; m++)
        predicting->too_large[m] = SIZE_MAX;
    for (size_t c = 0; status == CT_OK && c < description->collective_count; c++) {
        status = predict_sizes(predicting, description->collectives[c], comm_size);
        predicting->done += share / (double)description->collective_count;
        if (prediction->progress)
            prediction->progress(prediction->context, predicting->done, note);
    }
    ct_nodes_free(&predicting->nodes);
    return status;
}

/* --- the run --- */

static int make_room(struct predicting *predicting)
{
    const struct ct_run_description *description = predicting->description;
    size_t methods = description->method_count, most = 1;
    for (size_t i = 0; i < description->comm_size_count; i++)
        most = description->comm_sizes[i] > most ? description->comm_sizes[i] : most;
    bool has_room = true;
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++) {
        predicting->times[kind] = ct_allocate(methods, sizeof(double));
        has_room &= predicting->times[kind] != NULL;
    }
    predicting->too_large = ct_allocate(methods, sizeof *predicting->too_large);
    predicting->counts = ct_allocate(most, sizeof *predicting->counts);
    predicting->evaluator = ct_evaluator_new();
    return has_room && predicting->too_large && predicting->counts && predicting->evaluator ? CT_OK
                                                                                            : CT_E_MEMORY;
}

static void free_room(struct predicting *predicting)
{
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        free(predicting->times[kind]);
    free(predicting->too_large);
    free(predicting->counts);
    ct_evaluator_free(predicting->evaluator);
}

static int predict_all(struct predicting *predicting)
{
    const struct ct_run_description *description = predicting->description;
    double all = 0;
    int status = CT_OK;
    for (size_t i = 0; i < description->comm_size_count; i++)
        all += (double)description->comm_sizes[i];
    for (size_t i = 0; status == CT_OK && i < description->comm_size_count; i++)
        status =
            predict_ranks(predicting, description->comm_sizes[i], (double)description->comm_sizes[i] / all);
    if (status == CT_OK && predicting->summary.cells == 0)
        return ct_fail(predicting->error, CT_E_INPUT,
                       predicting->summary.beyond > 0
                           ? "every prediction needs more than %zu messages, or takes too long"
                           : "none of the methods applies to any of the sizes (messages allowed: %zu)",
                       predicting->prediction->most_messages);
    return status;
}

int ct_predict(const char *folder, const struct ct_run_description *description,
               const struct ct_prediction *prediction, struct ct_error *error,
               struct ct_prediction_summary *ret_summary)
{
    struct predicting predicting = {.prediction = prediction, .description = description, .error = error};
    int status = ct_run_create(folder, description, error);
    if (status != CT_OK)
        return status;
    status = ct_samples_open(folder, SIZE_MAX, error, &predicting.writer);
    if (status == CT_OK) {
        status = make_room(&predicting);
        if (status == CT_OK)
            status = predict_all(&predicting);
        free_room(&predicting);
        int closed = ct_samples_close(&predicting.writer);
        if (status == CT_OK && closed != CT_OK)
            status = ct_fail(error, closed, "%s: cannot be written", folder);
    }
    if (status != CT_OK)
        ct_remove_all(folder, NULL);
    else if (ret_summary)
        *ret_summary = predicting.summary;
    return status;
}
