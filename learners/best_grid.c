/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/best_grid.h"
#include "base/memory.h"
#include "decision/cell_group.h"

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

/* Spreads the best methods from the points that have one to their neighbours, a step at a time. `queue` has
 * room for all points. False where there is none to begin with. */
static bool fill_gaps(struct ct_best_grid *grid, size_t *queue)
{
    size_t points = grid->rows * grid->columns, head = 0, tail = 0;
    for (size_t p = 0; p < points; p++)
        if (grid->best[p] != SIZE_MAX)
            queue[tail++] = p;
    if (tail == 0)
        return false;
    while (head < tail) {
        size_t p = queue[head++], row = p / grid->columns, column = p % grid->columns;
        const struct {
            bool there;
            size_t point;
        } neighbours[] = {
            {row > 0, p - grid->columns},
            {column > 0, p - 1},
            {column + 1 < grid->columns, p + 1},
            {row + 1 < grid->rows, p + grid->columns},
        };
        for (size_t i = 0; i < sizeof neighbours / sizeof neighbours[0]; i++) {
            if (!neighbours[i].there || grid->best[neighbours[i].point] != SIZE_MAX)
                continue;
            grid->best[neighbours[i].point] = grid->best[p];
            queue[tail++] = neighbours[i].point;
        }
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
    size_t *queue = ct_allocate(points, sizeof *queue);
    grid->best = ct_allocate(points, sizeof *grid->best);
    int status = queue && grid->best ? sort_cells(map, grid, points, &first, &order) : CT_E_MEMORY;
    if (status == CT_OK) {
        for (size_t p = 0; p < points; p++)
            grid->best[p] = ct_group_best(map, order + first[p], first[p + 1] - first[p], allowed);
        if (!fill_gaps(grid, queue))
            status = ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell",
                             ct_collectives[map->collective].name);
    } else {
        ct_fail(error, status, "out of memory");
    }
    free(queue);
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
    *grid = (struct ct_best_grid){0};
}
