/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_DECISION_NOISE_H
#define CT_TESTS_DECISION_NOISE_H

#include "samples/statistics/equivalence.h"

#include <gsl/gsl_rng.h>

/* Measurements made up: a cell's methods, each with samples of several launches. The same from the same seed.
 */

struct noise_world {
    const double *times; /* true ones, by method */
    size_t methods;
    size_t launches;
    size_t samples;  /* of a method in a launch */
    double common;   /* what a launch does to all methods alike: standard deviation of a logarithm */
    double own;      /* and what to each apart */
    double wild_own; /* the same for the first method; 0: as the others */
    bool two_states; /* a launch settles in one of two states `own` away, instead of anywhere around */
    double within;   /* scale of the samples' skew noise: log-normal, */
    double tail;     /* and a share of them with a Pareto tail without a mean */
};

struct noise_cell {
    struct ct_evidence *evidence; /* by method */
    struct ct_launch_median *launches;
    double *samples;
};

/* Draws the cell; free with noise_free(). */
struct noise_cell noise_draw(const struct noise_world *world, gsl_rng *random);
void noise_free(struct noise_cell *cell);

#endif
