/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.6: m is the block of one rank. */
#include "models/formulas/formula_rows.h"

/* A step in which a rank sends and receives, but for the bytes. Section 4.3.3. */
static double loggp_exchange(const struct ct_formula_terms *x)
{
    return x->o + fmax(x->g, x->L + x->o) - x->G;
}

static double bruck_hockney(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * x->alpha + (x->P - 1) * x->beta * x->m + x->P * x->delta * x->m;
}

static double bruck_hockney_printed(const struct ct_formula_terms *x)
{
    return log2(x->P) * x->alpha + x->P * x->beta * x->m + x->P * x->delta * x->m;
}

static double bruck_loggp(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * loggp_exchange(x) + (x->P - 1) * x->m * x->G + x->P * x->delta * x->m;
}

static double bruck_loggp_printed(const struct ct_formula_terms *x)
{
    return floor_log2(x->P) * loggp_exchange(x) + (x->P - 1) * x->m * x->G + x->P * x->delta * x->m;
}

/* Blocks double until 2^floor(log2 P) are there; the rest, if any, comes in one more step. */
static double bruck_plogp(const struct ct_formula_terms *x)
{
    double steps = floor_log2(x->P), rest = x->P - ldexp(1, (int)steps);
    return steps * x->L + gaps_doubling(x, 0, steps - 1, x->m) +
           (rest > 0 ? plogp_message(x, rest * x->m) : 0) + x->P * x->delta * x->m;
}

static double bruck_plogp_printed(const struct ct_formula_terms *x)
{
    double steps = floor_log2(x->P), rest = x->P - (ldexp(1, (int)steps) - 1);
    return steps * x->L + gaps_doubling(x, 0, steps - 1, x->m) + plogp_message(x, rest * x->m) +
           x->P * x->delta * x->m;
}

const struct ct_formula ct_formula_allgather_bruck = {
    .collective = CT_COLLECTIVE_ALLGATHER,
    .algorithm = "bruck",
    .table = "4.6",
    .row = "Bruck",
    .cells = {[CT_MODEL_HOCKNEY] = {bruck_hockney, bruck_hockney_printed, .erratum = 8},
              [CT_MODEL_LOGGP] = {bruck_loggp, bruck_loggp_printed, .erratum = 9},
              [CT_MODEL_PLOGP] = {bruck_plogp, bruck_plogp_printed, .erratum = 10}},
};

/* Where P is not a power of two, ranks in pairs stand for one: one of two hands over its block before, and
 * gets all P after; print has powers of two alone. Equations 4.15, 4.16, 4.17. */
static double pairs(const struct ct_formula_terms *x)
{
    return x->P - ldexp(1, (int)floor_log2(x->P));
}

/* The most blocks that a rank hands on in exchange k: those of 2^k that stand for one or two. */
static double blocks_exchanged(const struct ct_formula_terms *x, double k)
{
    return ldexp(1, (int)k) + fmin(ldexp(1, (int)k), pairs(x));
}

static double doubling_steps(const struct ct_formula_terms *x)
{
    return floor_log2(x->P) + (pairs(x) > 0 ? 2 : 0);
}

/* Of all steps. */
static double doubling_blocks(const struct ct_formula_terms *x)
{
    double sum = pairs(x) > 0 ? 1 + x->P : 0;
    for (double k = 0; k < floor_log2(x->P); k++)
        sum += blocks_exchanged(x, k);
    return sum;
}

static double recursive_doubling_hockney(const struct ct_formula_terms *x)
{
    return doubling_steps(x) * x->alpha + doubling_blocks(x) * x->beta * x->m;
}

static double recursive_doubling_hockney_printed(const struct ct_formula_terms *x)
{
    return log2(x->P) * x->alpha + (x->P - 1) * x->beta * x->m;
}

static double recursive_doubling_loggp(const struct ct_formula_terms *x)
{
    return doubling_steps(x) * loggp_exchange(x) + doubling_blocks(x) * x->m * x->G;
}

static double recursive_doubling_loggp_printed(const struct ct_formula_terms *x)
{
    return log2(x->P) * loggp_exchange(x) + (x->P - 1) * x->m * x->G;
}

static double recursive_doubling_plogp(const struct ct_formula_terms *x)
{
    double sum = pairs(x) > 0 ? plogp_message(x, x->m) + plogp_message(x, x->P * x->m) : 0;
    for (double k = 0; k < floor_log2(x->P); k++)
        sum += plogp_message(x, blocks_exchanged(x, k) * x->m);
    return sum;
}

static double recursive_doubling_plogp_printed(const struct ct_formula_terms *x)
{
    return floor_log2(x->P) * x->L + gaps_doubling(x, 0, log2(x->P) - 1, x->m);
}

const struct ct_formula ct_formula_allgather_recursive_doubling = {
    .collective = CT_COLLECTIVE_ALLGATHER,
    .algorithm = "recursive_doubling",
    .table = "4.6",
    .row = "Recursive doubling",
    .cells = {[CT_MODEL_HOCKNEY] = {recursive_doubling_hockney, recursive_doubling_hockney_printed,
                                    .erratum = 11},
              [CT_MODEL_LOGGP] = {recursive_doubling_loggp, recursive_doubling_loggp_printed, .erratum = 11},
              [CT_MODEL_PLOGP] = {recursive_doubling_plogp, recursive_doubling_plogp_printed, .erratum = 11}},
};

static double ring_hockney(const struct ct_formula_terms *x)
{
    return (x->P - 1) * hockney_message(x, x->m);
}

static double ring_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * loggp_message(x, x->m);
}

static double ring_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * plogp_message(x, x->m);
}

const struct ct_formula ct_formula_allgather_ring = {
    .collective = CT_COLLECTIVE_ALLGATHER,
    .algorithm = "ring",
    .table = "4.6",
    .row = "Ring",
    .cells = {[CT_MODEL_HOCKNEY] = {ring_hockney},
              [CT_MODEL_LOGGP] = {ring_loggp},
              [CT_MODEL_PLOGP] = {ring_plogp}},
};

/* P is even. */
static double neighbor_exchange_hockney(const struct ct_formula_terms *x)
{
    return hockney_message(x, x->m) + (x->P / 2 - 1) * hockney_message(x, 2 * x->m);
}

static double neighbor_exchange_loggp(const struct ct_formula_terms *x)
{
    return x->P / 2 * loggp_message(x, 2 * x->m) - x->m * x->G;
}

static double neighbor_exchange_plogp(const struct ct_formula_terms *x)
{
    return plogp_message(x, x->m) + (x->P / 2 - 1) * plogp_message(x, 2 * x->m);
}

static double neighbor_exchange_plogp_printed(const struct ct_formula_terms *x)
{
    return plogp_message(x, x->m) + (x->P / 2 - 1) * gap(x, 2 * x->m);
}

const struct ct_formula ct_formula_allgather_neighbor_exchange = {
    .collective = CT_COLLECTIVE_ALLGATHER,
    .algorithm = "neighbor_exchange",
    .table = "4.6",
    .row = "Neighbor exchange",
    .cells = {[CT_MODEL_HOCKNEY] = {neighbor_exchange_hockney},
              [CT_MODEL_LOGGP] = {neighbor_exchange_loggp},
              [CT_MODEL_PLOGP] = {neighbor_exchange_plogp, neighbor_exchange_plogp_printed, .erratum = 12}},
};
