/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_SAMPLES_CSV_WRITE_H
#define CT_SAMPLES_SAMPLES_CSV_WRITE_H

#include "samples/run.h"

#include <stdio.h>

/* Writes the whole samples.csv of a run; see ct_run_write(). CT_OK; CT_E_INPUT where a reader would refuse a
 * row on its own, or where a sample lies in none of the run's cells; CT_E_SYSTEM; CT_E_MEMORY. */
int ct_samples_write(const struct ct_run *run, FILE *file);

/* Appends to samples.csv. A run has one writer at a time: a second one is refused. */
struct ct_sample_writer {
    FILE *file;
    char *path;
    const struct ct_run_description *description; /* of the run, not owned */
};

/* Opens for appending and cuts the file to `keep` bytes, which drops a torn end; SIZE_MAX keeps all. The
 * description must live as long as the writer. CT_OK;
 * CT_E_INPUT if the file is shorter than `keep`; CT_E_SYSTEM, also if another process has it open for
 * writing; CT_E_MEMORY. */
int ct_samples_open(const char *folder, const struct ct_run_description *description, size_t keep,
                    struct ct_error *error, struct ct_sample_writer *ret_writer);
/* Adds a row. `sample->method` is ignored: `method` says which one it is. `datatype` and `operation` may be
 * NULL. All rows up to the next commit row belong to one cell, in which `rep` rises for each method. CT_OK;
 * CT_E_INPUT where a reader would refuse the row on its own; CT_E_SYSTEM. */
int ct_samples_add(struct ct_sample_writer *writer, const struct ct_method *method,
                   const struct ct_sample *sample, const char *datatype, const char *operation);
/* Adds the commit row of the sample's cell, then flushes and syncs the file. CT_OK or CT_E_SYSTEM. */
int ct_samples_commit(struct ct_sample_writer *writer, enum ct_collective collective,
                      const struct ct_sample *of_cell);
/* CT_OK, or CT_E_SYSTEM if anything could not be written. */
int ct_samples_close(struct ct_sample_writer *writer);

#endif
