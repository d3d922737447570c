/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_INTERPOLATE_H
#define CT_LEARNERS_INTERPOLATE_H

#include "learners/learner.h"

/* The times of every method between the measured sizes, and a doubling beyond (surface.h), on a fine grid;
 * and the tree that loses least time there (leaf_price.h). For runs with fewer sizes than their users have.
 */
extern const struct ct_learner ct_interpolate_learner;

#endif
