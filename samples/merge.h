/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_MERGE_H
#define CT_SAMPLES_MERGE_H

#include "samples/join.h"

/* Reads the runs, joins them (join.h), and writes them as one to a new folder. Properties that ct_run_join()
 * does not compare are kept if all runs agree, otherwise as `run.N.NAME`, with N counting the runs from 1.
 * CT_OK; CT_E_INPUT as it says, and if the folder exists; CT_E_SYSTEM; CT_E_MEMORY. */
int ct_run_merge(const char *folder, const char *const *runs, size_t count, struct ct_error *error,
                 size_t *ret_cells, size_t *ret_samples);

#endif
