/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_MATRIX_MARKET_H
#define CT_PLAN_MATRIX_MARKET_H

#include "base/error.h"

#include <stddef.h>

/* Sparse matrices and the files of the Matrix Market exchange format, coordinate form: Boisvert, Pozo and
 * Remington 1996, The Matrix Market exchange formats: initial design. */

/* The entries of all rows, one row after the other; within a row columns rise. */
struct ct_matrix {
    size_t rows;
    size_t columns;
    size_t *begins; /* by row its first entry; rows + 1 of them */
    int *column_of; /* by entry */
    double *values; /* by entry; of a pattern 1 */
};

static inline size_t ct_matrix_entries(const struct ct_matrix *matrix)
{
    return matrix->begins[matrix->rows];
}

struct ct_matrix_limits {
    size_t length;  /* rows, and columns */
    size_t entries; /* in the file */
};

/* 134 million rows and columns, a billion entries. */
extern const struct ct_matrix_limits ct_matrix_limits;

/* Reads a file: real, integer or pattern; general, symmetric or skew-symmetric. Of the latter two the file
 * has the entries below the diagonal (and on it), and the matrix has those above, too. CT_OK; CT_E_INPUT with
 * a line in `error` that names file and line: not such a file, complex, beyond ct_matrix_limits, more or
 * fewer entries than it says, an entry outside the matrix, above the diagonal or there twice, or a last line
 * that is torn; CT_E_SYSTEM; CT_E_MEMORY. ct_matrix_free() frees. */
int ct_matrix_read(const char *file, struct ct_error *error, struct ct_matrix *ret_matrix);

/* The same for a text in memory. `file` is its name in messages. */
int ct_matrix_parse(const char *text, size_t length, const char *file, const struct ct_matrix_limits *limits,
                    struct ct_error *error, struct ct_matrix *ret_matrix);

struct ct_matrix_entry {
    int row;
    int column;
    double value;
};

/* Makes a matrix of entries in any order, which it sorts. CT_OK; CT_E_INPUT with a line in `error` if a place
 * occurs twice; CT_E_MEMORY. */
int ct_matrix_make(size_t rows, size_t columns, struct ct_matrix_entry *entries, size_t count,
                   struct ct_error *error, struct ct_matrix *ret_matrix);

/* Leaves all zeroes. */
void ct_matrix_free(struct ct_matrix *matrix);

#endif
