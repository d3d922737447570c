/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_VALIDATION_POINTS_H
#define CT_MEASURE_SWEEP_VALIDATION_POINTS_H

#include "measure/sweep/validate.h"

/* The points of a validation: communicator sizes up to the number of CPUs first, rising, and within each the
 * message sizes rising; then those above it, in an order whose beginnings cover all sizes evenly. If more
 * than `most` points are there, that many are taken: those of `first`, whatever their modes, and one of
 * each collective on up to so many ranks as there are CPUs and on more; then others evenly spread over
 * collectives and sizes. Each mode has the same points, one mode after the other. */
struct ct_validation_grid {
    const enum ct_collective *collectives;
    size_t collective_count;
    const size_t *comm_sizes; /* at least 2 */
    size_t comm_size_count;
    const size_t *msg_sizes; /* a collective takes those that hold whole elements of it */
    size_t msg_size_count;
    const size_t *roots;   /* of collectives that have a root: points for each that a communicator has */
    size_t root_count;     /* 0: root 0 alone */
    char *const *patterns; /* of sparse collectives, which have points for each */
    size_t pattern_count;
    unsigned modes; /* a bit 1 << MODE for each, of at least one */
    size_t cpus;
    size_t most; /* of all modes together; each has one at least */
    const struct ct_validation_cell *first;
    size_t first_count;
};

/* CT_OK; CT_E_INPUT where no point is left; CT_E_MEMORY. Caller frees *ret_points. */
int ct_validation_points(const struct ct_validation_grid *grid, struct ct_error *error,
                         struct ct_validation_cell **ret_points, size_t *ret_count);

#endif
