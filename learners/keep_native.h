/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_KEEP_NATIVE_H
#define CT_LEARNERS_KEEP_NATIVE_H

#include "learners/loss_tree.h"

/* Sets the leaves of a pruned tree to `native` (a method of the map), unless their method is significantly
 * faster in the cells of the map that lead to them; if no cell does, in those that lead to the nearest node
 * above that has some. Only cells in which both were measured count. A method is significantly faster
 * - if native is slower than it and significantly slower than the best (CT_STANDING_WORSE) in each cell; or
 * - if, over several cells, the mean of log(native's time / the method's) is above 0 by Student's t-test. The
 *   level is 5 %, divided by the leaves in question times the allowed methods other than native, because any
 * of them may look good by chance; or
 * - if native failed in one of the cells.
 * Computed times (map->exact) change nothing. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_loss_tree_keep_native(struct ct_loss_tree *tree, const struct ct_map *map,
                             const struct ct_feature_columns *columns, const bool *allowed, size_t native);

#endif
