/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4.11. */
#include "models/formulas/formula_rows.h"

static double linear_hockney(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (hockney_message(x, x->m) + x->gamma * x->m);
}

static double linear_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (loggp_message(x, x->m) + x->gamma * x->m);
}

static double linear_plogp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (plogp_message(x, x->m) + x->gamma * x->m);
}

const struct ct_formula ct_formula_scan_linear = {
    .collective = CT_COLLECTIVE_SCAN,
    .algorithm = "linear",
    .table = "4.11",
    .row = "Linear",
    .cells = {[CT_MODEL_HOCKNEY] = {linear_hockney},
              [CT_MODEL_LOGGP] = {linear_loggp},
              [CT_MODEL_PLOGP] = {linear_plogp}},
};

static double linear_segmented_hockney(const struct ct_formula_terms *x)
{
    return (x->P + x->n_s - 2) * (hockney_message(x, x->m_s) + x->gamma * x->m_s);
}

static double linear_segmented_loggp(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (loggp_message(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * fmax(x->g, 2 * x->o + (x->m_s - 1) * x->G + x->gamma * x->m_s);
}

static double linear_segmented_plogp(const struct ct_formula_terms *x)
{
    double combined = sending(x, x->m_s) + receiving(x, x->m_s) + x->gamma * x->m_s;
    return (x->P - 1) * (plogp_message(x, x->m_s) + x->gamma * x->m_s) +
           (x->n_s - 1) * fmax(gap(x, x->m_s), combined);
}

const struct ct_formula ct_formula_scan_linear_segmented = {
    .collective = CT_COLLECTIVE_SCAN,
    .algorithm = "linear_segmented",
    .table = "4.11",
    .row = "Linear with segment.",
    .cut = CT_CUT_MESSAGE,
    .cells = {[CT_MODEL_HOCKNEY] = {linear_segmented_hockney},
              [CT_MODEL_LOGGP] = {linear_segmented_loggp},
              [CT_MODEL_PLOGP] = {linear_segmented_plogp}},
};

/* In step k rank r sends its sum to r + 2^k: the simultaneous binomial trees, recursive doubling here. */
static double doubling_hockney(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * (hockney_message(x, x->m) + x->gamma * x->m);
}

static double doubling_loggp(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * (loggp_message(x, x->m) + x->gamma * x->m);
}

/* Print adds a gap, or another overhead, to each whole message. */
static double doubling_loggp_printed(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * (loggp_message(x, x->m) + fmax(x->g, x->o + x->gamma * x->m));
}

static double doubling_plogp(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) * (plogp_message(x, x->m) + x->gamma * x->m);
}

/* The same; the g of print is without a size, which PLogP does not have, and taken as g(m). */
static double doubling_plogp_printed(const struct ct_formula_terms *x)
{
    return ceil_log2(x->P) *
           (plogp_message(x, x->m) + fmax(gap(x, x->m), sending(x, x->m) + x->gamma * x->m));
}

const struct ct_formula ct_formula_scan_recursive_doubling = {
    .collective = CT_COLLECTIVE_SCAN,
    .algorithm = "recursive_doubling",
    .table = "4.11",
    .row = "Binomial",
    .cells = {[CT_MODEL_HOCKNEY] = {doubling_hockney},
              [CT_MODEL_LOGGP] = {doubling_loggp, doubling_loggp_printed, .erratum = 24},
              [CT_MODEL_PLOGP] = {doubling_plogp, doubling_plogp_printed, .erratum = 24}},
};
