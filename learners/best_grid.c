/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/best_grid.h"
#include "base/memory.h"
#include "base/sort.h"
#include "learners/map_parts.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* The cells by the point that they belong to. */
static int group_by_point(const struct ct_map *map, const struct ct_best_grid *grid,
                          struct ct_cell_groups *ret_groups)
{
    size_t *points = ct_allocate(map->cell_count, sizeof *points), places[CT_GRID_AXES];
    if (!points)
        return CT_E_MEMORY;
    for (size_t c = 0; c < map->cell_count; c++) {
        struct ct_features features = ct_key_features(&map->cells[c].key);
        for (size_t i = 0; i < CT_GRID_AXES; i++) {
            const struct ct_best_axis *axis = &grid->axes[i];
            const size_t *at = NULL;
            if (axis->count > 1)
                at = bsearch(&features.value[axis->feature], axis->values, axis->count, sizeof *at,
                             ct_compare_sizes);
            assert(at || axis->count == 1);
            places[i] = at ? (size_t)(at - axis->values) : 0;
        }
        points[c] = ct_best_grid_point(grid, places);
    }
    int status = ct_cell_groups_make(points, map->cell_count, grid->point_count, ret_groups);
    free(points);
    return status;
}

/* --- filling --- */

/* The place of a point on scales of doublings. */
struct spot {
    double at[CT_GRID_AXES];
};

static void find_spots(const struct ct_best_grid *grid, struct spot *spots)
{
    for (size_t p = 0; p < grid->point_count; p++) {
        size_t rest = p;
        for (size_t i = CT_GRID_AXES; i-- > 0;) {
            size_t value = grid->axes[i].values[rest % grid->axes[i].count];
            spots[p].at[i] = value > 1 ? log2((double)value) : 0;
            rest /= grid->axes[i].count;
        }
    }
}

static double distance_of(const struct spot *a, const struct spot *b)
{
    double sum = 0;
    for (size_t i = 0; i < CT_GRID_AXES; i++)
        sum += (a->at[i] - b->at[i]) * (a->at[i] - b->at[i]);
    return sqrt(sum);
}

/* The measured points that are nearest to a point in message size and have its communicator size and third
 * value; SIZE_MAX: none. */
struct neighbours {
    size_t below, above; /* each may be the point itself */
};

static const double same_distance = 1e-9; /* distances that differ by rounding alone */

/* Of several at the same distance the first is taken. */
static void find_neighbours(const struct ct_best_grid *grid, const struct spot *spots,
                            struct neighbours *neighbours)
{
    const size_t columns = grid->axes[CT_GRID_COLUMNS].count, layers = grid->axes[CT_GRID_LAYERS].count;
    for (size_t line = 0; line < grid->point_count / columns; line++) {
        const size_t first = line / layers * columns * layers + line % layers;
        const size_t end = first + columns * layers;
        size_t below = SIZE_MAX, above = SIZE_MAX;
        for (size_t p = first; p < end; p += layers) {
            if (grid->best[p] != SIZE_MAX &&
                (below == SIZE_MAX || distance_of(&spots[p], &spots[below]) > same_distance))
                below = p;
            neighbours[p].below = below;
        }
        for (size_t p = end; p > first;) {
            p -= layers;
            above = grid->best[p] != SIZE_MAX ? p : above;
            neighbours[p].above = above;
        }
    }
}

/* The nearest so far. */
struct found {
    size_t point; /* SIZE_MAX: none */
    double distance;
};

static void consider(const struct spot *spots, size_t point, size_t candidate, struct found *found)
{
    if (candidate == SIZE_MAX)
        return;
    double distance = distance_of(&spots[candidate], &spots[point]);
    bool as_near = distance < found->distance + same_distance;
    if (distance < found->distance - same_distance || (as_near && candidate < found->point))
        *found = (struct found){candidate, distance};
}

/* The measured point nearest to this one. It is a neighbour of one of the points with the same message size,
 * over all communicator sizes and third values. To search all points would take too long if message sizes
 * differ between communicators. */
static size_t nearest(const struct ct_best_grid *grid, const struct spot *spots,
                      const struct neighbours *neighbours, size_t point)
{
    struct found found = {SIZE_MAX, INFINITY};
    size_t layers = grid->axes[CT_GRID_LAYERS].count, row = grid->axes[CT_GRID_COLUMNS].count * layers;
    size_t column = point % row / layers;
    for (size_t begin = column * layers; begin < grid->point_count; begin += row)
        for (size_t p = begin; p < begin + layers; p++) {
            if (distance_of(&spots[p], &spots[point]) > found.distance + same_distance)
                continue;
            consider(spots, point, neighbours[p].below, &found);
            consider(spots, point, neighbours[p].above, &found);
        }
    return found.point;
}

/* Gives points without a best method that of the nearest. CT_E_INPUT if no point has one. */
static int fill_gaps(struct ct_best_grid *grid)
{
    struct spot *spots = ct_allocate(grid->point_count, sizeof *spots);
    struct neighbours *neighbours = ct_allocate(grid->point_count, sizeof *neighbours);
    int status = CT_E_MEMORY;
    if (!spots || !neighbours)
        goto done;
    find_spots(grid, spots);
    find_neighbours(grid, spots, neighbours);
    status = CT_OK;
    for (size_t p = 0; p < grid->point_count; p++) {
        if (grid->best[p] != SIZE_MAX)
            continue;
        size_t from = nearest(grid, spots, neighbours, p);
        if (from == SIZE_MAX) {
            status = CT_E_INPUT;
            break;
        }
        grid->best[p] = grid->best[from];
        grid->filled[p] = true;
    }
done:
    free(spots);
    free(neighbours);
    return status;
}

/* Were several allowed methods measured in one of the cells? One alone does not tell which is better. */
static bool has_comparison(const struct ct_map *map, const size_t *cells, size_t count, const bool *allowed)
{
    for (size_t i = 0; i < count; i++) {
        const struct ct_cell *cell = &map->cells[cells ? cells[i] : i];
        size_t measured = 0;
        for (size_t m = 0; m < map->method_count; m++)
            measured += (!allowed || allowed[m]) && cell->methods[m].count > 0;
        if (measured > 1)
            return true;
    }
    return false;
}

static int find_best(const struct ct_map *map, const bool *allowed, struct ct_best_grid *grid)
{
    struct ct_cell_groups cells;
    grid->best = ct_allocate(grid->point_count, sizeof *grid->best);
    grid->filled = ct_allocate(grid->point_count, sizeof *grid->filled);
    if (!grid->best || !grid->filled)
        return CT_E_MEMORY;
    int status = group_by_point(map, grid, &cells);
    if (status != CT_OK)
        return status;
    bool any = has_comparison(map, NULL, map->cell_count, allowed);
    for (size_t p = 0; p < grid->point_count; p++) {
        const size_t *own = cells.order + cells.first[p], count = cells.first[p + 1] - cells.first[p];
        bool counts = !any || has_comparison(map, own, count, allowed);
        grid->best[p] = counts ? ct_map_best_method(map, own, count, allowed) : SIZE_MAX;
    }
    ct_cell_groups_free(&cells);
    return fill_gaps(grid);
}

static int make_axes(const struct ct_map *map, enum ct_feature third, struct ct_best_grid *grid)
{
    const enum ct_feature features[CT_GRID_AXES] = {CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES, third};
    grid->point_count = 1;
    for (size_t i = 0; i < CT_GRID_AXES; i++) {
        struct ct_best_axis *axis = &grid->axes[i];
        axis->feature = features[i];
        if (i == CT_GRID_LAYERS && third != CT_FEATURE_NODES && third != CT_FEATURE_PPN) {
            axis->values = ct_allocate(1, sizeof *axis->values);
            axis->count = 1;
        } else {
            int status = ct_map_values(map, features[i], &axis->values, &axis->count);
            if (status != CT_OK)
                return status;
        }
        if (!axis->values)
            return CT_E_MEMORY;
        if (!ct_multiply(grid->point_count, axis->count, &grid->point_count))
            return CT_E_LIMIT;
    }
    return CT_OK;
}

int ct_best_grid_make(const struct ct_map *map, enum ct_feature third, const bool *allowed,
                      struct ct_error *error, struct ct_best_grid *ret_grid)
{
    const char *collective = ct_collectives[map->collective].name;
    struct ct_best_grid grid = {0};
    if (map->cell_count == 0)
        return ct_fail(error, CT_E_INPUT, "there is no cell of %s", collective);
    int status = make_axes(map, third, &grid);
    if (status == CT_OK)
        status = find_best(map, allowed, &grid);
    if (status == CT_OK) {
        *ret_grid = grid;
        return CT_OK;
    }
    ct_best_grid_free(&grid);
    if (status == CT_E_INPUT)
        return ct_fail(error, status, "no allowed method of %s was measured in any cell", collective);
    return ct_fail(error, status, status == CT_E_LIMIT ? "too many sizes" : "out of memory");
}

void ct_best_grid_free(struct ct_best_grid *grid)
{
    for (size_t i = 0; i < CT_GRID_AXES; i++)
        free(grid->axes[i].values);
    free(grid->best);
    free(grid->filled);
    *grid = (struct ct_best_grid){0};
}
