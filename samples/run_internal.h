/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_INTERNAL_H
#define CT_SAMPLES_RUN_INTERNAL_H

#include "base/text.h"
#include "samples/run.h"

/* What run.c is put together from; others use run.h. */

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
    CT_COLUMNS
};

/* By enum ct_samples_column. */
struct ct_samples_column_descriptor {
    const char *name;                    /* NULL where it is a key: then its name */
    const struct ct_key_descriptor *key; /* of the cell */
    bool empty_in_commit;                /* a commit row, which is no sample, leaves it empty */
};
extern const struct ct_samples_column_descriptor ct_samples_columns[CT_COLUMNS];

static inline const char *ct_samples_column_name(int column)
{
    const struct ct_samples_column_descriptor *descriptor = &ct_samples_columns[column];
    return descriptor->key ? descriptor->key->name : descriptor->name;
}

enum { CT_SAMPLES_HEADER = 200 };
/* The header line of samples.csv, without its newline. */
const char *ct_samples_header(char text[CT_SAMPLES_HEADER]);

/* Is this a datatype's or operation's name as samples.csv can hold it: empty, or up to 64 printable ASCII
 * characters? */
bool ct_sample_word_good(const char *word);

/* run.xml as text, and back; `name` is what errors call it. The reader's result is freed with
 * ct_run_description_free(). */
void ct_run_description_write(const struct ct_run_description *description, struct ct_text *text);
int ct_run_description_read(const char *text, size_t length, const char *name, struct ct_error *error,
                            struct ct_run_description *ret_description);

/* Like ct_run_create(), with a samples.csv of that text. */
int ct_run_create_filled(const char *folder, const struct ct_run_description *description,
                         const char *samples, size_t length, struct ct_error *error);

/* A whole samples.csv as ct_run_write() writes it, into an open stream. CT_OK; CT_E_INPUT where a reader
 * would refuse a row by itself; CT_E_SYSTEM; CT_E_MEMORY. */
int ct_samples_write(const struct ct_run *run, FILE *file);

/* The commit row of a cell alone, neither flushed nor synced. CT_OK or CT_E_SYSTEM. */
int ct_samples_put_commit(FILE *file, enum ct_collective collective, const struct ct_sample *of_cell);

/* Fills words, samples, cells, dropped and whole_length of a run whose description is set, from a samples.csv
 * that errors call `name`. On failure they are left in whatever state ct_run_free() takes. */
int ct_samples_read(FILE *file, const char *name, bool resuming, struct ct_error *error, struct ct_run *run);

#endif
