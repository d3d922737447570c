/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.7: m is what one rank has for one other. */
#include "models/formulas/formula_rows.h"

static double linear_hockney(const struct ct_formula_terms *x)
{
    return (x->P - 1) * hockney_message(x, x->m);
}

/* As published, far too small for large m: P - 1 messages and one (m - 1) G. */
static double linear_loggp(const struct ct_formula_terms *x)
{
    return loggp_message(x, x->m) + 2 * (x->P - 1) * x->g;
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->L + 2 * (x->P - 1) * gap(x, x->m);
}

const struct ct_formula ct_formula_alltoall_linear = {
    .collective = CT_COLLECTIVE_ALLTOALL,
    .algorithm = "linear",
    .table = "4.7",
    .row = "Linear",
    .cells = {[CT_MODEL_HOCKNEY] = {linear_hockney},
              [CT_MODEL_LOGGP] = {linear_loggp, .remark = 35},
              [CT_MODEL_PLOGP] = {linear_plogp, .remark = 36}},
};

static double pairwise_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (x->L + x->o + (x->m - 1) * x->G + x->g);
}

static double pairwise_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * plogp_message(x, x->m);
}

const struct ct_formula ct_formula_alltoall_pairwise = {
    .collective = CT_COLLECTIVE_ALLTOALL,
    .algorithm = "pairwise",
    .table = "4.7",
    .row = "Pairwise exchange",
    .cells = {[CT_MODEL_HOCKNEY] = {linear_hockney},
              [CT_MODEL_LOGGP] = {pairwise_loggp, .remark = 31},
              [CT_MODEL_PLOGP] = {pairwise_plogp}},
};

/* P / 2 blocks travel in each of floor(log2 P) steps, and as many as are left beyond the largest power of two
 * in one more. All are copied once, and what travels once more. */
static double blocks_left(const struct ct_formula_terms *x)
{
    return x->P - ldexp(1, (int)floor_log2(x->P));
}

static double bruck_hockney(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * x->alpha + floor_log2(x->P) * (x->beta + x->delta) * x->P / 2 * x->m +
           x->delta * x->P * x->m + (x->beta + x->delta) * blocks_left(x) * x->m;
}

static double bruck_step_loggp(const struct ct_formula_terms *x, double bytes)
{
    return x->o + (bytes - 1) * x->G + x->delta * bytes + fmax(x->g, x->L + x->o);
}

static double bruck_loggp(const struct ct_formula_terms *x)
{
    double full = floor_log2(x->P) * bruck_step_loggp(x, x->P / 2 * x->m) + x->delta * x->P * x->m;
    return is_power_of_two(x->P) ? full : full + bruck_step_loggp(x, blocks_left(x) * x->m);
}

static double bruck_full_steps_plogp(const struct ct_formula_terms *x)
{
    double half = x->P / 2 * x->m;
    return floor_log2(x->P) * (gap(x, half) + x->delta * half) + x->delta * x->P * x->m;
}

/* Print has the last step also where nothing is left for it. */
static double bruck_plogp(const struct ct_formula_terms *x)
{
    double left = blocks_left(x) * x->m;
    return ceil_log2(x->P) * x->L + bruck_full_steps_plogp(x) +
           (left > 0 ? gap(x, left) + x->delta * left : 0);
}

static double bruck_plogp_printed(const struct ct_formula_terms *x)
{
    double left = blocks_left(x) * x->m;
    return ceil_log2(x->P) * x->L + bruck_full_steps_plogp(x) + gap(x, left) + x->delta * left;
}

const struct ct_formula ct_formula_alltoall_bruck = {
    .collective = CT_COLLECTIVE_ALLTOALL,
    .algorithm = "bruck",
    .table = "4.7",
    .row = "Bruck",
    .cells = {[CT_MODEL_HOCKNEY] = {bruck_hockney},
              [CT_MODEL_LOGGP] = {bruck_loggp},
              [CT_MODEL_PLOGP] = {bruck_plogp, bruck_plogp_printed, .erratum = 13}},
};
