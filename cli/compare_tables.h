/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_COMPARE_TABLES_H
#define CT_CLI_COMPARE_TABLES_H

#include "cli/command.h"

/* `colltune compare` of two decision tables. */

struct ct_compare_tables {
    const struct ct_command *command; /* in whose name notices are printed */
    const char *tables[2];            /* files */
    const char *on; /* the run whose cells are compared; NULL: a grid of the following lists */
    const char *comm_sizes;
    const char *msg_sizes;
    size_t ppn;     /* 0: all ranks on one node */
    int collective; /* CT_COLLECTIVES: all */
    size_t most;    /* lines of differences */
    bool csv;
};

/* Prints the comparison. *ret_differ is true if any decision differs. CT_OK; CT_E_INPUT with a line in
 * `error`; CT_E_SYSTEM, CT_E_MEMORY, CT_E_LIMIT. */
int ct_compare_tables(const struct ct_compare_tables *request, struct ct_error *error, bool *ret_differ);

#endif
