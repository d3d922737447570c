/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/comparison.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>

struct layout {
    const double *logs;
    size_t methods;
    size_t launches;
    double *means;     /* by method */
    double *variances; /* by method: of the residuals after the effects of job launches are removed */
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
    ct_sort(layout->scratch, layout->methods);
    return ct_quantile(layout->scratch, layout->methods, 0.5);
}

static void take_variances(struct layout *layout)
{
    double n = (double)layout->methods, freedom = (double)(layout->launches - 1);
    for (size_t m = 0; m < layout->methods; m++)
        layout->means[m] = gsl_stats_mean(row(layout, m), 1, layout->launches);
    for (size_t launch = 0; launch < layout->launches; launch++) {
        double effect = effect_of(layout, launch);
        for (size_t m = 0; m < layout->methods; m++) {
            double rest = row(layout, m)[launch] - layout->means[m] - effect;
            /* the effects were estimated from the same numbers, which costs one of n methods */
            layout->variances[m] += rest * rest / freedom * n / (n - 1);
        }
    }
}

/* The x > 0 whose trigamma is y, by Newton's method on its reciprocal (Smyth 2004, appendix). */
static double inverse_trigamma(double y)
{
    enum { STEPS = 50 };
    double x = 0.5 + 1 / y;
    for (int i = 0; i < STEPS; i++) {
        double value = gsl_sf_psi_1(x), change = value * (1 - value / y) / gsl_sf_psi_n(2, x);
        x += change;
        if (-change / x < 1e-8)
            break;
    }
    return x;
}

/* The prior for the methods of a cell: a variance with degrees of freedom, more of them the more the methods
 * resemble each other; and the median of their variances. */
struct prior {
    double variance;
    double freedom;
    double middle;
};

/* Moments of the logarithms of the variances (Smyth 2004, section 6.2). */
static struct prior find_prior(const struct layout *layout)
{
    const double alike = 1e6, least_share = 1e-5;
    double half = (double)(layout->launches - 1) / 2;
    for (size_t m = 0; m < layout->methods; m++)
        layout->scratch[m] = layout->variances[m];
    ct_sort(layout->scratch, layout->methods);
    double middle = ct_quantile(layout->scratch, layout->methods, 0.5);
    if (!(middle > 0) || layout->methods == 2) /* two methods share one variance */
        return (struct prior){.middle = middle};
    for (size_t m = 0; m < layout->methods; m++)
        layout->scratch[m] =
            log(fmax(layout->scratch[m], least_share * middle)) - gsl_sf_psi(half) + log(half);
    double mean = gsl_stats_mean(layout->scratch, 1, layout->methods);
    double spread = gsl_stats_variance_m(layout->scratch, 1, layout->methods, mean) - gsl_sf_psi_1(half);
    if (spread <= 2 / alike)
        return (struct prior){exp(mean), alike, middle};
    double prior_half = inverse_trigamma(spread);
    return (struct prior){exp(mean + gsl_sf_psi(prior_half) - log(prior_half)), 2 * prior_half, middle};
}

/* A method's variance, shrunk towards the prior. It is never taken to be below the median of all methods:
 * job launches may settle in one of two states, and then a method may show no variance by chance. */
static double moderate(const struct prior *prior, double variance, double freedom)
{
    double share = prior->freedom / (prior->freedom + freedom);
    return fmax(share * prior->variance + (1 - share) * variance, prior->middle);
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

/* The one-sided p-value of a mean whose expectation is at most zero. */
static double upper_tail(double mean, double error, double freedom)
{
    if (error > 0)
        return gsl_cdf_tdist_Q(mean / error, freedom);
    return mean > 0 ? 0 : 1;
}

static struct ct_p_values test_pair(const struct layout *layout, const struct prior *prior, size_t method,
                                    size_t best, double margin)
{
    double own = (double)(layout->launches - 1), all = own * (double)(layout->methods - 1);
    double freedom = fmin(all, prior->freedom + own);
    double variance =
        fmax(moderate(prior, layout->variances[method], own) + moderate(prior, layout->variances[best], own),
             variance_of_pair(layout, method, best));
    double error = sqrt(variance / (double)layout->launches);
    double slower = layout->means[method] - layout->means[best];
    return (struct ct_p_values){.not_slower = upper_tail(slower, error, freedom),
                                .not_equivalent = fmax(upper_tail(margin - slower, error, freedom),
                                                       upper_tail(margin + slower, error, freedom))};
}

int ct_launch_test(const double *logs, size_t methods, size_t launches, size_t best, double margin,
                   struct ct_p_values *ret_p_values)
{
    struct layout layout = {.logs = logs, .methods = methods, .launches = launches};
    layout.means = ct_allocate(methods, sizeof *layout.means);
    layout.variances = ct_allocate(methods, sizeof *layout.variances);
    layout.scratch = ct_allocate(methods, sizeof *layout.scratch);
    int status = layout.means && layout.variances && layout.scratch ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        take_variances(&layout);
        struct prior prior = find_prior(&layout);
        for (size_t m = 0; m < methods; m++)
            if (m != best)
                ret_p_values[m] = test_pair(&layout, &prior, m, best, margin);
    }
    free(layout.means);
    free(layout.variances);
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
