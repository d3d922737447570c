/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.3. */
#include "models/formulas/formula_rows.h"

static double linear_hockney(const struct ct_formula_terms *x)
{
    return x->n_s * (x->P - 1) * hockney_message(x, x->m_s);
}

static double linear_loggp(const struct ct_formula_terms *x)
{
    return x->L + 2 * x->o - x->g + x->n_s * (x->P - 1) * ((x->m_s - 1) * x->G + x->g);
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return x->L + x->n_s * (x->P - 1) * gap(x, x->m_s);
}

const struct ct_formula ct_formula_bcast_linear = {
    .collective = CT_COLLECTIVE_BCAST,
    .algorithm = "linear",
    .table = "4.3",
    .row = "Linear",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {linear_hockney},
              [CT_MODEL_LOGGP] = {linear_loggp},
              [CT_MODEL_PLOGP] = {linear_plogp}},
};

static double pipeline_hockney(const struct ct_formula_terms *x)
{
    return (x->P + x->n_s - 2) * hockney_message(x, x->m_s);
}

static double pipeline_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * loggp_message(x, x->m_s) + (x->n_s - 1) * (x->g + (x->m_s - 1) * x->G + x->o);
}

static double pipeline_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * plogp_message(x, x->m_s) + (x->n_s - 1) * gap(x, x->m_s);
}

const struct ct_formula ct_formula_bcast_pipeline = {
    .collective = CT_COLLECTIVE_BCAST,
    .algorithm = "pipeline",
    .table = "4.3",
    .row = "Pipeline",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {pipeline_hockney},
              [CT_MODEL_LOGGP] = {pipeline_loggp},
              [CT_MODEL_PLOGP] = {pipeline_plogp}},
};

static double binomial_hockney(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * x->n_s * hockney_message(x, x->m_s);
}

static double binomial_loggp(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * (loggp_message(x, x->m_s) + (x->n_s - 1) * (x->g + (x->m_s - 1) * x->G));
}

static double binomial_plogp(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * (x->L + x->n_s * gap(x, x->m_s));
}

const struct ct_formula ct_formula_bcast_binomial = {
    .collective = CT_COLLECTIVE_BCAST,
    .algorithm = "binomial",
    .table = "4.3",
    .row = "Binomial",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {binomial_hockney},
              [CT_MODEL_LOGGP] = {binomial_loggp},
              [CT_MODEL_PLOGP] = {binomial_plogp}},
};

/* Segments go down a complete binary tree of P = 2^D - 1 ranks, `segments` of them through each rank: D - 1
 * steps until the last leaf has the first one, then one segment after the other. Equations 4.7, 4.9, 4.10. */
static double down_tree_hockney(const struct ct_formula_terms *x, double segments)
{
    return 2 * (binary_depth(x) + segments - 2) * hockney_message(x, x->m_s);
}

static double down_tree_loggp(const struct ct_formula_terms *x, double segments)
{
    return (binary_depth(x) - 1) * (x->L + x->g + 2 * (x->o + (x->m_s - 1) * x->G)) +
           (segments - 1) * (x->o + 2 * (x->g + (x->m_s - 1) * x->G));
}

static double down_tree_plogp(const struct ct_formula_terms *x, double segments)
{
    double g = gap(x, x->m_s);
    return (binary_depth(x) - 1) * (x->L + 2 * g) +
           (segments - 1) * fmax(2 * g, receiving(x, x->m_s) + g + sending(x, x->m_s));
}

static double binary_hockney(const struct ct_formula_terms *x)
{
    return down_tree_hockney(x, x->n_s);
}

static double binary_loggp(const struct ct_formula_terms *x)
{
    return down_tree_loggp(x, x->n_s);
}

static double binary_plogp(const struct ct_formula_terms *x)
{
    return down_tree_plogp(x, x->n_s);
}

const struct ct_formula ct_formula_bcast_binary = {
    .collective = CT_COLLECTIVE_BCAST,
    .algorithm = "binary",
    .table = "4.3",
    .row = "Binary",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {binary_hockney, .remark = 32},
              [CT_MODEL_LOGGP] = {binary_loggp, .remark = 32},
              [CT_MODEL_PLOGP] = {binary_plogp, .remark = 32}},
};

/* Half the segments run down each subtree, then pairs swap halves. Print has ceil(n_s / 2); n_s is even here.
 */
static double split_binary_hockney(const struct ct_formula_terms *x)
{
    return down_tree_hockney(x, x->n_s / 2) + hockney_message(x, x->m / 2);
}

static double split_binary_loggp(const struct ct_formula_terms *x)
{
    return down_tree_loggp(x, x->n_s / 2) + loggp_message(x, x->m / 2);
}

static double split_binary_plogp(const struct ct_formula_terms *x)
{
    return down_tree_plogp(x, x->n_s / 2) + plogp_message(x, x->m / 2);
}

const struct ct_formula ct_formula_bcast_split_binary = {
    .collective = CT_COLLECTIVE_BCAST,
    .algorithm = "split_binary",
    .table = "4.3",
    .row = "Split-binary",
    .cut = CT_CUT_HALVES,
    .cells = {[CT_MODEL_HOCKNEY] = {split_binary_hockney, .remark = 32},
              [CT_MODEL_LOGGP] = {split_binary_loggp, .remark = 32},
              [CT_MODEL_PLOGP] = {split_binary_plogp, .remark = 32}},
};
