/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MPICH_TREE_H
#define CT_CODEGEN_MPICH_TREE_H

#include "base/error.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* MPICH's selection files (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE): nested objects whose keys are tests.
 * MPICH follows the first key that holds, down to an algorithm. */

/* Reads a selection file, strictly, since MPICH aborts at most flaws, at start or in a call: every test must
 * be known, every list of tests must cover all calls, no blocking collective may be missing. CT_OK;
 * CT_E_INPUT with a line in `error`; CT_E_MEMORY. Caller frees with json_object_put(). */
int ct_mpich_read(const char *text, size_t length, const char *name, struct ct_error *error,
                  struct json_object **ret_tree);

/* Does the test depend on the communicator only? At the top of a collective MPICH evaluates such tests once
 * for each communicator; below others it takes `comm_size<N` for `comm_size<=N` (4.0 to 4.3). */
bool ct_mpich_is_of_communicator(const char *key);

/* Reads the selections of a file, or those built into a shared or static libmpich; `path` NULL: into the
 * MPICH that pkg-config knows. Status codes as of ct_mpich_read(), and CT_E_SYSTEM. */
int ct_mpich_base(const char *path, struct ct_error *error, struct json_object **ret_tree);

#endif
