/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEAF_PRICE_H
#define CT_LEARNERS_LEAF_PRICE_H

#include "learners/learner.h"
#include "learners/points.h"

/* Settings of learners by lost time. */
struct ct_loss_settings {
    struct ct_learn_settings common;
    size_t max_depth;
    size_t max_leaves;   /* 0: no bound */
    double max_slowdown; /* 0.5 is 50 %: no cell should lose more, if leaves are left for it; 0: no bound */
    bool keep_native;    /* where no method is significantly faster; after all bounds */
};

#define CT_LOSS_OPTIONS                                                                                      \
    {"max-depth",                                                                                            \
     'd',                                                                                                    \
     "D",                                                                                                    \
     CT_OPTION_WHOLE,                                                                                        \
     offsetof(struct ct_loss_settings, max_depth),                                                           \
     .usual = "64",                                                                                          \
     .text = "at most D tests in a row"},                                                                    \
        {"max-leaves",                                                                                       \
         'm',                                                                                                \
         "N",                                                                                                \
         CT_OPTION_WHOLE,                                                                                    \
         offsetof(struct ct_loss_settings, max_leaves),                                                      \
         .least = 1,                                                                                         \
         .text = "at most N leaves, those that save most"},                                                  \
        {"max-slowdown",                                                                                     \
         'w',                                                                                                \
         "PERCENT",                                                                                          \
         CT_OPTION_PERCENT,                                                                                  \
         offsetof(struct ct_loss_settings, max_slowdown),                                                    \
         .above = true,                                                                                      \
         .text = "split as long as a cell is more than PERCENT slower than its best method"},                \
    {                                                                                                        \
        "keep-native", 0, NULL, CT_OPTION_FLAG, offsetof(struct ct_loss_settings, keep_native),              \
            .text = "choose native wherever no method is significantly faster"                               \
    }

/* How a learner turns (a part of) a map into points with these columns: as ct_points_of_map(). */
typedef int ct_make_points(const struct ct_map *map, const struct ct_feature_columns *columns,
                           const bool *allowed, const struct ct_loss_settings *settings,
                           struct ct_error *error, struct ct_points *ret_points);

/* A tree by lost time that is learned from points: grown, cut back to the price that is found best by leaving
 * out sizes, and to what the options allow.
 *
 * What a leaf must save, as a share of the points times loss, is settled by cross-validation over whole
 * communicator sizes and whole message sizes, for those are what a user has that were not measured: in turn
 * every eighth of the communicator sizes (then of the message sizes) between the least and the greatest is
 * left out, trees are learned from the rest, and lose in the cells that were left out. The highest price is
 * taken that loses no more there than the best one plus half the standard error of the difference between the
 * two over these turns; the price of nothing where no size lies between others.
 *
 * CT_OK; CT_E_INPUT where `make` says so; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_tree_free(). */
int ct_learn_by_loss(const struct ct_map *map, const struct ct_loss_settings *settings, const bool *allowed,
                     ct_make_points *make, struct ct_error *error, struct ct_decision_tree *ret_tree);

#endif
