/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.2: barrier. Messages have no data: PLogP's curves are read at 0, and a LogGP message has no G. */
#include "models/formulas/formula_terms.h"

/* According to the text all messages arrive in the time of one, and then the root sends P - 1. */
static double linear_hockney(const struct ct_formula_terms *x)
{
    return x->P * x->alpha;
}

static double linear_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 2) * (x->g + x->o) + 2 * (x->L + 2 * x->o);
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    double receiving = ct_receive_overhead_of(x, 0);
    return x->P * (ct_gap_of(x, 0) + receiving) + 2 * (x->L - receiving);
}

/* One step of an exchange without data. */
static double step(const struct ct_formula_terms *x)
{
    return x->model == CT_MODEL_LOGGP ? x->L + x->o + x->g : ct_message_seconds(x, 0);
}

static double double_ring(const struct ct_formula_terms *x)
{
    return 2 * x->P * step(x);
}

/* Ranks beyond the largest power of two report before and hear after. */
static double recursive_doubling(const struct ct_formula_terms *x)
{
    return (ct_floor_log2(x->P) + (ct_is_power_of_two(x->P) ? 0 : 2)) * step(x);
}

/* "Bruck" in print. */
static double dissemination(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * step(x);
}

static const struct ct_formula rows[] = {
    {"barrier", "linear", CT_CUT_NOTHING, {linear_hockney, linear_loggp, linear_plogp}, "<< << <<"},
    {"barrier", "double_ring", CT_CUT_NOTHING, {double_ring, double_ring, double_ring}, "== >> =="},
    {"barrier",
     "recursive_doubling",
     CT_CUT_NOTHING,
     {recursive_doubling, recursive_doubling, recursive_doubling},
     "== >> =>"},
    {"barrier", "dissemination", CT_CUT_NOTHING, {dissemination, dissemination, dissemination}, "== >> =="},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_barrier = {rows, sizeof rows / sizeof rows[0]};
