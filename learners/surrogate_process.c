/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surrogate_process.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <assert.h>
#include <gsl/gsl_blas.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct ct_process {
    struct ct_process_value *values;
    size_t count;
    size_t axes;
    struct ct_process_scales scales;
    bool exact;
    double center;      /* mean of the values */
    double least_noise; /* that keeps the factorization stable, as a share of the amplitude */
    double *weights;    /* by value */
    double *noise;      /* by value: variance */
    gsl_matrix *factor; /* Cholesky's, of the values' covariance */
    gsl_vector *alpha;  /* inverse covariance times values */
    gsl_vector *room;   /* covariances of a place with the values */

    /* While it is fitted. Lower triangles: */
    gsl_matrix *by_place; /* covariance of trend and smooth function at the present scales */
    gsl_matrix *jobs;     /* shares that values have in common of the variance of jobs; NULL: exact */
    const struct ct_process *like; /* has the same places and scales, and was solved before; NULL: none */
};

/* Prior of the trend, in logarithms of seconds: its level may be far beyond all that is possible, and times
 * may be in proportion to the square of a size. */
static const double level_deviation = 10, steepest_slope = 2 * M_LN2;

/* Rounds of new weights, while scales are searched and at the end; and attempts to factorize. */
enum { SEARCH_ROUNDS = 4, FIT_ROUNDS = 8, TRIALS = 4 };

/* Degrees of freedom of Student's t. */
static const double freedom = 4;

static double smooth(const struct ct_process_scales *scales, size_t axes, const double *a, const double *b)
{
    double squares = 0;
    for (size_t i = 0; i < axes; i++) {
        double x = (a[i] - b[i]) / scales->lengths[i];
        squares += x * x;
    }
    double distance = sqrt(3 * squares);
    return scales->amplitude * scales->amplitude * (1 + distance) * exp(-distance);
}

static double trend(const struct ct_process_scales *scales, size_t axes, const double *a, const double *b)
{
    double sum = level_deviation * level_deviation;
    for (size_t i = 0; i < axes; i++)
        sum += scales->slope * scales->slope * a[i] * b[i];
    return sum;
}

/* The share of the variance of jobs that two means have in common. */
static double shared_jobs(const struct ct_process_value *a, const struct ct_process_value *b)
{
    if (a->group != b->group)
        return 0;
    double both = __builtin_popcountll(a->launches & b->launches);
    return both / (__builtin_popcountll(a->launches) * (double)__builtin_popcountll(b->launches));
}

/* --- fitting --- */

static void free_matrix(gsl_matrix **matrix)
{
    if (*matrix)
        gsl_matrix_free(*matrix);
    *matrix = NULL;
}

void ct_process_free(struct ct_process *process)
{
    if (!process)
        return;
    free(process->values);
    free(process->weights);
    free(process->noise);
    free_matrix(&process->factor);
    free_matrix(&process->by_place);
    free_matrix(&process->jobs);
    if (process->alpha)
        gsl_vector_free(process->alpha);
    if (process->room)
        gsl_vector_free(process->room);
    free(process);
}

static bool has_places_of(const struct ct_process *process, const struct ct_process *other)
{
    bool is_same = process->count == other->count;
    for (size_t i = 0; is_same && i < process->count; i++)
        is_same = memcmp(process->values[i].place, other->values[i].place,
                         process->axes * sizeof *process->values[i].place) == 0;
    return is_same;
}

static struct ct_process *allocate(const struct ct_process_value *values, size_t count, size_t axes,
                                   bool exact)
{
    struct ct_process *process = ct_allocate(1, sizeof *process);
    if (!process)
        return NULL;
    process->count = count;
    process->axes = axes;
    process->exact = exact;
    process->least_noise = 1e-3;
    process->values = ct_allocate(count, sizeof *process->values);
    process->weights = ct_allocate(count, sizeof *process->weights);
    process->noise = ct_allocate(count, sizeof *process->noise);
    process->factor = gsl_matrix_alloc(count, count);
    process->alpha = gsl_vector_alloc(count);
    process->room = gsl_vector_alloc(count);
    process->by_place = gsl_matrix_alloc(count, count);
    process->jobs = exact ? NULL : gsl_matrix_alloc(count, count);
    if (!process->values || !process->weights || !process->noise || !process->factor || !process->alpha ||
        !process->room || !process->by_place || (!exact && !process->jobs)) {
        ct_process_free(process);
        return NULL;
    }
    memcpy(process->values, values, count * sizeof *values);
    for (size_t i = 0; i < count; i++) {
        process->center += values[i].value / (double)count;
        process->weights[i] = 1;
        for (size_t j = 0; !exact && j <= i; j++)
            gsl_matrix_set(process->jobs, i, j, shared_jobs(&values[i], &values[j]));
    }
    return process;
}

/* Sets the scales, and computes what follows from them and the places alone. */
static void set_scales(struct ct_process *process, const struct ct_process_scales *scales)
{
    process->scales = *scales;
    for (size_t i = 0; !process->like && i < process->count; i++) {
        const double *place = process->values[i].place;
        double *row = gsl_matrix_ptr(process->by_place, i, 0);
        for (size_t j = 0; j <= i; j++) {
            const double *other = process->values[j].place;
            row[j] = smooth(scales, process->axes, place, other) + trend(scales, process->axes, place, other);
        }
    }
}

/* Factorizes the covariance of the values. */
static bool factorize(struct ct_process *process)
{
    const struct ct_process_scales *scales = &process->scales;
    const gsl_matrix *by_place = process->like ? process->like->by_place : process->by_place;
    double least = process->least_noise * (scales->amplitude + level_deviation * 1e-4);
    for (size_t i = 0; i < process->count; i++) {
        const struct ct_process_value *value = &process->values[i];
        double launches = __builtin_popcountll(value->launches);
        double noise = process->exact ? 0 : scales->noise * scales->noise / launches + value->variance;
        const double *known = gsl_matrix_const_ptr(by_place, i, 0);
        double *row = gsl_matrix_ptr(process->factor, i, 0);
        process->noise[i] = noise / process->weights[i] + least * least;
        memcpy(row, known, (i + 1) * sizeof *row);
        if (!process->exact) {
            const double *shared = gsl_matrix_const_ptr(process->jobs, i, 0);
            for (size_t j = 0; j <= i; j++)
                row[j] += scales->job * scales->job * shared[j];
        }
        row[i] += process->noise[i];
    }
    return gsl_linalg_cholesky_decomp1(process->factor) == GSL_SUCCESS;
}

/* Factorizes with the present scales and weights, and solves for alpha. False if the covariance is not
 * positive definite. */
static bool solve(struct ct_process *process)
{
    if (process->exact && process->like)
        gsl_matrix_memcpy(process->factor, process->like->factor);
    else if (!factorize(process))
        return false;
    for (size_t i = 0; i < process->count; i++)
        gsl_vector_set(process->alpha, i, process->values[i].value - process->center);
    gsl_linalg_cholesky_svx(process->factor, process->alpha);
    return true;
}

/* Diagonal element of the inverse covariance, by a unit vector's solution. */
static double inverse_at(struct ct_process *process, size_t i)
{
    gsl_vector_set_zero(process->room);
    gsl_vector_set(process->room, i, 1);
    gsl_vector_view rest = gsl_vector_subvector(process->room, i, process->count - i);
    gsl_matrix_view below =
        gsl_matrix_submatrix(process->factor, i, i, process->count - i, process->count - i);
    gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, &below.matrix, &rest.vector);
    double norm = gsl_blas_dnrm2(&rest.vector);
    return norm * norm;
}

/* New weights from the residuals; returns the largest change. */
static double reweight(struct ct_process *process)
{
    double largest = 0;
    for (size_t i = 0; i < process->count; i++) {
        double noise = process->noise[i], residual = noise * gsl_vector_get(process->alpha, i);
        double variance = fmax(noise - noise * noise * inverse_at(process, i), 0);
        double ratio = (residual * residual + variance) / (noise * process->weights[i]);
        double weight = fmin((freedom + 1) / (freedom + ratio), 1);
        largest = fmax(largest, fabs(weight - process->weights[i]));
        process->weights[i] = weight;
    }
    return largest;
}

static bool solve_robustly(struct ct_process *process, size_t rounds)
{
    const double enough = 0.05;
    bool is_solved = solve(process);
    for (size_t i = 0; is_solved && !process->exact && i < rounds; i++) {
        if (reweight(process) < enough)
            break;
        is_solved = solve(process);
    }
    return is_solved;
}

int ct_process_fit(const struct ct_process_value *values, size_t count, size_t axes,
                   const struct ct_process_scales *scales, bool exact, struct ct_process **ret_process)
{
    assert(count > 0 && axes <= CT_PLACE_AXES);
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    struct ct_process *process = allocate(values, count, axes, exact);
    bool is_solved = false;
    if (process) {
        set_scales(process, scales);
        for (int i = 0; i < TRIALS && !is_solved; i++) {
            is_solved = solve_robustly(process, FIT_ROUNDS);
            process->least_noise *= is_solved ? 1 : 10;
        }
    }
    gsl_set_error_handler(handler);
    if (!is_solved) {
        ct_process_free(process);
        return process ? CT_E_LIMIT : CT_E_MEMORY;
    }
    free_matrix(&process->by_place);
    free_matrix(&process->jobs);
    *ret_process = process;
    return CT_OK;
}

double ct_process_at(struct ct_process *process, const double *place, double *ret_deviation)
{
    const struct ct_process_scales *scales = &process->scales;
    const size_t axes = process->axes;
    for (size_t i = 0; i < process->count; i++) {
        const double *other = process->values[i].place;
        gsl_vector_set(process->room, i,
                       smooth(scales, axes, place, other) + trend(scales, axes, place, other));
    }
    double mean;
    gsl_blas_ddot(process->room, process->alpha, &mean);
    if (ret_deviation) {
        double own = smooth(scales, axes, place, place) + trend(scales, axes, place, place);
        gsl_blas_dtrsv(CblasLower, CblasNoTrans, CblasNonUnit, process->factor, process->room);
        double norm = gsl_blas_dnrm2(process->room);
        *ret_deviation = sqrt(fmax(own - norm * norm, 0));
    }
    return process->center + mean;
}

double ct_process_weight(const struct ct_process *process, size_t value)
{
    assert(value < process->count);
    return process->weights[value];
}

/* --- scales --- */

/* The slope comes behind the lengths of the axes that count, if it is searched for. */
enum { AMPLITUDE, JOB, NOISE, LENGTHS, PARAMETERS = LENGTHS + CT_PLACE_AXES + 1, ROBUST_ROUNDS = 3 };

/* Sizes are mostly measured by doublings: what changes faster is noise. */
static const double shortest_length = 1;

struct search {
    struct ct_process **processes;
    size_t count;
    size_t axes;
    size_t parameters;        /* how many are searched for */
    double usual[PARAMETERS]; /* logarithms: the prior's centre */
};

static struct ct_process_scales scales_of(const struct search *search, const double *logs)
{
    const size_t slope = LENGTHS + search->axes;
    struct ct_process_scales scales = {.amplitude = exp(logs[AMPLITUDE]),
                                       .job = exp(logs[JOB]),
                                       .noise = exp(logs[NOISE]),
                                       .slope =
                                           slope < search->parameters ? exp(logs[slope]) : steepest_slope};
    for (size_t i = 0; i < search->axes; i++)
        scales.lengths[i] = fmax(exp(logs[LENGTHS + i]), shortest_length);
    return scales;
}

/* Minus the logarithm of the posterior density, without constants. */
static double cost_of(const gsl_vector *logs, void *context)
{
    const struct search *search = context;
    const double spread = 1.5; /* of the prior, in logarithms */
    const struct ct_process_scales scales = scales_of(search, logs->data);
    double sum = 0;
    for (size_t i = 0; i < search->parameters; i++) {
        double x = (gsl_vector_get(logs, i) - search->usual[i]) / spread;
        sum += x * x / 2;
    }
    for (size_t s = 0; s < search->count; s++) {
        struct ct_process *process = search->processes[s];
        set_scales(process, &scales);
        if (!solve(process))
            return GSL_POSINF;
        for (size_t i = 0; i < process->count; i++)
            sum += gsl_vector_get(process->alpha, i) * (process->values[i].value - process->center) / 2 +
                   log(gsl_matrix_get(process->factor, i, i));
    }
    return isfinite(sum) ? sum : GSL_POSINF;
}

/* The prior's centre: the smooth function varies as the data do after the trend is taken, over a few
 * doublings; jobs and noise are small against it. */
static void find_usual(struct search *search)
{
    const double slight = 0.05, doublings = 4;
    double squares = 0, count = 0;
    for (size_t s = 0; s < search->count; s++)
        for (size_t i = 0; i < search->processes[s]->count; i++) {
            double x = search->processes[s]->values[i].value - search->processes[s]->center;
            squares += x * x;
            count++;
        }
    search->usual[AMPLITUDE] = log(fmax(sqrt(squares / fmax(count, 1)), slight));
    search->usual[JOB] = search->usual[NOISE] = log(slight);
    for (size_t i = 0; i < search->axes; i++)
        search->usual[LENGTHS + i] = log(doublings);
    search->usual[LENGTHS + search->axes] = log(steepest_slope);
}

static int minimize(struct search *search, double *logs, double *ret_cost)
{
    const double first_step = 0.7, enough = 0.05;
    size_t n = search->parameters, iterations = 40 * n;
    gsl_multimin_function function = {cost_of, n, search};
    gsl_multimin_fminimizer *minimizer = gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, n);
    gsl_vector *start = gsl_vector_alloc(n), *steps = gsl_vector_alloc(n);
    int status = minimizer && start && steps ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        memcpy(start->data, logs, n * sizeof *logs);
        gsl_vector_set_all(steps, first_step);
        if (gsl_multimin_fminimizer_set(minimizer, &function, start, steps) == GSL_SUCCESS) {
            for (size_t i = 0; i < iterations; i++)
                if (gsl_multimin_fminimizer_iterate(minimizer) != GSL_SUCCESS ||
                    gsl_multimin_fminimizer_size(minimizer) < enough)
                    break;
            memcpy(logs, minimizer->x->data, n * sizeof *logs);
            *ret_cost = minimizer->fval;
        }
    }
    if (minimizer)
        gsl_multimin_fminimizer_free(minimizer);
    if (start)
        gsl_vector_free(start);
    if (steps)
        gsl_vector_free(steps);
    return status;
}

/* The first process before it that has the same places. */
static const struct ct_process *find_like(const struct search *search, size_t s)
{
    for (size_t i = 0; i < s; i++)
        if (has_places_of(search->processes[s], search->processes[i]))
            return search->processes[i];
    return NULL;
}

int ct_process_find_scales(const struct ct_process_series *series, size_t count, size_t axes, bool exact,
                           bool free_slopes, struct ct_process_scales *ret_scales, double *ret_cost)
{
    struct search search = {.processes = ct_allocate(count, sizeof(struct ct_process *)),
                            .count = count,
                            .axes = axes,
                            .parameters = LENGTHS + axes + !free_slopes};
    double logs[PARAMETERS], least = INFINITY;
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    int status = search.processes ? CT_OK : CT_E_MEMORY;
    for (size_t s = 0; status == CT_OK && s < count; s++) {
        search.processes[s] = allocate(series[s].values, series[s].count, axes, exact);
        if (!search.processes[s])
            status = CT_E_MEMORY;
        else
            search.processes[s]->like = find_like(&search, s);
    }
    if (status == CT_OK) {
        find_usual(&search);
        memcpy(logs, search.usual, sizeof logs);
    }
    for (size_t round = 0; status == CT_OK && round < (exact ? 1 : ROBUST_ROUNDS); round++) {
        for (size_t s = 0; status == CT_OK && round > 0 && s < count; s++) {
            const struct ct_process_scales scales = scales_of(&search, logs);
            set_scales(search.processes[s], &scales);
            if (!solve_robustly(search.processes[s], SEARCH_ROUNDS))
                break;
        }
        status = minimize(&search, logs, &least);
    }
    if (status == CT_OK) {
        *ret_scales = scales_of(&search, logs);
        *ret_cost = least;
    }
    for (size_t s = 0; search.processes && s < count; s++)
        ct_process_free(search.processes[s]);
    free(search.processes);
    gsl_set_error_handler(handler);
    return status;
}
