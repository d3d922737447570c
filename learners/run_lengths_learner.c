/* SPDX-License-Identifier: BSD-3-Clause */
/* Run-length encoding of a decision map, as in OCC (Pjesivac-Grbovic 2007, section A.1.1) and in the rule
 * files of Open MPI: for each communicator size the list of runs of message sizes with one best method. It is
 * exact, so it has no options that make trees smaller.
 *
 * As a tree, the communicator sizes are a chain of tests for at most a measured size, and each test leads to
 * the chain of its runs. Sizes above the largest measured one are treated as the largest. Consecutive
 * communicator sizes with the same runs share them. Unmeasured cells take the method of the nearest measured
 * one (best_grid.h). */
#include "learners/best_grid.h"
#include "learners/learner.h"

#include <string.h>

/* Adds a leaf, or a test whose low branch is the next node. */
static int add(struct ct_decision_tree *tree, struct ct_tree_node node, uint32_t *ret_place)
{
    uint32_t place;
    int status = ct_tree_add_node(tree, &node, &place);
    if (status != CT_OK)
        return status;
    if (node.feature != CT_LEAF)
        tree->nodes[place].low = place + 1;
    *ret_place = place;
    return CT_OK;
}

/* Adds the runs of one row as a chain. */
static int add_row(const struct ct_map *map, const struct ct_best_grid *grid, size_t row,
                   struct ct_decision_tree *tree)
{
    const size_t *best = grid->best + row * grid->axes[CT_GRID_COLUMNS].count;
    int status = CT_OK;
    for (size_t column = 0, end; status == CT_OK && column < grid->axes[CT_GRID_COLUMNS].count;
         column = end) {
        uint32_t test = 0, leaf = 0;
        struct ct_tree_node node = {.feature = CT_LEAF};
        for (end = column + 1; end < grid->axes[CT_GRID_COLUMNS].count && best[end] == best[column];)
            end++;
        bool last = end == grid->axes[CT_GRID_COLUMNS].count;
        if (!last)
            status = add(tree,
                         (struct ct_tree_node){.feature = CT_FEATURE_MSG_BYTES,
                                               .threshold = grid->axes[CT_GRID_COLUMNS].values[end - 1]},
                         &test);
        if (status == CT_OK)
            status = ct_tree_add_method(tree, &map->methods[best[column]], &node.method);
        node.fallback = node.method;
        if (status == CT_OK)
            status = add(tree, node, &leaf);
        if (status == CT_OK && !last)
            tree->nodes[test].high = leaf + 1;
    }
    return status;
}

static bool same_rows(const struct ct_best_grid *grid, size_t a, size_t b)
{
    return memcmp(grid->best + a * grid->axes[CT_GRID_COLUMNS].count,
                  grid->best + b * grid->axes[CT_GRID_COLUMNS].count,
                  grid->axes[CT_GRID_COLUMNS].count * sizeof *grid->best) == 0;
}

static int add_rows(const struct ct_map *map, const struct ct_best_grid *grid, struct ct_decision_tree *tree)
{
    int status = CT_OK;
    for (size_t row = 0; status == CT_OK && row < grid->axes[CT_GRID_ROWS].count; row++) {
        bool last = row + 1 == grid->axes[CT_GRID_ROWS].count;
        uint32_t test = 0;
        if (!last && same_rows(grid, row, row + 1))
            continue;
        if (!last)
            status = add(tree,
                         (struct ct_tree_node){.feature = CT_FEATURE_COMM_SIZE,
                                               .threshold = grid->axes[CT_GRID_ROWS].values[row]},
                         &test);
        if (status == CT_OK)
            status = add_row(map, grid, row, tree);
        if (status == CT_OK && !last)
            tree->nodes[test].high = (uint32_t)tree->node_count;
    }
    return status;
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
    if (status == CT_OK)
        status = ct_learn_fill_fallback(&tree, map, allowed);
    ct_best_grid_free(&grid);
    if (status != CT_OK) {
        ct_tree_free(&tree);
        return ct_fail(error, status, "the tree of %s does not fit into memory",
                       ct_collectives[map->collective].name);
    }
    *ret_tree = tree;
    return CT_OK;
}

static const struct ct_option options[] = {CT_LEARN_EXCLUDE_OPTION, {0}};

const struct ct_learner ct_run_lengths_learner = {
    .name = "run_lengths",
    .text = "for each communicator size a list of methods, each up to a message size; exact",
    .options = options,
    .settings_size = sizeof(struct ct_learn_settings),
    .learn = learn_run_lengths,
};
