/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_BOOTSTRAP_H
#define CT_SAMPLES_STATISTICS_BOOTSTRAP_H

#include <stddef.h>

/* A 95 % confidence interval of the mean over cells by a cluster bootstrap. Errors of cells with the same
 * communicator size are correlated, so whole communicator sizes are resampled with replacement.
 * Source: Davison and Hinkley 1997, Bootstrap Methods and their Application, sections 3.8 and 5.3.1. */

struct ct_mean_interval {
    double low;
    double high;
    size_t groups; /* that were resampled; fewer than 2 give no interval: both ends are 0 */
};

/* The interval of the mean of `values`; NAN values are ignored. Values with equal numbers in `groups` are of
 * one group. Deterministic. CT_OK, CT_E_MEMORY. */
int ct_bootstrap_mean(const double *values, const size_t *groups, size_t count,
                      struct ct_mean_interval *ret_interval);

#endif
