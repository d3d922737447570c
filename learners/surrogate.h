/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURROGATE_H
#define CT_LEARNERS_SURROGATE_H

#include "decision/map.h"

#include <signal.h>

/* Estimated times of every method of a collective in calls that were not measured, and how certain they are.
 * Each method has Gaussian processes (surrogate_process.h) over the logarithms of communicator size and
 * message size, and of ranks per node if these vary by themselves. They describe the ratios of the times to
 * what the methods' plans say (surrogate_base.h) if that predicts sizes that are left out significantly
 * better. Otherwise one describes the times, and one their ratios to what all methods of a cell have in
 * common (surrogate_levels.h): estimates are the mean of both. */

struct ct_surrogate;

struct ct_surrogate_options {
    bool no_plans;                     /* do not evaluate plans */
    bool quick;                        /* learn from fewer cells at a time: rougher, in a tenth of the time */
    size_t calls;                      /* about how many calls will be asked for: bounds the size of plans */
    const volatile sig_atomic_t *stop; /* becomes nonzero if the user wants to stop; or NULL */
};

/* Learns from the cells of the map and the methods that `allowed` (by method of the map) names; both must
 * live as long. CT_OK; CT_E_INPUT with a line in `error` if no allowed method was measured in any cell;
 * CT_E_STOPPED, CT_E_MEMORY, CT_E_LIMIT. Free with ct_surrogate_free(). */
int ct_surrogate_new(const struct ct_map *map, const bool *allowed,
                     const struct ct_surrogate_options *options, struct ct_error *error,
                     struct ct_surrogate **ret_surrogate);
void ct_surrogate_free(struct ct_surrogate *surrogate); /* NULL is allowed */

/* By method of the map: mean and standard deviation of log(seconds) in a call; NAN if the method is not
 * allowed or was not measured in any cell. CT_OK; CT_E_STOPPED, CT_E_MEMORY, CT_E_LIMIT. */
int ct_surrogate_at(struct ct_surrogate *surrogate, const struct ct_cell_key *key, double *ret_means,
                    double *ret_deviations);

/* Does it follow the methods' plans? */
bool ct_surrogate_follows_plans(const struct ct_surrogate *surrogate);

#endif
