/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_MAP_LAUNCHES_H
#define CT_DECISION_MAP_LAUNCHES_H

#include "decision/map.h"

/* A map taken apart by launches, to choose on some and to score on others. */

/* The launches that any cell knows, rising. CT_OK or CT_E_MEMORY. Caller frees. */
int ct_map_launches(const struct ct_map *map, uint32_t **ret_launches, size_t *ret_count);

/* The same methods and cells as in `map`, in the same order, as this launch alone saw them; or, where
 * `others`, as all launches but this one did. Of the statistics there are counts and medians, of the
 * standings the best one; nothing was tested. CT_OK or CT_E_MEMORY. Caller frees with ct_map_free(). */
int ct_map_part(const struct ct_map *map, uint32_t launch, bool others, struct ct_map *ret_part);

#endif
