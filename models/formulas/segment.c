/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/formulas/segment.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const ct_segment_way_names[CT_SEGMENT_WAYS] = {
    [CT_SEGMENT_BY_FORMULA] = "formula", [CT_SEGMENT_BY_SEARCH] = "search", [CT_SEGMENT_FROM_LIST] = "fixed"};

/* --- closed forms ---
 *
 * The time of a row as a function of m_s, with n_s = m / m_s, is a + b m_s + c / m_s, or the larger of two
 * such functions: its minimum lies at sqrt(c / b) of either, or where they cross. Sizes out of range and
 * sizes that are not a number are not tried, and the time itself decides among the others. */

/* Segment sizes in bytes and fractions that are tried one after the other, and the best so far. */
struct trial {
    ct_formula_function *seconds_of;
    struct ct_formula_terms x; /* of the size tried last */
    double most;               /* all that is cut */
    double best;
    double seconds; /* of the best */
};

static void try_size(struct trial *trial, double m_s)
{
    if (!(m_s >= 1 && m_s <= trial->most))
        return;
    trial->x.m_s = m_s;
    trial->x.n_s = trial->x.m / m_s;
    double seconds = trial->seconds_of(&trial->x);
    if (seconds < trial->seconds) {
        trial->seconds = seconds;
        trial->best = m_s;
    }
}

/* There is no minimum between the ends: the time falls from 1 byte to the whole, or rises. */
static void at_an_end(struct trial *trial, const struct ct_formula_terms *x)
{
    (void)trial;
    (void)x;
}

/* Table 5.1. */

static void bcast_pipeline_hockney(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * x->alpha / ((x->P - 2) * x->beta)));
}

static void bcast_pipeline_loggp(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * (x->o + x->g - x->G) / ((x->P - 2) * x->G)));
}

static void bcast_binary_hockney(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * x->alpha / ((ct_binary_depth(x) - 2) * x->beta)));
}

static void bcast_binary_loggp(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * (x->o + 2 * (x->g - x->G)) / (2 * (ct_binary_depth(x) - 2) * x->G)));
}

/* Theorem 5.1. */
static void bcast_split_binary_hockney(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * x->alpha / (2 * (ct_binary_depth(x) - 2) * x->beta)));
}

/* Theorem 5.2. */
static void bcast_split_binary_loggp(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * (x->o + 2 * (x->g - x->G)) / (4 * (ct_binary_depth(x) - 2) * x->G)));
}

/* Tables 5.2 to 5.4. */

/* max{g, (P - 1) (o + (m_s - 1) G + gamma m_s)}; falls everywhere unless G is above o. */
static void reduce_linear_loggp(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, (x->g / (x->P - 1) - x->o + x->G) / (x->G + x->gamma));
}

/* Of pipelines that combine: reduce, segmented allreduce, segmented scan. */
static void combining_pipeline_hockney(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * x->alpha / ((x->P - 2) * (x->beta + x->gamma))));
}

/* max{g, 2o + (m_s - 1) G + gamma m_s}. */
static void combining_pipeline_loggp(struct trial *trial, const struct ct_formula_terms *x)
{
    double per_byte = x->G + x->gamma;
    try_size(trial, sqrt(x->m * (2 * x->o - x->G) / ((x->P - 2) * per_byte)));
    try_size(trial, sqrt(x->m * x->g / ((x->P - 1) * per_byte)));
    try_size(trial, (x->g - 2 * x->o + x->G) / per_byte);
}

/* max{g, o + gamma m_s}; falls everywhere unless G is above o. */
static void reduce_binomial_loggp(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, (x->g - x->o) / x->gamma);
}

static void reduce_binary_hockney(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * x->alpha / ((ct_binary_depth(x) - 2) * (x->beta + x->gamma))));
}

/* max{g, 3o + 2 gamma m_s}. */
static void reduce_binary_loggp(struct trial *trial, const struct ct_formula_terms *x)
{
    double depth = ct_binary_depth(x);
    try_size(trial, sqrt(x->m * (x->g - x->G) / ((depth - 2) * x->G + 2 * (depth - 1) * x->gamma)));
    try_size(trial, sqrt(x->m * (3 * x->o - x->G) / ((depth - 2) * (x->G + 2 * x->gamma))));
    try_size(trial, (x->g - 3 * x->o) / (2 * x->gamma));
}

/* max{g, o + gamma m_s}. */
static void allreduce_ring_loggp(struct trial *trial, const struct ct_formula_terms *x)
{
    try_size(trial, sqrt(x->m * (x->g - x->G) / ((x->P - 2) * x->G + (x->P - 1) * x->gamma)));
    try_size(trial, sqrt(x->m * (x->o - x->G) / ((x->P - 2) * (x->G + x->gamma))));
    try_size(trial, (x->g - x->o) / x->gamma);
}

/* PLogP's curves are straight from `low` to `high`: g = c + C m and o_s + o_r = d + D m. */
static void split_binary_piece(struct trial *trial, const struct ct_formula_terms *x, double low, double high)
{
    double levels = ct_binary_depth(x) - 1;
    double g = ct_gap_of(x, low), o = ct_send_overhead_of(x, low) + ct_receive_overhead_of(x, low);
    double C = (ct_gap_of(x, high) - g) / (high - low);
    double D = (ct_send_overhead_of(x, high) + ct_receive_overhead_of(x, high) - o) / (high - low);
    double c = g - C * low, d = o - D * low;
    const double sizes[] = {low, sqrt(x->m * c / (2 * (levels - 1) * C)),
                            sqrt(x->m * (c + d) / (2 * (2 * levels * C - (C + D)))), (d - c) / (C - D)};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i] >= low && sizes[i] <= high)
            try_size(trial, sizes[i]);
}

/* The first point of a curve behind `bytes`, at most `most`. */
static double next_point(const struct ct_curve *curve, double bytes, double most)
{
    for (size_t i = 0; i < curve->count; i++)
        if (curve->points[i].bytes > bytes)
            return fmin(curve->points[i].bytes, most);
    return most;
}

/* Corollary 5.4, corrected: also inside the pieces. */
static void split_binary_plogp(struct trial *trial, const struct ct_formula_terms *x)
{
    for (double low = 1, high; low < trial->most; low = high) {
        high = next_point(&x->plogp->gap, low, trial->most);
        high = next_point(&x->plogp->send_overhead, low, high);
        high = next_point(&x->plogp->receive_overhead, low, high);
        split_binary_piece(trial, x, low, high);
    }
}

/* Functions that try the sizes at which the time can have a minimum between 1 byte and all that is cut. */
static const struct optimum {
    const char *collective, *algorithm;
    void (*try_inside[CT_COMMUNICATION_MODELS])(struct trial *trial, const struct ct_formula_terms *x);
} optima[] = {
    {"bcast", "linear", {at_an_end, at_an_end}},
    {"bcast", "pipeline", {bcast_pipeline_hockney, bcast_pipeline_loggp}},
    {"bcast", "binomial", {at_an_end, at_an_end}},
    {"bcast", "binary", {bcast_binary_hockney, bcast_binary_loggp}},
    {"bcast", "split_binary", {bcast_split_binary_hockney, bcast_split_binary_loggp, split_binary_plogp}},
    {"reduce", "linear", {at_an_end, reduce_linear_loggp}},
    {"reduce", "pipeline", {combining_pipeline_hockney, combining_pipeline_loggp}},
    {"reduce", "binomial", {at_an_end, reduce_binomial_loggp}},
    {"reduce", "binary", {reduce_binary_hockney, reduce_binary_loggp}},
    {"allreduce", "ring_segmented", {combining_pipeline_hockney, allreduce_ring_loggp}},
    {"scan", "linear_segmented", {combining_pipeline_hockney, combining_pipeline_loggp}},
};

static bool has_regimes(const struct ct_link *link, enum ct_communication_model model)
{
    return model != CT_MODEL_PLOGP && link->regime_count > 0;
}

double ct_segment_optimal(const struct ct_formula *formula, enum ct_communication_model model,
                          const struct ct_formula_call *call)
{
    const struct optimum *optimum = optima, *end = optima + sizeof optima / sizeof optima[0];
    while (optimum < end && (strcmp(optimum->collective, formula->collective) != 0 ||
                             strcmp(optimum->algorithm, formula->algorithm) != 0))
        optimum++;
    if (optimum == end || !optimum->try_inside[model] || has_regimes(call->link, model))
        return NAN;
    double most = ct_formula_part(formula, call->ranks, call->bytes);
    struct trial trial = {.seconds_of = formula->seconds[model],
                          .x = ct_formula_terms_of(formula, model, call),
                          .most = most,
                          .best = most,
                          .seconds = INFINITY};
    try_size(&trial, most);
    optimum->try_inside[model](&trial, &trial.x);
    try_size(&trial, 1);
    return trial.best;
}

/* --- whole sizes --- */

/* Whole sizes for one call, and the best so far. */
struct contest {
    const struct ct_formula *formula;
    enum ct_communication_model model;
    struct ct_formula_call call;
    size_t part; /* what is cut: not into less than bytes */
    struct ct_segment_choice best;
};

static void enter(struct contest *contest, size_t segment)
{
    if (segment >= contest->part && contest->formula->cut != CT_CUT_FIRST)
        segment = 0;
    contest->call.segment = (double)segment;
    double seconds = ct_formula_seconds(contest->formula, contest->model, &contest->call);
    if (seconds < contest->best.seconds) {
        contest->best.segment = segment;
        contest->best.seconds = seconds;
    }
}

/* The least size that makes `count` segments of a part. */
static size_t size_of(const struct contest *contest, size_t count)
{
    return (contest->part - 1) / count + 1;
}

static void enter_optimum(struct contest *contest, double optimum)
{
    double count = (double)contest->part / optimum;
    size_t fewer = (size_t)fmin(fmax(floor(count), 1), (double)contest->part);
    enter(contest, size_of(contest, fewer));
    if (fewer < contest->part)
        enter(contest, size_of(contest, fewer + 1));
}

/* If a curve falls, a larger segment can take less time than a smaller one. */
static void enter_points(struct contest *contest, const struct ct_curve *curve)
{
    for (size_t i = 0; i < curve->count && !ct_curve_rises(curve); i++) {
        double bytes = curve->points[i].bytes;
        if (bytes < 1 || bytes > (double)contest->part)
            continue;
        enter(contest, (size_t)floor(bytes));
        enter(contest, (size_t)ceil(bytes));
    }
}

/* If a regime begins with less time than the one before, its start is the best size. */
static void enter_regimes(struct contest *contest)
{
    const struct ct_link *link = contest->call.link;
    for (size_t i = 0; i < link->regime_count; i++)
        if (link->regimes[i].from <= (double)contest->part)
            enter(contest, (size_t)ceil(link->regimes[i].from));
}

static void enter_all(struct contest *contest)
{
    size_t count = 1, size = contest->part;
    while (true) {
        enter(contest, size);
        if (size == 1)
            break;
        count = (contest->part - 1) / (size - 1) + 1; /* the least that makes smaller segments */
        size = size_of(contest, count);
    }
    if (contest->model == CT_MODEL_PLOGP) {
        enter_points(contest, &contest->call.link->plogp.gap);
        enter_points(contest, &contest->call.link->plogp.send_overhead);
        enter_points(contest, &contest->call.link->plogp.receive_overhead);
    }
    if (has_regimes(contest->call.link, contest->model))
        enter_regimes(contest);
}

static int check(enum ct_communication_model model, const struct ct_formula_call *call,
                 struct ct_error *error)
{
    if (!call->link->known[model])
        return ct_fail(error, CT_E_INPUT, "segment size: the link has no parameters of %s",
                       ct_communication_model_names[model]);
    if (!(call->bytes >= 0 && call->bytes < 0x1p53 && floor(call->bytes) == call->bytes))
        return ct_fail(error, CT_E_INPUT,
                       "segment size of %g bytes: expected a whole number of them, below 2^53", call->bytes);
    return CT_OK;
}

int ct_segment_choose(const struct ct_formula *formula, enum ct_communication_model model,
                      const struct ct_formula_call *call, enum ct_segment_way way, struct ct_error *error,
                      struct ct_segment_choice *ret_choice)
{
    assert(way != CT_SEGMENT_FROM_LIST);
    int status = check(model, call, error);
    if (status != CT_OK)
        return status;
    struct contest contest = {.formula = formula,
                              .model = model,
                              .call = *call,
                              .part = (size_t)ct_formula_part(formula, call->ranks, call->bytes),
                              .best = {.seconds = INFINITY}};
    double optimum = NAN;
    if (call->ranks < 2 || contest.part == 0) {
        enter(&contest, 0);
    } else if (!ct_formula_is_segmented(formula)) {
        enter(&contest, (size_t)call->segment);
    } else {
        if (way == CT_SEGMENT_BY_FORMULA)
            optimum = ct_segment_optimal(formula, model, call);
        if (isnan(optimum))
            enter_all(&contest);
        else
            enter_optimum(&contest, optimum);
    }
    *ret_choice = contest.best;
    return CT_OK;
}
