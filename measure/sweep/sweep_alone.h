/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_ALONE_H
#define CT_MEASURE_SWEEP_SWEEP_ALONE_H

#include "measure/sweep/making_conditions.h"
#include "measure/sweep/sweep_grid.h"

/* Whether jobs that run side by side disturb each other: some cells are measured once more while nothing else
 * runs. */

/* Chooses about one in twenty of the cells that were measured beside others, at least three if there are, by
 * the sweep's seed. `grid` has one launch, which becomes `launch`; wanted are the chosen cells, with the
 * methods that were measured there. Returns how many. */
size_t ct_sweep_alone_choose(const struct ct_sweep_conditions *conditions,
                             const struct ct_sweep_grid *measured, uint32_t launch,
                             struct ct_sweep_grid *grid);

/* Times side by side over times alone, of the methods that were measured in both ways: medians of the samples
 * of a method in a cell. */
struct ct_sweep_interference {
    size_t methods;
    double median; /* 1 if there is no method */
    double low;    /* one in ten is lower, */
    double high;   /* one in ten higher */
};

/* Compares the launch with those before it. CT_OK; errors as of ct_run_read(). */
int ct_sweep_alone_compare(const char *folder, uint32_t launch, struct ct_error *error,
                           struct ct_sweep_interference *ret_found);

#endif
