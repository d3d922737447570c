/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/penalty.h"
#include "learners/leaf_price.h"

static int learn_penalty(const struct ct_map *map, const struct ct_learn_options *options,
                         const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    return ct_learn_by_loss(map, options, allowed, ct_points_of_map, error, ret_tree);
}

const struct ct_learner ct_penalty_learner = {
    .name = "penalty",
    .text = "splits where that saves most time, as long as it does so for sizes left out",
    .bounds = true,
    .learn = learn_penalty,
};
