/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_DECIDE_H
#define CT_LEARNERS_C45_DECIDE_H

#include "decision/tree/tree.h"
#include "learners/c45/c45_tree.h"

/* Trees of C4.5 as decision trees. */

struct ct_c45_values {
    size_t *values;
    size_t count;
};

/* What the names of a C4.5 tree stand for. */
struct ct_c45_meaning {
    enum ct_collective collective;
    const struct ct_feature_set *set;
    const size_t *numbers;           /* by attribute: its feature in the set */
    const struct ct_method *methods; /* by class; without an algorithm where it stands for none */
    size_t classes;         /* needed where some stand for none: then a leaf of such a class takes, */
    struct ct_method usual; /* of the others, that of most of its cases, else the usual one */
    bool has_constant;      /* one attribute has the same value in all that the tree will be asked: */
    size_t constant;        /* the attribute, discrete */
    size_t constant_value;  /* its number */
    /* By attribute. Of a continuous one those that occur, rising: thresholds are put at one of them; where
     * none are given, at the whole number below. Of a discrete one what its values stand for, by their
     * number. */
    const struct ct_c45_values *values;
    bool printed; /* thresholds come from a report, which has them with six digits */
};

/* A decision tree that chooses as the C4.5 tree does; branches by value become tests in a row, a number
 * between two of these values going the way of the one above it. Leaves have no `fallback` yet.
 * *ret_doubtful is how many thresholds may be another number than the tree had. CT_OK; CT_E_INPUT where a
 * printed threshold is none of the values; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_tree_free(). */
int ct_c45_decide(const struct ct_c45_node *root, const struct ct_c45_meaning *meaning,
                  struct ct_error *error, size_t *ret_doubtful, struct ct_decision_tree *ret_tree);

#endif
