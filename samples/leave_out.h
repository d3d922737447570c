/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_LEAVE_OUT_H
#define CT_SAMPLES_LEAVE_OUT_H

#include "samples/run.h"

/* Drops the samples and cells of some communicator sizes from a run in memory, and notes them in its property
 * CT_LEFT_OUT_PROPERTY, which tables that are learned from it keep. CT_OK; CT_E_INPUT with a line in `error`
 * if the run has no cell of one of the sizes, or nothing is left; CT_E_MEMORY. */
int ct_run_leave_out(struct ct_run *run, const size_t *comm_sizes, size_t count, struct ct_error *error);

/* Drops the times of validations (ct_run_is_validation()) from a run in memory. */
void ct_run_leave_out_validation(struct ct_run *run);

#define CT_LEFT_OUT_PROPERTY "without.comm-sizes"

#endif
