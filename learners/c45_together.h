/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_TOGETHER_H
#define CT_LEARNERS_C45_TOGETHER_H

#include "learners/learner.h"

/* One C4.5 tree for several collectives, the collective being an attribute like others, so that those alike
 * share what was measured of any (Pjesivac-Grbovic 2007, section 6.3.2); then cut into a tree for each. A
 * leaf whose method a collective does not have gets, of those it has, the one that was best in most of the
 * leaf's cells, else the one of least geometric-mean time over all of its own.
 *
 * The learner's learn_joint(). */
int ct_c45_learn_joint(const struct ct_map *maps, size_t count, const struct ct_learn_settings *settings,
                       struct ct_error *error, struct ct_decision_tree *const *ret_trees);

#endif
