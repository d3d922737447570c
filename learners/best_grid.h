/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_BEST_GRID_H
#define CT_LEARNERS_BEST_GRID_H

#include "decision/map.h"

/* The decision map as a full matrix: the best method for every communicator size and message size that
 * occurs, and, if a third axis is asked for, for every number of nodes or of processes per node. */

enum { CT_GRID_ROWS, CT_GRID_COLUMNS, CT_GRID_LAYERS, CT_GRID_AXES };

struct ct_best_axis {
    enum ct_feature feature;
    size_t *values; /* values that occur, rising */
    size_t count;
};

struct ct_best_grid {
    struct ct_best_axis axes[CT_GRID_AXES]; /* communicator sizes, message sizes, the third */
    size_t *best;                           /* by point: method of the map */
    bool *filled;                           /* by point: nothing was measured there (see below) */
    size_t point_count;
};

/* Number of the point at these places on the axes; the last axis counts fastest. */
static inline size_t ct_best_grid_point(const struct ct_best_grid *grid, const size_t *places)
{
    size_t point = 0;
    for (size_t i = 0; i < CT_GRID_AXES; i++)
        point = point * grid->axes[i].count + places[i];
    return point;
}

/* `third` is the feature of the third axis, CT_FEATURE_NODES or CT_FEATURE_PPN. With any other feature the
 * third axis has one value, and cells that differ in nodes or ppn alone share a point. If cells share a
 * point, the best method has the least geometric-mean time over them. Points without a measured allowed
 * method, or with a single one if others have several, take the method of the nearest point that has one, on
 * scales of doublings; ties go to the smaller communicator, then to the smaller message, then to the smaller
 * third value. `allowed` is by method of the map; NULL: all. CT_OK; CT_E_INPUT if no point has a method;
 * CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_best_grid_free(). */
int ct_best_grid_make(const struct ct_map *map, enum ct_feature third, const bool *allowed,
                      struct ct_error *error, struct ct_best_grid *ret_grid);
void ct_best_grid_free(struct ct_best_grid *grid);

#endif
