/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_MODELS_FORMULA_TEXTS_H
#define CT_TESTS_MODELS_FORMULA_TEXTS_H

#include "models/formulas/formula.h"

/* The tables once more, read off page by page: what muParser makes of them is what the code must. Beside the
 * tables' letters (P, m, ms, ns, a and b for alpha and beta, y for gamma, d for delta, L, o, g, G) there are
 * l = log2(P), c and f, its ceiling and floor, Q = 2^f, two, 1 where P is a power of two, D = ceil(log2(P +
 * 1)), j, how many powers of two from 1 on are not above P - Q, in PLogP g(x), s(x) and r(x) for g, o_s and
 * o_r, up(i, j, x), down(i, j, x) and over(i, j, x, y), the sums over k = i ... j of g(2^k x), g(x / 2^k) and
 * g(2^k x + y), and ceil(x). */
struct formula_text {
    const char *printed;
    const char *taken; /* NULL where print is */
};

struct formula_row_texts {
    const char *method;
    struct formula_text texts[CT_COMMUNICATION_MODELS];
};

enum { FORMULA_TEXTS = 35 };
extern const struct formula_row_texts formula_texts[FORMULA_TEXTS];

/* What muParser makes of a text in the letters of `x`. Ends the program where the text is none. */
double formula_text_seconds(const char *text, enum ct_communication_model model,
                            const struct ct_formula_terms *x);

#endif
