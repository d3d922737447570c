/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/interpolate.h"
#include "base/memory.h"
#include "learners/leaf_price.h"
#include "learners/surface.h"

#include <math.h>
#include <stdlib.h>

enum { POINTS_MAX = 30000 };

/* The fine grid. */
struct grid {
    size_t *comm_sizes;
    size_t *msg_sizes;
    size_t rows, columns;
};

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

static int make_grid(const struct ct_surface *surface, struct grid *grid)
{
    const double comm_step = 0.125, msg_step = 0.25;
    for (double coarser = 1;; coarser *= 2) {
        int status =
            refine(surface->comm_sizes, surface->rows, coarser * comm_step, &grid->comm_sizes, &grid->rows);
        if (status == CT_OK)
            status = refine(surface->msg_sizes, surface->columns, coarser * msg_step, &grid->msg_sizes,
                            &grid->columns);
        if (status != CT_OK || coarser > 16 || grid->rows * grid->columns <= POINTS_MAX)
            return status;
        free(grid->comm_sizes);
        free(grid->msg_sizes);
        *grid = (struct grid){0};
    }
}

static size_t nodes_near(const struct ct_surface *surface, size_t comm_size)
{
    size_t row = 0;
    while (row + 1 < surface->rows && surface->comm_sizes[row + 1] <= comm_size)
        row++;
    return surface->nodes[row];
}

struct filling {
    const struct ct_map *map;
    const bool *allowed;
    const struct ct_surface *surface;
    double *times;
};

static void take_losses(struct filling *filling, const struct ct_cell *cell, double *losses)
{
    double comm_place = ct_surface_place(cell->comm_size), msg_place = ct_surface_place(cell->msg_bytes);
    for (size_t m = 0; m < filling->map->method_count; m++)
        filling->times[m] = exp(ct_surface_at(filling->surface, comm_place, msg_place, m));
    ct_points_losses(filling->map, filling->allowed, cell, filling->times, losses);
}

static int fill_points(struct filling *filling, const struct grid *grid, struct ct_points *points)
{
    size_t count;
    if (!ct_multiply(grid->rows, grid->columns, &count))
        return CT_E_LIMIT;
    filling->times = ct_allocate(filling->map->method_count, sizeof *filling->times);
    int status = filling->times ? ct_points_make(count, filling->map->method_count, points) : CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_cell cell = {.comm_size = grid->comm_sizes[i / grid->columns],
                               .msg_bytes = grid->msg_sizes[i % grid->columns]};
        cell.nodes = nodes_near(filling->surface, cell.comm_size);
        points->values[i * CT_FEATURES + CT_COMM_SIZE] = cell.comm_size;
        points->values[i * CT_FEATURES + CT_MSG_BYTES] = cell.msg_bytes;
        take_losses(filling, &cell, points->losses + i * points->method_count);
    }
    free(filling->times);
    return status;
}

static int make_points(const struct ct_map *map, const bool *allowed, struct ct_error *error,
                       struct ct_points *ret_points)
{
    struct ct_points points;
    struct ct_surface surface = {0};
    struct grid grid = {0};
    /* are there any? */
    int status = ct_points_of_map(map, allowed, error, &points);
    if (status != CT_OK)
        return status;
    ct_points_free(&points);
    status = ct_surface_make(map, &surface);
    if (status == CT_OK && !map->exact)
        status = ct_surface_smooth(&surface);
    if (status == CT_OK) {
        ct_surface_fill(&surface);
        status = make_grid(&surface, &grid);
    }
    if (status == CT_OK)
        status = fill_points(
            &(struct filling){
                .map = map,
                .allowed = allowed,
                .surface = &surface,
            },
            &grid, &points);
    ct_surface_free(&surface);
    free(grid.comm_sizes);
    free(grid.msg_sizes);
    if (status != CT_OK)
        return ct_fail(error, status, "the times of %s between the measured sizes do not fit into memory",
                       ct_collectives[map->collective].name);
    *ret_points = points;
    return CT_OK;
}

/* How far the times go beyond what was measured. */
static int tell_reach(const struct ct_map *map, struct ct_text *notes)
{
    size_t *comm_sizes, *msg_sizes, rows, columns;
    char least[CT_SIZE_TEXT], most[CT_SIZE_TEXT], reach[CT_SIZE_TEXT];
    int status = ct_map_comm_sizes(map, &comm_sizes, &rows);
    if (status != CT_OK)
        return status;
    status = ct_map_msg_sizes(map, &msg_sizes, &columns);
    if (status == CT_OK) {
        ct_text_append(notes, "%s: measured on %zu to %zu ranks", ct_collectives[map->collective].name,
                       comm_sizes[0], comm_sizes[rows - 1]);
        if (ct_collectives[map->collective].has_size)
            ct_text_append(notes, " with %s to %s bytes", ct_size_format(msg_sizes[0], least),
                           ct_size_format(msg_sizes[columns - 1], most));
        ct_text_append(notes, "; times go on to %zu ranks",
                       rows > 1 ? 2 * comm_sizes[rows - 1] : comm_sizes[0]);
        if (ct_collectives[map->collective].has_size)
            ct_text_append(notes, " and %s bytes",
                           ct_size_format(columns > 1 ? 2 * msg_sizes[columns - 1] : msg_sizes[0], reach));
        ct_text_append(notes, ", the choice at these ends beyond\n");
        free(msg_sizes);
    }
    free(comm_sizes);
    return status;
}

static int learn_interpolate(const struct ct_map *map, const struct ct_learn_options *options,
                             const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    struct ct_decision_tree tree;
    int status = ct_learn_by_loss(map, options, allowed, make_points, error, &tree);
    if (status == CT_OK && options->notes && tell_reach(map, options->notes) != CT_OK) {
        ct_tree_free(&tree);
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    }
    if (status == CT_OK)
        *ret_tree = tree;
    return status;
}

const struct ct_learner ct_interpolate_learner = {
    .name = "interpolate",
    .text = "as penalty, on times between the measured sizes and a doubling beyond",
    .bounds = true,
    .learn = learn_interpolate,
};
