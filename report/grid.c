/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/grid.h"

#include "base/memory.h"
#include "base/sort.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static size_t index_of(const size_t *values, size_t count, size_t value)
{
    return (size_t)((const size_t *)bsearch(&value, values, count, sizeof *values, ct_compare_sizes) -
                    values);
}

int ct_grid_make(const struct ct_place *places, size_t count, bool has_size, struct ct_grid *ret_grid)
{
    struct ct_grid grid = {.has_size = has_size,
                           .x = ct_allocate(count + 1, sizeof *grid.x),
                           .y = ct_allocate(count + 1, sizeof *grid.y)};
    size_t area;
    int status = CT_E_MEMORY;
    if (!grid.x || !grid.y)
        goto fail;
    for (size_t i = 0; i < count; i++) {
        grid.x[i] = has_size ? places[i].msg_bytes : places[i].comm_size;
        grid.y[i] = has_size ? places[i].comm_size : 0;
    }
    grid.x_count = ct_sort_unique(grid.x, count);
    grid.y_count = ct_sort_unique(grid.y, count);
    status = CT_E_LIMIT;
    if (!ct_multiply(grid.x_count, grid.y_count, &area))
        goto fail;
    status = CT_E_MEMORY;
    grid.at = ct_allocate(area + 1, sizeof *grid.at);
    if (!grid.at)
        goto fail;
    for (size_t i = 0; i < area; i++)
        grid.at[i] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        size_t x = index_of(grid.x, grid.x_count, has_size ? places[i].msg_bytes : places[i].comm_size);
        size_t y = has_size ? index_of(grid.y, grid.y_count, places[i].comm_size) : 0;
        size_t *at = &grid.at[y * grid.x_count + x];
        if (*at == SIZE_MAX)
            *at = i;
        else
            grid.shadowed++;
    }
    *ret_grid = grid;
    return CT_OK;
fail:
    ct_grid_free(&grid);
    return status;
}

void ct_grid_free(struct ct_grid *grid)
{
    free(grid->x);
    free(grid->y);
    free(grid->at);
    *grid = (struct ct_grid){0};
}

char *ct_grid_x_text(const struct ct_grid *grid, size_t x, char text[CT_SIZE_TEXT])
{
    if (grid->has_size)
        return ct_size_format(grid->x[x], text);
    snprintf(text, CT_SIZE_TEXT, "%zu", grid->x[x]);
    return text;
}

size_t ct_grid_pick_rows(const struct ct_grid *grid, size_t most, size_t *ret_rows)
{
    size_t count = grid->y_count < most ? grid->y_count : most;
    for (size_t i = 0; i < count; i++)
        ret_rows[i] = (i + 1) * grid->y_count / count - 1;
    return count;
}
