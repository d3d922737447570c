/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surrogate_base.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "models/predict/predicted_times.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Latency and overheads together are the unit of time: the scale does not matter. */
#define UNIT_SECONDS 1e-5

/* Logarithms of ratios to the unit: what a byte, an overhead, and the gap between messages take, and the work
 * on a byte relative to its transfer. */
enum { BYTE, OVERHEAD, GAP, WORK, PARAMETERS };

/* Where the search begins: half of the time of a short message is overhead, 3000 bytes take as long as it,
 * and work is 20 times as fast as transfers. */
static const double usual[PARAMETERS] = {[BYTE] = -8, [OVERHEAD] = 0, [GAP] = -1, [WORK] = -3};

enum { FIT_CELLS = 20, FIT_METHODS = 6, FIT_STEPS = 60 };

struct ct_surrogate_base {
    struct ct_model model;
    struct ct_prediction prediction;
    struct ct_watch watch; /* of the prediction */
    struct ct_predicted_times *times;
};

struct fitting {
    const struct ct_map *map;
    struct ct_surrogate_base *base;
    size_t cells[FIT_CELLS];
    size_t cell_count;
    size_t methods[FIT_METHODS];
    size_t method_count;
    int status;
};

static int set_parameters(struct ct_surrogate_base *base, const double *logs)
{
    double share = 1 / (1 + exp(-logs[OVERHEAD])); /* of the unit that is overhead */
    struct ct_link *link = &base->model.links[CT_LINK_NETWORK];
    link->known[CT_MODEL_LOGGP] = true;
    link->loggp = (struct ct_loggp){.latency = (1 - share) * UNIT_SECONDS,
                                    .overhead = share * UNIT_SECONDS / 2,
                                    .gap = fmax(exp(logs[GAP]), share / 2) * UNIT_SECONDS,
                                    .gap_per_byte = exp(logs[BYTE]) * UNIT_SECONDS};
    base->model.gamma = exp(logs[WORK]) * link->loggp.gap_per_byte;
    base->model.delta = base->model.gamma / 2;
    ct_predicted_times_free(base->times);
    base->times = NULL;
    return ct_predicted_times_new(&base->prediction, &base->times);
}

int ct_surrogate_base_at(struct ct_surrogate_base *base, const struct ct_method *method,
                         const struct ct_cell_key *key, double *ret_log)
{
    struct ct_error said = {""}; /* plans that cannot be evaluated are no failure */
    double seconds = NAN;
    int status = ct_predicted_times_at(base->times, method, key->comm_size, key->msg_bytes, &said, &seconds);
    *ret_log = status == CT_OK && seconds > 0 ? log(seconds) : NAN;
    return status == CT_E_MEMORY || status == CT_E_STOPPED ? status : CT_OK;
}

/* The mean distance of log(measured / evaluated) from its median, by method; NAN if there is none. */
static double distance(struct fitting *fitting)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < fitting->method_count; i++) {
        double logs[FIT_CELLS];
        size_t known = 0, m = fitting->methods[i];
        for (size_t j = 0; j < fitting->cell_count; j++) {
            const struct ct_cell *cell = &fitting->map->cells[fitting->cells[j]];
            double evaluated;
            if (cell->methods[m].count == 0)
                continue;
            int status =
                ct_surrogate_base_at(fitting->base, &fitting->map->methods[m], &cell->key, &evaluated);
            if (status != CT_OK)
                fitting->status = status;
            else if (!isnan(evaluated))
                logs[known++] = log(cell->methods[m].median) - evaluated;
        }
        ct_sort(logs, known);
        for (size_t j = 0; j < known; j++)
            sum += fabs(logs[j] - ct_quantile(logs, known, 0.5));
        count += (double)known;
    }
    return count > 0 ? sum / count : NAN;
}

static double cost(const gsl_vector *logs, void *context)
{
    struct fitting *fitting = context;
    const double slight = 1e-3; /* keeps parameters that do not matter where they are usual */
    double prior = 0;
    for (int i = 0; i < PARAMETERS; i++)
        prior += (logs->data[i] - usual[i]) * (logs->data[i] - usual[i]);
    int status = set_parameters(fitting->base, logs->data);
    if (status != CT_OK)
        fitting->status = status;
    if (fitting->status != CT_OK)
        return GSL_POSINF;
    double far = distance(fitting);
    return isnan(far) ? GSL_POSINF : far + slight * prior;
}

/* The methods that are near the best in most cells, of those that have plans. */
static void choose_methods(struct fitting *fitting, const bool *allowed)
{
    const double near = 0.25;
    const struct ct_map *map = fitting->map;
    size_t counts[FIT_METHODS] = {0};
    for (size_t m = 0; m < map->method_count; m++) {
        size_t count = 1;
        if (!allowed[m] || !ct_has_plan(map->methods[m].algorithm))
            continue;
        for (size_t c = 0; c < map->cell_count; c++)
            count += ct_cell_penalty(&map->cells[c], m) <= near;
        for (size_t i = 0; i < FIT_METHODS; i++)
            if (count > counts[i]) {
                memmove(counts + i + 1, counts + i, (FIT_METHODS - 1 - i) * sizeof *counts);
                memmove(fitting->methods + i + 1, fitting->methods + i,
                        (FIT_METHODS - 1 - i) * sizeof *fitting->methods);
                counts[i] = count;
                fitting->methods[i] = m;
                fitting->method_count += fitting->method_count < FIT_METHODS;
                break;
            }
    }
}

static int fit(struct fitting *fitting)
{
    const double enough = 0.05;
    static const double step[PARAMETERS] = {2, 1, 1, 1};
    gsl_multimin_function function = {cost, PARAMETERS, fitting};
    gsl_multimin_fminimizer *minimizer =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, PARAMETERS);
    gsl_vector_const_view from = gsl_vector_const_view_array(usual, PARAMETERS);
    gsl_vector_const_view steps = gsl_vector_const_view_array(step, PARAMETERS);
    if (!minimizer)
        return CT_E_MEMORY;
    if (gsl_multimin_fminimizer_set(minimizer, &function, &from.vector, &steps.vector) == GSL_SUCCESS)
        for (int i = 0; i < FIT_STEPS && fitting->status == CT_OK; i++)
            if (gsl_multimin_fminimizer_iterate(minimizer) != GSL_SUCCESS ||
                gsl_multimin_fminimizer_size(minimizer) < enough)
                break;
    int status =
        fitting->status == CT_OK ? set_parameters(fitting->base, minimizer->x->data) : fitting->status;
    gsl_multimin_fminimizer_free(minimizer);
    return status;
}

int ct_surrogate_base_new(const struct ct_map *map, const bool *allowed, size_t calls,
                          const volatile sig_atomic_t *stop, struct ct_surrogate_base **ret_base)
{
    const double all_messages = 1 << 23, least = 1 << 10, most = 1 << 16;
    *ret_base = NULL;
    if (!ct_prediction_covers(map->collective))
        return CT_OK;
    struct ct_surrogate_base *base = ct_allocate(1, sizeof *base);
    if (!base)
        return CT_E_MEMORY;
    base->watch = (struct ct_watch){.stop = stop};
    base->prediction = (struct ct_prediction){
        .model = &base->model,
        .weights[CT_MODEL_LOGGP] = 1,
        .way = CT_PREDICTION_BY_PLANS,
        .segments = CT_SEGMENT_FROM_LIST,
        .ppn = 1,
        .shares_links = true,
        .watch = &base->watch,
        .most_messages = (size_t)fmin(fmax(all_messages / (double)(calls + 1), least), most)};
    struct fitting fitting = {.map = map, .base = base};
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    choose_methods(&fitting, allowed);
    size_t step = (map->cell_count - 1) / FIT_CELLS + 1;
    for (size_t c = 0; c < map->cell_count; c += step)
        fitting.cells[fitting.cell_count++] = c;
    int status = set_parameters(base, usual);
    bool any = status == CT_OK && !isnan(distance(&fitting));
    if (status == CT_OK && any)
        status = fit(&fitting);
    gsl_set_error_handler(handler);
    if (status == CT_OK && any)
        *ret_base = base;
    else
        ct_surrogate_base_free(base);
    return status;
}

void ct_surrogate_base_free(struct ct_surrogate_base *base)
{
    if (!base)
        return;
    ct_predicted_times_free(base->times);
    free(base);
}
