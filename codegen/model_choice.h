/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CODEGEN_MODEL_CHOICE_H
#define CT_CODEGEN_MODEL_CHOICE_H

#include "models/formulas/formula_terms.h"

/* The choice among the methods of a collective by their formulas.
 *
 * `colltune generate --format model-c` copies this file whole into the files that it makes: beside
 * models/formulas/formula_terms.h it uses the standard library alone. */

/* The segment sizes that are tried for each method that cuts its message; 0 does not cut. */
static const double ct_model_choice_segments[] = {0,       512,      1 << 10,  2 << 10, 4 << 10,
                                                  8 << 10, 16 << 10, 32 << 10, 64 << 10};
enum { CT_MODEL_CHOICE_SEGMENTS = sizeof ct_model_choice_segments / sizeof ct_model_choice_segments[0] };

struct ct_model_candidate {
    size_t row;                           /* of the table of formulas */
    bool cuts;                            /* tries the segment sizes */
    double segment;                       /* if it does not */
    bool power_of_two, even, commutative; /* what a call must have: ranks, ranks, operation */
};

struct ct_model_choice {
    const char *algorithm; /* NULL if no method applies */
    double segment;        /* bytes; 0 if the message is not cut */
    double seconds;
};

/* The candidate with the least time on `machine`, whose P, m, m_s and n_s do not count. If there is no data
 * in a collective that moves data (`has_data`), or one rank only, all take 0 seconds and the first wins. */
static inline struct ct_model_choice ct_model_choose(const struct ct_formula_table *table,
                                                     const struct ct_model_candidate *candidates,
                                                     size_t candidate_count,
                                                     const struct ct_formula_terms *machine, bool has_data,
                                                     size_t ranks, size_t bytes, bool commutes)
{
    struct ct_model_choice choice = {NULL, 0, INFINITY};
    for (size_t c = 0; c < candidate_count; c++) {
        const struct ct_model_candidate *candidate = &candidates[c];
        const struct ct_formula *formula = &table->rows[candidate->row];
        if ((candidate->commutative && !commutes) ||
            (candidate->power_of_two && (ranks & (ranks - 1)) != 0) || (candidate->even && ranks % 2 != 0))
            continue;
        for (size_t s = 0; s < (candidate->cuts ? (size_t)CT_MODEL_CHOICE_SEGMENTS : 1); s++) {
            double segment = candidate->cuts ? ct_model_choice_segments[s] : candidate->segment, seconds = 0;
            if (s > 0 && segment >= (double)bytes)
                break;
            if (ranks >= 2 && (bytes > 0 || !has_data)) {
                struct ct_formula_terms x = *machine;
                x.P = (double)ranks;
                x.m = (double)bytes;
                ct_formula_cut(formula, segment, &x);
                seconds = formula->seconds[x.model](&x);
            }
            if (seconds < choice.seconds) {
                choice.algorithm = formula->algorithm;
                choice.segment = segment;
                choice.seconds = seconds;
            }
        }
    }
    return choice;
}

#endif
