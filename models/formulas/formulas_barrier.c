/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.2. Messages have no data: PLogP's curves are read at 0, and a LogGP message has no G in it. */
#include "models/formulas/formula_rows.h"

/* By the text all arrive in the time of one message, and then the root sends P - 1. */
static double linear_hockney(const struct ct_formula_terms *x)
{
    return x->P * x->alpha;
}

static double linear_hockney_printed(const struct ct_formula_terms *x)
{
    return (x->P - 1) * x->alpha;
}

static double linear_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 2) * (x->g + x->o) + 2 * (x->L + 2 * x->o);
}

static double linear_loggp_least(const struct ct_formula_terms *x)
{
    return (x->P - 2) * x->g + 2 * (x->L + 2 * x->o);
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->P * (gap(x, 0) + receiving(x, 0)) + 2 * (x->L - receiving(x, 0));
}

static double linear_plogp_least(const struct ct_formula_terms *x)
{
    return x->P * gap(x, 0) + 2 * x->L;
}

const struct ct_formula ct_formula_barrier_linear = {
    .collective = CT_COLLECTIVE_BARRIER,
    .algorithm = "linear",
    .table = "4.2",
    .row = "Flat-Tree",
    .cells = {[CT_MODEL_HOCKNEY] = {linear_hockney, linear_hockney_printed, .erratum = 1},
              [CT_MODEL_LOGGP] = {linear_loggp, .least = linear_loggp_least, .remark = 30},
              [CT_MODEL_PLOGP] = {linear_plogp, .least = linear_plogp_least, .remark = 30}},
};

/* One step of an exchange without data. */
static double hockney_step(const struct ct_formula_terms *x)
{
    return x->alpha;
}

static double loggp_step(const struct ct_formula_terms *x)
{
    return x->L + x->o + x->g;
}

static double plogp_step(const struct ct_formula_terms *x)
{
    return x->L + gap(x, 0);
}

static double double_ring_hockney(const struct ct_formula_terms *x)
{
    return 2 * x->P * hockney_step(x);
}

static double double_ring_loggp(const struct ct_formula_terms *x)
{
    return 2 * x->P * loggp_step(x);
}

static double double_ring_plogp(const struct ct_formula_terms *x)
{
    return 2 * x->P * plogp_step(x);
}

const struct ct_formula ct_formula_barrier_double_ring = {
    .collective = CT_COLLECTIVE_BARRIER,
    .algorithm = "double_ring",
    .table = "4.2",
    .row = "Double Ring",
    .cells = {[CT_MODEL_HOCKNEY] = {double_ring_hockney},
              [CT_MODEL_LOGGP] = {double_ring_loggp, .remark = 31},
              [CT_MODEL_PLOGP] = {double_ring_plogp}},
};

/* Ranks beyond the largest power of two report before and hear after. */
static double doubling_steps(double ranks)
{
    return floor_log2(ranks) + (is_power_of_two(ranks) ? 0 : 2);
}

static double doubling_steps_printed(double ranks)
{
    return is_power_of_two(ranks) ? floor_log2(ranks) : ceil_log2(ranks) + 2;
}

static double recursive_doubling_hockney(const struct ct_formula_terms *x)
{
    return doubling_steps(x->P) * hockney_step(x);
}

static double recursive_doubling_hockney_printed(const struct ct_formula_terms *x)
{
    return (log2(x->P) + (is_power_of_two(x->P) ? 0 : 2)) * hockney_step(x);
}

static double recursive_doubling_loggp(const struct ct_formula_terms *x)
{
    return doubling_steps(x->P) * loggp_step(x);
}

static double recursive_doubling_loggp_printed(const struct ct_formula_terms *x)
{
    return doubling_steps_printed(x->P) * loggp_step(x);
}

static double recursive_doubling_plogp(const struct ct_formula_terms *x)
{
    return doubling_steps(x->P) * plogp_step(x);
}

static double recursive_doubling_plogp_printed(const struct ct_formula_terms *x)
{
    return doubling_steps_printed(x->P) * plogp_step(x);
}

const struct ct_formula ct_formula_barrier_recursive_doubling = {
    .collective = CT_COLLECTIVE_BARRIER,
    .algorithm = "recursive_doubling",
    .table = "4.2",
    .row = "Recursive Doubling",
    .cells = {[CT_MODEL_HOCKNEY] = {recursive_doubling_hockney, recursive_doubling_hockney_printed,
                                    .erratum = 2},
              [CT_MODEL_LOGGP] = {recursive_doubling_loggp, recursive_doubling_loggp_printed, .erratum = 2,
                                  .remark = 31},
              [CT_MODEL_PLOGP] = {recursive_doubling_plogp, recursive_doubling_plogp_printed, .erratum = 2}},
};

static double dissemination_hockney(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * hockney_step(x);
}

static double dissemination_loggp(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * loggp_step(x);
}

static double dissemination_plogp(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * plogp_step(x);
}

const struct ct_formula ct_formula_barrier_dissemination = {
    .collective = CT_COLLECTIVE_BARRIER,
    .algorithm = "dissemination",
    .table = "4.2",
    .row = "Bruck",
    .cells = {[CT_MODEL_HOCKNEY] = {dissemination_hockney},
              [CT_MODEL_LOGGP] = {dissemination_loggp, .remark = 31},
              [CT_MODEL_PLOGP] = {dissemination_plogp}},
};
