/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_DENSE_GRID_H
#define CT_LEARNERS_DENSE_GRID_H

#include "learners/surface.h"

/* Communicator sizes by message sizes, between and beyond those of a surface. */
struct ct_dense_grid {
    size_t *comm_sizes; /* rising */
    size_t *msg_sizes;
    size_t rows, columns;
};

/* All sizes of the surface, 8 communicator sizes and 4 message sizes a doubling between them, and a doubling
 * beyond where there are several; coarser where that makes more than `points_max`. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT. Caller frees with ct_dense_grid_free(). */
int ct_dense_grid_make(const struct ct_surface *surface, size_t points_max, struct ct_dense_grid *ret_grid);
void ct_dense_grid_free(struct ct_dense_grid *grid);

#endif
