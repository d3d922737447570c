/* SPDX-License-Identifier: BSD-3-Clause */
/* Run-length encoding of a decision map, as in OCC (Pjesivac-Grbovic 2007, section A.1.1) and in the rule
 * files of Open MPI: for each communicator size the list of runs of message sizes with one best method. It is
 * exact, so it has no options that make trees smaller.
 *
 * As a tree, the communicator sizes are a chain of tests for at most a measured size, and each test leads to
 * the chain of its runs. Sizes above the largest measured one are treated as the largest. Consecutive
 * communicator sizes with the same runs share them. Unmeasured cells take the method of the nearest measured
 * one (best_grid.h). Where times are measured, calls between the measured cells follow the rules of
 * choosable.h, and lists may have more tests for them. */
#include "learners/best_grid.h"
#include "learners/follow_rules.h"
#include "learners/learner.h"

#include <string.h>

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
    (void)settings;
    int status = ct_best_grid_make(map, CT_FEATURE_COMM_SIZE, allowed, error, &grid);
    if (status != CT_OK)
        return status;
    status = add_rows(map, &grid, &tree);
    ct_best_grid_free(&grid);
    status = ct_learn_finish(map, allowed, status, &tree, error, &tree);
    if (status == CT_OK)
        status = ct_follow_rules_by_sizes(map, allowed, error, &tree);
    if (status == CT_OK)
        *ret_tree = tree;
    return status;
}

static const struct ct_option options[] = {CT_LEARN_EXCLUDE_OPTION, {0}};

const struct ct_learner ct_run_lengths_learner = {
    .name = "run_lengths",
    .text = "for each communicator size a list of methods, each up to a message size; exact",
    .options = options,
    .settings_size = sizeof(struct ct_learn_settings),
    .learn = learn_run_lengths,
};
