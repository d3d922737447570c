/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/expected_gain.h"
#include "base/memory.h"
#include "decision/score.h"
#include "learners/choosable.h"
#include "learners/surrogate.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

/* Probability that none of the methods takes less. */
static double chance_above(const double *means, const double *deviations, size_t count, double x)
{
    double chance = 1;
    for (size_t m = 0; m < count && chance > 0; m++)
        if (isnan(means[m]))
            continue;
        else if (deviations[m] > 0)
            chance *= gsl_cdf_ugaussian_Q((x - means[m]) / deviations[m]);
        else if (x > means[m])
            chance = 0;
    return chance;
}

double ct_expected_least(const double *means, const double *deviations, size_t count)
{
    /* the least is at least `low`, and most certainly at most `high`: integrate by Simpson's rule */
    enum { STEPS = 64 };
    const double tail = 6;
    double low = INFINITY, high = INFINITY, sum = 0;
    for (size_t m = 0; m < count; m++)
        if (!isnan(means[m])) {
            low = fmin(low, means[m] - tail * deviations[m]);
            high = fmin(high, means[m] + tail * deviations[m]);
        }
    if (isinf(low))
        return NAN;
    double step = (high - low) / STEPS;
    for (int i = 0; step > 0 && i <= STEPS; i++)
        sum += (i == 0 || i == STEPS ? 1
                : i % 2              ? 4
                                     : 2) *
               chance_above(means, deviations, count, low + i * step);
    return low + sum * step / 3;
}

/* What is known of a call. */
struct outlook {
    const struct ct_map *map;
    struct ct_surrogate *surrogate;
    struct ct_choosable *choosable;
    struct ct_cell_key key;
    bool *applies, *may;        /* by method */
    double *means, *deviations; /* likewise; NAN: it does not apply, or was not measured anywhere */
    size_t chosen;              /* today; SIZE_MAX: none */
};

static void outlook_free(struct outlook *outlook)
{
    ct_surrogate_free(outlook->surrogate);
    ct_choosable_free(outlook->choosable);
    free(outlook->applies);
    free(outlook->may);
    free(outlook->means);
    free(outlook->deviations);
}

static int outlook_make(const struct ct_map *map, const bool *all, const volatile sig_atomic_t *stop,
                        struct ct_error *error, struct outlook *outlook)
{
    const struct ct_surrogate_options options = {.no_plans = true, .quick = true, .stop = stop};
    *outlook = (struct outlook){.map = map,
                                .applies = ct_allocate(map->method_count, sizeof *outlook->applies),
                                .may = ct_allocate(map->method_count, sizeof *outlook->may),
                                .means = ct_allocate(map->method_count, sizeof *outlook->means),
                                .deviations = ct_allocate(map->method_count, sizeof *outlook->deviations)};
    if (!outlook->applies || !outlook->may || !outlook->means || !outlook->deviations ||
        ct_choosable_new(map, all, NULL, false, &outlook->choosable) != CT_OK)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    return ct_surrogate_new(map, all, &options, error, &outlook->surrogate);
}

static int look_at(struct outlook *outlook, const struct ct_cell_key *key)
{
    const struct ct_cell call = {.key = *key};
    int status = ct_surrogate_at(outlook->surrogate, key, outlook->means, outlook->deviations);
    if (status != CT_OK)
        return status;
    ct_choosable_at(outlook->choosable, key, outlook->may);
    outlook->key = *key;
    outlook->chosen = SIZE_MAX;
    for (size_t m = 0; m < outlook->map->method_count; m++) {
        outlook->applies[m] = ct_score_applies(&outlook->map->methods[m], &call);
        if (!outlook->applies[m])
            outlook->means[m] = NAN;
        if (outlook->may[m] && !isnan(outlook->means[m]) &&
            (outlook->chosen == SIZE_MAX || outlook->means[m] < outlook->means[outlook->chosen]))
            outlook->chosen = m;
    }
    return CT_OK;
}

/* The method that would be chosen beside this one. */
static double least_beside(const struct outlook *outlook, size_t method)
{
    double least = INFINITY;
    for (size_t m = 0; m < outlook->map->method_count; m++)
        if (m != method && outlook->may[m])
            least = fmin(least, outlook->means[m]);
    return least;
}

static double gain_of_one(const struct outlook *outlook, size_t method)
{
    double mean = outlook->means[method], deviation = outlook->deviations[method];
    double other = least_beside(outlook, method);
    if (isnan(mean))
        return outlook->applies[method] ? INFINITY : 0;
    /* if nothing else may be chosen, it is chosen whatever it takes */
    if (isinf(other))
        return 0;
    /* what is saved where the choice changes: away from the method, or to it */
    double ahead = method == outlook->chosen ? mean - other : other - mean;
    if (!(deviation > 0))
        return fmax(ahead, 0);
    double z = ahead / deviation;
    return deviation * (z * gsl_cdf_ugaussian_P(z) + gsl_ran_ugaussian_pdf(z));
}

static double gain_of_all(const struct outlook *outlook)
{
    if (outlook->chosen == SIZE_MAX)
        return 0;
    double gain = outlook->means[outlook->chosen] -
                  ct_expected_least(outlook->means, outlook->deviations, outlook->map->method_count);
    return fmax(gain, 0);
}

int ct_expected_gains(const struct ct_map *map, const struct ct_measurement *candidates, size_t count,
                      const volatile sig_atomic_t *stop, struct ct_error *error, double *ret_gains)
{
    struct outlook outlook = {0};
    bool *all = ct_allocate(map->method_count, sizeof *all);
    double *gains = ct_allocate(count, sizeof *gains);
    int status = all && gains ? CT_OK : ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t m = 0; status == CT_OK && m < map->method_count; m++)
        all[m] = true;
    if (status == CT_OK)
        status = outlook_make(map, all, stop, error, &outlook);
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        const struct ct_measurement *candidate = &candidates[i];
        assert(candidate->method == CT_EVERY_METHOD || candidate->method < map->method_count);
        if (i == 0 || ct_cell_key_compare(&candidate->key, &outlook.key) != 0)
            status = look_at(&outlook, &candidate->key);
        if (status != CT_OK)
            ct_fail(error, status, status == CT_E_STOPPED ? "stopped" : "out of memory");
        else
            gains[i] = candidate->method == CT_EVERY_METHOD ? gain_of_all(&outlook)
                                                            : gain_of_one(&outlook, candidate->method);
    }
    for (size_t i = 0; status == CT_OK && i < count; i++)
        ret_gains[i] = gains[i];
    outlook_free(&outlook);
    free(gains);
    free(all);
    return status;
}
