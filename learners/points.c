/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/points.h"
#include "base/memory.h"
#include "decision/score.h"

#include <math.h>
#include <stdlib.h>

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
                               .losses = ct_allocate(losses, sizeof *points.losses)};
    if (!points.values || !points.losses) {
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
    *points = (struct ct_points){0};
}

/* Rises, so that order is kept. */
static double robust(double loss, bool exact)
{
    const double beyond = 0.02;
    return exact || loss <= CT_LOSS_CAP ? loss : CT_LOSS_CAP + beyond * (loss - CT_LOSS_CAP);
}

/* What the cell's call would be left with where a method does not apply. */
static double loss_of_others(const struct ct_map *map, const bool *allowed, const double *losses)
{
    double least = CT_LOSS_UNKNOWN;
    for (size_t m = 0; m < map->method_count; m++)
        if (allowed[m] && ct_method_constraints(&map->methods[m]) == 0)
            least = fmin(least, losses[m]);
    return least;
}

void ct_points_losses(const struct ct_map *map, const bool *allowed, const struct ct_cell *cell,
                      const double *times, double *ret_losses)
{
    const double worth_a_change = 0.02;
    double best = INFINITY;
    for (size_t m = 0; m < map->method_count; m++)
        if (allowed[m] && times[m] < best)
            best = times[m];
    for (size_t m = 0; m < map->method_count; m++)
        ret_losses[m] =
            allowed[m] && isfinite(times[m]) ? robust(log(times[m] / best), map->exact) : CT_LOSS_UNKNOWN;
    double others = loss_of_others(map, allowed, ret_losses);
    for (size_t m = 0; m < map->method_count; m++)
        if (allowed[m] && !ct_score_applies(&map->methods[m], cell))
            ret_losses[m] = others;
        else if (!map->exact && ct_is_native(map->methods[m].algorithm))
            ret_losses[m] = fmax(ret_losses[m] - worth_a_change, 0);
}

static size_t count_measured(const struct ct_cell *cell, const bool *allowed, size_t method_count)
{
    size_t measured = 0;
    for (size_t m = 0; m < method_count; m++)
        measured += allowed[m] && cell->methods[m].count > 0;
    return measured;
}

static void take_cell(const struct ct_map *map, const struct ct_cell *cell, const bool *allowed,
                      double *times, double *losses)
{
    for (size_t m = 0; m < map->method_count; m++)
        times[m] = cell->methods[m].count > 0 ? cell->methods[m].median : NAN;
    ct_points_losses(map, allowed, cell, times, losses);
    for (size_t m = 0; m < map->method_count; m++)
        if (allowed[m] && !map->exact && cell->standings[m] == CT_EQUIVALENT)
            losses[m] = 0;
}

/* The cells in which at least `need` methods were measured. */
static int take_cells(const struct ct_map *map, const struct ct_feature_columns *columns, const bool *allowed,
                      size_t need, struct ct_points *ret_points)
{
    size_t count = 0;
    for (size_t i = 0; i < map->cell_count; i++)
        count += count_measured(&map->cells[i], allowed, map->method_count) >= need;
    struct ct_points points;
    double *times = ct_allocate(map->method_count, sizeof *times);
    int status = times ? ct_points_make(count, map->method_count, columns, &points) : CT_E_MEMORY;
    for (size_t i = 0, p = 0; status == CT_OK && i < map->cell_count; i++) {
        if (count_measured(&map->cells[i], allowed, map->method_count) < need)
            continue;
        const struct ct_features call = ct_cell_features(&map->cells[i]);
        ct_feature_columns_take(columns, &call, ct_point_values(&points, p));
        take_cell(map, &map->cells[i], allowed, times, points.losses + p * map->method_count);
        p++;
    }
    free(times);
    if (status == CT_OK)
        *ret_points = points;
    return status;
}

int ct_points_of_map(const struct ct_map *map, const struct ct_feature_columns *columns, const bool *allowed,
                     struct ct_error *error, struct ct_points *ret_points)
{
    struct ct_points points = {0};
    int status = CT_OK;
    for (size_t need = 2; status == CT_OK && points.count == 0 && need > 0; need--) {
        ct_points_free(&points);
        status = take_cells(map, columns, allowed, need, &points);
    }
    if (status != CT_OK)
        return ct_fail(error, status, "the cells of %s do not fit into memory",
                       ct_collectives[map->collective].name);
    if (points.count == 0) {
        ct_points_free(&points);
        return ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell",
                       ct_collectives[map->collective].name);
    }
    *ret_points = points;
    return CT_OK;
}

int ct_points_bound(struct ct_points *points, double worst, bool exact)
{
    const double dear = 1000, bound = robust(log1p(worst), exact);
    size_t count = points->count * points->method_count;
    double *excess = ct_allocate(count, sizeof *excess);
    if (!excess)
        return CT_E_MEMORY;
    for (size_t i = 0; i < count; i++)
        excess[i] = points->losses[i] > bound ? dear : 0;
    free(points->excess);
    points->excess = excess;
    return CT_OK;
}
