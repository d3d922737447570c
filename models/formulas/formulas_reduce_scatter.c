/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.9: m is one rank's part of the result. */
#include "models/formulas/formula_rows.h"

/* Where P is not a power of two, ranks beyond it hand over all they have before and get their part after. The
 * brackets around log2(P) in print are taken as a floor: what is left are floor(log2 P) + 2 messages. */
static double halving_hockney(const struct ct_formula_terms *x)
{
    if (is_power_of_two(x->P))
        return floor_log2(x->P) * x->alpha + (x->P - 1) * (x->beta + x->gamma) * x->m;
    return (floor_log2(x->P) + 2) * x->alpha + 2 * x->P * x->beta * x->m + (2 * x->P - 1) * x->gamma * x->m;
}

static double halving_power_of_two_loggp(const struct ct_formula_terms *x)
{
    return floor_log2(x->P) * (x->L + 2 * x->o) + ((x->P - 1) * x->m - floor_log2(x->P)) * x->G +
           (x->P - 1) * x->gamma * x->m;
}

static double halving_other_loggp(const struct ct_formula_terms *x, double message)
{
    double steps = floor_log2(x->P);
    return (steps + 2) * message + (2 * (x->P * x->m - 1) - steps) * x->G + (2 * x->P - 1) * x->gamma * x->m;
}

static double halving_loggp(const struct ct_formula_terms *x)
{
    return is_power_of_two(x->P) ? halving_power_of_two_loggp(x) : halving_other_loggp(x, x->L + 2 * x->o);
}

/* Print adds a bare 2 to L, whose unit is the microsecond. */
static double halving_loggp_printed(const struct ct_formula_terms *x)
{
    return is_power_of_two(x->P) ? halving_power_of_two_loggp(x) : halving_other_loggp(x, x->L + 2e-6);
}

/* `all` is what a rank has: P m, in print P. */
static double halving_plogp_of(const struct ct_formula_terms *x, double all)
{
    double steps = floor_log2(x->P);
    if (is_power_of_two(x->P))
        return steps * x->L + (x->P - 1) * x->gamma * x->m + gaps_halving(x, 1, steps, all);
    return (steps + 2) * x->L + gap(x, x->m) + (2 * x->P - 1) * x->gamma * x->m +
           gaps_halving(x, 0, steps, all);
}

static double halving_plogp(const struct ct_formula_terms *x)
{
    return halving_plogp_of(x, x->P * x->m);
}

static double halving_plogp_printed(const struct ct_formula_terms *x)
{
    return halving_plogp_of(x, x->P);
}

const struct ct_formula ct_formula_reduce_scatter_recursive_halving = {
    .collective = CT_COLLECTIVE_REDUCE_SCATTER,
    .algorithm = "recursive_halving",
    .table = "4.9",
    .row = "Recursive halving",
    .cells = {[CT_MODEL_HOCKNEY] = {halving_hockney},
              [CT_MODEL_LOGGP] = {halving_loggp, halving_loggp_printed, .erratum = 17},
              [CT_MODEL_PLOGP] = {halving_plogp, halving_plogp_printed, .erratum = 18}},
};

static double ring_hockney(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (hockney_message(x, x->m) + x->gamma * x->m) + x->P * x->delta * x->m;
}

static double ring_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (loggp_message(x, x->m) + x->gamma * x->m) + x->P * x->delta * x->m;
}

static double ring_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (plogp_message(x, x->m) + x->gamma * x->m) + x->P * x->delta * x->m;
}

const struct ct_formula ct_formula_reduce_scatter_ring = {
    .collective = CT_COLLECTIVE_REDUCE_SCATTER,
    .algorithm = "ring",
    .table = "4.9",
    .row = "Ring",
    .cells = {[CT_MODEL_HOCKNEY] = {ring_hockney},
              [CT_MODEL_LOGGP] = {ring_loggp},
              [CT_MODEL_PLOGP] = {ring_plogp}},
};
