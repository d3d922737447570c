/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_WINDOW_H
#define CT_LEARNERS_C45_C45_WINDOW_H

#include "base/text.h"
#include "learners/c45/c45_state.h"

/* Windows: trees are grown from some of the cases, which the others join that a tree misclassifies. */

/* One tree, grown and pruned. */
struct ct_c45_trial {
    struct ct_c45_pool pool;
    struct ct_c45_node *grown;
    struct ct_c45_node *pruned;
    bool changed; /* pruning changed the tree */
};

/* The random numbers of libc's random() without a seed. NULL without memory; caller frees with free(). */
struct ct_c45_random;
struct ct_c45_random *ct_c45_random_make(void);

/* Grows trees from windows until a tree is right everywhere. Puts the best one into `trial` and appends a
 * table of all; `report` may be NULL. The engine must be an ordered one; the next trial continues from the
 * order of its cases. CT_OK, CT_E_MEMORY, CT_E_LIMIT. */
int ct_c45_grow_windows(struct ct_c45_engine *engine, struct ct_c45_random *random,
                        struct ct_c45_trial *trial, struct ct_text *report);

#endif
