/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FORMULAS_FORMULA_H
#define CT_MODELS_FORMULAS_FORMULA_H

#include "algorithms/method.h"
#include "models/model.h"

/* How long a collective takes, as closed formulas: 35 rows of tables 4.2 to 4.11 in Pjesivac-Grbovic 2007,
 * each for Hockney, LogGP (LogP where G = 0) and PLogP. Where print is wrong there is a mended formula beside
 * the printed one; docs/formulas-errata.md says which, and why. */

/* What the letters of a formula stand for; seconds and bytes. Those of the two other models are 0. */
struct ct_formula_terms {
    double P;            /* ranks, 2 at least */
    double m;            /* the message size: the whole buffer, or one block where ranks have one each */
    double m_s;          /* a segment's size; m where the message is not cut */
    double n_s;          /* how many segments */
    double gamma, delta; /* a reduction and a copy, per byte */
    double alpha, beta;  /* Hockney */
    double L;            /* LogGP, PLogP */
    double o, g, G;      /* LogGP */
    const struct ct_plogp *plogp; /* g(m), o_s(m), o_r(m) */
};

/* One formula, in seconds. */
struct ct_formula_cell {
    double (*seconds)(const struct ct_formula_terms *x); /* what we take */
    double (*printed)(const struct ct_formula_terms *x); /* as printed; NULL where we take that */
    double (*least)(const struct ct_formula_terms *x); /* the best case where the table has two, else NULL */
    int erratum; /* why it is not as printed: number in docs/formulas-errata.md; 0 where it is */
    int remark;  /* what to know of a formula that is: number there; 0 where nothing */
};

/* What a row cuts into segments. */
enum ct_formula_cut {
    CT_CUT_NOTHING,
    CT_CUT_MESSAGE, /* the message */
    CT_CUT_HALVES,  /* each half of it: n_s is even, and m_s at most m / 2 */
    CT_CUT_BLOCKS,  /* each of P blocks of it: m_s is at most m / P */
    CT_CUT_FIRST    /* one segment off its beginning: m_s is that one */
};

/* A row of the tables: an algorithm. */
struct ct_formula {
    enum ct_collective collective;
    const char *algorithm; /* the registry's name */
    const char *table;     /* "4.3" */
    const char *row;       /* the name in print */
    enum ct_formula_cut cut;
    struct ct_formula_cell cells[CT_COMMUNICATION_MODELS];
};

/* All rows in the order of the tables. */
extern const struct ct_formula *const ct_formulas[];
extern const size_t ct_formula_count;

/* The row of a method's algorithm, for blocks of equal size also of allgatherv and reduce_scatter_block; NULL
 * where the tables have none: not of methods with a radix other than the tables' 2. */
const struct ct_formula *ct_formula_find(const struct ct_method *method);

/* A call on a machine. */
struct ct_formula_call {
    const struct ct_link *link;
    double gamma; /* per byte */
    double delta; /* per byte */
    double ranks;
    double bytes;   /* the message size */
    double segment; /* bytes, 0 does not cut; of gather/linear_sync those that come first */
};

/* The segment size in a method's parameters, as struct ct_formula_call has it; 0 where it has none. */
double ct_formula_segment(const struct ct_method *method);

/* What a row cuts into segments at most: the message, its half, its P-th part; whole bytes. */
double ct_formula_part(const struct ct_formula *formula, double ranks, double bytes);

/* The letters for a call with ranks >= 2 under a model that its link knows. */
struct ct_formula_terms ct_formula_terms_of(const struct ct_formula *formula,
                                            enum ct_communication_model model,
                                            const struct ct_formula_call *call);

/* Seconds of the call under a model, by the formula that we take. 0 where there is one rank only, or no data
 * in a collective of data; NAN where the link does not know the model. */
double ct_formula_seconds(const struct ct_formula *formula, enum ct_communication_model model,
                          const struct ct_formula_call *call);

/* The same by the formula as printed. */
double ct_formula_seconds_printed(const struct ct_formula *formula, enum ct_communication_model model,
                                  const struct ct_formula_call *call);

#endif
