/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.9: reduce_scatter. m is one rank's part of the result. */
#include "models/formulas/formula_terms.h"

/* If P is not a power of two, ranks beyond it hand over all their data before and get their part after. The
 * brackets around log2(P) in print are taken as a floor: floor(log2 P) + 2 messages remain. */
static double halving_hockney(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P);
    if (ct_is_power_of_two(x->P))
        return steps * x->alpha + (x->P - 1) * (x->beta + x->gamma) * x->m;
    return (steps + 2) * x->alpha + 2 * x->P * x->beta * x->m + (2 * x->P - 1) * x->gamma * x->m;
}

static double halving_loggp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P), message = x->L + 2 * x->o;
    if (ct_is_power_of_two(x->P))
        return steps * message + ((x->P - 1) * x->m - steps) * x->G + (x->P - 1) * x->gamma * x->m;
    return (steps + 2) * message + (2 * (x->P * x->m - 1) - steps) * x->G + (2 * x->P - 1) * x->gamma * x->m;
}

static double halving_plogp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P), all = x->P * x->m;
    if (ct_is_power_of_two(x->P))
        return steps * x->L + (x->P - 1) * x->gamma * x->m + ct_gaps_halving(x, 1, steps, all);
    return (steps + 2) * x->L + ct_gap_of(x, x->m) + (2 * x->P - 1) * x->gamma * x->m +
           ct_gaps_halving(x, 0, steps, all);
}

static double ring(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (ct_message_seconds(x, x->m) + x->gamma * x->m) + x->P * x->delta * x->m;
}

static const struct ct_formula rows[] = {
    {"reduce_scatter",
     "recursive_halving",
     CT_CUT_NOTHING,
     {halving_hockney, halving_loggp, halving_plogp},
     "=~ =~ =~"},
    {"reduce_scatter", "ring", CT_CUT_NOTHING, {ring, ring, ring}, ">> >> >>"},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_reduce_scatter = {rows,
                                                                               sizeof rows / sizeof rows[0]};
