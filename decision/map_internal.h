/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_MAP_INTERNAL_H
#define CT_DECISION_MAP_INTERNAL_H

#include "decision/map.h"

/* What map.h's maps are made by; others use that. */

/* Makes the cell that the first of these samples is of. `order` has indices of samples, at least one: by
 * cell, then by method of the map, a method's failed ones first, then launch after launch, rising times in
 * each; `places` has the map's index of each method of the run. *ret_used says how many samples are the
 * cell's. CT_OK or CT_E_MEMORY; free with ct_map_free_cell(). */
int ct_map_make_cell(const struct ct_map *map, const struct ct_run *run, const size_t *places,
                     const size_t *order, size_t count, struct ct_cell *ret_cell, size_t *ret_used);

void ct_map_free_cell(struct ct_cell *cell);

#endif
