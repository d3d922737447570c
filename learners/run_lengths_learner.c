/* SPDX-License-Identifier: BSD-3-Clause */
/* Run-length encoding of a decision map, as in OCC (Pjesivac-Grbovic 2007, section A.1.1) and in the rule
 * files of Open MPI: for each communicator size the list of runs of message sizes with one best method. It is
 * exact, unless there is a bound of the slowdown. Then each run is as long as some method is within the bound
 * in all of its cells, and takes the one of these with the least geometric-mean time; a communicator size
 * takes the list of the one before if that is within the bound throughout.
 *
 * As a tree, the communicator sizes are a chain of tests for at most a measured size, and each test leads to
 * the chain of its runs. Sizes above the largest measured one are treated as the largest. Consecutive
 * communicator sizes with the same runs share them. Unmeasured cells take the method of the nearest measured
 * one (best_grid.h). Where times are measured, calls between the measured cells follow the rules of
 * choosable.h, and lists may have more tests for them. */
#include "base/memory.h"
#include "learners/best_grid.h"
#include "learners/follow_rules.h"
#include "learners/leaf_methods.h"
#include "learners/learner.h"

#include <stdlib.h>
#include <string.h>

struct settings {
    struct ct_learn_settings common;
    double max_slowdown; /* fraction */
};

/* --- longer runs --- */

/* A grid whose runs are made longer. */
struct lengthening {
    const struct ct_map *map;
    const bool *allowed;
    double bound;
    struct ct_best_grid *grid;
    bool *fits; /* by method: may it be the run's? */
    size_t *cells;
};

/* The cell at a place; NULL if nothing was measured there. */
static const struct ct_cell *cell_at(const struct lengthening *longer, size_t row, size_t column)
{
    const struct ct_best_axis *axes = longer->grid->axes;
    const struct ct_cell *cell =
        ct_map_find_cell(longer->map, axes[CT_GRID_ROWS].values[row], axes[CT_GRID_COLUMNS].values[column]);
    return longer->grid->filled[row * axes[CT_GRID_COLUMNS].count + column] ? NULL : cell;
}

/* Is the method within the bound of the one that the grid has there? */
static bool is_within(const struct lengthening *longer, size_t row, size_t column, size_t method)
{
    const struct ct_cell *cell = cell_at(longer, row, column);
    const size_t best = longer->grid->best[row * longer->grid->axes[CT_GRID_COLUMNS].count + column];
    if (!cell || method == best)
        return true;
    return (!longer->allowed || longer->allowed[method]) && cell->methods[method].count > 0 &&
           cell->methods[method].median <= (1 + longer->bound) * cell->methods[best].median;
}

/* Takes the choices of the row before if all are within the bound. */
static bool take_row_before(const struct lengthening *longer, size_t row)
{
    const size_t columns = longer->grid->axes[CT_GRID_COLUMNS].count;
    const size_t *before = longer->grid->best + (row - 1) * columns;
    for (size_t column = 0; column < columns; column++)
        if (!is_within(longer, row, column, before[column]))
            return false;
    memcpy(longer->grid->best + row * columns, before, columns * sizeof *before);
    return true;
}

/* Of the methods that fit, the best one over a run; the first one if nothing was measured there. */
static size_t method_of_run(const struct lengthening *longer, size_t row, size_t begin, size_t end)
{
    size_t count = 0, first = 0;
    for (size_t column = begin; column < end; column++) {
        const struct ct_cell *cell = cell_at(longer, row, column);
        if (cell)
            longer->cells[count++] = (size_t)(cell - longer->map->cells);
    }
    while (!longer->fits[first])
        first++;
    size_t best = ct_map_best_method(longer->map, longer->cells, count, longer->fits);
    return count > 0 && best != SIZE_MAX ? best : first;
}

static void lengthen_row(const struct lengthening *longer, size_t row)
{
    const size_t columns = longer->grid->axes[CT_GRID_COLUMNS].count;
    size_t *best = longer->grid->best + row * columns;
    for (size_t begin = 0, end; begin < columns; begin = end) {
        for (size_t m = 0; m < longer->map->method_count; m++)
            longer->fits[m] = is_within(longer, row, begin, m);
        for (end = begin + 1; end < columns; end++) {
            bool any = false;
            for (size_t m = 0; m < longer->map->method_count; m++)
                any |= longer->fits[m] && is_within(longer, row, end, m);
            if (!any)
                break;
            for (size_t m = 0; m < longer->map->method_count; m++)
                longer->fits[m] = longer->fits[m] && is_within(longer, row, end, m);
        }
        size_t method = method_of_run(longer, row, begin, end);
        for (size_t column = begin; column < end; column++)
            best[column] = method;
    }
}

static int lengthen(const struct ct_map *map, const bool *allowed, double bound, struct ct_best_grid *grid)
{
    struct lengthening longer = {.map = map,
                                 .allowed = allowed,
                                 .bound = bound,
                                 .grid = grid,
                                 .fits = ct_allocate(map->method_count, sizeof *longer.fits),
                                 .cells = ct_allocate(map->cell_count, sizeof *longer.cells)};
    int status = longer.fits && longer.cells ? CT_OK : CT_E_MEMORY;
    for (size_t row = 0; status == CT_OK && row < grid->axes[CT_GRID_ROWS].count; row++)
        if (row == 0 || !take_row_before(&longer, row))
            lengthen_row(&longer, row);
    free(longer.fits);
    free(longer.cells);
    return status;
}

/* --- the tree --- */

/* Adds a test whose low branch is the next node. */
static int add_test(struct ct_decision_tree *tree, enum ct_feature feature, size_t threshold,
                    uint32_t *ret_place)
{
    const struct ct_tree_node test = {
        .feature = (int16_t)feature, .threshold = threshold, .low = (uint32_t)tree->node_count + 1};
    return ct_tree_add_node(tree, &test, ret_place);
}

/* Adds the runs of one row as a chain. */
static int add_row(const struct ct_map *map, const struct ct_best_grid *grid, size_t row,
                   struct ct_decision_tree *tree)
{
    const struct ct_best_axis *sizes = &grid->axes[CT_GRID_COLUMNS];
    const size_t *best = grid->best + row * sizes->count;
    for (size_t column = 0, end; column < sizes->count; column = end) {
        struct ct_tree_node leaf = {.feature = CT_LEAF};
        uint32_t test = 0, place;
        for (end = column + 1; end < sizes->count && best[end] == best[column];)
            end++;
        bool last = end == sizes->count;
        int status = last ? CT_OK : add_test(tree, sizes->feature, sizes->values[end - 1], &test);
        if (status == CT_OK)
            status = ct_tree_add_method(tree, &map->methods[best[column]], &leaf.method);
        if (status == CT_OK)
            status = ct_tree_add_node(tree, &leaf, &place);
        if (status != CT_OK)
            return status;
        if (!last)
            tree->nodes[test].high = place + 1;
    }
    return CT_OK;
}

static bool same_rows(const struct ct_best_grid *grid, size_t a, size_t b)
{
    const size_t columns = grid->axes[CT_GRID_COLUMNS].count;
    return memcmp(grid->best + a * columns, grid->best + b * columns, columns * sizeof *grid->best) == 0;
}

static int add_rows(const struct ct_map *map, const struct ct_best_grid *grid, struct ct_decision_tree *tree)
{
    const struct ct_best_axis *sizes = &grid->axes[CT_GRID_ROWS];
    for (size_t row = 0; row < sizes->count; row++) {
        bool last = row + 1 == sizes->count;
        uint32_t test = 0;
        if (!last && same_rows(grid, row, row + 1))
            continue;
        int status = last ? CT_OK : add_test(tree, sizes->feature, sizes->values[row], &test);
        if (status == CT_OK)
            status = add_row(map, grid, row, tree);
        if (status != CT_OK)
            return status;
        if (!last)
            tree->nodes[test].high = (uint32_t)tree->node_count;
    }
    return CT_OK;
}

static int learn_run_lengths(const struct ct_map *map, const struct ct_learn_settings *settings,
                             const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    struct ct_best_grid grid;
    struct ct_decision_tree tree = {.collective = map->collective};
    const double bound = ((const struct settings *)settings)->max_slowdown;
    int status = ct_best_grid_make(map, CT_FEATURE_COMM_SIZE, allowed, error, &grid);
    if (status != CT_OK)
        return status;
    if (bound > 0)
        status = lengthen(map, allowed, bound, &grid);
    if (status == CT_OK)
        status = add_rows(map, &grid, &tree);
    ct_best_grid_free(&grid);
    status = ct_learn_finish(map, allowed, status, &tree, error, &tree);
    if (status == CT_OK)
        status = ct_follow_rules_by_sizes(map, allowed, error, &tree);
    if (status == CT_OK)
        *ret_tree = tree;
    return status;
}

static const struct ct_option options[] = {
    {"max-slowdown", 'w', "PERCENT", CT_OPTION_PERCENT, offsetof(struct settings, max_slowdown),
     .text = "let a method serve wherever it is at most PERCENT slower than the best one"},
    CT_LEARN_EXCLUDE_OPTION,
    {0},
};

const struct ct_learner ct_run_lengths_learner = {
    .name = "run_lengths",
    .text = "for each communicator size a list of methods, each up to a message size",
    .options = options,
    .settings_size = sizeof(struct settings),
    .learn = learn_run_lengths,
};
