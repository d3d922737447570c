/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_SAMPLES_CSV_H
#define CT_SAMPLES_SAMPLES_CSV_H

#include "samples/run.h"

/* samples.csv: its columns, its reader and its writer. Most callers need run.h alone. */

enum ct_samples_column {
    CT_COLUMN_LAUNCH,
    CT_COLUMN_COLLECTIVE,
    CT_COLUMN_METHOD,
    CT_COLUMN_NODES,
    CT_COLUMN_PPN,
    CT_COLUMN_COMM_SIZE,
    CT_COLUMN_ROOT,
    CT_COLUMN_MSG_BYTES,
    CT_COLUMN_DATATYPE,
    CT_COLUMN_OPERATION,
    CT_COLUMN_REP,
    CT_COLUMN_SECONDS,
    CT_COLUMN_STATUS,
    CT_COLUMNS_BLOCKING, /* so many columns have runs whose calls are all blocking */
    CT_COLUMN_COMPLETION = CT_COLUMNS_BLOCKING,
    CT_COLUMN_IN_MPI,
    CT_COLUMN_COMPUTATION,
    CT_COLUMN_HIDDEN,
    CT_COLUMNS_DENSE, /* so many have runs without patterns */
    CT_COLUMN_PATTERN = CT_COLUMNS_DENSE,
    CT_COLUMN_DEGREE,
    CT_COLUMN_MEAN_DEGREE,
    CT_COLUMN_IMBALANCE,
    CT_COLUMN_ON_NODE,
    CT_COLUMN_SET_UP,
    CT_COLUMNS
};

struct ct_samples_column_descriptor {
    const char *name;                    /* NULL for a key of the cell, which has a name of its own */
    const struct ct_key_descriptor *key; /* NULL for all others */
    bool in_commit;                      /* commit rows have it; they leave the other columns empty */
    /* Of a number in struct ct_overlap: where it is there, and its limits; `above` if it is not the least. */
    size_t offset;
    bool above;
    double least;
    double most;
};

/* By enum ct_samples_column. */
extern const struct ct_samples_column_descriptor ct_samples_columns[CT_COLUMNS];

/* The names in the order of the columns. */
void ct_samples_column_names(const char *ret_names[CT_COLUMNS]);

/* How many of them the run has. */
size_t ct_samples_column_count(const struct ct_run_description *description);

/* A number of the overlap, and whether it is within its column's limits. */
static inline double *ct_overlap_number(struct ct_overlap *overlap,
                                        const struct ct_samples_column_descriptor *column)
{
    return (double *)((char *)overlap + column->offset);
}

bool ct_overlap_number_good(const struct ct_samples_column_descriptor *column, double number);

/* Is this the name of a datatype or operation as samples.csv can hold it: empty, or up to 64 printable ASCII
 * characters? */
bool ct_sample_word_good(const char *word);

/* Fills words, samples, cells, dropped and whole_length of a run whose description is set, from a samples.csv
 * that errors call `name`. `resuming` as in ct_run_read(). After a failure the run can still be freed with
 * ct_run_free(). */
int ct_samples_read(FILE *file, const char *name, bool resuming, struct ct_error *error, struct ct_run *run);

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
