/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_MODELS_FORMULA_RATIOS_H
#define CT_TESTS_MODELS_FORMULA_RATIOS_H

#include "models/evaluate/evaluate.h"
#include "models/formulas/formula.h"

/* The time by a formula, over the evaluated time of its method's plans, on a grid of ranks, messages,
 * segments and machines. studies/formulas/formula-classes.md says which. */

/* A machine of the grid, made different. */
enum { RATIO_WITHOUT_GAMMA = 1, RATIO_WITHOUT_DELTA = 2, RATIO_GAP_IS_OVERHEAD = 4 };

struct ratio_subject {
    const struct ct_formula *formula; /* whose method is evaluated */
    enum ct_communication_model model;
    ct_formula_function *seconds; /* a formula in its letters */
    unsigned changes;             /* RATIO_...; 0: as they are */
    bool whole;                   /* one segment only */
};

struct formula_ratios {
    double least, most;
    size_t calls;
};

enum ratio_group { RATIO_POWERS_OF_TWO, RATIO_OTHER_RANKS, RATIO_GROUPS };

/* Numbers of ranks, each list with a 0 at its end: the grid's, and those that fill a binary tree. */
extern const int *const ratio_ranks[RATIO_GROUPS];
extern const int ratio_full_trees[];

/* Over all calls with those ranks to which the method applies. CT_OK, or what stops an evaluation. */
int formula_ratios(const struct ratio_subject *subject, const int *ranks, struct ct_error *error,
                   struct formula_ratios *ret_ratios);

/* The class of a formula with these ratios, as ct_formula_class() has it. */
const char *class_of_ratios(const struct formula_ratios *ratios);

#endif
