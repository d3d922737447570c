/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURROGATE_PROCESS_H
#define CT_LEARNERS_SURROGATE_PROCESS_H

#include "learners/place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Gaussian process regression with a linear trend, an independent random effect of each job, and heavy tails
 * (Rasmussen and Williams 2006, Gaussian Processes for Machine Learning, sections 2.2, 2.7 and 5.4.1; for
 * Student's t as a mixture of normal distributions, Lange, Little and Taylor 1989,
 * doi:10.1080/01621459.1989.10478852).
 *
 * A value is trend + smooth function + effect of its job + noise. The smooth function's covariance falls with
 * distance (Matern, 3/2); each axis has a length of its own. */

/* Hyper-parameters. Several processes may share them. */
struct ct_process_scales {
    double amplitude;              /* standard deviation of the smooth function */
    double lengths[CT_PLACE_AXES]; /* by axis: the distance at which it becomes another one */
    double job;                    /* standard deviation of jobs */
    double noise;                  /* of single values within a job */
    double slope;                  /* standard deviation of the trend's slopes */
};

/* An observation: the mean of one value from each of several launches. */
struct ct_process_value {
    double place[CT_PLACE_AXES];
    double value;
    double variance;   /* known part of the noise, beside scales->noise */
    size_t group;      /* values of one group and one launch come from one job */
    uint64_t launches; /* set of launches; at least one */
};

struct ct_process;

/* Fits a process to `count` values, at least one, which are copied. `exact` values have no noise, jobs and
 * outliers. CT_OK, CT_E_MEMORY, CT_E_LIMIT. Free with ct_process_free(). */
int ct_process_fit(const struct ct_process_value *values, size_t count, size_t axes,
                   const struct ct_process_scales *scales, bool exact, struct ct_process **ret_process);
void ct_process_free(struct ct_process *process); /* NULL is allowed */

/* Posterior mean of trend and smooth function at a place, and its standard deviation (NULL: not wanted). */
double ct_process_at(struct ct_process *process, const double *place, double *ret_deviation);

/* How much a value counts against others: 1, or less if it is an outlier. */
double ct_process_weight(const struct ct_process *process, size_t value);

/* Several series of values that share their scales. */
struct ct_process_series {
    const struct ct_process_value *values;
    size_t count;
};

/* The scales of greatest posterior density: marginal likelihood times a wide prior around values that follow
 * from the spread and the extent of the data. `free_slopes`: the slopes may be all that is possible for
 * logarithms of times, whatever the data say. *ret_cost is minus its logarithm, without constants, for
 * comparisons of the same places with other values. Takes time in proportion to the cube of the counts.
 * CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_process_find_scales(const struct ct_process_series *series, size_t count, size_t axes, bool exact,
                           bool free_slopes, struct ct_process_scales *ret_scales, double *ret_cost);

#endif
