/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_MAP_PICTURE_H
#define CT_CLI_MAP_PICTURE_H

#include "base/text.h"
#include "decision/map.h"

/* Decision maps as text, for terminals and as CSV. */

/* Appends the picture: rows are message sizes, columns communicator sizes, a letter a method, with ~ before
 * it where that best time is predicted; at most 80 columns wide, in several parts where there are more
 * communicator sizes. Cells that share both sizes and differ in nodes or processes per node get a picture
 * each. Ends with the notes. CT_OK or CT_E_MEMORY. */
int ct_map_picture(const struct ct_map *map, struct ct_text *text);

/* Appends what the words of the legend mean in this map, and what its samples cannot tell: lines of at most
 * 80 columns. */
void ct_map_write_notes(const struct ct_map *map, struct ct_text *text);

/* Prints the header line of the CSV to standard output; with the columns of patterns, if the run has any. */
void ct_map_print_csv_header(bool has_patterns);

/* Appends a line for each cell and method. */
void ct_map_write_csv(const struct ct_map *map, bool has_patterns, struct ct_text *text);

#endif
