/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_PRUNE_H
#define CT_LEARNERS_C45_C45_PRUNE_H

#include "learners/c45/c45_state.h"

/* Prunes a tree in place, over all cases. *ret_changed: a test was replaced. CT_OK, CT_E_MEMORY. */
int ct_c45_prune(struct ct_c45_engine *engine, struct ct_c45_node *root, bool *ret_changed);

#endif
