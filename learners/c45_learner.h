/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_LEARNER_H
#define CT_LEARNERS_C45_LEARNER_H

#include "learners/c45/c45.h"
#include "learners/learner.h"

/* C4.5 over the features of a call (learners/c45/c45.h): a case for each cell, its class the best method
 * there, after Pjesivac-Grbovic 2007, chapter 6. Tests come from gain ratio; what they gain beyond doubt at
 * the confidence of the options stays. Two branches of a test have the options' minimum of cases. */

/* The settings as C4.5's options. */
struct ct_c45_options ct_c45_learn_options(const struct ct_learn_settings *settings);

#endif
