/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_LAUNCH_SPREAD_H
#define CT_DECISION_LAUNCH_SPREAD_H

#include "decision/map.h"

/* How far measured times vary: from sample to sample within a job launch, and from launch to launch. Single
 * cells have too few launches to tell, so that this is pooled over cells, apart for ranks that spin and that
 * yield while they wait. All figures are of logarithms of seconds. */

struct ct_launch_spread {
    double
        launch[2]; /* by whether ranks yield: standard deviation of what a launch adds to a method's time */
    double freedom[2];   /* degrees of freedom of Student's t for these */
    double sample[2][2]; /* by whether ranks yield, and whether the method is native: standard deviation of
                            samples within a launch */
};

/* The spread in maps of one run. Where a cell has several launches of native and of other methods, the spread
 * between them is that of t(native) / t(method), because part of what a launch adds cancels there. Each cell
 * is one witness. Beside them counts a prior of four witnesses, which stands alone in runs of one launch:
 * another launch takes up to twice as long, or half (95 %; docs/measuring.md). Maps of computed times do
 * not vary and do not count. CT_OK, CT_E_MEMORY. */
int ct_launch_spread_find(const struct ct_map *maps, size_t map_count, struct ct_launch_spread *ret_spread);

/* The expected range of so few normal samples that a median's interval is their extremes, in standard
 * deviations; 0 for one, and for more (Tippett 1925, doi:10.1093/biomet/17.3-4.364). */
double ct_expected_range(size_t count);

/* What another launch adds, as a variance. 0 for computed times. */
double ct_launch_spread_of_launch(const struct ct_launch_spread *spread, const struct ct_map *map,
                                  const struct ct_cell *cell);

/* The variance of the logarithm of a measured method's median: of its samples and of its launches. 0 for
 * computed times. */
double ct_launch_spread_of_median(const struct ct_launch_spread *spread, const struct ct_map *map,
                                  const struct ct_cell *cell, size_t method);

#endif
