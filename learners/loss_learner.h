/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LOSS_LEARNER_H
#define CT_LEARNERS_LOSS_LEARNER_H

#include "learners/learner.h"
#include "learners/points.h"

/* Settings of learners by lost time; loss_options.def has the rows for their table of options. */
struct ct_loss_settings {
    struct ct_learn_settings common;
    size_t max_depth;
    size_t max_leaves;   /* 0: no bound */
    double max_slowdown; /* 0.5 is 50 %: no cell should lose more, if leaves are left for it; 0: no bound */
    bool keep_native;    /* where no method is significantly faster; after all bounds */
    bool any_pattern;    /* calls have patterns that the map lacks; set by learners that allow for them */
};

/* Turns a map, or a part of it, into points with these columns; as ct_points_of_map(). */
typedef int ct_make_points(const struct ct_map *map, const struct ct_feature_columns *columns,
                           const bool *allowed, const struct ct_loss_settings *settings,
                           struct ct_error *error, struct ct_points *ret_points);

/* Learns a tree by lost time from the points that `make` returns (NULL: ct_points_of_map()): grows it, prunes
 * it by its cost complexity (Breiman et al. 1984, section 3.3), and bounds it as the settings say.
 *
 * The complexity parameter, the loss that one leaf more must save, as a share of the number of points, is
 * found by cross-validation over whole sizes, because users call with sizes that were not measured. In turn,
 * every eighth of the communicator sizes (then of the message sizes) between the smallest and the largest is
 * left out, trees are learned from the rest, and their loss in the cells left out is taken. The largest
 * parameter is chosen whose mean loss exceeds the least by at most half the standard error of the difference
 * over these turns. It is 0 if no size lies between others. Points with an allowance (points.h) need no
 * cross-validation: the largest parameter is taken that the allowance permits.
 *
 * Where calls have patterns that the map lacks, trees are also learned without each half, third and quarter
 * of its patterns. They are small, since they say where combining messages pays at all. Another method than
 * native and `linear` is taken only where all these trees take one, too: one that pays on a single pattern
 * would be slower than `linear` on others. This needs at least eight patterns; bounds that the user sets go
 * before it.
 *
 * CT_OK; CT_E_INPUT if `make` returns it; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_tree_free(). */
int ct_learn_by_loss(const struct ct_map *map, const struct ct_loss_settings *settings, const bool *allowed,
                     ct_make_points *make, struct ct_error *error, struct ct_decision_tree *ret_tree);

#endif
