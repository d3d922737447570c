/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_IMPORT_IMPORT_ROWS_H
#define CT_SAMPLES_IMPORT_IMPORT_ROWS_H

#include "samples/import/import_request.h"
#include "samples/run.h"

/* What the readers of formats are put together from: lines, words and rows. */

/* A row of results. */
struct ct_import_row {
    struct ct_run_cell cell; /* comm_size, nodes and ppn 0 where the file does not say them */
    struct ct_method method;
    double seconds;
    size_t repetitions; /* whose mean it is; 0 where the file does not say */
    uint32_t source;    /* which file, and where in it; set by ct_import_add() */
    size_t line;
};

/* Rows that are no results for us, of one kind. */
struct ct_import_passed {
    char what[64];
    const char *why;
    size_t count;
};

/* What the readers find. */
struct ct_import_results {
    struct ct_import_row *rows;
    size_t count;
    size_t capacity;
    struct ct_import_passed *passed;
    size_t passed_count;
    size_t passed_capacity;
};

/* A file being read. */
struct ct_import_file {
    const struct ct_import_request *request;
    const struct ct_import_source *source;
    size_t number;     /* of the source in the request */
    const char *name;  /* for errors */
    const char *begin; /* the text */
    char *at;          /* the text behind the lines read, which ends at `end` with a NUL; is written to */
    char *end;
    size_t line;        /* the line read last, from 1, */
    bool is_torn;       /* which has no newline: the file may be cut within it */
    size_t passed;      /* rows that are passed over, */
    size_t passed_kind; /* the last of the kind results->passed[passed_kind], */
    bool passed_others; /* and not all of that kind */
    struct ct_error *error;
    struct ct_import_results *results;
};

void ct_import_results_free(struct ct_import_results *results);

/* The next line without its end (a newline, with or without a carriage return before it); NULL behind the
 * last. */
char *ct_import_next_line(struct ct_import_file *file);

enum { CT_IMPORT_WORDS = 64 };
/* Cuts a line at its blanks. The number of words, of which the first CT_IMPORT_WORDS are in `ret_words`. */
size_t ct_import_words(char *line, char *ret_words[CT_IMPORT_WORDS]);

/* CT_E_INPUT with "FILE:LINE: " before the formatted line. */
int ct_import_fail(const struct ct_import_file *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The collective that a word names, as we or as MPI's functions do: bcast, Bcast, MPI_Bcast. CT_COLLECTIVES
 * where it is none. */
enum ct_collective ct_import_collective(const char *word);

/* The method that a word names: one of ours, a foreign one, or one of the library whose words the request
 * explains. CT_OK or CT_E_INPUT. */
int ct_import_method(const struct ct_import_file *file, enum ct_collective collective, const char *word,
                     struct ct_method *ret_method);

/* The method of a source for a collective. CT_OK or CT_E_INPUT. */
int ct_import_source_method(const struct ct_import_file *file, enum ct_collective collective,
                            struct ct_method *ret_method);

/* Takes a row: fills in what the file does not say, and checks all that a run cannot hold or that no
 * measurement gives. CT_OK, CT_E_INPUT, CT_E_MEMORY. */
int ct_import_add(struct ct_import_file *file, const struct ct_import_row *row);

/* Counts rows that are passed over. CT_OK or CT_E_MEMORY. */
int ct_import_pass_over(struct ct_import_file *file, const char *what, const char *why);

#endif
