/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_MAP_MAPPINGS_H
#define CT_DECISION_MAP_MAPPINGS_H

#include "decision/map.h"

/* A map whose cells have several mappings of ranks, mapping by mapping: times under one mapping say little
 * about another. */

/* Which mappings the cells have; returns how many. */
size_t ct_map_mappings(const struct ct_map *map, bool ret_occurs[CT_MAPPED_WAYS]);

/* The cells of one mapping. All but the array of cells is still the map's: free ret_part->cells alone. CT_OK
 * or CT_E_MEMORY. */
int ct_map_of_mapping(const struct ct_map *map, enum ct_mapped_by mapping, struct ct_map *ret_part);

#endif
