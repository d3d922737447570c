/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_AGREED_TREE_H
#define CT_LEARNERS_AGREED_TREE_H

#include "learners/loss_tree.h"

/* One tree that decides as the first of `count` trees does, except where another one takes a careful method:
 * there it takes that. So what is not careful is taken only where all trees agree that such methods pay.
 * `careful` is by method; the trees have the same columns, so many. Tests that no call can reach, or whose
 * sides are equal leaves, are left out. CT_OK, CT_E_MEMORY. Caller frees with ct_loss_tree_free(). */
int ct_loss_trees_agree(const struct ct_loss_tree *trees, size_t count, const bool *careful, size_t columns,
                        struct ct_loss_tree *ret_tree);

#endif
