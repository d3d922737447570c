/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_MAP_DIVIDED_H
#define CT_DECISION_MAP_DIVIDED_H

#include "decision/map.h"

/* Features that divide the cells of a map, since times under one value say little about another: how calls
 * are made, and how ranks are mapped. A picture or a tree is made of cells that are alike in them. */

enum { CT_MAP_DIVIDING = 2 };
extern const enum ct_feature ct_map_dividing[CT_MAP_DIVIDING];

/* The cells that have this value of a feature. All but the array of cells is still the map's: free
 * ret_part->cells alone. CT_OK or CT_E_MEMORY. */
int ct_map_having(const struct ct_map *map, enum ct_feature feature, size_t value, struct ct_map *ret_part);

/* A part for each combination of values that occurs, in their order; one for a map without cells. As
 * ct_map_having(); caller frees with ct_map_parts_free(). */
int ct_map_divide(const struct ct_map *map, struct ct_map **ret_parts, size_t *ret_count);
void ct_map_parts_free(struct ct_map *parts, size_t count);

/* What sets the part of these cells apart: ", nonblocking, by core"; "" where calls are blocking and the
 * mapping is unknown. A root other than 0 is told, too. */
enum { CT_PART_TEXT = 64 };
const char *ct_part_format(const struct ct_cell_key *key, char text[CT_PART_TEXT]);

/* Would cells of these keys be in the same part, and have the same root? */
bool ct_keys_share_part(const struct ct_cell_key *a, const struct ct_cell_key *b);

#endif
