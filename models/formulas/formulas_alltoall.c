/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.7: alltoall. m is what one rank has for one other. */
#include "models/formulas/formula_terms.h"

static double linear_hockney(const struct ct_formula_terms *x)
{
    return (x->P - 1) * ct_message_seconds(x, x->m);
}

/* As published, far too small for large m: P - 1 messages and one (m - 1) G. */
static double linear_loggp(const struct ct_formula_terms *x)
{
    return ct_message_seconds(x, x->m) + 2 * (x->P - 1) * x->g;
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->L + 2 * (x->P - 1) * ct_gap_of(x, x->m);
}

static double pairwise(const struct ct_formula_terms *x)
{
    return (x->P - 1) * ct_message_seconds(x, x->m);
}

static double pairwise_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (x->L + x->o + (x->m - 1) * x->G + x->g);
}

/* P / 2 blocks travel in each of floor(log2 P) steps, and the blocks beyond the largest power of two in one
 * more. All blocks are copied once, and those that travel once more. */
static double blocks_left(const struct ct_formula_terms *x)
{
    return x->P - ct_floor_power_of_two(x->P);
}

static double bruck_hockney(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * x->alpha + ct_floor_log2(x->P) * (x->beta + x->delta) * x->P / 2 * x->m +
           x->delta * x->P * x->m + (x->beta + x->delta) * blocks_left(x) * x->m;
}

static double bruck_step_loggp(const struct ct_formula_terms *x, double bytes)
{
    return x->o + (bytes - 1) * x->G + x->delta * bytes + fmax(x->g, x->L + x->o);
}

static double bruck_loggp(const struct ct_formula_terms *x)
{
    double full = ct_floor_log2(x->P) * bruck_step_loggp(x, x->P / 2 * x->m) + x->delta * x->P * x->m;
    return ct_is_power_of_two(x->P) ? full : full + bruck_step_loggp(x, blocks_left(x) * x->m);
}

static double bruck_plogp(const struct ct_formula_terms *x)
{
    double half = x->P / 2 * x->m, left = blocks_left(x) * x->m;
    double full = ct_floor_log2(x->P) * (ct_gap_of(x, half) + x->delta * half) + x->delta * x->P * x->m;
    return ct_ceil_log2(x->P) * x->L + full + (left > 0 ? ct_gap_of(x, left) + x->delta * left : 0);
}

static const struct ct_formula rows[] = {
    {"alltoall", "linear", CT_CUT_NOTHING, {linear_hockney, linear_loggp, linear_plogp}, "== ~~ >>"},
    {"alltoall", "pairwise", CT_CUT_NOTHING, {pairwise, pairwise_loggp, pairwise}, "== >> =="},
    {"alltoall", "bruck", CT_CUT_NOTHING, {bruck_hockney, bruck_loggp, bruck_plogp}, "~~ ~~ ~~"},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_alltoall = {rows, sizeof rows / sizeof rows[0]};
