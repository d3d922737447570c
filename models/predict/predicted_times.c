/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/predicted_times.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/predict/predictor.h"

#include <limits.h>
#include <math.h>
#include <search.h>
#include <stdlib.h>

#define BYTES_MOST ((size_t)1 << 48) /* of a call, on all its ranks */

/* A predicted time and its key. */
struct known_time {
    size_t method; /* in the order in which methods were first asked for */
    size_t ranks;
    size_t msg_bytes;
    double seconds;
};

struct ct_predicted_times {
    struct ct_prediction prediction;
    enum ct_communication_model kind;
    struct ct_predictor *predictor;
    size_t ranks; /* the predictor's; 0: none are set */
    struct ct_method *methods;
    size_t method_count, method_capacity;
    void *known; /* a tree of struct known_time, made by tsearch() */
};

int ct_predicted_times_new(const struct ct_prediction *prediction, struct ct_predicted_times **ret_times)
{
    struct ct_predicted_times *times = calloc(1, sizeof *times);
    if (!times)
        return CT_E_MEMORY;
    times->prediction = *prediction;
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
    tdestroy(times->known, free);
    ct_predictor_free(times->predictor);
    free(times->methods);
    free(times);
}

void ct_predicted_times_set_ppn(struct ct_predicted_times *times, size_t ppn)
{
    if (ppn == times->prediction.ppn)
        return;
    tdestroy(times->known, free);
    times->known = NULL;
    times->ranks = 0;
    times->prediction.ppn = ppn;
}

static int compare(const void *a, const void *b)
{
    const struct known_time *left = a, *right = b;
    int by_ranks = CT_COMPARE(left->ranks, right->ranks);
    int by_bytes = CT_COMPARE(left->msg_bytes, right->msg_bytes);
    return by_ranks ? by_ranks : by_bytes ? by_bytes : CT_COMPARE(left->method, right->method);
}

static int number_of(struct ct_predicted_times *times, const struct ct_method *method, size_t *ret_number)
{
    size_t number = 0;
    while (number < times->method_count && !ct_method_equal(&times->methods[number], method))
        number++;
    *ret_number = number;
    if (number < times->method_count)
        return CT_OK;
    int status = ct_grow(&times->methods, &times->method_capacity, number + 1, sizeof *times->methods);
    if (status == CT_OK)
        times->methods[times->method_count++] = *method;
    return status;
}

/* Plans that are too large have no time: a formula in their place is another model, and the curve would have
 * a step between the two. */
static int predict(struct ct_predicted_times *times, const struct known_time *asked, struct ct_error *error,
                   double *ret_seconds)
{
    struct ct_error said = {""}; /* also set if plans are too large, which is no failure */
    struct ct_predicted predicted;
    int status;
    if (asked->ranks != times->ranks) {
        times->ranks = 0;
        status = ct_predictor_set_ranks(times->predictor, asked->ranks);
        if (status != CT_OK)
            return ct_fail(error, status, "out of memory");
        times->ranks = asked->ranks;
    }
    status = ct_predictor_method_seconds(times->predictor, &times->methods[asked->method], asked->msg_bytes,
                                         times->kind, &said, &predicted);
    if (status != CT_OK)
        return ct_fail(error, status, "%s", said.text);
    *ret_seconds =
        predicted.by_formula && times->prediction.way == CT_PREDICTION_BY_PLANS ? NAN : predicted.seconds;
    return CT_OK;
}

static int find(struct ct_predicted_times *times, const struct known_time *asked, struct ct_error *error,
                double *ret_seconds)
{
    struct known_time *const *found = tfind(asked, &times->known, compare);
    if (found) {
        *ret_seconds = (*found)->seconds;
        return CT_OK;
    }
    struct known_time *entry = malloc(sizeof *entry);
    if (!entry)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    *entry = *asked;
    int status = predict(times, asked, error, &entry->seconds);
    if (status == CT_OK && !tsearch(entry, &times->known, compare))
        status = ct_fail(error, CT_E_MEMORY, "out of memory");
    if (status == CT_OK)
        *ret_seconds = entry->seconds;
    else
        free(entry);
    return status;
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
    struct known_time asked = {.ranks = ranks};
    bool is_small = ranks >= 2 && ranks <= INT_MAX && msg_bytes < BYTES_MOST / ranks;
    if (!is_small || !ct_prediction_covers(collective) || ct_is_native(method->algorithm)) {
        *ret_seconds = NAN;
        return CT_OK;
    }
    asked.msg_bytes = whole_size(collective, msg_bytes);
    int status = number_of(times, method, &asked.method);
    return status == CT_OK ? find(times, &asked, error, ret_seconds)
                           : ct_fail(error, status, "out of memory");
}
