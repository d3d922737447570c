/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MPICH_TREE_H
#define CT_CODEGEN_MPICH_TREE_H

#include "base/error.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* MPICH's selection files (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE): nested objects whose keys are tests.
 * MPICH follows the first key that holds, down to an algorithm. */

/* The values that tests use. */
struct ct_mpich_call {
    const char *collective;
    size_t comm_size;
    size_t average_bytes; /* avg_msg_size; SIZE_MAX if MPICH has none for the collective */
    size_t total_bytes;   /* total_msg_size; SIZE_MAX if MPICH has none for the collective */
    size_t elements;      /* count */
    bool intercommunicator;
    bool has_nodes; /* a node holds several ranks, even if it is the only node: MPICH calls it a "parent" */
    bool nodes_in_order;
    bool commutative;
    bool built_in;
    bool in_place;
    bool equal_blocks;
};

/* Reads a selection file, strictly, since MPICH aborts at most flaws, at start or in a call: every test must
 * be known, every list of tests must cover all calls, no blocking collective may be missing. CT_OK;
 * CT_E_INPUT with a line in `error`; CT_E_MEMORY. Caller frees with json_object_put(). */
int ct_mpich_read(const char *text, size_t length, const char *name, struct ct_error *error,
                  struct json_object **ret_tree);

/* The algorithm that MPICH 4.0 uses, "MPIR_Bcast_intra_binomial"; NULL if no key holds. */
const char *ct_mpich_decide(struct json_object *tree, const struct ct_mpich_call *call);

/* Does the test depend on the communicator only? At the top of a collective MPICH evaluates such tests once
 * for each communicator; below others it takes `comm_size<N` for `comm_size<=N` (4.0 to 4.3). */
bool ct_mpich_is_of_communicator(const char *key);

/* Reads the selections of a file, or those built into a shared or static libmpich; `path` NULL: into the
 * MPICH that pkg-config knows. Status codes as of ct_mpich_read(), and CT_E_SYSTEM. */
int ct_mpich_base(const char *path, struct ct_error *error, struct json_object **ret_tree);

#endif
