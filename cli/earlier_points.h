/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_EARLIER_POINTS_H
#define CT_CLI_EARLIER_POINTS_H

#include "measure/sweep/validate.h"
#include "report/validation.h"

/* The points of an earlier validation, which another library is to be measured at. */

/* Puts the points in the order in which they are measured, so that those that a budget leaves out are spread
 * over all collectives and sizes: communicator sizes up to `cpus` first, as in the validation's file; then of
 * the others those that were slower than native, and the rest, both in an order whose beginnings cover the
 * file evenly. CT_OK, CT_E_MEMORY. */
int ct_earlier_points_order(struct ct_validation *earlier, size_t cpus);

/* A cell for each point, in the same order, which refers to `earlier`. Where a point was not slower than
 * native its method is known. CT_OK, CT_E_MEMORY. Caller frees *ret_cells. */
int ct_earlier_points_cells(const struct ct_validation *earlier, struct ct_validation_cell **ret_cells);

#endif
