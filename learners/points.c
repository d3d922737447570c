/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/points.h"
#include "base/memory.h"
#include "decision/score.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int ct_points_make(size_t count, size_t method_count, const struct ct_feature_columns *columns,
                   struct ct_points *ret_points)
{
    size_t losses, values;
    if (!ct_multiply(count, method_count, &losses) || !ct_multiply(count, columns->count, &values))
        return CT_E_LIMIT;
    struct ct_points points = {.count = count,
                               .method_count = method_count,
                               .columns = *columns,
                               .values = ct_allocate(values, sizeof *points.values),
                               .losses = ct_allocate(losses, sizeof *points.losses),
                               .kinds = ct_allocate(method_count, sizeof *points.kinds),
                               .kind_count = 1};
    if (!points.values || !points.losses || !points.kinds) {
        ct_points_free(&points);
        return CT_E_MEMORY;
    }
    *ret_points = points;
    return CT_OK;
}

void ct_points_free(struct ct_points *points)
{
    free(points->values);
    free(points->losses);
    free(points->excess);
    free(points->predicted);
    free(points->kinds);
    free(points->applies);
    *points = (struct ct_points){0};
}

/* Rises with the loss, so that the order of methods is kept. */
static double robust(double loss, bool exact)
{
    const double beyond = 0.02;
    return exact || loss <= CT_LOSS_CAP ? loss : CT_LOSS_CAP + beyond * (loss - CT_LOSS_CAP);
}

/* Numbers the different sets of constraints; no constraints are kind 0. */
static void find_kinds(const struct ct_map *map, const bool *allowed, struct ct_points *points)
{
    unsigned constraints[CT_KIND_FORBIDDEN] = {0};
    points->lacks_fallbacks = true;
    for (size_t m = 0; m < map->method_count; m++)
        if (allowed[m] && ct_method_constraints(&map->methods[m]) == 0)
            points->lacks_fallbacks = false;
    for (size_t m = 0; m < map->method_count; m++) {
        unsigned own = points->lacks_fallbacks ? 0 : ct_method_constraints(&map->methods[m]);
        size_t kind = 0;
        if (!allowed[m]) {
            points->kinds[m] = CT_KIND_FORBIDDEN;
            continue;
        }
        while (kind < points->kind_count && constraints[kind] != own)
            kind++;
        assert(kind < CT_KIND_FORBIDDEN); /* there are few constraints */
        if (kind == points->kind_count)
            constraints[points->kind_count++] = own;
        points->kinds[m] = (unsigned char)kind;
    }
}

int ct_points_make_for(const struct ct_map *map, const bool *allowed, size_t count,
                       const struct ct_feature_columns *columns, struct ct_points *ret_points)
{
    struct ct_points points;
    size_t kinds;
    int status = ct_points_make(count, map->method_count, columns, &points);
    if (status != CT_OK)
        return status;
    find_kinds(map, allowed, &points);
    if (points.kind_count > 1) {
        bool fits = ct_multiply(count, points.kind_count, &kinds);
        points.applies = fits ? ct_allocate(kinds, sizeof *points.applies) : NULL;
        if (!points.applies) {
            ct_points_free(&points);
            return fits ? CT_E_MEMORY : CT_E_LIMIT;
        }
    }
    *ret_points = points;
    return CT_OK;
}

void ct_points_set(struct ct_points *points, size_t point, const struct ct_map *map,
                   const struct ct_cell *cell, const double *times)
{
    const double worth_a_change = 0.02;
    double *losses = points->losses + point * points->method_count, best = INFINITY;
    for (size_t m = 0; m < map->method_count; m++) {
        if (points->kinds[m] == CT_KIND_FORBIDDEN)
            continue;
        bool applies = ct_score_applies(&map->methods[m], cell);
        if (points->kind_count > 1)
            points->applies[point * points->kind_count + points->kinds[m]] = applies;
        if (applies && times[m] < best)
            best = times[m];
    }
    for (size_t m = 0; m < map->method_count; m++) {
        bool is_allowed = points->kinds[m] != CT_KIND_FORBIDDEN;
        bool counts = is_allowed && isfinite(times[m]) && ct_score_applies(&map->methods[m], cell);
        losses[m] = counts ? robust(log(times[m] / best), map->exact) : CT_LOSS_UNKNOWN;
        if (is_allowed && !ct_point_applies(points, point, m))
            losses[m] = 0;
        else if (!map->exact && ct_is_native(map->methods[m].algorithm))
            losses[m] = fmax(losses[m] - worth_a_change, 0);
    }
}

static size_t count_measured(const struct ct_cell *cell, const bool *allowed, size_t method_count)
{
    size_t measured = 0;
    for (size_t m = 0; m < method_count; m++)
        measured += allowed[m] && cell->methods[m].count > 0;
    return measured;
}

static void take_cell(const struct ct_map *map, const struct ct_cell *cell, const bool *allowed,
                      double *times, struct ct_points *points, size_t point)
{
    for (size_t m = 0; m < map->method_count; m++)
        times[m] = cell->methods[m].count > 0 ? cell->methods[m].median : NAN;
    ct_points_set(points, point, map, cell, times);
    for (size_t m = 0; m < map->method_count; m++)
        if (allowed[m] && !map->exact && cell->standings[m] == CT_STANDING_EQUIVALENT)
            points->losses[point * points->method_count + m] = 0;
}

static int make_excess(struct ct_points *points)
{
    if (!points->excess)
        points->excess = ct_allocate(points->count * points->method_count, sizeof *points->excess);
    return points->excess ? CT_OK : CT_E_MEMORY;
}

/* In a sparse collective `linear` is what everybody would do by hand: a method that may turn out slower on
 * another pattern is no gain. So times count several times over in relation to `linear`, up to a gain of 5 %:
 * what a method gains beyond that makes up for no loss elsewhere. */
static void weigh_linear(const struct ct_map *map, const struct ct_cell *cell, struct ct_points *points,
                         size_t point)
{
    const double weight = 4, wanted = 0.05;
    const size_t linear = ct_score_linear(map);
    if (linear == SIZE_MAX || cell->methods[linear].count == 0)
        return;
    const double direct = cell->methods[linear].median;
    for (size_t m = 0; m < map->method_count; m++)
        if (points->kinds[m] != CT_KIND_FORBIDDEN && cell->methods[m].count > 0)
            points->excess[point * points->method_count + m] =
                weight * fmax(robust(log(cell->methods[m].median / direct), map->exact) + wanted, 0);
}

int ct_points_of_map(const struct ct_map *map, const struct ct_feature_columns *columns, const bool *allowed,
                     struct ct_error *error, struct ct_points *ret_points)
{
    const char *collective = ct_collectives[map->collective].name;
    size_t counts[2] = {0}; /* cells with one measured method, with several */
    for (size_t i = 0; i < map->cell_count; i++) {
        size_t measured = count_measured(&map->cells[i], allowed, map->method_count);
        if (measured > 0)
            counts[measured > 1]++;
    }
    if (counts[0] == 0 && counts[1] == 0)
        return ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell", collective);
    const size_t least = counts[1] > 0 ? 2 : 1;
    struct ct_points points = {0};
    double *times = ct_allocate(map->method_count, sizeof *times);
    int status = times ? ct_points_make_for(map, allowed, counts[least - 1], columns, &points) : CT_E_MEMORY;
    for (size_t i = 0, p = 0; status == CT_OK && i < map->cell_count; i++) {
        if (count_measured(&map->cells[i], allowed, map->method_count) < least)
            continue;
        const struct ct_features call = ct_key_features(&map->cells[i].key);
        ct_feature_columns_take(columns, &call, ct_point_values(&points, p));
        take_cell(map, &map->cells[i], allowed, times, &points, p);
        if (ct_collectives[map->collective].is_sparse && (status = make_excess(&points)) == CT_OK)
            weigh_linear(map, &map->cells[i], &points, p);
        p++;
    }
    free(times);
    if (status != CT_OK)
        ct_points_free(&points);
    if (status != CT_OK)
        return ct_fail(error, status, "the cells of %s do not fit into memory", collective);
    *ret_points = points;
    return CT_OK;
}

int ct_points_forbid(struct ct_points *points, size_t point, const bool *may)
{
    if (make_excess(points) != CT_OK)
        return CT_E_MEMORY;
    for (size_t m = 0; m < points->method_count; m++)
        if (!may[m] && points->kinds[m] != CT_KIND_FORBIDDEN && ct_point_applies(points, point, m))
            points->excess[point * points->method_count + m] = CT_LOSS_FORBIDDEN;
    return CT_OK;
}

int ct_points_bound(struct ct_points *points, double max_slowdown, bool exact)
{
    const double bound = robust(log1p(max_slowdown), exact);
    if (make_excess(points) != CT_OK)
        return CT_E_MEMORY;
    for (size_t i = 0; i < points->count * points->method_count; i++)
        if (points->losses[i] > bound)
            points->excess[i] = CT_LOSS_FORBIDDEN;
    return CT_OK;
}

/* --- sums of losses --- */

static void add_row(const struct ct_points *points, size_t point, double *sums)
{
    const double *losses = points->losses + point * points->method_count;
    const double *excess = points->excess ? points->excess + point * points->method_count : NULL;
    for (size_t m = 0; m < points->method_count; m++)
        sums[m] += losses[m] + (excess ? excess[m] : 0);
}

void ct_loss_sums_add(const struct ct_points *points, size_t point, double *sums)
{
    add_row(points, point, sums);
    for (size_t kind = 1; kind < points->kind_count; kind++)
        if (!points->applies[point * points->kind_count + kind])
            add_row(points, point, sums + kind * points->method_count);
}

void ct_loss_sums_clear(const struct ct_points *points, double *sums)
{
    memset(sums, 0, points->kind_count * points->method_count * sizeof *sums);
}

/* Does the first method lose less? If these sums cannot tell, those of all points of the leaf do. */
static bool loses_less(const double *sums, const double *all, size_t method, size_t other)
{
    const double less = sums[other] - sums[method];
    return fabs(less) > CT_LOSS_NOTHING ? less > 0 : all[method] < all[other] - CT_LOSS_NOTHING;
}

/* The method of kind 0 that loses the least by a row of sums; `all` is the row of all points. Ties go to the
 * favourite, then to the first. Without a method of kind 0 it is the last method. */
static size_t best_in(const struct ct_points *points, const double *row, const double *all, size_t favourite)
{
    size_t best = favourite != SIZE_MAX && points->kinds[favourite] == 0 ? favourite : 0;
    while (best + 1 < points->method_count && points->kinds[best] != 0)
        best++;
    for (size_t m = 0; m < points->method_count; m++)
        if (points->kinds[m] == 0 && loses_less(row, all, m, best))
            best = m;
    return best;
}

struct ct_loss_choice ct_loss_sums_choose(const struct ct_points *points, const double *sums,
                                          size_t favourite)
{
    size_t best = best_in(points, sums, sums, favourite);
    struct ct_loss_choice choice = {best, best, sums[best]};
    for (size_t kind = 1; kind < points->kind_count; kind++) {
        const double *row = sums + kind * points->method_count;
        size_t other = best_in(points, row, sums, favourite);
        for (size_t m = 0; m < points->method_count; m++)
            if (points->kinds[m] == kind && sums[m] + row[other] < choice.loss - CT_LOSS_NOTHING)
                choice = (struct ct_loss_choice){m, other, sums[m] + row[other]};
    }
    return choice;
}

/* The least loss of a method of that kind, by this row of sums less those of a part. */
static double least_in(const struct ct_points *points, size_t kind, const double *row, const double *part)
{
    double least = INFINITY;
    for (size_t m = 0; m < points->method_count; m++)
        if (points->kinds[m] == kind)
            least = fmin(least, row[m] - part[m]);
    return least;
}

double ct_loss_sums_least(const struct ct_points *points, const double *sums, const double *part)
{
    double least = least_in(points, 0, sums, part);
    for (size_t kind = 1; kind < points->kind_count; kind++) {
        size_t row = kind * points->method_count;
        least = fmin(least, least_in(points, kind, sums, part) + least_in(points, 0, sums + row, part + row));
    }
    return least;
}
