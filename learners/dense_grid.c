/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/dense_grid.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

void ct_dense_grid_free(struct ct_dense_grid *grid)
{
    free(grid->comm_sizes);
    free(grid->msg_sizes);
    *grid = (struct ct_dense_grid){0};
}

/* Rising sizes, at most `step` doublings apart, that hold the given ones, and go on for a doubling where
 * there are several. */
static int refine(const size_t *sizes, size_t count, double step, size_t **ret_sizes, size_t *ret_count)
{
    size_t *fine = NULL, capacity = 0, found = 0;
    for (size_t i = 0; i < count; i++) {
        double from = fmax((double)sizes[i], 1);
        double to = i + 1 < count ? (double)sizes[i + 1] : count > 1 ? 2 * from : from;
        size_t pieces = to > from ? (size_t)ceil(log2(to / from) / step - 1e-9) : 1;
        for (size_t j = 0; j < pieces; j++) {
            size_t size =
                j == 0 ? sizes[i] : (size_t)round(from * pow(to / from, (double)j / (double)pieces));
            if (found > 0 && size <= fine[found - 1])
                continue;
            int status = ct_grow(&fine, &capacity, found + 1, sizeof *fine);
            if (status != CT_OK) {
                free(fine);
                return status;
            }
            fine[found++] = size;
        }
    }
    *ret_sizes = fine;
    *ret_count = found;
    return CT_OK;
}

static int make_grid(const struct ct_surface *surface, double coarser, struct ct_dense_grid *grid)
{
    const double comm_step = 0.125, msg_step = 0.25;
    int status =
        refine(surface->comm_sizes, surface->rows, coarser * comm_step, &grid->comm_sizes, &grid->rows);
    return status == CT_OK ? refine(surface->msg_sizes, surface->columns, coarser * msg_step,
                                    &grid->msg_sizes, &grid->columns)
                           : status;
}

int ct_dense_grid_make(const struct ct_surface *surface, size_t points_max, struct ct_dense_grid *ret_grid)
{
    for (double coarser = 1;; coarser *= 2) {
        struct ct_dense_grid grid = {0};
        int status = make_grid(surface, coarser, &grid);
        if (status == CT_OK && (coarser > 16 || grid.rows * grid.columns <= points_max)) {
            *ret_grid = grid;
            return CT_OK;
        }
        ct_dense_grid_free(&grid);
        if (status != CT_OK)
            return status;
    }
}
