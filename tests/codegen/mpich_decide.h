/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_CODEGEN_MPICH_DECIDE_H
#define CT_TESTS_CODEGEN_MPICH_DECIDE_H

#include "codegen/mpich_tree.h"

/* Selection files as MPICH follows them. */

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

/* The algorithm that MPICH 4.0 uses, "MPIR_Bcast_intra_binomial"; NULL if no key holds. */
const char *ct_mpich_decide(struct json_object *tree, const struct ct_mpich_call *call);

#endif
