/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/shrink.h"

#include <math.h>

/* The common mean, and its error, if the true values have this variance. */
struct common {
    double mean;
    double weight; /* one over the variance of the mean */
};

/* Keeps weights finite where values have no error. */
static const double least_variance = 1e-12;

static double spread_of(const struct ct_noisy *value, double truth)
{
    return fmax(value->variance + truth, least_variance);
}

static struct common common_of(const struct ct_noisy *values, size_t count, double truth)
{
    struct common common = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const double weight = 1 / spread_of(&values[i], truth);
        common.weight += weight;
        common.mean += weight * values[i].value;
    }
    common.mean /= common.weight;
    return common;
}

/* How far the values lie apart, in units of what errors and this variance explain: about count - 1. */
static double apart(const struct ct_noisy *values, size_t count, double truth)
{
    const struct common common = common_of(values, count, truth);
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        const double difference = values[i].value - common.mean;
        sum += difference * difference / spread_of(&values[i], truth);
    }
    return sum;
}

/* The variance of the true values at which they are as far apart as expected; it falls with the variance. */
static double variance_of_truth(const struct ct_noisy *values, size_t count)
{
    enum { HALVINGS = 60 };
    const double expected = (double)count - 1;
    double low = 0, high = 1;
    if (apart(values, count, 0) <= expected)
        return 0;
    for (int i = 0; i < HALVINGS && apart(values, count, high) > expected; i++)
        high *= 2;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (apart(values, count, middle) > expected)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

void ct_shrink(const struct ct_noisy *values, size_t count, struct ct_noisy *ret_estimates)
{
    const double truth = count > 1 ? variance_of_truth(values, count) : INFINITY;
    const struct common common = count > 1 ? common_of(values, count, truth) : (struct common){0, 1};
    for (size_t i = 0; i < count; i++) {
        /* the share of the way to the mean */
        const double share = count > 1 ? fmin(values[i].variance / spread_of(&values[i], truth), 1) : 0;
        ret_estimates[i] =
            (struct ct_noisy){.value = values[i].value + share * (common.mean - values[i].value),
                              .variance = (1 - share) * values[i].variance + share * share / common.weight};
    }
}
