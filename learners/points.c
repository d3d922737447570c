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
    free(points->kinds);
    free(points->applies);
    *points = (struct ct_points){0};
}

/* Rises, so that order is kept. */
static double robust(double loss, bool exact)
{
    const double beyond = 0.02;
    return exact || loss <= CT_LOSS_CAP ? loss : CT_LOSS_CAP + beyond * (loss - CT_LOSS_CAP);
}

/* The place of these constraints among the kinds, where they come behind the others if they are new. */
static unsigned char kind_of(unsigned constraints, unsigned *kinds, size_t *kind_count)
{
    size_t kind = 0;
    while (kind < *kind_count && kinds[kind] != constraints)
        kind++;
    if (kind == *kind_count)
        kinds[(*kind_count)++] = constraints;
    return (unsigned char)kind;
}

static void find_kinds(const struct ct_map *map, const bool *allowed, struct ct_points *points)
{
    unsigned constraints[CT_KIND_FORBIDDEN] = {0}; /* there are few, so that their sets are not so many */
    bool can_stand_in = false;
    for (size_t m = 0; m < map->method_count; m++)
        can_stand_in |= allowed[m] && ct_method_constraints(&map->methods[m]) == 0;
    points->lacks_stand_ins = !can_stand_in;
    for (size_t m = 0; m < map->method_count; m++)
        points->kinds[m] = !allowed[m]    ? CT_KIND_FORBIDDEN
                           : can_stand_in ? kind_of(ct_method_constraints(&map->methods[m]), constraints,
                                                    &points->kind_count)
                                          : 0;
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
        status = ct_multiply(count, points.kind_count, &kinds) ? CT_OK : CT_E_LIMIT;
        if (status == CT_OK && !(points.applies = ct_allocate(kinds, sizeof *points.applies)))
            status = CT_E_MEMORY;
    }
    if (status == CT_OK)
        *ret_points = points;
    else
        ct_points_free(&points);
    return status;
}

static void set_kinds(struct ct_points *points, size_t point, const struct ct_map *map,
                      const struct ct_cell *cell)
{
    for (size_t m = 0; points->kind_count > 1 && m < map->method_count; m++)
        if (points->kinds[m] != CT_KIND_FORBIDDEN)
            points->applies[point * points->kind_count + points->kinds[m]] =
                ct_score_applies(&map->methods[m], cell);
}

void ct_points_set(struct ct_points *points, size_t point, const struct ct_map *map,
                   const struct ct_cell *cell, const double *times)
{
    const double worth_a_change = 0.02;
    double *losses = points->losses + point * points->method_count, best = INFINITY;
    set_kinds(points, point, map, cell);
    for (size_t m = 0; m < map->method_count; m++)
        if (points->kinds[m] != CT_KIND_FORBIDDEN && ct_score_applies(&map->methods[m], cell) &&
            times[m] < best)
            best = times[m];
    for (size_t m = 0; m < map->method_count; m++) {
        bool counts = points->kinds[m] != CT_KIND_FORBIDDEN && isfinite(times[m]) &&
                      ct_score_applies(&map->methods[m], cell);
        losses[m] = counts ? robust(log(times[m] / best), map->exact) : CT_LOSS_UNKNOWN;
        if (points->kinds[m] != CT_KIND_FORBIDDEN && !ct_point_applies(points, point, m))
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

/* The cells in which at least `need` methods were measured. */
static int take_cells(const struct ct_map *map, const struct ct_feature_columns *columns, const bool *allowed,
                      size_t need, struct ct_points *ret_points)
{
    size_t count = 0;
    for (size_t i = 0; i < map->cell_count; i++)
        count += count_measured(&map->cells[i], allowed, map->method_count) >= need;
    struct ct_points points;
    double *times = ct_allocate(map->method_count, sizeof *times);
    int status = times ? ct_points_make_for(map, allowed, count, columns, &points) : CT_E_MEMORY;
    for (size_t i = 0, p = 0; status == CT_OK && i < map->cell_count; i++) {
        if (count_measured(&map->cells[i], allowed, map->method_count) < need)
            continue;
        const struct ct_features call = ct_key_features(&map->cells[i].key);
        ct_feature_columns_take(columns, &call, ct_point_values(&points, p));
        take_cell(map, &map->cells[i], allowed, times, &points, p);
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
