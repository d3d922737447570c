/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_CHANGE_PRINT_H
#define CT_CLI_CHANGE_PRINT_H

#include "decision/change.h"
#include "samples/conditions.h"

/* What changed between two runs, on standard output. */

/* A line for each condition that differs. */
void ct_conditions_print(const struct ct_condition *conditions, size_t count);

/* The summary, a table by collective and communicator size, and the `most` largest changes. CT_OK or
 * CT_E_MEMORY. */
int ct_changes_print(const struct ct_changes *changes, size_t most);

/* The same as CSV: a line for each method and cell of either run. */
void ct_changes_csv_print(const struct ct_changes *changes);

#endif
