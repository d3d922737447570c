/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_SAMPLES_COLUMNS_H
#define CT_SAMPLES_SAMPLES_COLUMNS_H

#include "plan/cell_key.h"
#include "plan/overlap.h"
#include "samples/run_description.h"

/* The columns of samples.csv. */

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

#endif
