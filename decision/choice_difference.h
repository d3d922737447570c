/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_DECISION_CHOICE_DIFFERENCE_H
#define CT_DECISION_CHOICE_DIFFERENCE_H

#include "decision/map.h"
#include "decision/score.h"
#include "decision/tree/tree.h"

/* Where two decision trees of a collective choose different methods, and what that costs. */

struct ct_choice_pair {
    struct ct_cell_key key;
    const struct ct_method *methods[2]; /* of the trees */
    bool differs;
    double slowdowns[2]; /* over the best method of the cell; NAN where it is not known */
};

struct ct_choice_difference {
    enum ct_collective collective;
    struct ct_choice_pair *pairs; /* by cell */
    size_t count;
    size_t differ; /* of these */
    struct ct_penalty penalties[2];
    size_t timed; /* cells in which the methods differ and both were measured */
    double ratio; /* t(second tree's method) / t(first one's) over these, geometric mean; NAN without any */
};

/* Compares the decisions in the cells of a map of their collective; or, without a map (NULL), in the cells of
 * these keys. CT_OK or CT_E_MEMORY. Caller frees with ct_choice_difference_free(). */
int ct_choice_difference_find(const struct ct_decision_tree *first, const struct ct_decision_tree *second,
                              const struct ct_map *map, const struct ct_cell_key *keys, size_t count,
                              struct ct_choice_difference *ret_difference);
void ct_choice_difference_free(struct ct_choice_difference *difference);

#endif
