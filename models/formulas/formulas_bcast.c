/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.3: broadcast. */
#include "models/formulas/formula_terms.h"

static double linear_hockney(const struct ct_formula_terms *x)
{
    return x->n_s * (x->P - 1) * ct_message_seconds(x, x->m_s);
}

static double linear_loggp(const struct ct_formula_terms *x)
{
    return x->L + 2 * x->o - x->g + x->n_s * (x->P - 1) * ((x->m_s - 1) * x->G + x->g);
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->L + x->n_s * (x->P - 1) * ct_gap_of(x, x->m_s);
}

static double pipeline_hockney(const struct ct_formula_terms *x)
{
    return (x->P + x->n_s - 2) * ct_message_seconds(x, x->m_s);
}

static double pipeline_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * ct_message_seconds(x, x->m_s) + (x->n_s - 1) * (x->g + (x->m_s - 1) * x->G + x->o);
}

static double pipeline_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * ct_message_seconds(x, x->m_s) + (x->n_s - 1) * ct_gap_of(x, x->m_s);
}

static double binomial_hockney(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * x->n_s * ct_message_seconds(x, x->m_s);
}

static double binomial_loggp(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * (ct_message_seconds(x, x->m_s) + (x->n_s - 1) * (x->g + (x->m_s - 1) * x->G));
}

static double binomial_plogp(const struct ct_formula_terms *x)
{
    return ct_ceil_log2(x->P) * (x->L + x->n_s * ct_gap_of(x, x->m_s));
}

/* Segments go down a complete binary tree of P = 2^D - 1 ranks, `segments` of them through each rank: D - 1
 * steps until the last leaf has the first segment, then one segment after the other. Equations 4.7, 4.9,
 * 4.10. */
static double down_tree(const struct ct_formula_terms *x, double segments)
{
    if (x->model == CT_MODEL_HOCKNEY)
        return 2 * (ct_binary_depth(x) + segments - 2) * ct_message_seconds(x, x->m_s);
    if (x->model == CT_MODEL_LOGGP)
        return (ct_binary_depth(x) - 1) * (x->L + x->g + 2 * (x->o + (x->m_s - 1) * x->G)) +
               (segments - 1) * (x->o + 2 * (x->g + (x->m_s - 1) * x->G));
    double g = ct_gap_of(x, x->m_s);
    double forwarding = ct_receive_overhead_of(x, x->m_s) + g + ct_send_overhead_of(x, x->m_s);
    return (ct_binary_depth(x) - 1) * (x->L + 2 * g) + (segments - 1) * fmax(2 * g, forwarding);
}

static double binary(const struct ct_formula_terms *x)
{
    return down_tree(x, x->n_s);
}

/* Half the segments run down each subtree, then pairs swap halves. Print has ceil(n_s / 2); n_s is even here.
 */
static double split_binary(const struct ct_formula_terms *x)
{
    return down_tree(x, x->n_s / 2) + ct_message_seconds(x, x->m / 2);
}

static const struct ct_formula rows[] = {
    {"bcast", "linear", CT_CUT_MESSAGE, {linear_hockney, linear_loggp, linear_plogp}, "== == =="},
    {"bcast", "pipeline", CT_CUT_MESSAGE, {pipeline_hockney, pipeline_loggp, pipeline_plogp}, "== >> =="},
    {"bcast", "binomial", CT_CUT_MESSAGE, {binomial_hockney, binomial_loggp, binomial_plogp}, "== => =>"},
    {"bcast", "binary", CT_CUT_MESSAGE, {binary, binary, binary}, ">> >> >>"},
    {"bcast", "split_binary", CT_CUT_HALVES, {split_binary, split_binary, split_binary}, ">> >> >>"},
};
CT_FORMULA_LINKAGE const struct ct_formula_table ct_formulas_bcast = {rows, sizeof rows / sizeof rows[0]};
