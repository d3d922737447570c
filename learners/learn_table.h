/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_LEARN_TABLE_H
#define CT_LEARNERS_LEARN_TABLE_H

#include "decision/table.h"
#include "learners/learner.h"

/* Learns one tree from one map with the methods that the settings allow. As the learner's learn(). */
int ct_learn_map(const struct ct_map *map, const struct ct_learn_settings *settings, struct ct_error *error,
                 struct ct_decision_tree *ret_tree);

/* Maps of the run's collectives that have a message size, for joint learning; `ret_maps` has room for
 * CT_COLLECTIVES. CT_OK; CT_E_INPUT if there are fewer than two; as ct_map_make(). Caller frees each with
 * ct_map_free(). */
int ct_learn_joint_maps(const struct ct_run *run, struct ct_error *error, struct ct_map *ret_maps,
                        size_t *ret_count);

/* Learns a table from a run: a tree for each of its collectives, or for `collective` alone if that is not
 * CT_COLLECTIVES. CT_OK; CT_E_INPUT, CT_E_SYSTEM, CT_E_MEMORY. Caller frees with ct_table_free(). */
int ct_learn_table(const struct ct_run *run, const struct ct_learn_settings *settings,
                   enum ct_collective collective, struct ct_error *error, struct ct_table *ret_table);

#endif
