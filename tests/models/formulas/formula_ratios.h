/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_MODELS_FORMULA_RATIOS_H
#define CT_TESTS_MODELS_FORMULA_RATIOS_H

#include "models/evaluate/evaluate.h"
#include "models/formulas/formula_class.h"

/* What a formula says, over what the plans of its method come to, on a grid of ranks, messages, segments and
 * machines. docs/formula-classes.md says which. */

/* A machine of the grid, made different. */
enum { RATIO_WITHOUT_GAMMA = 1, RATIO_WITHOUT_DELTA = 2, RATIO_GAP_IS_OVERHEAD = 4 };

struct ratio_subject {
    const struct ct_formula *formula; /* whose method is evaluated */
    enum ct_communication_model model;
    double (*seconds)(const struct ct_formula_terms *x); /* a formula in its letters */
    unsigned changes;                                    /* RATIO_...; 0: as they are */
    bool whole;                                          /* one segment only */
};

struct formula_ratios {
    double least, most;
    size_t calls;
};

/* Numbers of ranks, each list with a 0 at its end: the grid's, and those that fill a binary tree. */
extern const int *const ratio_ranks[CT_RANK_GROUPS];
extern const int ratio_full_trees[];

/* Over all calls with those ranks to which the method applies. CT_OK, or what stops an evaluation. */
int formula_ratios(const struct ratio_subject *subject, const int *ranks, struct ct_error *error,
                   struct formula_ratios *ret_ratios);

/* What these ratios make of a formula. */
enum ct_formula_class formula_class_of(const struct formula_ratios *ratios);

#endif
