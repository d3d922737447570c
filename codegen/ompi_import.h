/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_OMPI_IMPORT_H
#define CT_CODEGEN_OMPI_IMPORT_H

#include "codegen/ompi_rules.h"
#include "decision/tree/tree.h"

/* Open MPI's rules as decision trees. */

struct ct_ompi_trees {
    struct ct_decision_tree trees[CT_COLLECTIVES];
    size_t count;
    size_t unknown; /* rules whose algorithm corresponds to none of our methods: native there */
};

/* A tree for each collective that has rules; native where the rules leave the choice to Open MPI. Rules of a
 * release choose by the bytes that it counts: total_bytes where these are of all ranks. Leaves' fallbacks are
 * native. CT_OK; CT_E_INPUT with a line in `error` if there are no rules; CT_E_MEMORY, CT_E_LIMIT. Caller
 * frees with ct_ompi_trees_free(). */
int ct_ompi_import(const struct ct_ompi_file *file, int release, const char *name, struct ct_error *error,
                   struct ct_ompi_trees *ret_trees);
void ct_ompi_trees_free(struct ct_ompi_trees *trees);

#endif
