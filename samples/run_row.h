/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_RUN_ROW_H
#define CT_SAMPLES_RUN_ROW_H

#include "samples/run_internal.h"

/* One row of samples.csv: from fields to a checked sample or commit row. */

struct ct_row {
    struct ct_run_cell cell;
    struct ct_sample sample; /* its status says what the row is; in a commit row the rest is zero */
};

/* What rows are read against. */
struct ct_row_reader {
    const char *name; /* of the file, for errors */
    size_t line;      /* likewise; set by the caller before each row */
    struct ct_error *error;
    struct ct_run *run; /* its description is read, its words grow */
    size_t word_capacity;
    struct ct_method_name *methods; /* sorted */
    size_t *comm_sizes;             /* sorted */
    size_t *msg_sizes;              /* sorted */
};

/* `name`, `error` and `run` are set. CT_OK or CT_E_MEMORY; free in both cases. */
int ct_row_reader_prepare(struct ct_row_reader *reader);
void ct_row_reader_free(struct ct_row_reader *reader);

/* CT_E_INPUT with "FILE:LINE: " before the formatted line. */
int ct_row_fail(const struct ct_row_reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int ct_row_no_memory(const struct ct_row_reader *reader);

/* Reads a row of CT_COLUMNS fields. CT_OK, CT_E_INPUT, CT_E_MEMORY. */
int ct_row_read(struct ct_row_reader *reader, const char *const fields[CT_COLUMNS], struct ct_row *ret_row);

#endif
