/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_DECIDE_H
#define CT_LEARNERS_C45_DECIDE_H

#include "decision/tree/tree.h"
#include "learners/c45/c45_tree.h"

/* Turns trees of C4.5 into decision trees. */

struct ct_c45_values {
    size_t *values;
    size_t count;
};

/* The meaning of the names in a tree of C4.5. */
struct ct_c45_meaning {
    enum ct_collective collective;
    const struct ct_feature_set *set;
    const size_t *numbers;           /* by attribute: its feature in the set */
    const struct ct_method *methods; /* by class; without an algorithm if the class is no method here */
    size_t classes;         /* needed only if some classes are no methods; a leaf of such a class takes the */
    struct ct_method usual; /* method that most of its other cases have, or `usual` if it has none */
    bool has_constant;      /* a discrete attribute has the same value in all calls: */
    size_t constant;        /* the attribute */
    size_t constant_value;  /* the number of its value */
    /* By attribute. Continuous: the values that occur, ascending; each threshold becomes one of them, or, if
     * there are none, is rounded down to a whole number. Discrete: the sizes that its values mean, by number.
     */
    const struct ct_c45_values *values;
    bool printed; /* thresholds were read from a report, where they have six digits */
};

/* Makes a decision tree that chooses as the tree of C4.5 does. Branches for values become a chain of tests; a
 * size between two values takes the branch of the upper one. Leaves have no `fallback` yet. *ret_doubtful is
 * the number of thresholds that may differ from those of the tree. CT_OK; CT_E_INPUT if a printed threshold
 * is none of the values; CT_E_MEMORY, CT_E_LIMIT. Caller frees with ct_tree_free(). */
int ct_c45_decide(const struct ct_c45_node *root, const struct ct_c45_meaning *meaning,
                  struct ct_error *error, size_t *ret_doubtful, struct ct_decision_tree *ret_tree);

#endif
