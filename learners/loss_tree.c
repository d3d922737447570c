/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/loss_tree.h"
#include "base/memory.h"
#include "base/sort.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void ct_loss_tree_free(struct ct_loss_tree *tree)
{
    free(tree->nodes);
    *tree = (struct ct_loss_tree){0};
}

size_t ct_loss_tree_leaf(const struct ct_loss_tree *tree, const size_t *values)
{
    size_t at = 0;
    while (!tree->nodes[at].is_leaf) {
        const struct ct_loss_node *node = &tree->nodes[at];
        at = values[node->feature] <= node->threshold ? node->low : node->high;
    }
    return at;
}

/* --- growing --- */

struct growing {
    const struct ct_points *points;
    size_t favourite;
    size_t max_depth;
    size_t columns;
    size_t *orders; /* by column: the points in rising order of it; a node has the same places in all */
    size_t *spare;  /* a node's points while they are split */
    bool *is_low;   /* by point */
    double *all;    /* sums of losses (points.h) of the node's points; all three are allocated together, */
    double *below;  /* of the part of them that has been passed, */
    double *none;   /* and zeroes */
    struct ct_loss_tree tree;
};

struct split {
    bool found;
    size_t column;
    size_t threshold;
    size_t lows; /* points */
    double loss;
    size_t imbalance;
};

static size_t *order_of(const struct growing *growing, size_t column)
{
    return growing->orders + column * growing->points->count;
}

static size_t value_of(const struct growing *growing, size_t point, size_t column)
{
    return ct_point_values(growing->points, point)[column];
}

/* What is lost if each of the two parts has its own best method. */
static double loss_of_parts(const struct growing *growing)
{
    return ct_loss_sums_least(growing->points, growing->below, growing->none) +
           ct_loss_sums_least(growing->points, growing->all, growing->below);
}

/* Halfway on a scale of doublings: at least `low`, less than `high`. */
static size_t between(size_t low, size_t high)
{
    double middle = sqrt((double)low) * sqrt((double)high);
    if (middle <= (double)low)
        return low;
    return middle >= (double)high ? high - 1 : (size_t)middle < high ? (size_t)middle : high - 1;
}

/* The best split of the points at first .. first + count - 1 by one column into *saving, if it is better than
 * that, and into *halving the one that divides them most evenly. */
static void search(struct growing *growing, size_t column, size_t first, size_t count, struct split *saving,
                   struct split *halving)
{
    const size_t *order = order_of(growing, column) + first;
    ct_loss_sums_clear(growing->points, growing->below);
    for (size_t i = 0; i + 1 < count; i++) {
        size_t value = value_of(growing, order[i], column);
        size_t next = value_of(growing, order[i + 1], column);
        ct_loss_sums_add(growing->points, order[i], growing->below);
        if (value == next)
            continue;
        size_t lows = i + 1, highs = count - lows;
        struct split split = {true,
                              column,
                              between(value, next),
                              lows,
                              loss_of_parts(growing),
                              lows > highs ? lows - highs : highs - lows};
        if (split.loss < saving->loss - CT_LOSS_NOTHING)
            *saving = split;
        if (split.imbalance < halving->imbalance)
            *halving = split;
    }
}

/* The split that saves most, or else the one that halves the points. */
static struct split find_split(struct growing *growing, size_t first, size_t count, double loss)
{
    struct split saving = {.loss = loss}, halving = {.imbalance = SIZE_MAX};
    for (size_t column = 0; column < growing->columns; column++)
        search(growing, column, first, count, &saving, &halving);
    return saving.found ? saving : halving;
}

/* Splits the node's points in each order; both parts stay in order. */
static void part(struct growing *growing, size_t first, size_t count, const struct split *split)
{
    const size_t *decided = order_of(growing, split->column) + first;
    for (size_t i = 0; i < count; i++)
        growing->is_low[decided[i]] = i < split->lows;
    for (size_t column = 0; column < growing->columns; column++) {
        size_t *order = order_of(growing, column) + first, lows = 0, highs = 0;
        for (size_t i = 0; i < count; i++)
            if (growing->is_low[order[i]])
                order[lows++] = order[i];
            else
                growing->spare[highs++] = order[i];
        memcpy(order + lows, growing->spare, highs * sizeof *order);
    }
}

static int add_node(struct growing *growing, size_t first, size_t count, size_t *ret_node)
{
    struct ct_loss_tree *tree = &growing->tree;
    int status = ct_grow(&tree->nodes, &tree->capacity, tree->count + 1, sizeof *tree->nodes);
    if (status != CT_OK)
        return status;
    ct_loss_sums_clear(growing->points, growing->all);
    for (size_t i = 0; i < count; i++)
        ct_loss_sums_add(growing->points, growing->orders[first + i], growing->all);
    const struct ct_loss_choice choice =
        ct_loss_sums_choose(growing->points, growing->all, growing->favourite);
    tree->nodes[tree->count] = (struct ct_loss_node){.feature = CT_LEAF,
                                                     .is_leaf = true,
                                                     .method = choice.method,
                                                     .fallback = choice.fallback,
                                                     .loss = choice.loss,
                                                     .points = count};
    *ret_node = tree->count++;
    return CT_OK;
}

/* Adds the node of these points and all nodes below it. The recursion is at most CT_LOSS_DEEPEST deep. */
static int grow(struct growing *growing, size_t first, size_t count, size_t depth, size_t *ret_node)
{
    size_t node = 0, low = 0, high = 0;
    int status = add_node(growing, first, count, &node);
    *ret_node = node;
    if (status != CT_OK || growing->tree.nodes[node].loss <= CT_LOSS_NOTHING || depth >= growing->max_depth)
        return status;
    const struct split split = find_split(growing, first, count, growing->tree.nodes[node].loss);
    if (!split.found)
        return CT_OK;
    part(growing, first, count, &split);
    status = grow(growing, first, split.lows, depth + 1, &low);
    if (status == CT_OK)
        status = grow(growing, first + split.lows, count - split.lows, depth + 1, &high);
    struct ct_loss_node *above = &growing->tree.nodes[node];
    above->feature = (int16_t)split.column;
    above->threshold = split.threshold;
    above->low = low;
    above->high = high;
    above->is_leaf = false;
    return status;
}

struct sorting {
    const struct growing *growing;
    size_t column;
};

static int compare(const void *a, const void *b, void *context)
{
    const struct sorting *sorting = context;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    size_t left_value = value_of(sorting->growing, left, sorting->column);
    size_t right_value = value_of(sorting->growing, right, sorting->column);
    return left_value != right_value ? CT_COMPARE(left_value, right_value) : CT_COMPARE(left, right);
}

/* There is at least one order, even without any column. */
static void sort_points(struct growing *growing)
{
    for (size_t column = 0; column == 0 || column < growing->columns; column++) {
        size_t *order = order_of(growing, column);
        for (size_t i = 0; i < growing->points->count; i++)
            order[i] = i;
        struct sorting sorting = {growing, column};
        if (growing->columns > 0)
            qsort_r(order, growing->points->count, sizeof *order, compare, &sorting);
    }
}

static int make_room(struct growing *growing)
{
    const struct ct_points *points = growing->points;
    size_t places, sums;
    if (!ct_multiply(points->count, growing->columns > 0 ? growing->columns : 1, &places) ||
        !ct_multiply(points->kind_count, points->method_count, &sums))
        return CT_E_LIMIT;
    growing->orders = ct_allocate(places, sizeof *growing->orders);
    growing->spare = ct_allocate(points->count, sizeof *growing->spare);
    growing->is_low = ct_allocate(points->count, sizeof *growing->is_low);
    growing->all = ct_allocate(sums, 3 * sizeof *growing->all);
    if (!growing->orders || !growing->spare || !growing->is_low || !growing->all)
        return CT_E_MEMORY;
    growing->below = growing->all + sums;
    growing->none = growing->below + sums;
    return CT_OK;
}

int ct_loss_tree_grow(const struct ct_points *points, size_t max_depth, size_t favourite,
                      struct ct_loss_tree *ret_tree)
{
    struct growing growing = {
        .points = points,
        .favourite = favourite,
        .max_depth = max_depth < CT_LOSS_DEEPEST ? max_depth : CT_LOSS_DEEPEST,
        .columns = points->columns.count,
    };
    size_t root;
    int status = make_room(&growing);
    if (status == CT_OK) {
        sort_points(&growing);
        status = grow(&growing, 0, points->count, 0, &root);
    }
    free(growing.orders);
    free(growing.spare);
    free(growing.is_low);
    free(growing.all);
    if (status == CT_OK)
        *ret_tree = growing.tree;
    else
        ct_loss_tree_free(&growing.tree);
    return status;
}

/* --- pruning --- */

/* Nodes below a leaf do not count: they were pruned. */
static size_t count_leaves(const struct ct_loss_tree *tree, size_t at)
{
    const struct ct_loss_node *node = &tree->nodes[at];
    return node->is_leaf ? 1 : count_leaves(tree, node->low) + count_leaves(tree, node->high);
}

size_t ct_loss_tree_cut(struct ct_loss_tree *tree, double complexity)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct ct_loss_node *node = &tree->nodes[i];
        double leaf = node->loss + complexity;
        double below =
            node->feature == CT_LEAF ? leaf : tree->nodes[node->low].least + tree->nodes[node->high].least;
        node->is_leaf = node->feature == CT_LEAF || leaf <= below;
        node->least = node->is_leaf ? leaf : below;
    }
    return count_leaves(tree, 0);
}

/* By node and number of leaves below it, from 1 on: the least loss, and how many leaves are in the low
 * branch. */
struct choice {
    double loss;
    size_t lows; /* 0: the node is a leaf */
};

struct choices {
    struct choice *all;
    size_t *first; /* by node: where its own begin */
    size_t *count; /* of leaves at most */
};

/* Each node has as many choices as leaves below it, up to the bound. */
static int make_choices(const struct ct_loss_tree *tree, size_t max_leaves, struct choices *choices)
{
    size_t total = 0;
    choices->first = ct_allocate(tree->count, sizeof *choices->first);
    choices->count = ct_allocate(tree->count, sizeof *choices->count);
    if (!choices->first || !choices->count)
        return CT_E_MEMORY;
    for (size_t i = tree->count; i-- > 0;) {
        const struct ct_loss_node *node = &tree->nodes[i];
        size_t leaves = node->feature == CT_LEAF ? 1 : choices->count[node->low] + choices->count[node->high];
        choices->count[i] = leaves < max_leaves ? leaves : max_leaves;
        choices->first[i] = total;
        if (!ct_add(total, choices->count[i], &total))
            return CT_E_LIMIT;
    }
    choices->all = ct_allocate(total, sizeof *choices->all);
    return choices->all ? CT_OK : CT_E_MEMORY;
}

static void choose(const struct ct_loss_tree *tree, size_t at, struct choices *choices)
{
    const struct ct_loss_node *node = &tree->nodes[at];
    struct choice *own = choices->all + choices->first[at];
    for (size_t k = 0; k < choices->count[at]; k++)
        own[k] = (struct choice){.loss = node->loss};
    if (node->feature == CT_LEAF)
        return;
    const struct choice *low = choices->all + choices->first[node->low];
    const struct choice *high = choices->all + choices->first[node->high];
    for (size_t i = 1; i <= choices->count[node->low]; i++)
        for (size_t j = 1; j <= choices->count[node->high] && i + j <= choices->count[at]; j++)
            if (low[i - 1].loss + high[j - 1].loss < own[i + j - 1].loss)
                own[i + j - 1] = (struct choice){low[i - 1].loss + high[j - 1].loss, i};
}

/* Applies the choice for so many leaves to a node and all below it. The recursion is as deep as the tree. */
static void apply(struct ct_loss_tree *tree, size_t at, size_t leaves, const struct choices *choices)
{
    struct ct_loss_node *node = &tree->nodes[at];
    const struct choice *choice = &choices->all[choices->first[at] + leaves - 1];
    node->is_leaf = choice->lows == 0;
    if (node->is_leaf)
        return;
    apply(tree, node->low, choice->lows, choices);
    apply(tree, node->high, leaves - choice->lows, choices);
}

int ct_loss_tree_cut_to(struct ct_loss_tree *tree, double complexity, size_t max_leaves)
{
    struct choices choices = {0};
    size_t best = 0;
    int status = make_choices(tree, max_leaves, &choices);
    for (size_t i = tree->count; status == CT_OK && i-- > 0;)
        choose(tree, i, &choices);
    for (size_t k = 1; status == CT_OK && k < choices.count[0]; k++) {
        const struct choice *own = choices.all + choices.first[0];
        if (own[k].loss + complexity * (double)k < own[best].loss + complexity * (double)best)
            best = k;
    }
    if (status == CT_OK)
        apply(tree, 0, best + 1, &choices);
    free(choices.all);
    free(choices.first);
    free(choices.count);
    return status;
}

/* --- as a decision tree --- */

bool ct_loss_leaves_equal(const struct ct_loss_node *a, const struct ct_loss_node *b)
{
    return a->is_leaf && b->is_leaf && a->method == b->method && a->fallback == b->fallback;
}

/* Replaces tests with equal leaves by one leaf. */
static void merge_leaves(struct ct_loss_tree *tree)
{
    for (size_t i = tree->count; i-- > 0;) {
        struct ct_loss_node *node = &tree->nodes[i];
        if (node->is_leaf || !ct_loss_leaves_equal(&tree->nodes[node->low], &tree->nodes[node->high]))
            continue;
        node->is_leaf = true;
        node->method = tree->nodes[node->low].method;
        node->fallback = tree->nodes[node->low].fallback;
    }
}

/* The node that decides as this one. Two tests of one feature in a row are replaced by one if the leaf
 * between their thresholds equals the leaf beyond one of them. */
static size_t shorten(const struct ct_loss_tree *tree, size_t at)
{
    for (;;) {
        const struct ct_loss_node *node = &tree->nodes[at];
        if (node->is_leaf)
            return at;
        const struct ct_loss_node *low = &tree->nodes[node->low], *high = &tree->nodes[node->high];
        if (!high->is_leaf && high->feature == node->feature &&
            ct_loss_leaves_equal(low, &tree->nodes[high->low]))
            at = node->high;
        else if (!low->is_leaf && low->feature == node->feature &&
                 ct_loss_leaves_equal(&tree->nodes[low->high], high))
            at = node->low;
        else
            return at;
    }
}

struct emitting {
    const struct ct_loss_tree *tree;
    const struct ct_map *map;
    const struct ct_feature_columns *columns;
    struct ct_decision_tree *decisions;
};

/* Copies the node to this place, and all below it behind the others. The recursion is as deep as the tree. */
static int emit(const struct emitting *emitting, size_t at, uint32_t place)
{
    const struct ct_loss_node *from = &emitting->tree->nodes[shorten(emitting->tree, at)];
    const struct ct_feature_columns *columns = emitting->columns;
    const struct ct_method *methods = emitting->map->methods;
    struct ct_decision_tree *decisions = emitting->decisions;
    struct ct_tree_node node = {.feature = CT_LEAF};
    size_t feature;
    int status;
    if (from->is_leaf) {
        status = ct_tree_add_method(decisions, &methods[from->method], &node.method);
        if (status == CT_OK)
            status = ct_tree_add_method(decisions, &methods[from->fallback], &node.fallback);
        decisions->nodes[place] = node;
        return status;
    }
    status =
        ct_feature_take(&decisions->features, columns->set, columns->numbers[from->feature], NULL, &feature);
    if (status != CT_OK)
        return status;
    node.threshold = from->threshold;
    status = ct_tree_add_node(decisions, &node, &node.low);
    if (status == CT_OK)
        status = emit(emitting, from->low, node.low);
    if (status == CT_OK)
        status = ct_tree_add_node(decisions, &node, &node.high);
    if (status == CT_OK)
        status = emit(emitting, from->high, node.high);
    node.feature = (int16_t)feature;
    decisions->nodes[place] = node;
    return status;
}

int ct_loss_tree_emit_at(struct ct_loss_tree *tree, const struct ct_map *map,
                         const struct ct_feature_columns *columns, struct ct_decision_tree *decisions,
                         uint32_t leaf)
{
    const struct emitting emitting = {tree, map, columns, decisions};
    assert(leaf < decisions->node_count && decisions->nodes[leaf].feature == CT_LEAF);
    merge_leaves(tree);
    return emit(&emitting, 0, leaf);
}

int ct_loss_tree_emit(struct ct_loss_tree *tree, const struct ct_map *map,
                      const struct ct_feature_columns *columns, struct ct_decision_tree *ret_tree)
{
    struct ct_decision_tree decisions = {.collective = map->collective};
    uint32_t root;
    int status = ct_tree_add_node(&decisions, &(struct ct_tree_node){.feature = CT_LEAF}, &root);
    if (status == CT_OK)
        status = ct_loss_tree_emit_at(tree, map, columns, &decisions, root);
    if (status == CT_OK)
        *ret_tree = decisions;
    else
        ct_tree_free(&decisions);
    return status;
}
