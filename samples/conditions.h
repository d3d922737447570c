/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_CONDITIONS_H
#define CT_SAMPLES_CONDITIONS_H

#include "samples/run.h"

/* The conditions of two runs: machine, MPI, environment, and how they were measured. */

/* One that differs. */
struct ct_condition {
    char *name;      /* of the property, or of the attribute of run.xml (runs/FORMAT.md) */
    char *values[2]; /* in the two runs; NULL where one does not have it */
};

/* The conditions that differ, in the order of the first run, then those of the second alone. The grid, the
 * methods, the limits of repetitions and what a sweep found are no conditions. CT_OK or CT_E_MEMORY. Caller
 * frees with ct_conditions_free(). */
int ct_conditions_compare(const struct ct_run_description *first, const struct ct_run_description *second,
                          struct ct_condition **ret_conditions, size_t *ret_count);
void ct_conditions_free(struct ct_condition *conditions, size_t count);

#endif
