/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_COLUMN_PRODUCTS_H
#define CT_STUDIES_COLUMN_PRODUCTS_H

#include "algorithms/method.h"
#include "plan/pattern.h"
#include "plan/row_parts.h"

/* C = A B in parallel, A sparse and square, B and C dense: each rank has the rows of all three that are its
 * part. For one column of B after another, the ranks that need any of it get all of a rank's part, by a
 * neighbor_allgatherv, and multiply (Ghazimirsaeed 2019, section 7.6.3). */
struct ct_column_products {
    const struct ct_matrix *matrix;
    const struct ct_row_parts *parts;
    struct ct_pattern pattern; /* lengths: rows of the sender's part */
    size_t *rows;              /* by rank, of its part */
    size_t **in_begins;        /* by rank, where each block begins in what it receives */
};

/* CT_OK or CT_E_MEMORY; ct_column_products_free() frees. Matrix and parts must stay. */
int ct_column_products_make(const struct ct_matrix *matrix, const struct ct_row_parts *parts,
                            struct ct_column_products *ret_products);
void ct_column_products_free(struct ct_column_products *products);

/* Writes the plans of all ranks; ranks lie `ppn` to a node. ct_plans_free_all() frees them. CT_OK;
 * CT_E_INPUT with a line in `error` where the method does not apply; CT_E_LIMIT, CT_E_MEMORY. */
int ct_column_products_plan(const struct ct_column_products *products, const struct ct_method *method,
                            int ppn, struct ct_error *error, struct ct_plan **ret_plans);

/* Carries out the plans for one column of B and multiplies: the column of C. As ct_carry_plans(). */
int ct_column_products_carry(const struct ct_column_products *products, const struct ct_plan *plans,
                             const double *column, struct ct_error *error, double *ret_column);

#endif
