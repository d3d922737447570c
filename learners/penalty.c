/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/penalty.h"
#include "learners/leaf_price.h"

static int make_points(const struct ct_map *map, const struct ct_feature_columns *columns,
                       const bool *allowed, const struct ct_learn_options *options, struct ct_error *error,
                       struct ct_points *ret_points)
{
    (void)options;
    return ct_points_of_map(map, columns, allowed, error, ret_points);
}

static int learn_penalty(const struct ct_map *map, const struct ct_learn_options *options,
                         const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    return ct_learn_by_loss(map, options, allowed, make_points, error, ret_tree);
}

const struct ct_learner ct_penalty_learner = {
    .name = "penalty",
    .text = "splits where that saves most time, as long as it does so for sizes left out",
    .any_features = true,
    .bounds = true,
    .learn = learn_penalty,
};
