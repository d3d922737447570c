/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MPICH_TREE_H
#define CT_CODEGEN_MPICH_TREE_H

#include "base/error.h"

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>

/* MPICH's files of selections (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE), as it understands them: nested
 * objects whose keys are tests, of which the first that holds is followed, down to an algorithm. */

/* What the tests look at. */
struct ct_mpich_call {
    const char *collective;
    size_t comm_size;
    size_t average_bytes; /* avg_msg_size; SIZE_MAX where MPICH has none for the collective */
    size_t total_bytes;   /* total_msg_size, likewise */
    size_t elements;      /* count */
    bool intercommunicator;
    bool has_nodes; /* a node holds several ranks, be it the only one: MPICH calls it a "parent" */
    bool nodes_in_order;
    bool commutative;
    bool built_in;
    bool in_place;
    bool equal_blocks;
};

/* Reads a file of selections. Stricter than MPICH, which dies of most flaws at start or in a call: each test
 * must be known, each list of tests must leave no call without an answer, no blocking collective may be
 * missing. CT_E_INPUT with a line in `error`; CT_E_MEMORY. Caller frees with json_object_put(). */
int ct_mpich_read(const char *text, size_t length, const char *name, struct ct_error *error,
                  struct json_object **ret_tree);

/* The algorithm that MPICH 4.0 takes, "MPIR_Bcast_intra_binomial"; NULL where none of the keys holds. */
const char *ct_mpich_decide(struct json_object *tree, const struct ct_mpich_call *call);

/* Is the test about the communicator alone? Such at the top of a collective are settled once for each
 * communicator; below others, `comm_size<N` is taken for `comm_size<=N` (4.0 to 4.3). */
bool ct_mpich_is_of_communicator(const char *key);

/* The collectives' choice of a file given, or of that which is built into a library given: a shared or static
 * libmpich. NULL: of the MPICH that pkg-config knows. As ct_mpich_read(), and CT_E_SYSTEM. */
int ct_mpich_base(const char *path, struct ct_error *error, struct json_object **ret_tree);

#endif
