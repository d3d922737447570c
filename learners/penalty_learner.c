/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses splits and leaves by the time lost in the measured cells. It does not count how many cells get
 * another method than their best, because it costs nothing to take one good method for another. points.h
 * defines the loss, loss_tree.h the tree, loss_learner.h how large it grows. */
#include "learners/loss_learner.h"

static int learn_penalty(const struct ct_map *map, const struct ct_learn_settings *settings,
                         const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    return ct_learn_by_loss(map, (const struct ct_loss_settings *)settings, allowed, NULL, error, ret_tree);
}

static const struct ct_option options[] = {
#include "learners/loss_options.def"
    CT_LEARN_EXCLUDE_OPTION,
#include "learners/learn_feature_options.def"
    {0},
};

const struct ct_learner ct_penalty_learner = {
    .name = "penalty",
    .text = "makes the split that saves the most time, if it also saves time at sizes that are held out",
    .options = options,
    .settings_size = sizeof(struct ct_loss_settings),
    .learn = learn_penalty,
    .knows_patterns = true,
};
