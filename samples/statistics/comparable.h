/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_STATISTICS_COMPARABLE_H
#define CT_SAMPLES_STATISTICS_COMPARABLE_H

#include "samples/statistics/equivalence.h"

/* Makes methods comparable that were measured in different job launches. One launch may take longer than
 * another for all methods alike: the system has given its ranks CPUs that are far apart, or other jobs share
 * them. A sweep measures its best methods in more launches than the others, so medians of their own launches
 * would compare some methods at their best with others at their worst.
 *
 * So a launch that has not measured a method counts with the time that is expected there: that in another
 * launch, times the median ratio of the two launches over the n methods that both have measured, to the power
 * n / (n + 1). (If what a launch adds to a single method varies as much as what it adds to all, this is the
 * best linear estimate of what it adds to all.) Of several other launches it is the mean logarithm, with
 * weights n / (n + 1). Launches without a method in common are not compared. */

enum { CT_NO_LAUNCH = -1 };

/* *ret_medians: seconds, by method, the median over a cell's launches, but for the launch `without`
 * (CT_NO_LAUNCH: all count); NAN where none has measured it. Where all have measured all methods, it is the
 * median of each method's launches. CT_OK or CT_E_MEMORY. */
int ct_comparable_medians(const struct ct_evidence *methods, size_t method_count, int64_t without,
                          double *ret_medians);

#endif
