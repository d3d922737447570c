/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_JOIN_H
#define CT_SAMPLES_JOIN_H

#include "samples/run.h"

/* Several runs as one. The job launches of each run are numbered after those of the runs before it, so that a
 * cell that several runs measured is one of several job launches. */

/* Joins runs in memory: samples, methods, words and cells belong to the joined run; folder and description
 * are those of the first run and stay its own. `left_out` is the index of a run to leave out, `count` for
 * none; at least one stays. All must have the same conditions (same_conditions.h). CT_OK; CT_E_INPUT with a
 * line in `error` where they have not; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_run_join_free(). */
int ct_run_join(const struct ct_run *runs, size_t count, size_t left_out, struct ct_error *error,
                struct ct_run *ret_joined);
void ct_run_join_free(struct ct_run *joined);

#endif
