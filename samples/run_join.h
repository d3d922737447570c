/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_JOIN_H
#define CT_SAMPLES_RUN_JOIN_H

#include "samples/run.h"

/* Several runs as one, to make decision maps of. Samples and methods are the joined run's own, the launches
 * of each run behind those of the ones before it; the description is that of the first run and stays its.
 * `left_out` is the index of one to leave out, `count` for none; at least one stays. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT. Caller frees with ct_run_join_free(). */
int ct_run_join(const struct ct_run *runs, size_t count, size_t left_out, struct ct_run *ret_joined);
void ct_run_join_free(struct ct_run *joined);

#endif
