/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_PRUNE_H
#define CT_LEARNERS_C45_C45_PRUNE_H

#include "learners/c45/c45_engine.h"
#include "learners/c45/c45_information.h"

struct ct_c45_pruning {
    struct ct_c45_engine *engine;
    struct ct_c45_confidence confidence;
    bool changed;
};

/* Pessimistic errors of a node that has a test. */
struct ct_c45_estimates {
    float leaf;     /* in the place of the test */
    float tree;     /* as it stands */
    float branch;   /* with the largest branch in its place */
    size_t largest; /* which branch that is, from 0 */
};

/* An estimate may be so much worse for a smaller tree. */
static const double ct_c45_slack = 0.1;

/* Pessimistic errors of a leaf of this weight, by its weights by class; *best is the class it has, and the
 * one it gets. */
float ct_c45_leaf_errors(const struct ct_c45_pruning *pruning, const float *distribution, float weight,
                         uint16_t *best);

/* Prunes the tree where all is known and the engine has columns: each branch keeps what it is estimated from,
 * so that trying it in the place of its node sends the other branches' cases down it alone. */
void ct_c45_prune_columns(struct ct_c45_pruning *pruning, struct ct_c45_node *root);

#endif
