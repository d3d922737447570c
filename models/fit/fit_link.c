/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/fit/fit_link.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "models/fit/pieces.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_rng.h>

static const double low_share = 0.025, high_share = 0.975;

/* The medians of the times, by kind: one point a size. */
struct points {
    struct ct_fit_point points[CT_POINT_MESSAGES][CT_SIZES_MAX];
    size_t counts[CT_POINT_MESSAGES];
};

/* How the points of each kind are divided into straight pieces, and half round trips into regimes. */
struct division {
    struct ct_pieces pieces[CT_POINT_MESSAGES];
    struct ct_pieces regimes;
    double from[CT_SIZES_MAX]; /* bytes of the shortest message of each regime, which need not be measured */
};

/* --- the parameters of each model from one set of points --- */

static struct ct_line line_of(const struct points *points, const struct ct_pieces *regimes, size_t regime)
{
    const size_t first = regimes->first[regime];
    return ct_line_fit(&points->points[CT_POINT_ROUND_TRIP][first], regimes->first[regime + 1] - first);
}

static struct ct_hockney hockney_by_extremes(const struct points *points)
{
    struct ct_hockney hockney = {.alpha = INFINITY, .beta = INFINITY};
    for (size_t i = 0; i < points->counts[CT_POINT_ROUND_TRIP]; i++) {
        const struct ct_fit_point *point = &points->points[CT_POINT_ROUND_TRIP][i];
        hockney.alpha = fmin(hockney.alpha, point->seconds);
        if (point->bytes > 0)
            hockney.beta = fmin(hockney.beta, point->seconds / point->bytes);
    }
    return hockney;
}

/* Of messages of `from` bytes and more. */
static struct ct_loggp make_loggp(const struct ct_line *line, const struct ct_plogp *plogp, double from)
{
    const double shortest = fmax(from, 1), one_byte = ct_line_at(line, 1);
    const double overhead =
        (ct_curve_at(&plogp->send_overhead, shortest) + ct_curve_at(&plogp->receive_overhead, shortest)) / 2;
    const double gap = ct_curve_at(&plogp->gap, shortest) - (shortest - 1) * line->slope;
    struct ct_loggp loggp = {.overhead = fmin(overhead, one_byte / 2), .gap_per_byte = line->slope};
    loggp.latency = one_byte - 2 * loggp.overhead;
    loggp.gap = shortest > 1 ? fmax(gap, loggp.overhead) : gap;
    return loggp;
}

/* A curve with the corners of both, each with the lower time. Between neighbouring corners both are straight,
 * so the result is the lower one there, or lies below both if they cross. */
static int lower_of(const struct ct_curve *overhead, const struct ct_curve *gap, struct ct_curve *ret_curve)
{
    struct ct_curve_point *points = ct_allocate(overhead->count + gap->count, sizeof *points);
    size_t count = 0, i = 0, k = 0;
    if (!points)
        return CT_E_MEMORY;
    while (i < overhead->count || k < gap->count) {
        double next_overhead = i < overhead->count ? overhead->points[i].bytes : INFINITY;
        double next_gap = k < gap->count ? gap->points[k].bytes : INFINITY;
        double bytes = fmin(next_overhead, next_gap);
        points[count++] =
            (struct ct_curve_point){bytes, fmin(ct_curve_at(overhead, bytes), ct_curve_at(gap, bytes))};
        i += next_overhead == bytes;
        k += next_gap == bytes;
    }
    int status = ct_curve_make(points, count, NULL, ret_curve);
    free(points);
    return status;
}

static bool exceeds(const struct ct_curve *overhead, const struct ct_curve *gap)
{
    for (size_t i = 0; i < overhead->count; i++)
        if (overhead->points[i].seconds > ct_curve_at(gap, overhead->points[i].bytes))
            return true;
    for (size_t i = 0; i < gap->count; i++)
        if (ct_curve_at(overhead, gap->points[i].bytes) > gap->points[i].seconds)
            return true;
    return false;
}

static int make_overhead(const struct points *points, const struct ct_pieces *pieces, enum ct_point_kind kind,
                         const struct ct_curve *gap, struct ct_curve *ret_curve)
{
    const struct ct_curve_point zero = {0, 0};
    struct ct_curve curve;
    if (points->counts[kind] == 0)
        return ct_curve_make(&zero, 1, NULL, ret_curve);
    int status = ct_pieces_curve(points->points[kind], &pieces[kind], &curve);
    if (status != CT_OK)
        return status;
    if (exceeds(&curve, gap)) {
        status = lower_of(&curve, gap, ret_curve);
        ct_curve_free(&curve);
    } else {
        *ret_curve = curve;
    }
    return status;
}

/* Divides half a round trip into L and g(m), by the g of a stream of the smallest messages. */
static int take_latency(const struct points *points, const struct ct_pieces *pieces, struct ct_plogp *plogp)
{
    struct ct_curve stream;
    int status = ct_pieces_curve(points->points[CT_POINT_GAP], &pieces[CT_POINT_GAP], &stream);
    if (status != CT_OK)
        return status;
    double shortest = INFINITY, smallest = stream.points[0].bytes;
    for (size_t i = 0; i < plogp->gap.count; i++)
        shortest = fmin(shortest, plogp->gap.points[i].seconds);
    assert(plogp->gap.count > 0 && stream.count > 0);
    double rest = ct_curve_at(&plogp->gap, smallest) - stream.points[0].seconds;
    plogp->latency = fmin(fmax(rest, 0), shortest);
    for (size_t i = 0; i < plogp->gap.count; i++)
        plogp->gap.points[i].seconds -= plogp->latency;
    ct_curve_free(&stream);
    return CT_OK;
}

static int make_plogp(const struct points *points, const struct ct_pieces *pieces, struct ct_plogp *ret_plogp)
{
    struct ct_plogp plogp = {0};
    int status =
        ct_pieces_curve(points->points[CT_POINT_ROUND_TRIP], &pieces[CT_POINT_ROUND_TRIP], &plogp.gap);
    if (status != CT_OK)
        return status;
    status = take_latency(points, pieces, &plogp);
    if (status == CT_OK)
        status = make_overhead(points, pieces, CT_POINT_SEND, &plogp.gap, &plogp.send_overhead);
    if (status == CT_OK)
        status = make_overhead(points, pieces, CT_POINT_RECEIVE, &plogp.gap, &plogp.receive_overhead);
    if (status != CT_OK) {
        ct_curve_free(&plogp.gap);
        ct_curve_free(&plogp.send_overhead);
        return status;
    }
    *ret_plogp = plogp;
    return CT_OK;
}

double ct_link_seconds(const struct ct_link *link, enum ct_communication_model model, double bytes)
{
    const struct ct_link *sized = ct_link_of_size(link, bytes);
    const struct ct_hockney *hockney = &sized->hockney;
    const struct ct_loggp *loggp = &sized->loggp;
    const double seconds[CT_COMMUNICATION_MODELS] = {
        [CT_MODEL_HOCKNEY] = hockney->alpha + hockney->beta * bytes,
        [CT_MODEL_LOGGP] = loggp->latency + 2 * loggp->overhead + fmax(bytes - 1, 0) * loggp->gap_per_byte,
        [CT_MODEL_PLOGP] = link->plogp.latency + ct_curve_at(&link->plogp.gap, bytes),
    };
    return seconds[model];
}

/* --- checks --- */

/* Times out of range are not times of messages, and their squares may overflow. */
static int check_range(const struct points *points, struct ct_error *error)
{
    const double least = 1e-12, most = 1e6;
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
        for (size_t i = 0; i < points->counts[kind]; i++) {
            const struct ct_fit_point *point = &points->points[kind][i];
            if (!(point->seconds >= least && point->seconds <= most))
                return ct_fail(error, CT_E_INPUT, "%s of %.0f bytes takes %g s: expected %g to %g",
                               ct_point_kind_names[kind], point->bytes, point->seconds, least, most);
        }
    return CT_OK;
}

static int check_times(const struct points *points, struct ct_error *error)
{
    const double slowest = 0.5; /* seconds of the smallest message: even around the world it takes less */
    size_t count = points->counts[CT_POINT_ROUND_TRIP];
    const struct ct_fit_point *first = points->points[CT_POINT_ROUND_TRIP];
    if (count < 2)
        return ct_fail(error, CT_E_INPUT, "round trips at %zu size%s: expected at least 2 for a line", count,
                       count == 1 ? "" : "s");
    if (first->seconds > slowest)
        return ct_fail(
            error, CT_E_INPUT,
            "half a round trip of %.0f bytes takes %g: expected less than %g s; are these times in seconds?",
            first->bytes, first->seconds, slowest);
    return CT_OK;
}

static void find_known(const struct points *points, bool known[CT_COMMUNICATION_MODELS])
{
    bool overheads = points->counts[CT_POINT_SEND] > 0 && points->counts[CT_POINT_RECEIVE] > 0;
    known[CT_MODEL_HOCKNEY] = true;
    known[CT_MODEL_PLOGP] = points->counts[CT_POINT_GAP] > 0;
    known[CT_MODEL_LOGGP] = known[CT_MODEL_PLOGP] && overheads;
}

/* Hockney and LogGP of a regime, with PLogP of the whole link. */
static void fit_regime(const struct points *points, const struct ct_pieces *regimes, size_t i,
                       const struct ct_link *whole, struct ct_link *regime)
{
    const struct ct_line line = line_of(points, regimes, i);
    memcpy(regime->known, whole->known, sizeof regime->known);
    regime->known[CT_MODEL_PLOGP] &= i == 0;
    regime->hockney = (struct ct_hockney){.alpha = line.start, .beta = line.slope};
    if (whole->known[CT_MODEL_LOGGP])
        regime->loggp = make_loggp(&line, &whole->plogp, regime->from);
}

/* All parameters from one set of points. */
static int fit_points(const struct points *points, const struct division *division, bool extremes,
                      struct ct_link *link)
{
    const struct ct_pieces *regimes = &division->regimes;
    int status = CT_OK;
    find_known(points, link->known);
    if (link->known[CT_MODEL_PLOGP])
        status = make_plogp(points, division->pieces, &link->plogp);
    if (status == CT_OK && regimes->count > 1) {
        link->regimes = ct_allocate(regimes->count - 1, sizeof *link->regimes);
        status = link->regimes ? CT_OK : CT_E_MEMORY;
    }
    if (status != CT_OK)
        return status;
    fit_regime(points, regimes, 0, link, link);
    for (size_t i = 1; i < regimes->count; i++) {
        link->regimes[i - 1].from = division->from[i];
        fit_regime(points, regimes, i, link, &link->regimes[i - 1]);
        link->regime_count = i;
    }
    if (extremes)
        link->hockney = hockney_by_extremes(points);
    return CT_OK;
}

/* Judges a link, or one of its regimes, by the points from `first` on. */
static void judge(const struct points *points, const struct ct_link_times *times, size_t first, size_t end,
                  enum ct_communication_model model, struct ct_link *link)
{
    struct ct_goodness goodness = {.sizes = end - first};
    for (size_t i = first; i < end; i++) {
        const struct ct_fit_point *point = &points->points[CT_POINT_ROUND_TRIP][i];
        double error = fabs(ct_link_seconds(link, model, point->bytes) / point->seconds - 1);
        goodness.samples += times->kinds[CT_POINT_ROUND_TRIP].at[i].count;
        goodness.mean_error += error / (double)goodness.sizes;
        if (error > goodness.worst_error) {
            goodness.worst_error = error;
            goodness.worst_bytes = point->bytes;
        }
    }
    link->goodness[model] = goodness;
}

static void judge_all(const struct points *points, const struct ct_link_times *times,
                      const struct ct_pieces *regimes, struct ct_link *link)
{
    for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
        if (!link->known[model])
            continue;
        judge(points, times, 0, points->counts[CT_POINT_ROUND_TRIP], (enum ct_communication_model)model,
              link);
        for (size_t i = 0; model != CT_MODEL_PLOGP && i < link->regime_count; i++)
            judge(points, times, regimes->first[i + 1], regimes->first[i + 2],
                  (enum ct_communication_model)model, &link->regimes[i]);
    }
}

/* --- intervals --- */

/* The results of the resamplings: the parameters of the link, then those of each regime, then the corners of
 * the gap. */
struct draws {
    size_t count;      /* resamplings */
    size_t parameters; /* of the link and its regimes */
    size_t corners;    /* of the gap */
    double *values;    /* of parameter or corner i: values[i * count ...] */
    double *scratch;
    struct points *points;
};

/* The link that has the parameter of that number. */
static const struct ct_link *link_with(const struct ct_link *link, size_t number)
{
    return number < CT_LINK_PARAMETERS ? link : &link->regimes[number / CT_LINK_PARAMETERS - 1];
}

static double parameter_of(const struct ct_link *link, size_t number)
{
    return ct_link_parameter_of(link_with(link, number), &ct_link_parameters[number % CT_LINK_PARAMETERS]);
}

static void note(struct draws *draws, size_t draw, const struct ct_link *link)
{
    for (size_t i = 0; i < draws->parameters; i++)
        draws->values[i * draws->count + draw] = parameter_of(link, i);
    for (size_t i = 0; i < draws->corners; i++)
        draws->values[(draws->parameters + i) * draws->count + draw] = link->plogp.gap.points[i].seconds;
}

static int draw_all(const struct ct_link_times *times, const struct division *division, bool extremes,
                    gsl_rng *random, struct draws *draws)
{
    int status = CT_OK;
    for (size_t draw = 0; status == CT_OK && draw < draws->count; draw++) {
        struct ct_link link = {0};
        for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
            ct_times_resample(&times->kinds[kind], random, draws->scratch, draws->points->points[kind]);
        status = fit_points(draws->points, division, extremes, &link);
        if (status == CT_OK)
            note(draws, draw, &link);
        ct_link_free(&link);
    }
    return status;
}

/* The interval always contains the estimate. */
static struct ct_interval interval_of(struct draws *draws, size_t i, double estimate)
{
    double *values = draws->values + i * draws->count;
    ct_sort(values, draws->count);
    return (struct ct_interval){.low = fmin(ct_quantile(values, draws->count, low_share), estimate),
                                .high = fmax(ct_quantile(values, draws->count, high_share), estimate)};
}

static int take_intervals(struct draws *draws, struct ct_link *link)
{
    for (size_t i = 0; i < draws->parameters; i++) {
        struct ct_link *with = i < CT_LINK_PARAMETERS ? link : &link->regimes[i / CT_LINK_PARAMETERS - 1];
        with->intervals[i % CT_LINK_PARAMETERS] = interval_of(draws, i, parameter_of(link, i));
    }
    if (draws->corners == 0)
        return CT_OK;
    link->gap_interval = ct_allocate(draws->corners, sizeof *link->gap_interval);
    if (!link->gap_interval)
        return CT_E_MEMORY;
    for (size_t i = 0; i < draws->corners; i++)
        link->gap_interval[i] = interval_of(draws, draws->parameters + i, link->plogp.gap.points[i].seconds);
    return CT_OK;
}

static size_t most_times(const struct ct_link_times *times)
{
    size_t most = 1;
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++) {
        size_t here = ct_times_most(&times->kinds[kind]);
        most = here > most ? here : most;
    }
    return most;
}

/* Overwrites `points`. The pieces stay the same in all resamplings, so that corners can be compared. */
static int find_intervals(const struct ct_link_times *times, const struct division *division,
                          const struct ct_fit_options *options, struct points *points, struct ct_link *link)
{
    struct draws draws = {.count = options->resamples,
                          .parameters = (1 + link->regime_count) * CT_LINK_PARAMETERS,
                          .corners = link->plogp.gap.count,
                          .points = points};
    size_t values;
    if (!ct_multiply(draws.parameters + draws.corners, draws.count, &values))
        return CT_E_LIMIT;
    draws.values = ct_allocate(values, sizeof *draws.values);
    draws.scratch = ct_allocate(most_times(times), sizeof *draws.scratch);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int status = draws.values && draws.scratch && random ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        gsl_rng_set(random, options->seed);
        status = draw_all(times, division, options->extremes, random, &draws);
    }
    if (status == CT_OK)
        status = take_intervals(&draws, link);
    gsl_rng_free(random);
    free(draws.values);
    free(draws.scratch);
    return status;
}

/* --- all of it --- */

/* Hockney by extremes is one pair of parameters, as in print. */
static void divide(const struct points *points, const struct ct_link_times *times, bool extremes,
                   struct division *division)
{
    enum { LINE = 2 };
    const struct ct_piece_rules rules = {.starts = times->regime_starts,
                                         .start_count = extremes ? 0 : times->regime_start_count,
                                         .least = LINE};
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
        ct_pieces_find(points->points[kind], points->counts[kind], NULL, &division->pieces[kind]);
    ct_pieces_find(points->points[CT_POINT_ROUND_TRIP], points->counts[CT_POINT_ROUND_TRIP], &rules,
                   &division->regimes);
    for (size_t i = 0; i < division->regimes.count; i++) {
        const size_t first = division->regimes.first[i];
        const double shortest = points->points[CT_POINT_ROUND_TRIP][first].bytes;
        division->from[i] = 0;
        for (size_t k = 0; i > 0 && k < rules.start_count && (double)rules.starts[k] <= shortest; k++)
            division->from[i] = (double)rules.starts[k];
    }
}

static int fit(const struct ct_link_times *times, const struct ct_fit_options *options, struct points *points,
               struct division *division, struct ct_error *error, struct ct_link *link)
{
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++) {
        points->counts[kind] = times->kinds[kind].count;
        ct_times_medians(&times->kinds[kind], points->points[kind]);
    }
    int status = check_range(points, error);
    if (status == CT_OK)
        status = check_times(points, error);
    if (status != CT_OK)
        return status;
    divide(points, times, options->extremes, division);
    status = fit_points(points, division, options->extremes, link);
    if (status != CT_OK)
        return status;
    judge_all(points, times, &division->regimes, link);
    return find_intervals(times, division, options, points, link);
}

int ct_fit_link(const struct ct_link_times *times, const struct ct_fit_options *options,
                struct ct_error *error, struct ct_link *ret_link)
{
    struct ct_link link = {0};
    struct points *points = ct_allocate(1, sizeof *points);
    struct division *division = ct_allocate(1, sizeof *division);
    int status = points && division ? fit(times, options, points, division, error, &link)
                                    : ct_fail(error, CT_E_MEMORY, "out of memory");
    free(points);
    free(division);
    if (status == CT_OK)
        *ret_link = link;
    else
        ct_link_free(&link);
    return status;
}
