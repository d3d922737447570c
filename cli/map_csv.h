/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_MAP_CSV_H
#define CT_CLI_MAP_CSV_H

#include "base/text.h"
#include "decision/map.h"

/* Decision maps as CSV. */

/* Prints the header line of the CSV to standard output; with the columns of patterns, if the run has any. */
void ct_map_print_csv_header(bool has_patterns);

/* Appends a line for each cell and method. */
void ct_map_write_csv(const struct ct_map *map, bool has_patterns, struct ct_text *text);

#endif
