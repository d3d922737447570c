/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_PERMITTED_H
#define CT_LEARNERS_PERMITTED_H

#include "learners/learner.h"

/* Which methods a learner may choose. */

/* By method of the map: may it be chosen? `exclude` is a list of methods, with or without their collective:
 * an algorithm alone ("native", "bcast/chain") means it with all parameters, a method ("bcast/chain:radix=4")
 * itself. Items of other collectives are ignored; an item that no collective has is CT_E_INPUT. Caller frees
 * *ret_allowed. */
int ct_learn_allowed(const struct ct_map *map, const char *exclude, struct ct_error *error,
                     bool **ret_allowed);

/* The same for all that the settings say: `exclude`, and what the target can carry out. */
int ct_learn_permitted(const struct ct_map *map, const struct ct_learn_settings *settings,
                       struct ct_error *error, bool **ret_allowed);

#endif
