/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_PENALTY_H
#define CT_LEARNERS_PENALTY_H

#include "learners/learner.h"

/* Splits and leaves chosen by the time lost, and not by how many cells get another method than their best:
 * mistaking one good method for another costs nothing. See points.h for what is lost, loss_tree.h for the
 * tree, leaf_price.h for how large it grows. */
extern const struct ct_learner ct_penalty_learner;

#endif
