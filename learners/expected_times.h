/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_EXPECTED_TIMES_H
#define CT_LEARNERS_EXPECTED_TIMES_H

#include "learners/between.h"
#include "learners/surrogate.h"

/* The times that the learner surrogate expects: those of the surrogate (surrogate.h). Unless these follow the
 * methods' plans, they are averaged with interpolated times (between.h), if times are measured and all ranks
 * of each communicator size lie on nodes in one way. */

struct ct_expected_times {
    struct ct_surrogate *surrogate;
    struct ct_between between; /* has no kinds if nothing is averaged */
    double *seconds;           /* room for interpolated times, by method */
};

/* As ct_surrogate_new(); `columns` tell kinds of calls apart for the interpolation, and with NULL nothing is
 * averaged. Map, columns' set and `allowed` must live as long as the result. Caller frees with
 * ct_expected_times_free(). */
int ct_expected_times_make(const struct ct_map *map, const struct ct_feature_columns *columns,
                           const bool *allowed, const struct ct_surrogate_options *options,
                           struct ct_error *error, struct ct_expected_times *ret_times);

/* As ct_surrogate_at(). Where a time cannot be interpolated, the surrogate's counts alone. */
int ct_expected_times_at(struct ct_expected_times *times, const struct ct_cell_key *key, double *ret_means,
                         double *ret_deviations);

void ct_expected_times_free(struct ct_expected_times *times); /* all zeroes are allowed */

#endif
