/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_METIS_PARTS_H
#define CT_PLAN_METIS_PARTS_H

#include "plan/matrix_market.h"

/* Divides the rows of a square matrix by METIS: of_row[row] becomes the part. The same for the same matrix.
 * CT_OK; CT_E_INPUT with a line in `error` where this was built without METIS, or METIS refuses;
 * CT_E_LIMIT where the matrix is too large for METIS; CT_E_MEMORY. */
int ct_metis_parts(const struct ct_matrix *matrix, int parts, struct ct_error *error, int *of_row);

#endif
