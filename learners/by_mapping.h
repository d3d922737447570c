/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_BY_MAPPING_H
#define CT_LEARNERS_BY_MAPPING_H

#include "learners/learner.h"

/* Is the map learned mapping by mapping? That is so if its cells have several mappings of ranks, and if the
 * feature `by` is listed or nobody listed features. */
bool ct_learns_by_mapping(const struct ct_map *map, const struct ct_learn_settings *settings);

/* Learns a tree for each mapping from its cells alone, and joins them by tests of `by`. Times under one
 * mapping say little about another, so that learners need not know of mappings. As the learner's learn(). */
int ct_learn_by_mapping(const struct ct_map *map, const struct ct_learn_settings *settings,
                        const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree);

#endif
