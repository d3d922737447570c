/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_MAP_CELLS_H
#define CT_LEARNERS_MAP_CELLS_H

#include "decision/map.h"

/* The cells of a map that `keep` (by cell) names, as a map that borrows all else from it. CT_OK, CT_E_MEMORY.
 * Caller frees with ct_map_cells_free(), before the map. */
int ct_map_cells(const struct ct_map *map, const bool *keep, struct ct_map *ret_part);
void ct_map_cells_free(struct ct_map *part);

#endif
