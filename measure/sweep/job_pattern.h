/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_JOB_PATTERN_H
#define CT_MEASURE_SWEEP_JOB_PATTERN_H

#include "measure/job.h"

/* Adds the pattern that the text describes (plan/pattern.h) on so many ranks to the job, unless it is there.
 * *ret_pattern is what a cell says of it. Errors as of ct_pattern_edges(). */
int ct_job_pattern_of(struct ct_job *job, const char *text, int size, struct ct_error *error,
                      size_t *ret_pattern);

#endif
