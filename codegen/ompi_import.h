/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_OMPI_IMPORT_H
#define CT_CODEGEN_OMPI_IMPORT_H

#include "codegen/imported_trees.h"
#include "codegen/ompi_rules.h"

/* Open MPI's rules as decision trees. */

/* A tree for each collective that has rules; native where the rules leave the choice to Open MPI. Rules
 * choose by the bytes that Open MPI counts: total_bytes where these are of all ranks. Leaves' fallbacks are
 * native. CT_OK; CT_E_INPUT with a line in `error` if there are no rules; CT_E_MEMORY, CT_E_LIMIT. Caller
 * frees with ct_imported_trees_free(). */
int ct_ompi_import(const struct ct_ompi_file *file, const char *name, struct ct_error *error,
                   struct ct_imported_trees *ret_trees);

#endif
