/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_IMPORTED_TREES_H
#define CT_CODEGEN_IMPORTED_TREES_H

#include "decision/tree/tree.h"

/* What an MPI library chooses, as decision trees. */
struct ct_imported_trees {
    struct ct_decision_tree trees[CT_COLLECTIVES];
    size_t count;
    size_t unknown; /* choices whose algorithm corresponds to none of our methods: native there */
};

void ct_imported_trees_free(struct ct_imported_trees *trees);

#endif
