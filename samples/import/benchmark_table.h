/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_BENCHMARK_TABLE_H
#define CT_SAMPLES_IMPORT_BENCHMARK_TABLE_H

#include "samples/import/import_internal.h"

/* What the text outputs of OSU and Intel benchmarks have in common: titles, each with a table of one
 * collective behind it, whose rows are numbers. */

/* A benchmark by its title. */
struct ct_import_benchmark {
    const char *title;
    enum ct_collective collective;
    bool prints_total; /* the size printed counts all blocks together; else it is our message size */
};

/* Where a reader is. */
enum ct_import_state {
    CT_IMPORT_BEFORE,     /* before the first title: whatever a job prints */
    CT_IMPORT_TITLED,     /* behind a title, before its table */
    CT_IMPORT_IN_TABLE,   /* every line is a row */
    CT_IMPORT_ENDED,      /* behind the table */
    CT_IMPORT_PASSING_BY, /* in a benchmark that is not for us, up to the next title */
};

enum { CT_IMPORT_NO_COLUMN = CT_IMPORT_WORDS };

/* The columns of a table, counted from 0; CT_IMPORT_NO_COLUMN for those that it does not have. */
struct ct_import_columns {
    size_t count;
    size_t bytes;
    size_t fastest;
    size_t mean;
    size_t slowest;
    size_t repetitions;
    size_t verdict; /* of OSU: Pass or Fail */
};

struct ct_import_table {
    struct ct_import_file *file;
    enum ct_import_state state;
    const struct ct_import_benchmark *benchmark;
    struct ct_method method;
    size_t comm_size; /* 0 where the file does not say it */
    struct ct_import_columns columns;
};

/* Begins the benchmark of that title, one of `known` (ended by an entry without title); one that is not
 * there, or whose collective has no message size that all ranks know, is passed over. CT_OK, CT_E_INPUT,
 * CT_E_MEMORY. */
int ct_import_table_title(struct ct_import_table *table, const struct ct_import_benchmark *known,
                          const char *title);

/* Begins the rows: checks that the columns have what is needed. CT_OK or CT_E_INPUT. */
int ct_import_table_header(struct ct_import_table *table, const struct ct_import_columns *columns);

/* A line that is neither title nor header: a row, the table's end, or talk. CT_OK, CT_E_INPUT, CT_E_MEMORY.
 */
int ct_import_table_line(struct ct_import_table *table, char *line);

#endif
