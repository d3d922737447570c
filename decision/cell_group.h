/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_CELL_GROUP_H
#define CT_DECISION_CELL_GROUP_H

#include "decision/map.h"

/* Which one method serves several cells best. */

/* Of the methods that `allowed` (by method of the map; NULL: all) names, the one of least geometric-mean time
 * over the cells, `cells` being indices into the map (NULL: cells 0 to count - 1). Where not all methods were
 * measured in all these cells, those measured in most of them come first. Ties go to the smaller index.
 * SIZE_MAX where none was measured at all. */
size_t ct_group_best(const struct ct_map *map, const size_t *cells, size_t count, const bool *allowed);

#endif
