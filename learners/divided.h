/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_DIVIDED_H
#define CT_LEARNERS_DIVIDED_H

#include "learners/learner.h"

/* Learns a tree for each mode of calls and each mapping of ranks (decision/map_divided.h) from its cells
 * alone, and joins them by tests of `mode` and `by`, so that learners need not know of either. A feature that
 * is not listed where others are does not divide the map; nor does `by`, unless it is listed, where the table
 * is for a tuning file (ct_learn_settings.target). As the learner's learn(). */
int ct_learn_divided(const struct ct_map *map, const struct ct_learn_settings *settings, const bool *allowed,
                     struct ct_error *error, struct ct_decision_tree *ret_tree);

#endif
