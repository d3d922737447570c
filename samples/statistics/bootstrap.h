/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_BOOTSTRAP_H
#define CT_SAMPLES_STATISTICS_BOOTSTRAP_H

#include <stddef.h>

/* How sure the mean over cells is. Cells of one communicator size err alike, so whole communicator sizes are
 * drawn anew, with replacement, as many as there are; the interval holds 95 % of the means of such draws.
 * Source: Davison and Hinkley 1997, Bootstrap Methods and their Application, sections 3.8 and 5.3.1. */

struct ct_mean_interval {
    double low;
    double high;
    size_t groups; /* that were drawn from; fewer than 2 give no interval, and then both ends are 0 */
};

/* The interval of the mean of `values`, of which those that are NAN do not count; values of one group have
 * equal numbers in `groups`. The same for the same input always. CT_OK, CT_E_MEMORY. */
int ct_bootstrap_mean(const double *values, const size_t *groups, size_t count,
                      struct ct_mean_interval *ret_interval);

#endif
