/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_KEEP_NATIVE_H
#define CT_LEARNERS_KEEP_NATIVE_H

#include "learners/loss_tree.h"

/* What it costs to keep native, in measured cells. */
struct ct_kept_native {
    size_t changed;  /* cells that take native in place of another method; both were measured */
    double log_cost; /* sum over them of log(native's time / the method's) */
};

/* Sets the leaves of a pruned tree to `native` (a method of the map), unless their method is significantly
 * faster by at least two witnesses in the cells of the map that lead to them. Witnesses are cells, or the
 * launches of one cell, because all samples of one job share its disturbance. If there are less than two,
 * those count that lead to the nearest node above that has them. Only cells in which both were measured
 * count. A method is significantly faster
 * - if native is slower than it and significantly slower than the best (CT_STANDING_WORSE) in each cell; or
 * - if it is faster by more than twice the margin of equivalence in each cell and launch, which needs no test
 *   and so holds for single samples, too; or
 * - if in two cells native is significantly slower than the best, and slower than the method by more than
 *   twice that margin in each launch, and in no cell faster than it by more than the margin: gains of two
 *   cells may differ by so much that their mean is not significant; or
 * - if, over several cells, the mean of log(native's time / the method's) is above 0 by Student's t-test. The
 *   level is 5 %, divided by the leaves in question times the allowed methods other than native, because any
 *   of them may look good by chance; or
 * - if native failed in one of the cells.
 * Computed times (map->exact) change nothing. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_loss_tree_keep_native(struct ct_loss_tree *tree, const struct ct_map *map,
                             const struct ct_feature_columns *columns, const bool *allowed, size_t native,
                             struct ct_kept_native *ret_kept);

#endif
