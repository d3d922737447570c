/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_FORMULAS_FORMULA_TERMS_H
#define CT_MODELS_FORMULAS_FORMULA_TERMS_H

#include "models/parameters.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The vocabulary of the closed formulas: their letters, their rows, and terms that many of them share. A
 * formula is written term by term, as the tables of Pjesivac-Grbovic 2007 have it.
 *
 * `colltune generate --format model-c` copies this file whole into the files that it makes: beside
 * models/parameters.h it uses the standard library alone. */

/* Generated code defines this as `static`. */
#ifndef CT_FORMULA_LINKAGE
#define CT_FORMULA_LINKAGE
#endif

/* The letters of a formula; seconds and bytes. The letters of the two other models are 0. */
struct ct_formula_terms {
    enum ct_communication_model model;
    double P;            /* ranks, at least 2 */
    double m;            /* the message size: the whole buffer, or one block if each rank has its own */
    double m_s;          /* the segment size; m if the message is not cut */
    double n_s;          /* number of segments */
    double gamma, delta; /* a reduction and a copy, per byte */
    double alpha, beta;  /* Hockney */
    double L;            /* LogGP, PLogP */
    double o, g, G;      /* LogGP */
    const struct ct_plogp *plogp; /* g(m), o_s(m), o_r(m) */
};

typedef double ct_formula_function(const struct ct_formula_terms *x);

/* What an algorithm cuts into segments. */
enum ct_formula_cut {
    CT_CUT_NOTHING,
    CT_CUT_MESSAGE, /* the message */
    CT_CUT_HALVES,  /* each half of it: n_s is even, and m_s at most m / 2 */
    CT_CUT_BLOCKS,  /* each of P blocks of it: m_s is at most m / P */
    CT_CUT_FIRST    /* one segment at its beginning: m_s is the size of that one */
};

/* A row of the tables: the time of one algorithm, in seconds, by model. */
struct ct_formula {
    const char *collective, *algorithm; /* names in the registry */
    enum ct_formula_cut cut;
    ct_formula_function *seconds[CT_COMMUNICATION_MODELS];
    /* The formula compared with the evaluation of the method's plans, two characters for each model: with a
     * power of two ranks, and with any other number. '=' equal, '>' upper bound, '<' lower bound,
     * '~' neither. Valid if g lies between o and L + o, o_s(m) + o_r(m) + delta m is at most g(m), and
     * segments and blocks divide the message. */
    const char *against_plans;
};

/* The rows of a table, in its order. */
struct ct_formula_table {
    const struct ct_formula *rows;
    size_t count;
};

/* floor(log2 x), exact; x >= 1. */
static inline double ct_floor_log2(double x)
{
    int exponent;
    frexp(x, &exponent);
    return exponent - 1;
}

/* The largest power of two that is not above x; x >= 1. */
static inline double ct_floor_power_of_two(double x)
{
    return ldexp(1, (int)ct_floor_log2(x));
}

static inline bool ct_is_power_of_two(double x)
{
    return ct_floor_power_of_two(x) == x;
}

/* ceil(log2 x), exact; x >= 1. */
static inline double ct_ceil_log2(double x)
{
    return ct_floor_log2(x) + !ct_is_power_of_two(x);
}

/* D: ranks on the path from the root of a binary tree of P ranks to its deepest leaf. */
static inline double ct_binary_depth(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P + 1);
}

/* PLogP's g(m), o_s(m), o_r(m). */
static inline double ct_gap_of(const struct ct_formula_terms *x, double bytes)
{
    return ct_curve_at(&x->plogp->gap, bytes);
}

static inline double ct_send_overhead_of(const struct ct_formula_terms *x, double bytes)
{
    return ct_curve_at(&x->plogp->send_overhead, bytes);
}

static inline double ct_receive_overhead_of(const struct ct_formula_terms *x, double bytes)
{
    return ct_curve_at(&x->plogp->receive_overhead, bytes);
}

/* One message under the model: equations 4.1, 4.3, 4.4. */
static inline double ct_message_seconds(const struct ct_formula_terms *x, double bytes)
{
    if (x->model == CT_MODEL_HOCKNEY)
        return x->alpha + x->beta * bytes;
    if (x->model == CT_MODEL_LOGGP)
        return x->L + 2 * x->o + (bytes - 1) * x->G;
    return x->L + ct_gap_of(x, bytes);
}

/* The share of the message that a rank sends in recursive halving, by the largest power of two ranks. */
static inline double ct_halved_share(const struct ct_formula_terms *x)
{
    double paired = ct_floor_power_of_two(x->P);
    return (paired - 1) / paired;
}

/* The sum of g(2^k m) over k from `first` to `last`. */
static inline double ct_gaps_doubling(const struct ct_formula_terms *x, double first, double last,
                                      double bytes)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += ct_gap_of(x, ldexp(bytes, (int)k));
    return sum;
}

/* The sum of g(m / 2^k) over k from `first` to `last`. */
static inline double ct_gaps_halving(const struct ct_formula_terms *x, double first, double last,
                                     double bytes)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += ct_gap_of(x, ldexp(bytes, -(int)k));
    return sum;
}

static inline double ct_formula_parts(enum ct_formula_cut cut, double ranks)
{
    return cut == CT_CUT_HALVES ? 2 : cut == CT_CUT_BLOCKS ? ranks : 1;
}

/* The largest piece that an algorithm cuts: the message, half of it, its P-th part; whole bytes. */
static inline double ct_formula_part(const struct ct_formula *formula, double ranks, double bytes)
{
    return ceil(bytes / ct_formula_parts(formula->cut, ranks));
}

/* Sets m_s and n_s from P, m and a segment size in bytes; 0 does not cut. */
static inline void ct_formula_cut(const struct ct_formula *formula, double segment,
                                  struct ct_formula_terms *x)
{
    double part = ct_formula_part(formula, x->P, x->m);
    bool is_cut = formula->cut != CT_CUT_NOTHING && segment > 0 && segment < part;
    x->m_s = is_cut ? segment : part;
    x->n_s = ct_formula_parts(formula->cut, x->P) * (is_cut ? ceil(part / segment) : 1);
    if (formula->cut == CT_CUT_FIRST) {
        x->m_s = fmin(segment, x->m);
        x->n_s = 1;
    }
}

#endif
