/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_KEEP_NATIVE_H
#define CT_LEARNERS_KEEP_NATIVE_H

#include "learners/loss_tree.h"

/* Gives the leaves of a tree that was cut to `native` (a method of the map), but for those whose method is
 * surely quicker in the cells of the map that lead to them; where none does, in those that lead to the
 * nearest node above that has some. Cells count in which both were measured. It is sure where native surely
 * takes longer than the best in each (CT_STANDING_WORSE) and longer than the method; or, of several cells,
 * where the mean of log(native's time / the method's) is above 0 by Student's test at a level of 5 %, divided
 * by the leaves in question times the methods allowed beside native, since any of them may look good by
 * chance. Computed times are sure, and change nothing. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_loss_tree_keep_native(struct ct_loss_tree *tree, const struct ct_map *map,
                             const struct ct_feature_columns *columns, const bool *allowed, size_t native);

#endif
