/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_TRIAL_H
#define CT_LEARNERS_C45_C45_TRIAL_H

#include "learners/c45/c45_engine.h"

/* One tree, grown and pruned. */
struct ct_c45_trial {
    struct ct_c45_pool pool;
    struct ct_c45_node *grown;
    struct ct_c45_node *pruned;
    bool changed; /* is the pruned tree another one? */
};

/* Random numbers as libc's random() gives them where it was never seeded. */
struct ct_c45_random;
struct ct_c45_random *ct_c45_random_make(void);

/* Grows trees from windows: cases that a tree gets wrong join the next window. Takes the best into `trial`
 * and appends a table of all to `report`. Needs cases in their order; leaves them in another, from which the
 * next trial goes on. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_c45_grow_windows(struct ct_c45_engine *engine, struct ct_c45_random *random,
                        struct ct_c45_trial *trial, struct ct_text *report);

/* Appends how trials do on the cases and, where `tests` is not NULL, on those, with a table of what `best`
 * takes for what. CT_OK, CT_E_MEMORY. */
int ct_c45_evaluate(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                    const struct ct_c45_cases *tests, const struct ct_c45_trial *trials, size_t trial_count,
                    size_t best, struct ct_text *report);

#endif
