/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.10. */
#include "models/formulas/formula_rows.h"

/* Steps of `message` and gamma m each; where P is not a power of two, two more, one of which combines
 * nothing. `before` is the whole number of steps among a power of two ranks. */
static double doubling(const struct ct_formula_terms *x, double message, double before)
{
    double combined = x->gamma * x->m;
    if (is_power_of_two(x->P))
        return floor_log2(x->P) * (message + combined);
    return (before + 2) * (message + combined) - combined;
}

static double recursive_doubling_hockney(const struct ct_formula_terms *x)
{
    return doubling(x, hockney_message(x, x->m), floor_log2(x->P));
}

static double recursive_doubling_hockney_printed(const struct ct_formula_terms *x)
{
    return doubling(x, hockney_message(x, x->m), ceil_log2(x->P));
}

static double recursive_doubling_loggp(const struct ct_formula_terms *x)
{
    return doubling(x, loggp_message(x, x->m), floor_log2(x->P));
}

static double recursive_doubling_loggp_printed(const struct ct_formula_terms *x)
{
    return doubling(x, loggp_message(x, x->m), ceil_log2(x->P));
}

static double recursive_doubling_plogp(const struct ct_formula_terms *x)
{
    return doubling(x, plogp_message(x, x->m), floor_log2(x->P));
}

static double recursive_doubling_plogp_printed(const struct ct_formula_terms *x)
{
    return doubling(x, plogp_message(x, x->m), ceil_log2(x->P));
}

const struct ct_formula ct_formula_allreduce_recursive_doubling = {
    .collective = CT_COLLECTIVE_ALLREDUCE,
    .algorithm = "recursive_doubling",
    .table = "4.10",
    .row = "Recursive doubling",
    .cells = {[CT_MODEL_HOCKNEY] = {recursive_doubling_hockney, recursive_doubling_hockney_printed,
                                    .erratum = 19},
              [CT_MODEL_LOGGP] = {recursive_doubling_loggp, recursive_doubling_loggp_printed, .erratum = 19},
              [CT_MODEL_PLOGP] = {recursive_doubling_plogp, recursive_doubling_plogp_printed, .erratum = 19}},
};

/* One of P blocks of the message. */
static double block(const struct ct_formula_terms *x)
{
    return ceil(x->m / x->P);
}

static double ring_hockney(const struct ct_formula_terms *x)
{
    return 2 * (x->P - 1) * hockney_message(x, block(x)) + (x->P - 1) * x->gamma * block(x);
}

static double ring_loggp(const struct ct_formula_terms *x)
{
    return 2 * (x->P - 1) * loggp_message(x, block(x)) + (x->P - 1) * x->gamma * block(x);
}

static double ring_plogp(const struct ct_formula_terms *x)
{
    return 2 * (x->P - 1) * plogp_message(x, block(x)) + (x->P - 1) * x->gamma * block(x);
}

const struct ct_formula ct_formula_allreduce_ring = {
    .collective = CT_COLLECTIVE_ALLREDUCE,
    .algorithm = "ring",
    .table = "4.10",
    .row = "Ring",
    .cells = {[CT_MODEL_HOCKNEY] = {ring_hockney},
              [CT_MODEL_LOGGP] = {ring_loggp},
              [CT_MODEL_PLOGP] = {ring_plogp}},
};

/* All n_s segments of the message run along P ranks and are combined; then whole blocks go around. */
static double ring_segmented_hockney(const struct ct_formula_terms *x)
{
    return (x->P + x->n_s - 2) * (hockney_message(x, x->m_s) + x->gamma * x->m_s) +
           (x->P - 1) * hockney_message(x, block(x));
}

static double ring_segmented_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (loggp_message(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * (fmax(x->g, x->gamma * x->m_s + x->o) + (x->m_s - 1) * x->G) +
           (x->P - 1) * loggp_message(x, block(x));
}

/* Print closes the bracket before (m_s - 1) G, and combines nothing of the first segment. */
static double ring_segmented_loggp_printed(const struct ct_formula_terms *x)
{
    return (x->P - 1) * loggp_message(x, x->m_s) + (x->n_s - 1) * fmax(x->g, x->gamma * x->m_s + x->o) +
           (x->m_s - 1) * x->G + (x->P - 1) * loggp_message(x, block(x));
}

static double ring_segmented_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (plogp_message(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * (gap(x, x->m_s) + x->gamma * x->m_s) + (x->P - 1) * plogp_message(x, block(x));
}

const struct ct_formula ct_formula_allreduce_ring_segmented = {
    .collective = CT_COLLECTIVE_ALLREDUCE,
    .algorithm = "ring_segmented",
    .table = "4.10",
    .row = "Ring with segment.",
    .cut = CT_CUT_BLOCKS,
    .cells = {[CT_MODEL_HOCKNEY] = {ring_segmented_hockney, .remark = 37},
              [CT_MODEL_LOGGP] = {ring_segmented_loggp, ring_segmented_loggp_printed, .erratum = 20,
                                  .remark = 37},
              [CT_MODEL_PLOGP] = {ring_segmented_plogp, .remark = 37}},
};

/* Recursive halving, then recursive doubling: two phases. Of the largest power of two ranks; others hand over
 * all they have before, and get the result after. */
static double paired(double ranks)
{
    return ldexp(1, (int)floor_log2(ranks));
}

static double rabenseifner_hockney(const struct ct_formula_terms *x)
{
    double share = (paired(x->P) - 1) / paired(x->P);
    return 2 * floor_log2(x->P) * x->alpha + 2 * share * x->beta * x->m + share * x->gamma * x->m +
           (is_power_of_two(x->P) ? 0 : 2 * hockney_message(x, x->m) + x->gamma * x->m);
}

static double rabenseifner_hockney_printed(const struct ct_formula_terms *x)
{
    double share = (x->P - 1) / x->P;
    return 2 * log2(x->P) * x->alpha + 2 * share * x->beta * x->m + share * x->gamma * x->m;
}

/* Tables 4.9 and 4.6, with m / P for a block. */
static double rabenseifner_loggp(const struct ct_formula_terms *x)
{
    double steps = floor_log2(x->P), bytes = (paired(x->P) - 1) / paired(x->P) * x->m;
    return steps * (x->L + 2 * x->o) + (bytes - steps) * x->G + x->gamma * bytes +
           steps * (x->o + fmax(x->g, x->L + x->o) - x->G) + bytes * x->G +
           (is_power_of_two(x->P) ? 0 : 2 * loggp_message(x, x->m) + x->gamma * x->m);
}

static double rabenseifner_loggp_printed(const struct ct_formula_terms *x)
{
    double steps = log2(x->P), bytes = (x->P - 1) / x->P * x->m;
    return 2 * steps * (x->L + 2 * x->o) + 2 * ((x->P - 1) * x->m - steps) * x->G + x->gamma * bytes +
           steps * (x->o + fmax(x->g, x->L + x->o)) - x->G + bytes * x->G;
}

static double rabenseifner_plogp(const struct ct_formula_terms *x)
{
    double steps = floor_log2(x->P), bytes = (paired(x->P) - 1) / paired(x->P) * x->m;
    return 2 * steps * x->L + x->gamma * bytes + 2 * gaps_halving(x, 1, steps, x->m) +
           (is_power_of_two(x->P) ? 0 : 2 * plogp_message(x, x->m) + x->gamma * x->m);
}

static double rabenseifner_plogp_printed(const struct ct_formula_terms *x)
{
    return 3 * log2(x->P) * x->L + (x->P - 1) / x->P * x->gamma * x->m +
           3 * gaps_halving(x, 1, log2(x->P) - 1, x->m);
}

const struct ct_formula ct_formula_allreduce_rabenseifner = {
    .collective = CT_COLLECTIVE_ALLREDUCE,
    .algorithm = "rabenseifner",
    .table = "4.10",
    .row = "Rabenseifner",
    .cells = {[CT_MODEL_HOCKNEY] = {rabenseifner_hockney, rabenseifner_hockney_printed, .erratum = 21},
              [CT_MODEL_LOGGP] = {rabenseifner_loggp, rabenseifner_loggp_printed, .erratum = 22},
              [CT_MODEL_PLOGP] = {rabenseifner_plogp, rabenseifner_plogp_printed, .erratum = 23}},
};
