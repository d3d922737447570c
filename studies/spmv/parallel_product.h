/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_PARALLEL_PRODUCT_H
#define CT_STUDIES_PARALLEL_PRODUCT_H

#include "algorithms/method.h"
#include "plan/pattern.h"
#include "plan/row_parts.h"

/* y = A x in parallel: each rank has some rows of A and the elements of x and y that go with them, receives
 * the elements of x that it lacks, and multiplies. The plans of a neighbor_alltoallv (or w) move the
 * elements.
 */
struct ct_product {
    const struct ct_matrix *matrix;
    const struct ct_row_parts *parts;
    struct ct_pattern pattern;
    int **needed;                     /* by rank the elements of x that it receives, source by source */
    size_t **in_begins, **out_begins; /* by rank where each block begins in its result, its input */
};

/* CT_OK or CT_E_MEMORY; ct_product_free() frees. Matrix and parts must stay. */
int ct_product_make(const struct ct_matrix *matrix, const struct ct_row_parts *parts,
                    struct ct_product *ret_product);
void ct_product_free(struct ct_product *product);

/* Writes the plans of all ranks; ranks lie `ppn` to a node. ct_plans_free_all() frees them. CT_OK;
 * CT_E_INPUT with a line in `error` where the method does not apply; CT_E_LIMIT, CT_E_MEMORY. */
int ct_product_plan(const struct ct_product *product, const struct ct_method *method, int ppn,
                    struct ct_error *error, struct ct_plan **ret_plans);

/* Carries out the plans and multiplies: y[row]. As ct_carry_plans(). */
int ct_product_carry(const struct ct_product *product, const struct ct_plan *plans, const double *x,
                     struct ct_error *error, double *y);

/* The serial product. */
void ct_product_serial(const struct ct_matrix *matrix, const double *x, double *y);

#endif
