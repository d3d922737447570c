/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_SAMPLES_CSV_READ_H
#define CT_SAMPLES_SAMPLES_CSV_READ_H

#include "base/progress.h"
#include "samples/run.h"

#include <stdio.h>

/* Fills words, samples, cells, dropped and whole_length of a run whose description is set, from a samples.csv
 * that errors call `name`. `resuming` as in ct_run_read(). `watch` may be NULL. After a failure the run
 * can still be freed with ct_run_free(). */
int ct_samples_read(FILE *file, const char *name, bool resuming, const struct ct_watch *watch,
                    struct ct_error *error, struct ct_run *run);

#endif
