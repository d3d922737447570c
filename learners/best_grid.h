/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_BEST_GRID_H
#define CT_LEARNERS_BEST_GRID_H

#include "decision/map.h"

/* The decision map as a full matrix: the best method for every communicator size (rows) and message size
 * (columns) that occurs. */
struct ct_best_grid {
    size_t *comm_sizes; /* rising */
    size_t rows;
    size_t *msg_sizes;
    size_t columns;
    size_t *best; /* by row * columns + column: method of the map */
    bool *filled; /* by the same: nothing was measured there, see below */
};

/* Cells that differ in nodes or processes per node alone share a point: its best method has the least
 * geometric-mean time over them. Points that nothing allowed was measured at are filled: they take the best
 * of the nearest that has one, both sizes on a scale of doublings; of several as near, the one of the smaller
 * communicator, then of the smaller message. `allowed` is by method of the map; NULL: all. CT_OK; CT_E_INPUT
 * where there is no point at all; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_best_grid_free(). */
int ct_best_grid_make(const struct ct_map *map, const bool *allowed, struct ct_error *error,
                      struct ct_best_grid *ret_grid);
void ct_best_grid_free(struct ct_best_grid *grid);

#endif
