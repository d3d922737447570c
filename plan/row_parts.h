/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_ROW_PARTS_H
#define CT_PLAN_ROW_PARTS_H

#include "plan/edges.h"
#include "plan/matrix_market.h"

/* The rows of a sparse matrix divided among ranks, and who sends elements of x to whom before each rank
 * multiplies its rows with x (Selvitopi and Aykanat 2019, section 6.1). */

struct ct_row_parts {
    int parts;      /* ranks */
    int *of_row;    /* the rank that has the row, and the element of the result */
    int *of_column; /* the rank that has the element of x; of a square matrix the rank of the row */
};

/* Divides the rows in a way named by a word:
 *   rows     blocks of successive rows, as many in each as in the others, up to one
 *   entries  blocks of successive rows with about as many entries in each
 *   metis    parts that METIS finds (Karypis and Kumar 1998): about as many entries in each, few elements to
 *            send. Of square matrices, and where colltune was built with METIS.
 * Of a matrix that is not square, x is divided into blocks of successive elements. CT_OK; CT_E_INPUT with a
 * line in `error` if the word is another one, there are more parts than rows, or this way is not possible;
 * CT_E_MEMORY. ct_row_parts_free() frees. */
int ct_row_parts_make(const struct ct_matrix *matrix, const char *way, int parts, struct ct_error *error,
                      struct ct_row_parts *ret_parts);
void ct_row_parts_free(struct ct_row_parts *parts);

/* Who sends how many elements of x to whom, each element once: by receiver, then by sender. CT_OK or
 * CT_E_MEMORY. The caller frees *ret_edges. */
int ct_row_parts_edges(const struct ct_matrix *matrix, const struct ct_row_parts *parts,
                       struct ct_edge **ret_edges, size_t *ret_count);

/* The edges of `matrix:FILE[,parts=WAY]`, given what stands behind the colon. As ct_pattern_edges(). */
int ct_matrix_pattern(const char *text, int size, struct ct_error *error, struct ct_edge **ret_edges,
                      size_t *ret_count);

#endif
