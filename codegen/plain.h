/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_PLAIN_H
#define CT_CODEGEN_PLAIN_H

#include "decision/tree/tree.h"

/* Decision trees as ranges of ranks and message sizes, for people. Beyond CT_RULES_EXACT ranks trees that
 * test computed features have ranges that are up to an eighth too low. Both functions return CT_OK;
 * CT_E_LIMIT with a line in `error` where a tree cannot be told in ranges, as ct_tree_parts_make() and
 * ct_rules_make() say; CT_E_MEMORY. */

/* Appends an aligned table for each part of the tree, under a line with the collective's name, after an empty
 * line. */
int ct_plain_tree_write(const struct ct_decision_tree *tree, struct ct_error *error, struct ct_text *text);

/* Appends the header of the CSV. */
void ct_plain_csv_header_write(struct ct_text *text);
/* Appends a line for each range; an end that is not bounded is empty. */
int ct_plain_csv_write(const struct ct_decision_tree *tree, struct ct_error *error, struct ct_text *text);

#endif
