/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_ALL_LEARNERS_H
#define CT_LEARNERS_ALL_LEARNERS_H

#include "learners/learner.h"

/* All learners, ended by NULL; the first is the default. */
extern const struct ct_learner *const ct_learners[];

/* The learner of that name; NULL if there is none. */
const struct ct_learner *ct_learner_find(const char *name);

#endif
