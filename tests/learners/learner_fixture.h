/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_LEARNERS_LEARNER_FIXTURE_H
#define CT_TESTS_LEARNERS_LEARNER_FIXTURE_H

#include "learners/learner.h"

/* Learners with options as tables state them: "max-depth=4 no-merge". */

/* The settings; texts of theirs last until the next call. Free with ct_learn_settings_free(). */
struct ct_learn_settings *fixture_settings(const char *learner, const char *words);

/* What it says about wrong options: CT_E_INPUT and a line in `error`. */
int fixture_settings_fail(const char *learner, const char *words, struct ct_error *error);

/* The tree that the learner makes of the map; `allowed` as in struct ct_learner. */
struct ct_decision_tree fixture_learn(const char *learner, const char *words, const struct ct_map *map,
                                      const bool *allowed);

/* The status if it makes none, with a line in `error`. */
int fixture_learn_fail(const char *learner, const char *words, const struct ct_map *map, const bool *allowed,
                       struct ct_error *error);

#endif
