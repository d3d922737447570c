/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_DOUBTFUL_H
#define CT_CLI_DOUBTFUL_H

#include "measure/sweep/sweep_conditions.h"
#include "report/validation.h"

/* Finds the points of a validation, all of the run's mode, that are worth measuring again in the run that the
 * library's table was learned from:
 * - those that are slower than native by CT_VALIDATION_SLOWER beyond their confidence interval, until they
 *   have been measured again three times (once if times are `exact`);
 * - those that gain much less than a neighbour: their interval lies below the square root of the neighbour's,
 *   which is above 1.5. Once, since that may be as it should be, and not if exact times are there. Neighbours
 * are the nearest message sizes on as many ranks, and the nearest communicator sizes at the same message
 * size; sizes up to `cpus` ranks and above are no neighbors, because oversubscribed ranks gain otherwise.
 *
 * *ret_points has all points of the validation, those in `again`; *ret_again is how many. CT_OK or
 * CT_E_MEMORY. Caller frees *ret_points. */
int ct_doubtful_find(const struct ct_validation *validation, const struct ct_run *run, size_t cpus,
                     bool exact, struct ct_sweep_point **ret_points, size_t *ret_again);

#endif
