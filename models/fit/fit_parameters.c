/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "models/curve.h"
#include "models/fit/fit_link.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The parameters of each model from one set of points. */

struct ct_hockney ct_fit_hockney(const struct ct_link_points *points)
{
    struct ct_line line =
        ct_line_fit(points->points[CT_POINT_ROUND_TRIP], points->counts[CT_POINT_ROUND_TRIP]);
    return (struct ct_hockney){.alpha = line.start, .beta = line.slope};
}

struct ct_hockney ct_fit_hockney_extremes(const struct ct_link_points *points)
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

struct ct_loggp ct_fit_loggp(const struct ct_link_points *points, const struct ct_plogp *plogp)
{
    struct ct_line line =
        ct_line_fit(points->points[CT_POINT_ROUND_TRIP], points->counts[CT_POINT_ROUND_TRIP]);
    struct ct_loggp loggp = ct_loggp_of_plogp(plogp);
    double one_byte = ct_line_at(&line, 1);
    loggp.overhead = fmin(loggp.overhead, one_byte / 2);
    loggp.latency = one_byte - 2 * loggp.overhead;
    loggp.gap_per_byte = line.slope;
    return loggp;
}

void ct_link_pieces_find(const struct ct_link_points *points, struct ct_link_pieces *ret_pieces)
{
    for (int kind = 0; kind < CT_POINT_MESSAGES; kind++)
        ct_pieces_find(points->points[kind], points->counts[kind], &ret_pieces->kinds[kind]);
}

/* The curve that is 0 everywhere. */
static int nothing(struct ct_curve *ret_curve)
{
    const struct ct_curve_point zero = {0, 0};
    return ct_curve_make(&zero, 1, NULL, ret_curve);
}

/* The corners of both, each with the lower time. Between neighbouring corners both are straight, so the
 * result is the lower one there, or lies below both if they cross. */
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

static int make_overhead(const struct ct_link_points *points, const struct ct_link_pieces *pieces,
                         enum ct_point_kind kind, const struct ct_curve *gap, struct ct_curve *ret_curve)
{
    struct ct_curve curve;
    if (points->counts[kind] == 0)
        return nothing(ret_curve);
    int status = ct_pieces_curve(points->points[kind], &pieces->kinds[kind], &curve);
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
static int take_latency(const struct ct_link_points *points, const struct ct_link_pieces *pieces,
                        struct ct_plogp *plogp)
{
    struct ct_curve stream;
    int status = ct_pieces_curve(points->points[CT_POINT_GAP], &pieces->kinds[CT_POINT_GAP], &stream);
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

int ct_fit_plogp(const struct ct_link_points *points, const struct ct_link_pieces *pieces,
                 struct ct_plogp *ret_plogp)
{
    struct ct_plogp plogp = {0};
    int status =
        ct_pieces_curve(points->points[CT_POINT_ROUND_TRIP], &pieces->kinds[CT_POINT_ROUND_TRIP], &plogp.gap);
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
