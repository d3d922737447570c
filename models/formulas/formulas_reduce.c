/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.8: reduce. */
#include "models/formulas/formula_terms.h"

/* A segment arrives and is combined. */
static double combined(const struct ct_formula_terms *x)
{
    return ct_message_seconds(x, x->m_s) + x->gamma * x->m_s;
}

/* Of PLogP. */
static double taken_in_plogp(const struct ct_formula_terms *x)
{
    return fmax(ct_gap_of(x, x->m_s), ct_receive_overhead_of(x, x->m_s) + x->gamma * x->m_s);
}

static double linear_hockney(const struct ct_formula_terms *x)
{
    return x->n_s * (x->P - 1) * combined(x);
}

static double linear_loggp(const struct ct_formula_terms *x)
{
    return x->o + x->L + x->n_s * fmax(x->g, (x->P - 1) * (x->o + (x->m_s - 1) * x->G + x->gamma * x->m_s));
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->L + (x->P - 1) * x->n_s * taken_in_plogp(x);
}

static double pipeline_hockney(const struct ct_formula_terms *x)
{
    return (x->P + x->n_s - 2) * combined(x);
}

static double pipeline_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * combined(x) +
           (x->n_s - 1) * fmax(x->g, 2 * x->o + (x->m_s - 1) * x->G + x->gamma * x->m_s);
}

static double pipeline_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (x->L + taken_in_plogp(x)) +
           (x->n_s - 1) * (taken_in_plogp(x) + ct_send_overhead_of(x, x->m_s));
}

/* All segments for every child, not all children for every segment: section 4.1.2. */
static double binomial_hockney(const struct ct_formula_terms *x)
{
    return x->n_s * ct_ceil_log2(x->P) * combined(x);
}

static double binomial_loggp(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) *
           (x->o + x->L + x->n_s * ((x->m_s - 1) * x->G + fmax(x->g, x->o + x->gamma * x->m_s)));
}

static double binomial_plogp(const struct ct_formula_terms *x)
{
    double work = ct_receive_overhead_of(x, x->m_s) + x->gamma * x->m_s + ct_send_overhead_of(x, x->m_s);
    return ct_ceil_log2(x->P) * (x->L + x->n_s * fmax(ct_gap_of(x, x->m_s), work));
}

static double binary_hockney(const struct ct_formula_terms *x)
{
    return 2 * (ct_binary_depth(x) + x->n_s - 2) * combined(x);
}

/* The first segment goes up through all D - 1 levels; the others arrive at the root at a constant rate. */
static double binary_loggp(const struct ct_formula_terms *x)
{
    double first = x->L + 3 * x->o + (x->m_s - 1) * x->G + 2 * x->gamma * x->m_s;
    double next = (x->m_s - 1) * x->G + fmax(x->g, 3 * x->o + 2 * x->gamma * x->m_s);
    return (ct_binary_depth(x) - 1) * first + (x->n_s - 1) * next;
}

static double binary_plogp(const struct ct_formula_terms *x)
{
    return (ct_binary_depth(x) - 1) * (x->L + 2 * taken_in_plogp(x)) +
           (x->n_s - 1) * (ct_send_overhead_of(x, x->m_s) + 2 * taken_in_plogp(x));
}

/* Recursive halving, then a gather of the parts: the same messages back, without the combining. This is done
 * by the largest power of two ranks; the others hand over all their data before. */
static double rabenseifner_handover(const struct ct_formula_terms *x)
{
    return ct_is_power_of_two(x->P) ? 0 : ct_message_seconds(x, x->m) + x->gamma * x->m;
}

static double rabenseifner_hockney(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P), share = ct_halved_share(x);
    return 2 * steps * x->alpha + 2 * share * x->beta * x->m + share * x->gamma * x->m +
           rabenseifner_handover(x);
}

static double rabenseifner_loggp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P), share = ct_halved_share(x);
    return 2 * steps * (x->L + 2 * x->o) + 2 * (share * x->m - steps) * x->G + share * x->gamma * x->m +
           rabenseifner_handover(x);
}

static double rabenseifner_plogp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P);
    return 2 * steps * x->L + ct_halved_share(x) * x->gamma * x->m + 2 * ct_gaps_halving(x, 1, steps, x->m) +
           rabenseifner_handover(x);
}

static const struct ct_formula rows[] = {
    {"reduce", "linear", CT_CUT_MESSAGE, {linear_hockney, linear_loggp, linear_plogp}, ">> ~~ <<"},
    {"reduce", "pipeline", CT_CUT_MESSAGE, {pipeline_hockney, pipeline_loggp, pipeline_plogp}, ">> ~~ ~~"},
    {"reduce", "binomial", CT_CUT_MESSAGE, {binomial_hockney, binomial_loggp, binomial_plogp}, ">> >> ~~"},
    {"reduce", "binary", CT_CUT_MESSAGE, {binary_hockney, binary_loggp, binary_plogp}, ">> ~~ ~~"},
    {"reduce",
     "rabenseifner",
     CT_CUT_NOTHING,
     {rabenseifner_hockney, rabenseifner_loggp, rabenseifner_plogp},
     "== == =="},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_reduce = {rows, sizeof rows / sizeof rows[0]};
