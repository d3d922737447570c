/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.8. */
#include "models/formulas/formula_rows.h"

static double linear_hockney(const struct ct_formula_terms *x)
{
    return x->n_s * (x->P - 1) * (hockney_message(x, x->m_s) + x->gamma * x->m_s);
}

/* What the root takes in for one segment of all. */
static double linear_round_loggp(const struct ct_formula_terms *x)
{
    return fmax(x->g, (x->P - 1) * (x->o + (x->m_s - 1) * x->G + x->gamma * x->m_s));
}

/* Print has the first segment's (m_s - 1) G twice: on its way, and when it is taken in. */
static double linear_loggp(const struct ct_formula_terms *x)
{
    return x->o + x->L + x->n_s * linear_round_loggp(x);
}

static double linear_loggp_printed(const struct ct_formula_terms *x)
{
    return x->o + (x->m_s - 1) * x->G + x->L + x->n_s * linear_round_loggp(x);
}

/* Of PLogP: a segment comes in and is combined. */
static double taken_in_plogp(const struct ct_formula_terms *x)
{
    return fmax(gap(x, x->m_s), receiving(x, x->m_s) + x->gamma * x->m_s);
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->L + (x->P - 1) * x->n_s * taken_in_plogp(x);
}

const struct ct_formula ct_formula_reduce_linear = {
    .collective = CT_COLLECTIVE_REDUCE,
    .algorithm = "linear",
    .table = "4.8",
    .row = "Flat Tree",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {linear_hockney},
              [CT_MODEL_LOGGP] = {linear_loggp, linear_loggp_printed, .erratum = 14},
              [CT_MODEL_PLOGP] = {linear_plogp}},
};

static double pipeline_hockney(const struct ct_formula_terms *x)
{
    return (x->P + x->n_s - 2) * (hockney_message(x, x->m_s) + x->gamma * x->m_s);
}

static double pipeline_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (loggp_message(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * fmax(x->g, 2 * x->o + (x->m_s - 1) * x->G + x->gamma * x->m_s);
}

static double pipeline_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (x->L + taken_in_plogp(x)) + (x->n_s - 1) * (taken_in_plogp(x) + sending(x, x->m_s));
}

const struct ct_formula ct_formula_reduce_pipeline = {
    .collective = CT_COLLECTIVE_REDUCE,
    .algorithm = "pipeline",
    .table = "4.8",
    .row = "Pipeline",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {pipeline_hockney},
              [CT_MODEL_LOGGP] = {pipeline_loggp},
              [CT_MODEL_PLOGP] = {pipeline_plogp}},
};

/* For every child all segments, not for every segment all children: section 4.1.2. */
static double binomial_hockney(const struct ct_formula_terms *x)
{
    return x->n_s * ceil_log2(x->P) * (hockney_message(x, x->m_s) + x->gamma * x->m_s);
}

static double binomial_loggp(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) *
           (x->o + x->L + x->n_s * ((x->m_s - 1) * x->G + fmax(x->g, x->o + x->gamma * x->m_s)));
}

static double binomial_plogp(const struct ct_formula_terms *x)
{
    double combined = receiving(x, x->m_s) + x->gamma * x->m_s + sending(x, x->m_s);
    return ceil_log2(x->P) * (x->L + x->n_s * fmax(gap(x, x->m_s), combined));
}

const struct ct_formula ct_formula_reduce_binomial = {
    .collective = CT_COLLECTIVE_REDUCE,
    .algorithm = "binomial",
    .table = "4.8",
    .row = "Binomial",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {binomial_hockney},
              [CT_MODEL_LOGGP] = {binomial_loggp, .remark = 31},
              [CT_MODEL_PLOGP] = {binomial_plogp}},
};

static double binary_hockney(const struct ct_formula_terms *x)
{
    return 2 * (binary_depth(x) + x->n_s - 2) * (hockney_message(x, x->m_s) + x->gamma * x->m_s);
}

/* The first segment comes up through all D - 1 levels. */
static double binary_first_loggp(const struct ct_formula_terms *x)
{
    return x->L + 3 * x->o + (x->m_s - 1) * x->G + 2 * x->gamma * x->m_s;
}

/* The others come out at the root at this rate. */
static double binary_next_loggp(const struct ct_formula_terms *x)
{
    return (x->m_s - 1) * x->G + fmax(x->g, 3 * x->o + 2 * x->gamma * x->m_s);
}

static double binary_loggp(const struct ct_formula_terms *x)
{
    return (binary_depth(x) - 1) * binary_first_loggp(x) + (x->n_s - 1) * binary_next_loggp(x);
}

static double binary_loggp_printed(const struct ct_formula_terms *x)
{
    return (binary_depth(x) - 1) * (binary_first_loggp(x) + (x->n_s - 1) * binary_next_loggp(x));
}

static double binary_plogp(const struct ct_formula_terms *x)
{
    return (binary_depth(x) - 1) * (x->L + 2 * taken_in_plogp(x)) +
           (x->n_s - 1) * (sending(x, x->m_s) + 2 * taken_in_plogp(x));
}

const struct ct_formula ct_formula_reduce_binary = {
    .collective = CT_COLLECTIVE_REDUCE,
    .algorithm = "binary",
    .table = "4.8",
    .row = "Binary",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {binary_hockney, .remark = 32},
              [CT_MODEL_LOGGP] = {binary_loggp, binary_loggp_printed, .erratum = 15, .remark = 38},
              [CT_MODEL_PLOGP] = {binary_plogp, .remark = 32}},
};

/* Recursive halving, then a gather of the parts: the same messages back, without the combining. Of the
 * largest power of two ranks; others hand over all they have before. Print takes m for one of P parts. */
static double rabenseifner_share(double ranks)
{
    double paired = ldexp(1, (int)floor_log2(ranks));
    return (paired - 1) / paired;
}

static double rabenseifner_hockney(const struct ct_formula_terms *x)
{
    double steps = floor_log2(x->P), share = rabenseifner_share(x->P);
    return 2 * steps * x->alpha + 2 * share * x->beta * x->m + share * x->gamma * x->m +
           (is_power_of_two(x->P) ? 0 : hockney_message(x, x->m) + x->gamma * x->m);
}

static double rabenseifner_hockney_printed(const struct ct_formula_terms *x)
{
    return 2 * log2(x->P) * x->alpha + 2 * (x->P - 1) * x->beta * x->m + (x->P - 1) * x->gamma * x->m;
}

static double rabenseifner_loggp(const struct ct_formula_terms *x)
{
    double steps = floor_log2(x->P), share = rabenseifner_share(x->P);
    return 2 * steps * (x->L + 2 * x->o) + 2 * (share * x->m - steps) * x->G + share * x->gamma * x->m +
           (is_power_of_two(x->P) ? 0 : loggp_message(x, x->m) + x->gamma * x->m);
}

static double rabenseifner_loggp_printed(const struct ct_formula_terms *x)
{
    return 2 * log2(x->P) * (x->L + 2 * x->o) + 2 * ((x->P - 1) * x->m - log2(x->P)) * x->G +
           (x->P - 1) * x->gamma * x->m;
}

static double rabenseifner_plogp(const struct ct_formula_terms *x)
{
    double steps = floor_log2(x->P);
    return 2 * steps * x->L + rabenseifner_share(x->P) * x->gamma * x->m +
           2 * gaps_halving(x, 1, steps, x->m) +
           (is_power_of_two(x->P) ? 0 : plogp_message(x, x->m) + x->gamma * x->m);
}

static double rabenseifner_plogp_printed(const struct ct_formula_terms *x)
{
    return 2 * log2(x->P) * x->L + (x->P - 1) * x->gamma * x->m + gaps_halving(x, 1, log2(x->P), x->m);
}

const struct ct_formula ct_formula_reduce_rabenseifner = {
    .collective = CT_COLLECTIVE_REDUCE,
    .algorithm = "rabenseifner",
    .table = "4.8",
    .row = "Rabenseifner",
    .cells = {[CT_MODEL_HOCKNEY] = {rabenseifner_hockney, rabenseifner_hockney_printed, .erratum = 16},
              [CT_MODEL_LOGGP] = {rabenseifner_loggp, rabenseifner_loggp_printed, .erratum = 16},
              [CT_MODEL_PLOGP] = {rabenseifner_plogp, rabenseifner_plogp_printed, .erratum = 16}},
};
