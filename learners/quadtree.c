/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/quadtree.h"
#include "base/memory.h"
#include "learners/best_grid.h"

#include <stdlib.h>
#include <string.h>

/* A node of the binary tree while it is built: children before their parents. */
struct branch {
    int16_t feature; /* enum ct_feature, or CT_LEAF */
    size_t method;   /* leaf: method of the map */
    size_t threshold;
    size_t low, high;
};

/* Sizes from..to - 1 of one side, and the points first..first + width - 1 of the square they stand at. */
struct side {
    size_t from, to;
    size_t first, width;
};

struct builder {
    const struct ct_map *map;
    const struct ct_learn_options *options;
    struct ct_best_grid grid;
    size_t square; /* points on a side: 2^k */
    size_t *votes; /* by method; all 0 between uses */
    struct branch *branches;
    size_t count;
    size_t capacity;
    int status;
};

/* --- the square --- */

/* The first of n sizes whose first point in the square is `point` or lies behind it: floor keeps them even.
 */
static size_t size_at(size_t point, size_t n, size_t square)
{
    /* size i begins at ceil(i square / n), so it is the least i with i square > (point - 1) n */
    return point == 0 ? 0 : (point - 1) * n / square + 1;
}

/* Halves a side; *ret_high may hold no sizes, as may *ret_low. */
static void halve(const struct side *side, size_t n, size_t square, struct side *ret_low,
                  struct side *ret_high)
{
    size_t half = side->width / 2, cut = size_at(side->first + half, n, square);
    *ret_low = (struct side){side->from, cut, side->first, half};
    *ret_high = (struct side){cut, side->to, side->first + half, half};
}

/* --- what a quadrant holds --- */

struct verdict {
    size_t method;
    bool enough; /* the share of this method reaches the threshold */
};

static struct verdict judge(struct builder *builder, const struct side *rows, const struct side *columns)
{
    const struct ct_best_grid *grid = &builder->grid;
    size_t *votes = builder->votes, most = 0;
    for (size_t row = rows->from; row < rows->to; row++) {
        for (size_t column = columns->from; column < columns->to; column++) {
            size_t n = ++votes[grid->best[row * grid->columns + column]];
            most = n > most ? n : most;
        }
    }
    size_t chosen = grid->best[(rows->to - 1) * grid->columns + columns->to - 1];
    if (votes[chosen] < most)
        for (chosen = 0; votes[chosen] < most; chosen++)
            ;
    memset(votes, 0, builder->map->method_count * sizeof *votes);
    double points = (double)(rows->to - rows->from) * (double)(columns->to - columns->from);
    return (struct verdict){chosen, 100.0 * (double)most >= builder->options->threshold * points};
}

/* --- the binary tree --- */

static size_t add_branch(struct builder *builder, struct branch branch)
{
    int status = ct_grow(&builder->branches, &builder->capacity, builder->count + 1, sizeof branch);
    if (status != CT_OK) {
        builder->status = status;
        return 0;
    }
    builder->branches[builder->count] = branch;
    return builder->count++;
}

/* Are the two the same decisions? Both have the depth of the square's at most. */
static bool same(const struct builder *builder, size_t a, size_t b)
{
    const struct branch *left = &builder->branches[a], *right = &builder->branches[b];
    if (left->feature != right->feature)
        return false;
    if (left->feature == CT_LEAF)
        return left->method == right->method;
    return left->threshold == right->threshold && same(builder, left->low, right->low) &&
           same(builder, left->high, right->high);
}

/* Does one branch say all that a test over the two would? It does where both decide the same, and where it
 * tests the same feature and its nearer half decides as the other branch does: its threshold alone says it.
 */
static bool merge(const struct builder *builder, enum ct_feature feature, size_t low, size_t high,
                  size_t *ret_branch)
{
    const struct branch *below = &builder->branches[low], *above = &builder->branches[high];
    bool low_says_all =
        same(builder, low, high) || (below->feature == (int16_t)feature && same(builder, below->high, high));
    if (!low_says_all && !(above->feature == (int16_t)feature && same(builder, low, above->low)))
        return false;
    *ret_branch = low_says_all ? low : high;
    return true;
}

static size_t add_test(struct builder *builder, enum ct_feature feature, size_t threshold, size_t low,
                       size_t high)
{
    if (builder->status != CT_OK)
        return low;
    size_t merged;
    if (!builder->options->keep_equal && merge(builder, feature, low, high, &merged))
        return merged;
    return add_branch(
        builder,
        (struct branch){.feature = (int16_t)feature, .threshold = threshold, .low = low, .high = high});
}

static size_t cut_square(struct builder *builder, const struct side *rows, const struct side *columns,
                         size_t depth);

/* Both message parts of one row part. */
static size_t cut_columns(struct builder *builder, const struct side *rows, const struct side *columns,
                          size_t depth)
{
    struct side low, high;
    halve(columns, builder->grid.columns, builder->square, &low, &high);
    if (high.from == high.to)
        return cut_square(builder, rows, &low, depth);
    if (low.from == low.to)
        return cut_square(builder, rows, &high, depth);
    size_t low_branch = cut_square(builder, rows, &low, depth);
    size_t high_branch = cut_square(builder, rows, &high, depth);
    return add_test(builder, CT_MSG_BYTES, builder->grid.msg_sizes[low.to - 1], low_branch, high_branch);
}

/* Depth is the number of quadrants around this one. Recursion is as deep as the square has levels. */
static size_t cut_square(struct builder *builder, const struct side *rows, const struct side *columns,
                         size_t depth)
{
    struct verdict verdict = judge(builder, rows, columns);
    if (verdict.enough || rows->width == 1 || depth == builder->options->max_depth)
        return add_branch(builder, (struct branch){.feature = CT_LEAF, .method = verdict.method});
    struct side low, high;
    halve(rows, builder->grid.rows, builder->square, &low, &high);
    if (high.from == high.to)
        return cut_columns(builder, &low, columns, depth + 1);
    if (low.from == low.to)
        return cut_columns(builder, &high, columns, depth + 1);
    size_t low_branch = cut_columns(builder, &low, columns, depth + 1);
    size_t high_branch = cut_columns(builder, &high, columns, depth + 1);
    return add_test(builder, CT_COMM_SIZE, builder->grid.comm_sizes[low.to - 1], low_branch, high_branch);
}

/* Copies the branch and what is below it, parents first. */
static int copy_branch(const struct builder *builder, size_t index, struct ct_decision_tree *tree,
                       uint32_t *ret_node)
{
    const struct branch *branch = &builder->branches[index];
    struct ct_tree_node node = {.feature = branch->feature, .threshold = branch->threshold};
    int status = CT_OK;
    if (branch->feature == CT_LEAF) {
        status = ct_tree_add_method(tree, &builder->map->methods[branch->method], &node.method);
        node.otherwise = node.method;
    }
    uint32_t place = 0;
    if (status == CT_OK)
        status = ct_tree_add_node(tree, &node, &place);
    *ret_node = place;
    if (status != CT_OK || branch->feature == CT_LEAF)
        return status;
    uint32_t low = 0, high = 0;
    status = copy_branch(builder, branch->low, tree, &low);
    if (status == CT_OK)
        status = copy_branch(builder, branch->high, tree, &high);
    tree->nodes[place].low = low;
    tree->nodes[place].high = high;
    return status;
}

static int build(struct builder *builder, struct ct_decision_tree *tree)
{
    size_t longest = builder->grid.rows > builder->grid.columns ? builder->grid.rows : builder->grid.columns;
    builder->square = 1;
    while (builder->square < longest)
        builder->square *= 2;
    builder->votes = ct_allocate(builder->map->method_count, sizeof *builder->votes);
    if (!builder->votes)
        return CT_E_MEMORY;
    struct side rows = {0, builder->grid.rows, 0, builder->square};
    struct side columns = {0, builder->grid.columns, 0, builder->square};
    size_t top = cut_square(builder, &rows, &columns, 0);
    uint32_t root;
    return builder->status == CT_OK ? copy_branch(builder, top, tree, &root) : builder->status;
}

static int learn_quadtree(const struct ct_map *map, const struct ct_learn_options *options,
                          const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    struct builder builder = {.map = map, .options = options};
    struct ct_decision_tree tree = {.collective = map->collective};
    int status = ct_best_grid_make(map, allowed, error, &builder.grid);
    if (status != CT_OK)
        return status;
    status = build(&builder, &tree);
    if (status == CT_OK)
        status = ct_learn_fill_otherwise(&tree, map, allowed);
    ct_best_grid_free(&builder.grid);
    free(builder.votes);
    free(builder.branches);
    if (status != CT_OK) {
        ct_tree_free(&tree);
        return ct_fail(error, status, "the tree of %s does not fit into memory",
                       ct_collectives[map->collective].name);
    }
    *ret_tree = tree;
    return CT_OK;
}

const struct ct_learner ct_quadtree_learner = {
    .name = "quadtree",
    .text = "halves the sizes again and again until a quadrant has one best method",
    .learn = learn_quadtree,
};
