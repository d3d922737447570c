/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_MERGE_H
#define CT_SAMPLES_IMPORT_MERGE_H

#include "samples/import/import.h"

/* Makes one run out of several. The launches of each come behind those of the ones before it, so that a cell
 * that several have measured is one of several launches. What a time is, how it was taken and on what machine
 * (backend, launcher, time, sync, and the properties machine.*, mpi.*, platform.*, env.*) must be the same in
 * all. Other properties are kept where all runs agree, else under `run.N.NAME`, N counting the runs from 1.
 * CT_OK; CT_E_INPUT, also where the folder exists; CT_E_SYSTEM; CT_E_MEMORY. */
int ct_import_runs(const char *folder, const char *const *runs, size_t count, struct ct_error *error,
                   struct ct_import_summary *ret_summary);

#endif
