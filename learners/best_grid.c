/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/best_grid.h"
#include "base/memory.h"
#include "decision/map.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Place of a value on the axis, which has it. */
static size_t place_of(const struct ct_best_axis *axis, size_t value)
{
    size_t low = 0, high = axis->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (axis->values[middle] <= value)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t point_of(const struct ct_best_grid *grid, const struct ct_cell *cell)
{
    struct ct_features features = ct_key_features(&cell->key);
    size_t places[CT_GRID_AXES];
    for (size_t i = 0; i < CT_GRID_AXES; i++)
        places[i] = place_of(&grid->axes[i], features.value[grid->axes[i].feature]);
    return ct_best_grid_point(grid, places);
}

/* Cells sorted by the point they belong to: those of point p are order[first[p]] up to order[first[p + 1]].
 */
static int sort_cells(const struct ct_map *map, const struct ct_best_grid *grid, size_t **ret_first,
                      size_t **ret_order)
{
    size_t points = grid->point_count;
    size_t *first = ct_allocate(points + 1, sizeof *first);
    size_t *order = ct_allocate(map->cell_count, sizeof *order);
    size_t *filled = ct_allocate(points, sizeof *filled);
    if (!first || !order || !filled) {
        free(first);
        free(order);
        free(filled);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < map->cell_count; i++)
        first[point_of(grid, &map->cells[i]) + 1]++;
    for (size_t p = 0; p < points; p++)
        first[p + 1] += first[p];
    for (size_t i = 0; i < map->cell_count; i++) {
        size_t p = point_of(grid, &map->cells[i]);
        order[first[p] + filled[p]++] = i;
    }
    free(filled);
    *ret_first = first;
    *ret_order = order;
    return CT_OK;
}

/* Where a point is on scales of doublings. */
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

/* The measured points nearest in message size to a point, of its communicator size and third; SIZE_MAX: none.
 */
struct neighbours {
    size_t below, above; /* each may be the point itself */
};

static const double same_distance = 1e-9; /* distances that differ by rounding alone */

/* Of several as near the first. */
static void find_neighbours(const struct ct_best_grid *grid, const struct spot *spots,
                            struct neighbours *neighbours)
{
    size_t columns = grid->axes[CT_GRID_COLUMNS].count, places[CT_GRID_AXES];
    for (places[CT_GRID_ROWS] = 0; places[CT_GRID_ROWS] < grid->axes[CT_GRID_ROWS].count;
         places[CT_GRID_ROWS]++)
        for (places[CT_GRID_LAYERS] = 0; places[CT_GRID_LAYERS] < grid->axes[CT_GRID_LAYERS].count;
             places[CT_GRID_LAYERS]++) {
            size_t below = SIZE_MAX, above = SIZE_MAX;
            for (size_t i = 0; i < columns; i++) {
                places[CT_GRID_COLUMNS] = i;
                size_t p = ct_best_grid_point(grid, places);
                if (grid->best[p] != SIZE_MAX &&
                    (below == SIZE_MAX || distance_of(&spots[p], &spots[below]) > same_distance))
                    below = p;
                neighbours[p].below = below;
            }
            for (size_t i = columns; i-- > 0;) {
                places[CT_GRID_COLUMNS] = i;
                size_t p = ct_best_grid_point(grid, places);
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

/* The measured point nearest to this one: one of the two neighbours of the point that has its message size,
 * over all communicator sizes and thirds. All points would be too many where message sizes differ by
 * communicator. */
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

/* Gives points without a best method that of the nearest; both arrays have room for all. False where no point
 * has one. */
static bool fill_gaps(struct ct_best_grid *grid, struct spot *spots, struct neighbours *neighbours)
{
    find_spots(grid, spots);
    find_neighbours(grid, spots, neighbours);
    for (size_t p = 0; p < grid->point_count; p++) {
        if (grid->best[p] != SIZE_MAX)
            continue;
        size_t from = nearest(grid, spots, neighbours, p);
        if (from == SIZE_MAX)
            return false;
        grid->best[p] = grid->best[from];
        grid->filled[p] = true;
    }
    return true;
}

static int fill(const struct ct_map *map, const bool *allowed, struct ct_error *error,
                struct ct_best_grid *grid)
{
    size_t points = grid->point_count, *first = NULL, *order = NULL;
    if (points == 0)
        return ct_fail(error, CT_E_INPUT, "there is no cell of %s", ct_collectives[map->collective].name);
    struct spot *spots = ct_allocate(points, sizeof *spots);
    struct neighbours *neighbours = ct_allocate(points, sizeof *neighbours);
    grid->best = ct_allocate(points, sizeof *grid->best);
    grid->filled = ct_allocate(points, sizeof *grid->filled);
    bool is_there = spots && neighbours && grid->best && grid->filled;
    int status = is_there ? sort_cells(map, grid, &first, &order) : CT_E_MEMORY;
    if (status == CT_OK) {
        for (size_t p = 0; p < points; p++)
            grid->best[p] = ct_map_best_method(map, order + first[p], first[p + 1] - first[p], allowed);
        if (!fill_gaps(grid, spots, neighbours))
            status = ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell",
                             ct_collectives[map->collective].name);
    } else {
        ct_fail(error, status, "out of memory");
    }
    free(spots);
    free(neighbours);
    free(first);
    free(order);
    return status;
}

/* The one value of an axis that is not asked for. */
static int make_point(struct ct_best_axis *axis)
{
    axis->values = ct_allocate(1, sizeof *axis->values);
    axis->count = 1;
    return axis->values ? CT_OK : CT_E_MEMORY;
}

static int make_axes(const struct ct_map *map, enum ct_feature third, struct ct_error *error,
                     struct ct_best_grid *grid)
{
    const enum ct_feature features[CT_GRID_AXES] = {CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES, third};
    grid->point_count = 1;
    for (size_t i = 0; i < CT_GRID_AXES; i++) {
        struct ct_best_axis *axis = &grid->axes[i];
        bool is_known = i != CT_GRID_LAYERS || third == CT_FEATURE_NODES || third == CT_FEATURE_PPN;
        axis->feature = features[i];
        int status =
            is_known ? ct_map_values(map, features[i], &axis->values, &axis->count) : make_point(axis);
        if (status != CT_OK)
            return ct_fail(error, status, "out of memory");
        if (!ct_multiply(grid->point_count, axis->count, &grid->point_count))
            return ct_fail(error, CT_E_LIMIT, "too many sizes");
    }
    return CT_OK;
}

int ct_best_grid_make(const struct ct_map *map, enum ct_feature third, const bool *allowed,
                      struct ct_error *error, struct ct_best_grid *ret_grid)
{
    struct ct_best_grid grid = {0};
    int status = make_axes(map, third, error, &grid);
    if (status == CT_OK)
        status = fill(map, allowed, error, &grid);
    if (status == CT_OK)
        *ret_grid = grid;
    else
        ct_best_grid_free(&grid);
    return status;
}

void ct_best_grid_free(struct ct_best_grid *grid)
{
    for (size_t i = 0; i < CT_GRID_AXES; i++)
        free(grid->axes[i].values);
    free(grid->best);
    free(grid->filled);
    *grid = (struct ct_best_grid){0};
}
