/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.10: allreduce. */
#include "models/formulas/formula_terms.h"

/* Steps of a message and gamma m each; if P is not a power of two, there are two more, one of which combines
 * nothing. */
static double recursive_doubling(const struct ct_formula_terms *x)
{
    double message = ct_message_seconds(x, x->m), combined = x->gamma * x->m, steps = ct_floor_log2(x->P);
    if (ct_is_power_of_two(x->P))
        return steps * (message + combined);
    return (steps + 2) * (message + combined) - combined;
}

/* One of P blocks of the message. */
static double block(const struct ct_formula_terms *x)
{
    return ceil(x->m / x->P);
}

static double ring(const struct ct_formula_terms *x)
{
    return 2 * (x->P - 1) * ct_message_seconds(x, block(x)) + (x->P - 1) * x->gamma * block(x);
}

/* All n_s segments of the message run along P ranks and are combined; then whole blocks go around. */
static double ring_segmented_hockney(const struct ct_formula_terms *x)
{
    return (x->P + x->n_s - 2) * (ct_message_seconds(x, x->m_s) + x->gamma * x->m_s) +
           (x->P - 1) * ct_message_seconds(x, block(x));
}

static double ring_segmented_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (ct_message_seconds(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * (fmax(x->g, x->gamma * x->m_s + x->o) + (x->m_s - 1) * x->G) +
           (x->P - 1) * ct_message_seconds(x, block(x));
}

static double ring_segmented_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (ct_message_seconds(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * (ct_gap_of(x, x->m_s) + x->gamma * x->m_s) +
           (x->P - 1) * ct_message_seconds(x, block(x));
}

/* Recursive halving, then recursive doubling, by the largest power of two ranks; the others hand over all
 * their data before, and get the result after. */
static double rabenseifner_handover(const struct ct_formula_terms *x)
{
    return ct_is_power_of_two(x->P) ? 0 : 2 * ct_message_seconds(x, x->m) + x->gamma * x->m;
}

static double rabenseifner_hockney(const struct ct_formula_terms *x)
{
    double share = ct_halved_share(x);
    return 2 * ct_floor_log2(x->P) * x->alpha + 2 * share * x->beta * x->m + share * x->gamma * x->m +
           rabenseifner_handover(x);
}

/* Tables 4.9 and 4.6, with m / P for a block. */
static double rabenseifner_loggp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P), bytes = ct_halved_share(x) * x->m;
    return steps * (x->L + 2 * x->o) + (bytes - steps) * x->G + x->gamma * bytes +
           steps * (x->o + fmax(x->g, x->L + x->o) - x->G) + bytes * x->G + rabenseifner_handover(x);
}

static double rabenseifner_plogp(const struct ct_formula_terms *x)
{
    double steps = ct_floor_log2(x->P), bytes = ct_halved_share(x) * x->m;
    return 2 * steps * x->L + x->gamma * bytes + 2 * ct_gaps_halving(x, 1, steps, x->m) +
           rabenseifner_handover(x);
}

static const struct ct_formula rows[] = {
    {"allreduce",
     "recursive_doubling",
     CT_CUT_NOTHING,
     {recursive_doubling, recursive_doubling, recursive_doubling},
     "== => =>"},
    {"allreduce", "ring", CT_CUT_NOTHING, {ring, ring, ring}, "== == =="},
    {"allreduce",
     "ring_segmented",
     CT_CUT_BLOCKS,
     {ring_segmented_hockney, ring_segmented_loggp, ring_segmented_plogp},
     "~~ ~~ ~~"},
    {"allreduce",
     "rabenseifner",
     CT_CUT_NOTHING,
     {rabenseifner_hockney, rabenseifner_loggp, rabenseifner_plogp},
     "== == =="},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_allreduce = {rows, sizeof rows / sizeof rows[0]};
