/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MPICH_IMPORT_H
#define CT_CODEGEN_MPICH_IMPORT_H

#include "codegen/imported_trees.h"
#include "codegen/mpich_tree.h"

/* MPICH's selections as decision trees: what it chooses for calls on an intracommunicator, with a send
 * buffer, an operation that is predefined and commutes, and blocks of one length. Elements of reductions are
 * taken to have 8 bytes, others 1. */

/* A tree for each blocking collective; native where MPICH's algorithm corresponds to none of ours, and as the
 * fallback of all leaves. The file was read by ct_mpich_read(); `name` is what errors call it. CT_OK;
 * CT_E_INPUT with a line in `error` where a test cannot be one of ours; CT_E_LIMIT, CT_E_MEMORY. Caller frees
 * with ct_imported_trees_free(). */
int ct_mpich_import(struct json_object *file, const char *name, struct ct_error *error,
                    struct ct_imported_trees *ret_trees);

#endif
