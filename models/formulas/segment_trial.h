/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FORMULAS_SEGMENT_TRIAL_H
#define CT_MODELS_FORMULAS_SEGMENT_TRIAL_H

#include "models/formulas/segment.h"

/* Segment sizes, with fractions of bytes, that are tried one after the other, and the best so far. */
struct ct_segment_trial {
    const struct ct_formula_cell *cell;
    struct ct_formula_terms x; /* of the size tried last */
    double most;               /* all that is cut */
    double best;
    double seconds; /* of the best */
};

/* Tries `m_s`, unless it is no number from 1 to `most`. */
void ct_segment_try(struct ct_segment_trial *trial, double m_s);

#endif
