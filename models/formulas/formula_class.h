/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FORMULAS_FORMULA_CLASS_H
#define CT_MODELS_FORMULAS_FORMULA_CLASS_H

#include "models/formulas/formula.h"

/* What each of the 105 formulas that we take is against the evaluation of the plans of its method
 * (evaluate.h), which docs/formula-classes.md shows and `test formula classes` computes anew. It holds where
 * g lies between o and L + o, where o_s(m) + o_r(m) + delta m is at most g(m), and where segments and blocks
 * divide the message. */

enum ct_formula_class {
    CT_FORMULA_CLASS_EQUAL, /* to 1e-9 */
    CT_FORMULA_CLASS_ABOVE, /* never below the evaluated time */
    CT_FORMULA_CLASS_BELOW, /* never above it */
    CT_FORMULA_CLASS_MIXED  /* now above, now below */
};

/* "equal", "upper bound", "lower bound", "inconsistent". */
extern const char *const ct_formula_class_names[];

enum ct_rank_group { CT_RANK_GROUP_POWERS_OF_TWO, CT_RANK_GROUP_OTHER_RANKS, CT_RANK_GROUPS };

struct ct_formula_standing {
    enum ct_formula_class classes[CT_RANK_GROUPS];
    const char *reason; /* why it is not equal; NULL where it is. Numbers are those of formulas-errata.md */
};

const struct ct_formula_standing *ct_formula_standing_of(const struct ct_formula *formula,
                                                         enum ct_communication_model model);

#endif
