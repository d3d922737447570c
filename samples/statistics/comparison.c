/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/comparison.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "samples/statistics/moderation.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

struct layout {
    const double *logs;
    size_t methods;
    size_t launches;
    double *means;     /* by method */
    double *variances; /* by method: of the residuals after the effects of job launches are removed */
    double *freedoms;  /* by method: of these */
    double *scratch;   /* as many as there are methods */
};

static const double *row(const struct layout *layout, size_t method)
{
    return layout->logs + method * layout->launches;
}

/* The effect of a job launch on all methods: the median, so that an outlying method does not count. */
static double effect_of(const struct layout *layout, size_t launch)
{
    for (size_t m = 0; m < layout->methods; m++)
        layout->scratch[m] = row(layout, m)[launch] - layout->means[m];
    return ct_median(layout->scratch, layout->methods);
}

static void take_variances(struct layout *layout)
{
    double n = (double)layout->methods, freedom = (double)(layout->launches - 1);
    for (size_t m = 0; m < layout->methods; m++) {
        layout->means[m] = gsl_stats_mean(row(layout, m), 1, layout->launches);
        layout->freedoms[m] = freedom;
    }
    for (size_t launch = 0; launch < layout->launches; launch++) {
        double effect = effect_of(layout, launch);
        for (size_t m = 0; m < layout->methods; m++) {
            double rest = row(layout, m)[launch] - layout->means[m] - effect;
            /* the effects were estimated from the same numbers, which costs one of n methods */
            layout->variances[m] += rest * rest / freedom * n / (n - 1);
        }
    }
}

/* The variance of the logarithm of the ratio, from this pair alone. */
static double variance_of_pair(const struct layout *layout, size_t a, size_t b)
{
    double sum = 0;
    for (size_t launch = 0; launch < layout->launches; launch++) {
        double rest = row(layout, a)[launch] - layout->means[a] - row(layout, b)[launch] + layout->means[b];
        sum += rest * rest;
    }
    return sum / (double)(layout->launches - 1);
}

static struct ct_p_values test_pair(const struct layout *layout, const struct ct_prior *prior, size_t method,
                                    size_t best, double margin)
{
    double own = (double)(layout->launches - 1), all = own * (double)(layout->methods - 1);
    double freedom = fmin(all, prior->freedom + own);
    double variance = fmax(ct_prior_moderate(prior, layout->variances[method], own) +
                               ct_prior_moderate(prior, layout->variances[best], own),
                           variance_of_pair(layout, method, best));
    double error = sqrt(variance / (double)layout->launches);
    double slower = layout->means[method] - layout->means[best];
    return (struct ct_p_values){.not_slower = ct_upper_tail(slower, error, freedom),
                                .not_equivalent = fmax(ct_upper_tail(margin - slower, error, freedom),
                                                       ct_upper_tail(margin + slower, error, freedom))};
}

int ct_launch_test(const double *logs, size_t methods, size_t launches, size_t best, double margin,
                   struct ct_p_values *ret_p_values)
{
    struct layout layout = {.logs = logs, .methods = methods, .launches = launches};
    layout.means = ct_allocate(methods, sizeof *layout.means);
    layout.variances = ct_allocate(methods, sizeof *layout.variances);
    layout.freedoms = ct_allocate(methods, sizeof *layout.freedoms);
    layout.scratch = ct_allocate(methods, sizeof *layout.scratch);
    int status = layout.means && layout.variances && layout.freedoms && layout.scratch ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        take_variances(&layout);
        struct ct_prior prior = ct_prior_find(layout.variances, layout.freedoms, methods, layout.scratch);
        for (size_t m = 0; m < methods; m++)
            if (m != best)
                ret_p_values[m] = test_pair(&layout, &prior, m, best, margin);
    }
    free(layout.means);
    free(layout.variances);
    free(layout.freedoms);
    free(layout.scratch);
    return status;
}

double ct_order_test(const double *a, size_t a_count, const double *b, size_t b_count, double factor)
{
    struct ct_binomial_tail above = ct_binomial_tail_begin(a_count), below = ct_binomial_tail_begin(b_count);
    double tail = fmax(above.chance, below.chance);
    while (tail < 0.5) {
        ct_binomial_tail_advance(&above, tail);
        ct_binomial_tail_advance(&below, tail);
        if (a[a_count - 1 - above.k] < factor * b[below.k])
            return 2 * tail;
        tail = fmin(ct_binomial_tail_next(above).chance, ct_binomial_tail_next(below).chance);
    }
    return 1;
}
