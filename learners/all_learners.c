/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/all_learners.h"

#include <string.h>

const struct ct_learner *const ct_learners[] = {
#define LEARNER(name) &ct_##name##_learner,
#include "learners/learners.def"
#undef LEARNER
    NULL,
};

const struct ct_learner *ct_learner_find(const char *name)
{
    for (const struct ct_learner *const *learner = ct_learners; *learner; learner++)
        if (strcmp((*learner)->name, name) == 0)
            return *learner;
    return NULL;
}
