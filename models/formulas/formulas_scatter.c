/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables 4.4 and 4.5: scatter, and gather, which is a reversed scatter except for its synchronised form. */
#include "models/formulas/formula_terms.h"

static double linear_hockney(const struct ct_formula_terms *x)
{
    return (x->P - 1) * ct_message_seconds(x, x->m);
}

/* One message, then another one every (m - 1) G + g. */
static double linear_loggp(const struct ct_formula_terms *x)
{
    return ct_message_seconds(x, x->m) + (x->P - 2) * ((x->m - 1) * x->G + x->g);
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->L + (x->P - 1) * ct_gap_of(x, x->m);
}

/* The root's blocks, P - 1 of them, in messages that halve from step to step. */
static double binomial_hockney(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * x->alpha + (x->P - 1) * x->beta * x->m;
}

static double binomial_loggp(const struct ct_formula_terms *x)
{
    double steps = ct_ceil_log2(x->P);
    return x->L + 2 * x->o + (x->m * (x->P - 1) - steps) * x->G + (steps - 1) * fmax(x->L + 2 * x->o, x->g);
}

static double binomial_plogp(const struct ct_formula_terms *x)
{
    double steps = ct_ceil_log2(x->P);
    return steps * x->L + ct_gaps_doubling(x, 0, steps - 1, x->m);
}

/* A green light, a first segment of m_s, and the rest while the next rank gets its light. Equation 4.11. */
static double linear_sync_hockney(const struct ct_formula_terms *x)
{
    return x->alpha + (x->P - 1) * (2 * x->alpha + x->beta * x->m);
}

/* Equation 4.12 asks whether the rest of a block arrives before the first segment of the next one; then
 * equation 4.13. */
static double linear_sync_loggp(const struct ct_formula_terms *x)
{
    if (x->g + x->m * x->G < x->L + 2 * (x->o + x->m_s * x->G))
        return (x->P - 1) * (2 * x->L + 4 * x->o + (x->m_s - 1) * x->G) + x->g + (x->m - x->m_s - 1) * x->G;
    return 2 * x->L + 3 * x->o + (x->P - 1) * (x->o + (x->m - 2) * x->G + x->g);
}

/* Equation 4.14 lacks the table's last g(m - m_s) of the first case. */
static double linear_sync_plogp(const struct ct_formula_terms *x)
{
    double light = ct_gap_of(x, 0), first = ct_gap_of(x, x->m_s), rest = ct_gap_of(x, x->m - x->m_s);
    if (rest < x->L + light)
        return (x->P - 1) * (2 * x->L + first + light) + rest;
    return 2 * x->L + light + (x->P - 1) * (first + rest);
}

static const struct ct_formula rows[] = {
    {"scatter", "linear", CT_CUT_NOTHING, {linear_hockney, linear_loggp, linear_plogp}, "== == =="},
    {"scatter", "binomial", CT_CUT_NOTHING, {binomial_hockney, binomial_loggp, binomial_plogp}, "== => =>"},
    {"gather", "linear", CT_CUT_NOTHING, {linear_hockney, linear_loggp, linear_plogp}, "== == =="},
    {"gather",
     "linear_sync",
     CT_CUT_FIRST,
     {linear_sync_hockney, linear_sync_loggp, linear_sync_plogp},
     "== << <<"},
    {"gather", "binomial", CT_CUT_NOTHING, {binomial_hockney, binomial_loggp, binomial_plogp}, "== => =>"},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_scatter = {rows, sizeof rows / sizeof rows[0]};
