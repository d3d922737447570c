/* SPDX-License-Identifier: BSD-3-Clause */
/* Quadtree encoding of a decision map, after Pjesivac-Grbovic 2007, section 5.3.
 *
 * Communicator sizes and message sizes are the two sides of a square of 2^k x 2^k points, which is cut into
 * four by halving both sides, repeatedly, by number of points and not by value. A side of n < 2^k sizes is
 * spread over the square evenly: size i has the points from ceil(i 2^k / n) up to those of i + 1. These
 * copies only place the cuts: a size belongs to the half that has its first point and counts once. With
 * --third the square is a cube of eight octants.
 *
 * A quadrant becomes a leaf if all its points have the same best method, if the share of one method reaches
 * the threshold, or at the greatest depth. It then takes the method of most points. A tie goes to the
 * method of its upper right corner (largest communicator, largest message) if that is in the tie, else to the
 * first method in the map. best_grid.h says what unmeasured points take.
 *
 * As a binary tree, a quadrant is a test of the communicator size over tests of the message size, each at
 * most at the last size of the lower part; a cut with all sizes on one side gives no test. Branches with
 * equal decisions become one, unless --no-merge keeps the quadrants as they were cut.
 *
 * Where times are measured, calls between the measured cells follow the rules of choosable.h, unless options
 * make the tree smaller or keep it as it was cut. */
#include "base/memory.h"
#include "learners/best_grid.h"
#include "learners/follow_rules.h"
#include "learners/leaf_methods.h"
#include "learners/learner.h"

#include <stdlib.h>
#include <string.h>

struct settings {
    struct ct_learn_settings common;
    size_t max_depth;
    double threshold; /* in percent */
    int third;        /* index into thirds[] */
    bool keep_equal;
};

static const enum ct_feature thirds[] = {CT_FEATURE_COMM_SIZE, CT_FEATURE_NODES, CT_FEATURE_PPN};

/* Sizes from..to - 1 of one side, and the points first..first + width - 1 of the square they stand at. */
struct side {
    size_t from, to;
    size_t first, width;
};

/* A quadrant of the square, or an octant of the cube: a side for each axis of the grid. */
struct region {
    struct side sides[CT_GRID_AXES];
};

struct builder {
    const struct ct_map *map;
    const struct settings *settings;
    struct ct_best_grid grid;
    size_t width;                  /* points on a side of the square or cube: 2^k */
    size_t *votes;                 /* by method; all 0 between uses */
    struct ct_decision_tree draft; /* children before their parents; with nodes that were replaced */
    int status;                    /* the first failure */
};

/* --- the square --- */

/* The first of n sizes whose first point in the square is at or after `point`. */
static size_t size_at(size_t point, size_t n, size_t square)
{
    /* size i begins at ceil(i square / n), so it is the least i with i square > (point - 1) n */
    return point == 0 ? 0 : (point - 1) * n / square + 1;
}

/* Halves a side; either half may have no sizes. */
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

/* Moves to the next places in the region, the last axis fastest; false after the last ones. */
static bool advance(const struct region *region, size_t places[CT_GRID_AXES])
{
    for (size_t i = CT_GRID_AXES; i-- > 0;) {
        if (++places[i] < region->sides[i].to)
            return true;
        places[i] = region->sides[i].from;
    }
    return false;
}

static struct verdict judge(struct builder *builder, const struct region *region)
{
    const struct ct_best_grid *grid = &builder->grid;
    size_t *votes = builder->votes, most = 0, points = 0, places[CT_GRID_AXES], chosen;
    for (size_t i = 0; i < CT_GRID_AXES; i++)
        places[i] = region->sides[i].from;
    do {
        chosen = grid->best[ct_best_grid_point(grid, places)]; /* finally that of the largest sizes */
        size_t n = ++votes[chosen];
        most = n > most ? n : most;
        points++;
    } while (advance(region, places));
    if (votes[chosen] < most)
        for (chosen = 0; votes[chosen] < most; chosen++)
            ;
    memset(votes, 0, builder->map->method_count * sizeof *votes);
    return (struct verdict){chosen, 100.0 * (double)most >= builder->settings->threshold * (double)points};
}

/* --- the binary tree --- */

static uint32_t add_node(struct builder *builder, const struct ct_tree_node *node)
{
    uint32_t place = 0;
    if (builder->status == CT_OK)
        builder->status = ct_tree_add_node(&builder->draft, node, &place);
    return place;
}

static uint32_t add_leaf(struct builder *builder, size_t method)
{
    struct ct_tree_node leaf = {.feature = CT_LEAF};
    if (builder->status == CT_OK)
        builder->status = ct_tree_add_method(&builder->draft, &builder->map->methods[method], &leaf.method);
    return add_node(builder, &leaf);
}

/* Do the two decide the same? The recursion is at most as deep as the square has levels. */
static bool same(const struct ct_tree_node *nodes, uint32_t a, uint32_t b)
{
    const struct ct_tree_node *left = &nodes[a], *right = &nodes[b];
    if (left->feature != right->feature)
        return false;
    if (left->feature == CT_LEAF)
        return left->method == right->method;
    return left->threshold == right->threshold && same(nodes, left->low, right->low) &&
           same(nodes, left->high, right->high);
}

/* Adds a test, unless one of its branches can replace it: if both decide the same, or if the branch tests the
 * same feature and its half next to the other branch decides as that does. */
static uint32_t add_test(struct builder *builder, enum ct_feature feature, size_t threshold, uint32_t low,
                         uint32_t high)
{
    const struct ct_tree_node test = {
        .feature = (int16_t)feature, .threshold = threshold, .low = low, .high = high};
    const struct ct_tree_node *nodes = builder->draft.nodes;
    if (builder->status == CT_OK && !builder->settings->keep_equal) {
        if (same(nodes, low, high) ||
            (nodes[low].feature == test.feature && same(nodes, nodes[low].high, high)))
            return low;
        if (nodes[high].feature == test.feature && same(nodes, low, nodes[high].low))
            return high;
    }
    return add_node(builder, &test);
}

static uint32_t cut_region(struct builder *builder, const struct region *region, size_t depth);

/* Cuts a region along this axis and those after it. */
static uint32_t cut_axis(struct builder *builder, const struct region *region, size_t axis, size_t depth)
{
    if (axis == CT_GRID_AXES)
        return cut_region(builder, region, depth);
    const struct ct_best_axis *of = &builder->grid.axes[axis];
    struct region low = *region, high = *region;
    halve(&region->sides[axis], of->count, builder->width, &low.sides[axis], &high.sides[axis]);
    if (high.sides[axis].from == high.sides[axis].to)
        return cut_axis(builder, &low, axis + 1, depth);
    if (low.sides[axis].from == low.sides[axis].to)
        return cut_axis(builder, &high, axis + 1, depth);
    uint32_t low_branch = cut_axis(builder, &low, axis + 1, depth);
    uint32_t high_branch = cut_axis(builder, &high, axis + 1, depth);
    return add_test(builder, of->feature, of->values[low.sides[axis].to - 1], low_branch, high_branch);
}

/* `depth` is the number of regions around this one. The recursion is as deep as the square has levels. */
static uint32_t cut_region(struct builder *builder, const struct region *region, size_t depth)
{
    struct verdict verdict = judge(builder, region);
    if (verdict.enough || region->sides[0].width == 1 || depth == builder->settings->max_depth)
        return add_leaf(builder, verdict.method);
    return cut_axis(builder, region, 0, depth + 1);
}

/* Copies a node of the draft and all below it, parents first. */
static int copy(const struct ct_decision_tree *draft, uint32_t from, struct ct_decision_tree *tree,
                uint32_t *ret_place)
{
    struct ct_tree_node node = draft->nodes[from];
    int status = CT_OK;
    if (node.feature == CT_LEAF)
        status = ct_tree_add_method(tree, &draft->methods[node.method], &node.method);
    if (status == CT_OK)
        status = ct_tree_add_node(tree, &node, ret_place);
    if (status != CT_OK || node.feature == CT_LEAF)
        return status;
    status = copy(draft, node.low, tree, &node.low);
    if (status == CT_OK)
        status = copy(draft, node.high, tree, &node.high);
    tree->nodes[*ret_place] = node;
    return status;
}

static int build(struct builder *builder, struct ct_decision_tree *tree)
{
    struct region whole = {0};
    builder->width = 1;
    for (size_t i = 0; i < CT_GRID_AXES; i++)
        while (builder->width < builder->grid.axes[i].count)
            builder->width *= 2;
    for (size_t i = 0; i < CT_GRID_AXES; i++)
        whole.sides[i] = (struct side){0, builder->grid.axes[i].count, 0, builder->width};
    builder->votes = ct_allocate(builder->map->method_count, sizeof *builder->votes);
    if (!builder->votes)
        return CT_E_MEMORY;
    uint32_t top = cut_region(builder, &whole, 0), root;
    return builder->status == CT_OK ? copy(&builder->draft, top, tree, &root) : builder->status;
}

/* Is the tree as the cells make it? What the user asks for goes before the rules. */
static bool is_usual(const struct settings *settings)
{
    enum { LEVELS = 64 };
    const double all = 100;
    return settings->threshold >= all && settings->max_depth >= LEVELS && !settings->keep_equal &&
           settings->third == 0;
}

static int learn_quadtree(const struct ct_map *map, const struct ct_learn_settings *common,
                          const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    const struct settings *settings = (const struct settings *)common;
    struct builder builder = {.map = map, .settings = settings};
    struct ct_decision_tree tree = {.collective = map->collective};
    int status = ct_best_grid_make(map, thirds[settings->third], allowed, error, &builder.grid);
    if (status != CT_OK)
        return status;
    status = build(&builder, &tree);
    ct_best_grid_free(&builder.grid);
    free(builder.votes);
    ct_tree_free(&builder.draft);
    status = ct_learn_finish(map, allowed, status, &tree, error, &tree);
    if (status == CT_OK && is_usual(settings))
        status = ct_follow_rules_by_sizes(map, allowed, error, &tree);
    if (status == CT_OK)
        *ret_tree = tree;
    return status;
}

static const char *third_name(size_t third)
{
    static const char *const names[] = {"none", "nodes", "ppn"};
    return third < sizeof names / sizeof names[0] ? names[third] : NULL;
}

static const struct ct_option options[] = {
    {"max-depth", 'd', "D", CT_OPTION_WHOLE, offsetof(struct settings, max_depth), .usual = "64",
     .text = "allow at most D levels"},
    {"threshold", 't', "PERCENT", CT_OPTION_NUMBER, offsetof(struct settings, threshold), .above = true,
     .most = 100, .usual = "100", .text = "do not split where PERCENT of the points have one best method"},
    {"no-merge", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, keep_equal),
     .text = "keep tests whose branches make the same choice, to show the regions as they were cut"},
    {"third", 0, "KEY", CT_OPTION_CHOICE, offsetof(struct settings, third), .choice = third_name,
     .text = "halve a third key in addition to both sizes (ppn: ranks per node)"},
    CT_LEARN_EXCLUDE_OPTION,
    {0},
};

const struct ct_learner ct_quadtree_learner = {
    .name = "quadtree",
    .text = "halves the sizes again and again until a quadrant has one best method",
    .options = options,
    .settings_size = sizeof(struct settings),
    .learn = learn_quadtree,
};
