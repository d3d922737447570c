/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.6: allgather. m is the block of one rank. */
#include "models/formulas/formula_terms.h"

/* A step in which a rank sends and receives, without the bytes. Section 4.3.3. */
static double exchange_loggp(const struct ct_formula_terms *x)
{
    return x->o + fmax(x->g, x->L + x->o) - x->G;
}

static double bruck_hockney(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * x->alpha + (x->P - 1) * x->beta * x->m + x->P * x->delta * x->m;
}

static double bruck_loggp(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * exchange_loggp(x) + (x->P - 1) * x->m * x->G + x->P * x->delta * x->m;
}

/* Blocks double until there are 2^floor(log2 P); the rest, if any, comes in one more step. */
static double bruck_plogp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P), rest = x->P - ct_floor_power_of_two(x->P);
    return steps * x->L + ct_gaps_doubling(x, 0, steps - 1, x->m) +
           (rest > 0 ? ct_message_seconds(x, rest * x->m) : 0) + x->P * x->delta * x->m;
}

/* If P is not a power of two, some ranks form pairs: one of two hands over its block before, and gets all P
 * blocks after. Print has powers of two alone. Equations 4.15, 4.16, 4.17. */
static double pairs(const struct ct_formula_terms *x)
{
    return x->P - ct_floor_power_of_two(x->P);
}

/* The most blocks that a rank passes on in exchange k: those of 2^k ranks, each alone or for its pair. */
static double blocks_exchanged(const struct ct_formula_terms *x, double k)
{
    return ldexp(1, (int)k) + fmin(ldexp(1, (int)k), pairs(x));
}

static double doubling_steps(const struct ct_formula_terms *x)
{
    return ct_floor_log2(x->P) + (pairs(x) > 0 ? 2 : 0);
}

/* Of all steps. */
static double doubling_blocks(const struct ct_formula_terms *x)
{
    double sum = pairs(x) > 0 ? 1 + x->P : 0;
    for (double k = 0; k < ct_floor_log2(x->P); k++)
        sum += blocks_exchanged(x, k);
    return sum;
}

static double recursive_doubling_hockney(const struct ct_formula_terms *x)
{
    return doubling_steps(x) * x->alpha + doubling_blocks(x) * x->beta * x->m;
}

static double recursive_doubling_loggp(const struct ct_formula_terms *x)
{
    return doubling_steps(x) * exchange_loggp(x) + doubling_blocks(x) * x->m * x->G;
}

static double recursive_doubling_plogp(const struct ct_formula_terms *x)
{
    double sum = pairs(x) > 0 ? ct_message_seconds(x, x->m) + ct_message_seconds(x, x->P * x->m) : 0;
    for (double k = 0; k < ct_floor_log2(x->P); k++)
        sum += ct_message_seconds(x, blocks_exchanged(x, k) * x->m);
    return sum;
}

static double ring(const struct ct_formula_terms *x)
{
    return (x->P - 1) * ct_message_seconds(x, x->m);
}

/* P is even. */
static double neighbor_exchange(const struct ct_formula_terms *x)
{
    return ct_message_seconds(x, x->m) + (x->P / 2 - 1) * ct_message_seconds(x, 2 * x->m);
}

static double neighbor_exchange_loggp(const struct ct_formula_terms *x)
{
    return x->P / 2 * ct_message_seconds(x, 2 * x->m) - x->m * x->G;
}

static const struct ct_formula rows[] = {
    {"allgather", "bruck", CT_CUT_NOTHING, {bruck_hockney, bruck_loggp, bruck_plogp}, "== == =="},
    {"allgather",
     "recursive_doubling",
     CT_CUT_NOTHING,
     {recursive_doubling_hockney, recursive_doubling_loggp, recursive_doubling_plogp},
     "== => =>"},
    {"allgather", "ring", CT_CUT_NOTHING, {ring, ring, ring}, "== == =="},
    {"allgather",
     "neighbor_exchange",
     CT_CUT_NOTHING,
     {neighbor_exchange, neighbor_exchange_loggp, neighbor_exchange},
     "== == =="},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_allgather = {rows, sizeof rows / sizeof rows[0]};
