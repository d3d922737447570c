/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_GROW_H
#define CT_LEARNERS_C45_C45_GROW_H

#include "learners/c45/c45_state.h"

/* Grows a tree over the first `count` places. CT_OK, CT_E_MEMORY; CT_E_LIMIT if it becomes too deep. */
int ct_c45_grow(struct ct_c45_engine *engine, size_t count, struct ct_c45_node **ret_root);

#endif
