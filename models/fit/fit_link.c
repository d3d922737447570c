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

/* --- the parameters of each model from one set of points --- */

static struct ct_line line_of(const struct points *points)
{
    return ct_line_fit(points->points[CT_POINT_ROUND_TRIP], points->counts[CT_POINT_ROUND_TRIP]);
}

static struct ct_hockney hockney_by_line(const struct points *points)
{
    struct ct_line line = line_of(points);
    return (struct ct_hockney){.alpha = line.start, .beta = line.slope};
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

static struct ct_loggp make_loggp(const struct points *points, const struct ct_plogp *plogp)
{
    struct ct_line line = line_of(points);
    struct ct_loggp loggp = ct_loggp_of_plogp(plogp);
    double one_byte = ct_line_at(&line, 1);
    loggp.overhead = fmin(loggp.overhead, one_byte / 2);
    loggp.latency = one_byte - 2 * loggp.overhead;
    loggp.gap_per_byte = line.slope;
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
    const struct ct_loggp *loggp = &link->loggp;
    const double seconds[CT_COMMUNICATION_MODELS] = {
        [CT_MODEL_HOCKNEY] = link->hockney.alpha + link->hockney.beta * bytes,
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

/* All parameters from one set of points. */
static int fit_points(const struct points *points, const struct ct_pieces *pieces, bool extremes,
                      struct ct_link *link)
{
    int status = CT_OK;
    find_known(points, link->known);
    link->hockney = (extremes ? hockney_by_extremes : hockney_by_line)(points);
    if (link->known[CT_MODEL_PLOGP])
        status = make_plogp(points, pieces, &link->plogp);
    if (status == CT_OK && link->known[CT_MODEL_LOGGP])
        link->loggp = make_loggp(points, &link->plogp);
    return status;
}

static void judge(const struct points *points, size_t samples, enum ct_communication_model model,
                  struct ct_link *link)
{
    size_t count = points->counts[CT_POINT_ROUND_TRIP];
    struct ct_goodness goodness = {.sizes = count, .samples = samples};
    for (size_t i = 0; i < count; i++) {
        const struct ct_fit_point *point = &points->points[CT_POINT_ROUND_TRIP][i];
        double error = fabs(ct_link_seconds(link, model, point->bytes) / point->seconds - 1);
        goodness.mean_error += error / (double)count;
        if (error > goodness.worst_error) {
            goodness.worst_error = error;
            goodness.worst_bytes = point->bytes;
        }
    }
    link->goodness[model] = goodness;
}

/* --- intervals --- */

/* The results of the resamplings: the parameters, then the corners of the gap. */
struct draws {
    size_t count;   /* resamplings */
    size_t corners; /* of the gap */
    double *values; /* of parameter or corner i: values[i * count ...] */
    double *scratch;
    struct points *points;
};

static void note(struct draws *draws, size_t draw, const struct ct_link *link)
{
    for (int i = 0; i < CT_LINK_PARAMETERS; i++)
        draws->values[(size_t)i * draws->count + draw] = ct_link_parameter_of(link, &ct_link_parameters[i]);
    for (size_t i = 0; i < draws->corners; i++)
        draws->values[(CT_LINK_PARAMETERS + i) * draws->count + draw] = link->plogp.gap.points[i].seconds;
}

static int draw_all(const struct ct_link_times *times, const struct ct_pieces *pieces, bool extremes,
                    gsl_rng *random, struct draws *draws)
{
    int status = CT_OK;
    for (size_t draw = 0; status == CT_OK && draw < draws->count; draw++) {
        struct ct_link link = {0};
        for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
            ct_times_resample(&times->kinds[kind], random, draws->scratch, draws->points->points[kind]);
        status = fit_points(draws->points, pieces, extremes, &link);
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
    for (int i = 0; i < CT_LINK_PARAMETERS; i++)
        link->intervals[i] =
            interval_of(draws, (size_t)i, ct_link_parameter_of(link, &ct_link_parameters[i]));
    if (draws->corners == 0)
        return CT_OK;
    link->gap_interval = ct_allocate(draws->corners, sizeof *link->gap_interval);
    if (!link->gap_interval)
        return CT_E_MEMORY;
    for (size_t i = 0; i < draws->corners; i++)
        link->gap_interval[i] = interval_of(draws, CT_LINK_PARAMETERS + i, link->plogp.gap.points[i].seconds);
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
static int find_intervals(const struct ct_link_times *times, const struct ct_pieces *pieces,
                          const struct ct_fit_options *options, struct points *points, struct ct_link *link)
{
    struct draws draws = {.count = options->resamples, .corners = link->plogp.gap.count, .points = points};
    size_t values;
    if (!ct_multiply(CT_LINK_PARAMETERS + draws.corners, draws.count, &values))
        return CT_E_LIMIT;
    draws.values = ct_allocate(values, sizeof *draws.values);
    draws.scratch = ct_allocate(most_times(times), sizeof *draws.scratch);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int status = draws.values && draws.scratch && random ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        gsl_rng_set(random, options->seed);
        status = draw_all(times, pieces, options->extremes, random, &draws);
    }
    if (status == CT_OK)
        status = take_intervals(&draws, link);
    gsl_rng_free(random);
    free(draws.values);
    free(draws.scratch);
    return status;
}

/* --- all of it --- */

static int fit(const struct ct_link_times *times, const struct ct_fit_options *options, struct points *points,
               struct ct_pieces *pieces, struct ct_error *error, struct ct_link *link)
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
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
        ct_pieces_find(points->points[kind], points->counts[kind], &pieces[kind]);
    status = fit_points(points, pieces, options->extremes, link);
    for (int model = 0; status == CT_OK && model < CT_COMMUNICATION_MODELS; model++)
        if (link->known[model])
            judge(points, times->kinds[CT_POINT_ROUND_TRIP].sample_count, (enum ct_communication_model)model,
                  link);
    return status == CT_OK ? find_intervals(times, pieces, options, points, link) : status;
}

int ct_fit_link(const struct ct_link_times *times, const struct ct_fit_options *options,
                struct ct_error *error, struct ct_link *ret_link)
{
    struct ct_link link = {0};
    struct points *points = ct_allocate(1, sizeof *points);
    struct ct_pieces *pieces = ct_allocate(CT_POINT_MESSAGES, sizeof *pieces);
    int status = points && pieces ? fit(times, options, points, pieces, error, &link)
                                  : ct_fail(error, CT_E_MEMORY, "out of memory");
    free(points);
    free(pieces);
    if (status == CT_OK)
        *ret_link = link;
    else
        ct_link_free(&link);
    return status;
}
