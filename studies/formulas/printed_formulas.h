/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_PRINTED_FORMULAS_H
#define CT_STUDIES_PRINTED_FORMULAS_H

#include "models/formulas/formula.h"

/* What Pjesivac-Grbovic 2007 prints where colltune computes something else, and why. Numbers are those of
 * formulas-errata.md. */

struct printed_formula {
    ct_formula_function *seconds; /* as printed; NULL if colltune takes that */
    ct_formula_function *least;   /* the best case if the table has two, else NULL */
    int erratum;                  /* why it is not taken as printed; 0 if it is */
    int remark;                   /* what to know of a formula that is taken as printed; 0 if nothing */
    const char *reason;           /* why it does not equal the evaluation of plans; NULL if it does */
};

/* A row of tables 4.2 to 4.11; the rows of ct_formula_at() in their order. */
struct printed_row {
    const char *method;
    const char *table; /* "4.3" */
    const char *name;  /* in print */
    struct printed_formula formulas[CT_COMMUNICATION_MODELS];
};

enum { PRINTED_ROWS = 35 };
extern const struct printed_row printed_rows[PRINTED_ROWS];

/* Optimal segment sizes that are wrong in print. */
struct printed_optimum {
    const char *method;
    enum ct_communication_model model;
    const char *table;
    ct_formula_function *bytes; /* as printed, NAN for none */
    int erratum;
};

enum { PRINTED_OPTIMA = 6 };
extern const struct printed_optimum printed_optima[PRINTED_OPTIMA];

/* Corollary 5.5, corrected: the optimal segment size of split-binary broadcast under PLogP if g(m) = a exp(b
 * m) and g(m_s) > o_s(m_s) + o_r(m_s), which the caller ensures; `per_byte` is b, ranks >= 3. */
double segment_of_exponential_gap(double ranks, double bytes, double per_byte);

#endif
