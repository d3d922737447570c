/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_MAP_PICTURE_H
#define CT_CLI_MAP_PICTURE_H

#include "base/text.h"
#include "decision/map.h"

/* Decision maps as text, for terminals. */

/* Appends the picture: rows are message sizes, columns communicator sizes, a letter a method, with ~ before
 * it where that best time is predicted; at most 80 columns wide, in several parts where there are more
 * communicator sizes. Cells that share both sizes and differ in nodes or processes per node get a picture
 * each. Ends with the notes. CT_OK or CT_E_MEMORY. */
int ct_map_picture(const struct ct_map *map, struct ct_text *text);

/* Appends such a picture of choices, without the notes; the map is as ct_choice_map_make() makes it. `whose`
 * continues "the choices of". CT_OK or CT_E_MEMORY. */
int ct_choice_picture(const struct ct_map *choices, const char *whose, struct ct_text *text);

#endif
