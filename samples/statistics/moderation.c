/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/moderation.h"
#include "base/statistics.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_psi.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

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

/* Moments of the logarithms of the variances (Smyth 2004, section 6.2). */
struct ct_prior ct_prior_find(const double *variances, const double *freedoms, size_t count, double *scratch)
{
    const double alike = 1e6, least_share = 1e-5;
    double expected_spread = 0;
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (freedoms[i] > 0)
            scratch[known++] = variances[i];
    double middle = known > 0 ? ct_median(scratch, known) : 0;
    if (!(middle > 0) || known <= 2) /* two variances are one: each is the other's whole group */
        return (struct ct_prior){.middle = middle};
    known = 0;
    for (size_t i = 0; i < count; i++) {
        double half = freedoms[i] / 2;
        if (!(half > 0))
            continue;
        scratch[known++] = log(fmax(variances[i], least_share * middle)) - gsl_sf_psi(half) + log(half);
        expected_spread += (gsl_sf_psi_1(half) - expected_spread) / (double)known;
    }
    double mean = gsl_stats_mean(scratch, 1, known);
    double spread = gsl_stats_variance_m(scratch, 1, known, mean) - expected_spread;
    if (spread <= 2 / alike)
        return (struct ct_prior){exp(mean), alike, middle};
    double prior_half = inverse_trigamma(spread);
    return (struct ct_prior){exp(mean + gsl_sf_psi(prior_half) - log(prior_half)), 2 * prior_half, middle};
}

double ct_prior_moderate(const struct ct_prior *prior, double variance, double freedom)
{
    if (prior->freedom + freedom == 0)
        return prior->middle;
    double share = prior->freedom / (prior->freedom + freedom);
    return fmax(share * prior->variance + (1 - share) * variance, prior->middle);
}

double ct_upper_tail(double mean, double error, double freedom)
{
    if (error > 0)
        return gsl_cdf_tdist_Q(mean / error, freedom);
    return mean > 0 ? 0 : 1;
}
