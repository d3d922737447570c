/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables 4.4 and 4.5: scatter, and gather, which is scatter backwards but for its synchronised form. */
#include "models/formulas/formula_rows.h"

static double linear_hockney(const struct ct_formula_terms *x)
{
    return (x->P - 1) * hockney_message(x, x->m);
}

/* One message, then one more every (m - 1) G + g. Print has no (m - 1) G in the one. */
static double linear_loggp(const struct ct_formula_terms *x)
{
    return loggp_message(x, x->m) + (x->P - 2) * ((x->m - 1) * x->G + x->g);
}

static double linear_loggp_printed(const struct ct_formula_terms *x)
{
    return x->L + 2 * x->o + (x->P - 2) * ((x->m - 1) * x->G + x->g);
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->L + (x->P - 1) * gap(x, x->m);
}

const struct ct_formula ct_formula_scatter_linear = {
    .collective = CT_COLLECTIVE_SCATTER,
    .algorithm = "linear",
    .table = "4.4",
    .row = "Linear",
    .cells = {[CT_MODEL_HOCKNEY] = {linear_hockney},
              [CT_MODEL_LOGGP] = {linear_loggp, linear_loggp_printed, .erratum = 3},
              [CT_MODEL_PLOGP] = {linear_plogp}},
};

const struct ct_formula ct_formula_gather_linear = {
    .collective = CT_COLLECTIVE_GATHER,
    .algorithm = "linear",
    .table = "4.5",
    .row = "Linear",
    .cells = {[CT_MODEL_HOCKNEY] = {linear_hockney},
              [CT_MODEL_LOGGP] = {linear_loggp, linear_loggp_printed, .erratum = 3},
              [CT_MODEL_PLOGP] = {linear_plogp}},
};

/* The root's blocks, P - 1 of them, in messages that halve from step to step. */
static double binomial_hockney(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * x->alpha + (x->P - 1) * x->beta * x->m;
}

static double scatter_binomial_hockney_printed(const struct ct_formula_terms *x)
{
    return log2(x->P) * x->alpha + (x->P - 1) * x->beta * x->m;
}

static double gather_binomial_hockney_printed(const struct ct_formula_terms *x)
{
    return log2(x->P) * x->alpha + x->P * x->beta * x->m;
}

static double binomial_loggp(const struct ct_formula_terms *x)
{
    double steps = ceil_log2(x->P);
    return x->L + 2 * x->o + (x->m * (x->P - 1) - steps) * x->G + (steps - 1) * fmax(x->L + 2 * x->o, x->g);
}

static double gather_binomial_loggp_printed(const struct ct_formula_terms *x)
{
    double steps = ceil_log2(x->P);
    return (steps - 1) * (x->L + 2 * x->o) + ((2 * x->P - 1) * x->m - steps) * x->G;
}

static double binomial_plogp(const struct ct_formula_terms *x)
{
    double steps = ceil_log2(x->P);
    return steps * x->L + gaps_doubling(x, 0, steps - 1, x->m);
}

const struct ct_formula ct_formula_scatter_binomial = {
    .collective = CT_COLLECTIVE_SCATTER,
    .algorithm = "binomial",
    .table = "4.4",
    .row = "Binomial",
    .cells = {[CT_MODEL_HOCKNEY] = {binomial_hockney, scatter_binomial_hockney_printed, .erratum = 4},
              [CT_MODEL_LOGGP] = {binomial_loggp},
              [CT_MODEL_PLOGP] = {binomial_plogp, .remark = 33}},
};

const struct ct_formula ct_formula_gather_binomial = {
    .collective = CT_COLLECTIVE_GATHER,
    .algorithm = "binomial",
    .table = "4.5",
    .row = "Binomial",
    .cells = {[CT_MODEL_HOCKNEY] = {binomial_hockney, gather_binomial_hockney_printed, .erratum = 6},
              [CT_MODEL_LOGGP] = {binomial_loggp, gather_binomial_loggp_printed, .erratum = 7},
              [CT_MODEL_PLOGP] = {binomial_plogp, .remark = 33}},
};

/* A green light, a first segment of m_s, and the rest while the next rank gets its light. Equation 4.11. */
static double linear_sync_hockney(const struct ct_formula_terms *x)
{
    return x->alpha + (x->P - 1) * (2 * x->alpha + x->beta * x->m);
}

/* Equation 4.12: does the rest of a block arrive before the first segment of the next? */
static bool rest_is_hidden_loggp(const struct ct_formula_terms *x)
{
    return x->g + x->m * x->G < x->L + 2 * (x->o + x->m_s * x->G);
}

static double linear_sync_hidden_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (2 * x->L + 4 * x->o + (x->m_s - 1) * x->G) + x->g + (x->m - x->m_s - 1) * x->G;
}

/* Equation 4.13. */
static double linear_sync_loggp(const struct ct_formula_terms *x)
{
    if (rest_is_hidden_loggp(x))
        return linear_sync_hidden_loggp(x);
    return 2 * x->L + 3 * x->o + (x->P - 1) * (x->o + (x->m - 2) * x->G + x->g);
}

static double linear_sync_loggp_printed(const struct ct_formula_terms *x)
{
    if (rest_is_hidden_loggp(x))
        return linear_sync_hidden_loggp(x);
    return (x->P - 1) * (x->o + x->g + (x->m - 2) * x->G + x->L + x->o);
}

/* Equation 4.14 lacks the table's last g(m - m_s) of the first case. */
static double linear_sync_plogp(const struct ct_formula_terms *x)
{
    double light = gap(x, 0), first = gap(x, x->m_s), rest = gap(x, x->m - x->m_s);
    if (rest < x->L + light)
        return (x->P - 1) * (2 * x->L + first + light) + rest;
    return 2 * x->L + light + (x->P - 1) * (first + rest);
}

const struct ct_formula ct_formula_gather_linear_sync = {
    .collective = CT_COLLECTIVE_GATHER,
    .algorithm = "linear_sync",
    .table = "4.5",
    .row = "Linear with sync.",
    .cut = CT_CUT_FIRST,
    .cells = {[CT_MODEL_HOCKNEY] = {linear_sync_hockney},
              [CT_MODEL_LOGGP] = {linear_sync_loggp, linear_sync_loggp_printed, .erratum = 5, .remark = 34},
              [CT_MODEL_PLOGP] = {linear_sync_plogp, .remark = 34}},
};
