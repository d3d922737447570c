/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TREE_LINE_H
#define CT_CLI_TREE_LINE_H

#include "decision/table.h"

/* Says on standard error how large tree `index` of the table is and, where that is known, what it costs. */
void ct_tree_line_tell(const struct ct_table *table, size_t index);

#endif
