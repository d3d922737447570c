/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/learner.h"
#include "learners/quadtree.h"
#include "learners/run_lengths.h"

#include <string.h>

const struct ct_learn_options ct_learn_standard = {.max_depth = SIZE_MAX, .threshold = 100};

const struct ct_learner *const ct_learners[] = {
    &ct_quadtree_learner,
    &ct_run_lengths_learner,
    NULL,
};

const struct ct_learner *ct_learner_find(const char *name)
{
    for (const struct ct_learner *const *learner = ct_learners; *learner; learner++)
        if (strcmp((*learner)->name, name) == 0)
            return *learner;
    return NULL;
}
