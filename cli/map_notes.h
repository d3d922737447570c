/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_MAP_NOTES_H
#define CT_CLI_MAP_NOTES_H

#include "base/text.h"
#include "decision/map.h"

/* Appends what the words of a map's legend mean in this map, and what its samples cannot tell: lines of at
 * most 80 columns. */
void ct_map_write_notes(const struct ct_map *map, struct ct_text *text);

#endif
