/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_TABLE_INTERNAL_H
#define CT_DECISION_TABLE_INTERNAL_H

#include "decision/table.h"

/* What the reader and the writer of decision tables share. */

/* The numbers of a <penalty>: attribute and place in struct ct_penalty. */
struct ct_penalty_number {
    const char *attribute;
    size_t offset;
};

enum { CT_PENALTY_NUMBERS = 7 };

extern const struct ct_penalty_number ct_penalty_numbers[CT_PENALTY_NUMBERS];

/* Appends a tree with what is known of it; both move into the table and are left empty. CT_OK, CT_E_MEMORY.
 */
int ct_table_append(struct ct_table *table, struct ct_decision_tree *tree, struct ct_table_tree *about);

#endif
