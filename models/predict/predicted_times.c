/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/predicted_times.h"
#include "base/hash.h"
#include "base/memory.h"
#include "models/predict/predictor.h"
#include "plan/cell_key.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#define BYTES_MOST ((size_t)1 << 48) /* of a call, on all its ranks */

/* A predicted time, after its key. */
struct known_time {
    struct ct_method method;
    size_t ranks;
    size_t msg_bytes;
    size_t pattern; /* ct_pattern_id(); 0: none */
    double seconds;
};

struct ct_predicted_times {
    struct ct_prediction prediction;
    struct ct_model model; /* the caller's, whose curves it shares, with the channel in use */
    enum ct_communication_model kind;
    struct ct_predictor *predictor;
    const char *pattern;
    struct known_time *known;
    size_t known_count, known_capacity;
    struct ct_hash_table index; /* of known[], by hash of the key */
};

int ct_predicted_times_new(const struct ct_prediction *prediction, struct ct_predicted_times **ret_times)
{
    struct ct_predicted_times *times = ct_allocate(1, sizeof *times);
    if (!times)
        return CT_E_MEMORY;
    times->prediction = *prediction;
    times->model = *prediction->model;
    times->prediction.model = &times->model;
    while (times->kind + 1 < CT_COMMUNICATION_MODELS && prediction->weights[times->kind] <= 0)
        times->kind++;
    int status = ct_predictor_new(&times->prediction, &times->predictor);
    if (status == CT_OK)
        *ret_times = times;
    else
        free(times);
    return status;
}

void ct_predicted_times_free(struct ct_predicted_times *times)
{
    if (!times)
        return;
    free(times->known);
    ct_hash_free(&times->index);
    ct_predictor_free(times->predictor);
    free(times);
}

int ct_predicted_times_place(struct ct_predicted_times *times, size_t ppn, enum ct_node_channel channel,
                             const char *file, struct ct_error *error)
{
    const bool is_same = ppn == times->prediction.ppn && (ppn == 1 || channel == times->model.node_channel);
    int status = ppn == 1 ? CT_OK : ct_model_use_channel(&times->model, channel, file, error);
    if (status != CT_OK || is_same)
        return status;
    ct_hash_clear(&times->index);
    times->known_count = 0;
    times->prediction.ppn = ppn;
    return CT_OK;
}

void ct_predicted_times_set_pattern(struct ct_predicted_times *times, const char *pattern)
{
    times->pattern = pattern;
}

struct sought {
    const struct known_time *asked, *known;
};

static bool is_asked(const void *data, size_t index)
{
    const struct sought *sought = data;
    const struct known_time *asked = sought->asked, *known = &sought->known[index];
    return known->ranks == asked->ranks && known->msg_bytes == asked->msg_bytes &&
           known->pattern == asked->pattern && ct_method_equal(&known->method, &asked->method);
}

/* Plans that are too large have no time: a formula in their place is another model, and the curve would have
 * a step between the two. */
static int predict(struct ct_predicted_times *times, struct known_time *asked, struct ct_error *error)
{
    struct ct_error said = {""}; /* also set if plans are too large, which is no failure */
    struct ct_predicted predicted;
    int status = ct_predictor_set_ranks(times->predictor, asked->ranks);
    if (status != CT_OK)
        return ct_fail(error, status, "out of memory");
    if (asked->pattern &&
        (status = ct_predictor_set_pattern(times->predictor, times->pattern, error)) != CT_OK)
        return status;
    status = ct_predictor_method_seconds(times->predictor, &asked->method, asked->msg_bytes, times->kind,
                                         &said, &predicted);
    if (status != CT_OK)
        return ct_fail(error, status, "%s", said.text);
    asked->seconds =
        predicted.by_formula && times->prediction.way == CT_PREDICTION_BY_PLANS ? NAN : predicted.seconds;
    return CT_OK;
}

/* The size that is predicted: some data if the collective moves data, and whole elements. */
static size_t whole_size(enum ct_collective collective, size_t msg_bytes)
{
    size_t element = ct_collectives[collective].reduces ? CT_PREDICTED_ELEMENT : 1;
    if (!ct_collectives[collective].has_size)
        return 0;
    return msg_bytes == 0 ? element : (msg_bytes + element - 1) / element * element;
}

int ct_predicted_times_at(struct ct_predicted_times *times, const struct ct_method *method, size_t ranks,
                          size_t msg_bytes, struct ct_error *error, double *ret_seconds)
{
    enum ct_collective collective = method->algorithm->collective;
    const bool is_sparse = ct_collectives[collective].is_sparse;
    struct known_time asked = {.method = *method,
                               .ranks = ranks,
                               .msg_bytes = whole_size(collective, msg_bytes),
                               .pattern = is_sparse && times->pattern ? ct_pattern_id(times->pattern) : 0};
    const struct sought sought = {&asked, times->known};
    bool is_small = ranks >= 2 && ranks <= INT_MAX && msg_bytes < BYTES_MOST / ranks;
    if (!is_small || (is_sparse && !times->pattern) || !ct_prediction_covers(collective) ||
        !ct_has_plan(method->algorithm)) {
        *ret_seconds = NAN;
        return CT_OK;
    }
    uint64_t key = ct_hash(0, &asked, offsetof(struct known_time, seconds));
    size_t found = ct_hash_find(&times->index, key, is_asked, &sought);
    if (found != SIZE_MAX) {
        *ret_seconds = times->known[found].seconds;
        return CT_OK;
    }
    int status = predict(times, &asked, error);
    if (status != CT_OK)
        return status;
    status = ct_grow(&times->known, &times->known_capacity, times->known_count + 1, sizeof *times->known);
    if (status == CT_OK)
        status = ct_hash_add(&times->index, key, times->known_count);
    if (status != CT_OK)
        return ct_fail(error, status, "out of memory");
    times->known[times->known_count++] = asked;
    *ret_seconds = asked.seconds;
    return CT_OK;
}
