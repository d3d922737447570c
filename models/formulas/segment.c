/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/formulas/segment.h"
#include "models/formulas/segment_trial.h"

#include <math.h>

const char *const ct_segment_way_names[CT_SEGMENT_WAYS] = {
    [CT_SEGMENT_BY_FORMULA] = "formula", [CT_SEGMENT_BY_SEARCH] = "search", [CT_SEGMENT_FROM_LIST] = "list"};

void ct_segment_try(struct ct_segment_trial *trial, double m_s)
{
    if (!(m_s >= 1 && m_s <= trial->most))
        return;
    trial->x.m_s = m_s;
    trial->x.n_s = trial->x.m / m_s;
    double seconds = trial->cell->seconds(&trial->x);
    if (seconds < trial->seconds) {
        trial->seconds = seconds;
        trial->best = m_s;
    }
}

/* Has tried nothing. */
static struct ct_segment_trial trial_of(const struct ct_formula *formula, enum ct_communication_model model,
                                        const struct ct_formula_call *call)
{
    double most = ct_formula_part(formula, call->ranks, call->bytes);
    return (struct ct_segment_trial){.cell = &formula->cells[model],
                                     .x = ct_formula_terms_of(formula, model, call),
                                     .most = most,
                                     .best = most,
                                     .seconds = INFINITY};
}

double ct_segment_smooth_seconds(const struct ct_formula *formula, enum ct_communication_model model,
                                 const struct ct_formula_call *call, double m_s)
{
    struct ct_segment_trial trial = trial_of(formula, model, call);
    ct_segment_try(&trial, m_s);
    return trial.seconds;
}

const struct ct_segment_optimum *ct_segment_optimum_find(const struct ct_formula *formula,
                                                         enum ct_communication_model model)
{
    for (size_t i = 0; i < ct_segment_optimum_count; i++)
        if (ct_segment_optima[i].formula == formula && ct_segment_optima[i].model == model)
            return &ct_segment_optima[i];
    return NULL;
}

double ct_segment_optimal(const struct ct_segment_optimum *optimum, const struct ct_formula_call *call)
{
    struct ct_segment_trial trial = trial_of(optimum->formula, optimum->model, call);
    ct_segment_try(&trial, trial.most);
    if (optimum->try_inside)
        optimum->try_inside(&trial);
    ct_segment_try(&trial, 1);
    return trial.best;
}

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

static void enter_optimum(struct contest *contest, const struct ct_segment_optimum *optimum)
{
    double count = (double)contest->part / ct_segment_optimal(optimum, &contest->call);
    size_t fewer = (size_t)fmin(fmax(floor(count), 1), (double)contest->part);
    enter(contest, size_of(contest, fewer));
    if (fewer < contest->part)
        enter(contest, size_of(contest, fewer + 1));
}

/* Where a curve falls, a larger segment can take less time than a smaller one. */
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
    contest->best.searched = true;
}

static bool is_cut_in_segments(const struct ct_formula *formula)
{
    return formula->cut != CT_CUT_NOTHING && formula->cut != CT_CUT_FIRST;
}

static int check(enum ct_communication_model model, const struct ct_formula_call *call,
                 enum ct_segment_way way, size_t size_count, struct ct_error *error)
{
    if (!call->link->known[model])
        return ct_fail(error, CT_E_INPUT, "segment size: the link has no parameters of %s",
                       ct_communication_model_names[model]);
    if (!(call->bytes >= 0 && call->bytes < 0x1p53 && floor(call->bytes) == call->bytes))
        return ct_fail(error, CT_E_INPUT,
                       "segment size of %g bytes: expected a whole number of them, below 2^53", call->bytes);
    if (way == CT_SEGMENT_FROM_LIST && size_count == 0)
        return ct_fail(error, CT_E_INPUT, "segment size: the list is empty, expected at least one size");
    return CT_OK;
}

int ct_segment_choose(const struct ct_formula *formula, enum ct_communication_model model,
                      const struct ct_formula_call *call, enum ct_segment_way way, const size_t *sizes,
                      size_t size_count, struct ct_error *error, struct ct_segment_choice *ret_choice)
{
    int status = check(model, call, way, size_count, error);
    if (status != CT_OK)
        return status;
    struct contest contest = {.formula = formula,
                              .model = model,
                              .call = *call,
                              .part = (size_t)ct_formula_part(formula, call->ranks, call->bytes),
                              .best = {.seconds = INFINITY}};
    const struct ct_segment_optimum *optimum = ct_segment_optimum_find(formula, model);
    if (call->ranks < 2 || contest.part == 0)
        enter(&contest, 0);
    else if (way == CT_SEGMENT_FROM_LIST)
        for (size_t i = 0; i < size_count; i++)
            enter(&contest, sizes[i]);
    else if (!is_cut_in_segments(formula))
        enter(&contest, (size_t)call->segment);
    else if (way == CT_SEGMENT_BY_FORMULA && optimum)
        enter_optimum(&contest, optimum);
    else
        enter_all(&contest);
    *ret_choice = contest.best;
    return CT_OK;
}
