/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/statistics/estimate.h"
#include "base/statistics.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>

struct ct_estimate ct_estimate_of_samples(const double *samples, size_t count)
{
    size_t low, high;
    ct_median_interval(count, &low, &high);
    return (struct ct_estimate){ct_quantile(samples, count, 0.5), samples[low], samples[high]};
}

/* Student's interval of the mean logarithm, of at least two values. */
static void mean_interval(const double *medians, size_t count, double *ret_low, double *ret_high)
{
    const double upper = 0.975;
    double n = (double)count, mean = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        mean += log(medians[i]) / n;
    for (size_t i = 0; i < count; i++)
        squares += (log(medians[i]) - mean) * (log(medians[i]) - mean);
    double reach = gsl_cdf_tdist_Pinv(upper, n - 1) * sqrt(squares / (n - 1) / n);
    *ret_low = fmax(exp(mean - reach), DBL_MIN);
    *ret_high = fmin(exp(mean + reach), DBL_MAX);
}

struct ct_estimate ct_estimate_of_launches(double *medians, size_t count)
{
    size_t low, high;
    ct_sort(medians, count);
    struct ct_estimate estimate = ct_estimate_of_samples(medians, count);
    if (!ct_median_interval(count, &low, &high) && medians[0] < medians[count - 1])
        mean_interval(medians, count, &estimate.low, &estimate.high);
    return estimate;
}
