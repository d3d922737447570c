/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/best_grid.h"
#include "base/memory.h"
#include "decision/cell_group.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* Place of `size` in rising sizes that hold it. */
static size_t place_of(const size_t *sizes, size_t count, size_t size)
{
    size_t low = 0, high = count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (sizes[middle] <= size)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t point_of(const struct ct_best_grid *grid, const struct ct_cell *cell)
{
    return place_of(grid->comm_sizes, grid->rows, cell->comm_size) * grid->columns +
           place_of(grid->msg_sizes, grid->columns, cell->msg_bytes);
}

/* Cells sorted by the point they belong to: those of point p are order[first[p]] up to order[first[p + 1]].
 */
static int sort_cells(const struct ct_map *map, const struct ct_best_grid *grid, size_t points,
                      size_t **ret_first, size_t **ret_order)
{
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

/* Places of sizes on a scale of doublings. */
static void scale(const size_t *sizes, size_t count, double *places)
{
    for (size_t i = 0; i < count; i++)
        places[i] = sizes[i] > 1 ? log2((double)sizes[i]) : 0;
}

/* The measured point nearest to this one. `places` has those of rows, then those of columns. */
static size_t nearest(const struct ct_best_grid *grid, const double *places, size_t point)
{
    const double *rows = places, *columns = places + grid->rows;
    const double same = 1e-9; /* distances that differ by rounding alone */
    size_t found = SIZE_MAX;
    double least = INFINITY;
    for (size_t p = 0; p < grid->rows * grid->columns; p++) {
        if (grid->best[p] == SIZE_MAX || grid->filled[p])
            continue;
        double distance = hypot(rows[p / grid->columns] - rows[point / grid->columns],
                                columns[p % grid->columns] - columns[point % grid->columns]);
        if (distance < least - same) {
            found = p;
            least = distance;
        }
    }
    return found;
}

/* Gives points without a best method that of the nearest; `places` has room for both sides. False where no
 * point has one. */
static bool fill_gaps(struct ct_best_grid *grid, double *places)
{
    scale(grid->comm_sizes, grid->rows, places);
    scale(grid->msg_sizes, grid->columns, places + grid->rows);
    for (size_t p = 0; p < grid->rows * grid->columns; p++) {
        if (grid->best[p] != SIZE_MAX)
            continue;
        size_t from = nearest(grid, places, p);
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
    size_t points, *first = NULL, *order = NULL;
    if (!ct_multiply(grid->rows, grid->columns, &points))
        return ct_fail(error, CT_E_LIMIT, "too many sizes");
    if (points == 0)
        return ct_fail(error, CT_E_INPUT, "there is no cell of %s", ct_collectives[map->collective].name);
    double *places = ct_allocate(grid->rows + grid->columns, sizeof *places);
    grid->best = ct_allocate(points, sizeof *grid->best);
    grid->filled = ct_allocate(points, sizeof *grid->filled);
    int status =
        places && grid->best && grid->filled ? sort_cells(map, grid, points, &first, &order) : CT_E_MEMORY;
    if (status == CT_OK) {
        for (size_t p = 0; p < points; p++)
            grid->best[p] = ct_group_best(map, order + first[p], first[p + 1] - first[p], allowed);
        if (!fill_gaps(grid, places))
            status = ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell",
                             ct_collectives[map->collective].name);
    } else {
        ct_fail(error, status, "out of memory");
    }
    free(places);
    free(first);
    free(order);
    return status;
}

int ct_best_grid_make(const struct ct_map *map, const bool *allowed, struct ct_error *error,
                      struct ct_best_grid *ret_grid)
{
    struct ct_best_grid grid = {0};
    int status = ct_map_comm_sizes(map, &grid.comm_sizes, &grid.rows);
    if (status == CT_OK)
        status = ct_map_msg_sizes(map, &grid.msg_sizes, &grid.columns);
    if (status == CT_OK)
        status = fill(map, allowed, error, &grid);
    else
        ct_fail(error, status, "out of memory");
    if (status == CT_OK)
        *ret_grid = grid;
    else
        ct_best_grid_free(&grid);
    return status;
}

void ct_best_grid_free(struct ct_best_grid *grid)
{
    free(grid->comm_sizes);
    free(grid->msg_sizes);
    free(grid->best);
    free(grid->filled);
    *grid = (struct ct_best_grid){0};
}
