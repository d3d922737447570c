/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables 5.1 to 5.4 and corollary 5.4. The time of a row as a function of m_s, with n_s = m / m_s, is
 * a + b m_s + c / m_s, or the larger of two such: its least value lies at sqrt(c / b) of either, or where
 * they cross. What lies elsewhere or is no number is not tried, and the time itself decides among what is. */
#include "models/formulas/formula_rows.h"
#include "models/formulas/segment_trial.h"

/* Table 5.1. */

static void bcast_pipeline_hockney(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * x->alpha / ((x->P - 2) * x->beta)));
}

static void bcast_pipeline_loggp(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * (x->o + x->g - x->G) / ((x->P - 2) * x->G)));
}

static void bcast_binary_hockney(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * x->alpha / ((binary_depth(x) - 2) * x->beta)));
}

static double bcast_binary_hockney_printed(const struct ct_formula_terms *x)
{
    return sqrt(2 * x->m * x->alpha / ((binary_depth(x) - 2) * x->beta));
}

static void bcast_binary_loggp(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * (x->o + 2 * (x->g - x->G)) / (2 * (binary_depth(x) - 2) * x->G)));
}

/* Theorem 5.1. */
static void bcast_split_binary_hockney(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * x->alpha / (2 * (binary_depth(x) - 2) * x->beta)));
}

/* Theorem 5.2. */
static void bcast_split_binary_loggp(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * (x->o + 2 * (x->g - x->G)) / (4 * (binary_depth(x) - 2) * x->G)));
}

/* Tables 5.2 to 5.4. */

/* max{g, (P - 1) (o + (m_s - 1) G + gamma m_s)}; falls everywhere unless G is above o. */
static void reduce_linear_loggp(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, (x->g / (x->P - 1) - x->o + x->G) / (x->G + x->gamma));
}

/* Belongs to the printed time, which has G once too often. */
static double reduce_linear_loggp_printed(const struct ct_formula_terms *x)
{
    return sqrt(x->m * (x->P - 1) * (x->o - x->G) / x->G);
}

/* Of pipelines that combine: reduce, segmented allreduce, segmented scan. */
static void combining_pipeline_hockney(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * x->alpha / ((x->P - 2) * (x->beta + x->gamma))));
}

static double combining_pipeline_loggp_printed(const struct ct_formula_terms *x)
{
    return sqrt(x->m * (2 * x->o - x->G) / ((x->P - 2) * (x->G + x->gamma)));
}

/* Print has not the case in which the gap is the longer: max{g, 2o + (m_s - 1) G + gamma m_s}. */
static void combining_pipeline_loggp(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    double per_byte = x->G + x->gamma;
    ct_segment_try(trial, combining_pipeline_loggp_printed(x));
    ct_segment_try(trial, sqrt(x->m * x->g / ((x->P - 1) * per_byte)));
    ct_segment_try(trial, (x->g - 2 * x->o + x->G) / per_byte);
}

/* max{g, o + gamma m_s}; falls everywhere unless G is above o. */
static void reduce_binomial_loggp(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, (x->g - x->o) / x->gamma);
}

static void reduce_binary_hockney(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * x->alpha / ((binary_depth(x) - 2) * (x->beta + x->gamma))));
}

/* max{g, 3o + 2 gamma m_s}. */
static void reduce_binary_loggp(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    double depth = binary_depth(x);
    ct_segment_try(trial, sqrt(x->m * (x->g - x->G) / ((depth - 2) * x->G + 2 * (depth - 1) * x->gamma)));
    ct_segment_try(trial, sqrt(x->m * (3 * x->o - x->G) / ((depth - 2) * (x->G + 2 * x->gamma))));
    ct_segment_try(trial, (x->g - 3 * x->o) / (2 * x->gamma));
}

static double reduce_binary_loggp_printed(const struct ct_formula_terms *x)
{
    double gap_longer = sqrt(x->m * (x->g - x->G) / (2 * x->gamma));
    return x->g >= x->o + x->gamma * gap_longer ? gap_longer : sqrt(x->m * (x->o - x->G) / (2 * x->gamma));
}

/* max{g, o + gamma m_s}. */
static void allreduce_ring_loggp(struct ct_segment_trial *trial)
{
    const struct ct_formula_terms *x = &trial->x;
    ct_segment_try(trial, sqrt(x->m * (x->g - x->G) / ((x->P - 2) * x->G + (x->P - 1) * x->gamma)));
    ct_segment_try(trial, sqrt(x->m * (x->o - x->G) / ((x->P - 2) * (x->G + x->gamma))));
    ct_segment_try(trial, (x->g - x->o) / x->gamma);
}

static double allreduce_ring_loggp_printed(const struct ct_formula_terms *x)
{
    double gap_longer = sqrt(x->m * (x->g - x->G) / ((x->P - 2) * x->G));
    return x->g >= x->o + x->gamma * gap_longer ? gap_longer
                                                : sqrt(x->m * (x->o - x->G) / ((x->P - 2) * x->G - x->gamma));
}

/* Where PLogP's curves are straight from `low` to `high`: g = c + C m and o_s + o_r = d + D m. */
static void split_binary_piece(struct ct_segment_trial *trial, double low, double high)
{
    const struct ct_formula_terms *x = &trial->x;
    double levels = binary_depth(x) - 1;
    double g = gap(x, low), o = sending(x, low) + receiving(x, low);
    double C = (gap(x, high) - g) / (high - low);
    double D = (sending(x, high) + receiving(x, high) - o) / (high - low);
    double c = g - C * low, d = o - D * low;
    const double sizes[] = {low, sqrt(x->m * c / (2 * (levels - 1) * C)),
                            sqrt(x->m * (c + d) / (2 * (2 * levels * C - (C + D)))), (d - c) / (C - D)};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] >= low && sizes[i] <= high)
            ct_segment_try(trial, sizes[i]);
}

/* The next point of a curve behind `bytes`, if it is before `most`. */
static double next_point(const struct ct_curve *curve, double bytes, double most)
{
    for (size_t i = 0; i < curve->count; i++)
        if (curve->points[i].bytes > bytes)
            return fmin(curve->points[i].bytes, most);
    return most;
}

/* Corollary 5.4, mended: also inside the pieces. */
static void split_binary_plogp(struct ct_segment_trial *trial)
{
    const struct ct_plogp *plogp = trial->x.plogp;
    for (double low = 1, high; low < trial->most; low = high) {
        high = next_point(&plogp->gap, low, trial->most);
        high = next_point(&plogp->send_overhead, low, high);
        high = next_point(&plogp->receive_overhead, low, high);
        split_binary_piece(trial, low, high);
    }
}

/* Without a size inside, the time falls from 1 byte to the whole, or rises. */
const struct ct_segment_optimum ct_segment_optima[] = {
    {&ct_formula_bcast_linear, CT_MODEL_HOCKNEY, "5.1", NULL, NULL, 0},
    {&ct_formula_bcast_linear, CT_MODEL_LOGGP, "5.1", NULL, NULL, 0},
    {&ct_formula_bcast_pipeline, CT_MODEL_HOCKNEY, "5.1", bcast_pipeline_hockney, NULL, 0},
    {&ct_formula_bcast_pipeline, CT_MODEL_LOGGP, "5.1", bcast_pipeline_loggp, NULL, 0},
    {&ct_formula_bcast_binomial, CT_MODEL_HOCKNEY, "5.1", NULL, NULL, 0},
    {&ct_formula_bcast_binomial, CT_MODEL_LOGGP, "5.1", NULL, NULL, 0},
    {&ct_formula_bcast_binary, CT_MODEL_HOCKNEY, "5.1", bcast_binary_hockney, bcast_binary_hockney_printed,
     25},
    {&ct_formula_bcast_binary, CT_MODEL_LOGGP, "5.1", bcast_binary_loggp, NULL, 0},
    {&ct_formula_bcast_split_binary, CT_MODEL_HOCKNEY, "5.1", bcast_split_binary_hockney, NULL, 0},
    {&ct_formula_bcast_split_binary, CT_MODEL_LOGGP, "5.1", bcast_split_binary_loggp, NULL, 0},
    {&ct_formula_reduce_linear, CT_MODEL_HOCKNEY, "5.2", NULL, NULL, 0},
    {&ct_formula_reduce_linear, CT_MODEL_LOGGP, "5.2", reduce_linear_loggp, reduce_linear_loggp_printed, 26},
    {&ct_formula_reduce_pipeline, CT_MODEL_HOCKNEY, "5.2", combining_pipeline_hockney, NULL, 0},
    {&ct_formula_reduce_pipeline, CT_MODEL_LOGGP, "5.2", combining_pipeline_loggp,
     combining_pipeline_loggp_printed, 27},
    {&ct_formula_reduce_binomial, CT_MODEL_HOCKNEY, "5.2", NULL, NULL, 0},
    {&ct_formula_reduce_binomial, CT_MODEL_LOGGP, "5.2", reduce_binomial_loggp, NULL, 0},
    {&ct_formula_reduce_binary, CT_MODEL_HOCKNEY, "5.2", reduce_binary_hockney, NULL, 0},
    {&ct_formula_reduce_binary, CT_MODEL_LOGGP, "5.2", reduce_binary_loggp, reduce_binary_loggp_printed, 28},
    {&ct_formula_allreduce_ring_segmented, CT_MODEL_HOCKNEY, "5.3", combining_pipeline_hockney, NULL, 0},
    {&ct_formula_allreduce_ring_segmented, CT_MODEL_LOGGP, "5.3", allreduce_ring_loggp,
     allreduce_ring_loggp_printed, 29},
    {&ct_formula_scan_linear_segmented, CT_MODEL_HOCKNEY, "5.4", combining_pipeline_hockney, NULL, 0},
    {&ct_formula_scan_linear_segmented, CT_MODEL_LOGGP, "5.4", combining_pipeline_loggp,
     combining_pipeline_loggp_printed, 27},
    {&ct_formula_bcast_split_binary, CT_MODEL_PLOGP, "corollary 5.4", split_binary_plogp, NULL, 0},
};
const size_t ct_segment_optimum_count = sizeof ct_segment_optima / sizeof ct_segment_optima[0];

/* The positive root of 2 (D - 2) b m_s^2 + m b m_s - m = 0, in a form that also D = 2 has. */
double ct_segment_of_exponential_gap(double ranks, double bytes, double per_byte)
{
    double steep = bytes * per_byte, levels = ceil_log2(ranks + 1) - 2;
    return 2 * bytes / (steep + sqrt(steep * steep + 8 * steep * levels));
}
