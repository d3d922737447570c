/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.11: scan. */
#include "models/formulas/formula_terms.h"

static double linear(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (ct_message_seconds(x, x->m) + x->gamma * x->m);
}

static double linear_segmented_hockney(const struct ct_formula_terms *x)
{
    return (x->P + x->n_s - 2) * (ct_message_seconds(x, x->m_s) + x->gamma * x->m_s);
}

static double linear_segmented_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (ct_message_seconds(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * fmax(x->g, 2 * x->o + (x->m_s - 1) * x->G + x->gamma * x->m_s);
}

static double linear_segmented_plogp(const struct ct_formula_terms *x)
{
    double work = ct_send_overhead_of(x, x->m_s) + ct_receive_overhead_of(x, x->m_s) + x->gamma * x->m_s;
    return (x->P - 1) * (ct_message_seconds(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * fmax(ct_gap_of(x, x->m_s), work);
}

/* In step k rank r sends its sum to r + 2^k: "binomial" in print, simultaneous binomial trees. */
static double recursive_doubling(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * (ct_message_seconds(x, x->m) + x->gamma * x->m);
}

static const struct ct_formula rows[] = {
    {"scan", "linear", CT_CUT_NOTHING, {linear, linear, linear}, "== == =="},
    {"scan",
     "linear_segmented",
     CT_CUT_MESSAGE,
     {linear_segmented_hockney, linear_segmented_loggp, linear_segmented_plogp},
     ">> ~~ >="},
    {"scan",
     "recursive_doubling",
     CT_CUT_NOTHING,
     {recursive_doubling, recursive_doubling, recursive_doubling},
     "=> => =>"},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_scan = {rows, sizeof rows / sizeof rows[0]};
