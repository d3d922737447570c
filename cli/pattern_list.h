/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_PATTERN_LIST_H
#define CT_CLI_PATTERN_LIST_H

#include "base/text.h"
#include "decision/map.h"

/* The map of a sparse collective as text: a line for each pattern, number of ranks and message size. */

/* Appends the list: the best method, its time, how many times as fast it is as the reference, the time of its
 * set-up, and after how many calls that has paid. The reference is native; where that was not measured, it is
 * `linear`. */
void ct_pattern_list_write(const struct ct_map *map, struct ct_text *text);

#endif
