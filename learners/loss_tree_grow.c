/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/loss_sums.h"
#include "learners/loss_tree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 64 };

struct growing {
    const struct ct_points *points;
    size_t favourite;
    size_t max_depth;
    size_t *orders; /* by column: the points in rising order of it; a node has the same places in all */
    size_t *spare;  /* a node's points while they are parted */
    bool *is_low;   /* by point */
    double *all;    /* sums (loss_sums.h) of the node's points, */
    double *below;  /* and of the part of them that has been passed */
    double *none;   /* zeroes */
    struct ct_loss_tree tree;
};

struct split {
    int feature; /* CT_LEAF: none */
    size_t threshold;
    size_t lows; /* points */
    double loss;
    size_t imbalance;
};

/* At least one order, in which the points are met. */
static int orders_of(const struct growing *growing)
{
    return growing->points->columns.count > 0 ? (int)growing->points->columns.count : 1;
}

static int columns_of(const struct growing *growing)
{
    return (int)growing->points->columns.count;
}

static const size_t *order_of(const struct growing *growing, int feature)
{
    return growing->orders + (size_t)feature * growing->points->count;
}

static size_t value_of(const struct growing *growing, size_t point, int feature)
{
    return ct_point_values(growing->points, point)[feature];
}

/* What is lost where each part has its own best method. */
static double loss_of_parts(const struct growing *growing)
{
    return ct_loss_sums_least(growing->points, growing->below, growing->none) +
           ct_loss_sums_least(growing->points, growing->all, growing->below);
}

/* Halfway, by doublings: at least `low`, less than `high`. */
static size_t between(size_t low, size_t high)
{
    double middle = sqrt((double)low) * sqrt((double)high);
    if (middle <= (double)low)
        return low;
    return middle >= (double)high ? high - 1 : (size_t)middle < high ? (size_t)middle : high - 1;
}

/* The best split of the points at first .. first + count - 1 by one feature into *saving, where it is better
 * than that, and into *halving the one that parts them most evenly. */
static void search(struct growing *growing, int feature, size_t first, size_t count, struct split *saving,
                   struct split *halving)
{
    const size_t *order = order_of(growing, feature) + first;
    ct_loss_sums_clear(growing->points, growing->below);
    for (size_t i = 0; i + 1 < count; i++) {
        size_t value = value_of(growing, order[i], feature);
        size_t next = value_of(growing, order[i + 1], feature);
        ct_loss_sums_add(growing->points, order[i], growing->below);
        if (value == next)
            continue;
        size_t lows = i + 1, highs = count - lows;
        struct split split = {feature, between(value, next), lows, loss_of_parts(growing),
                              lows > highs ? lows - highs : highs - lows};
        if (split.loss < saving->loss - CT_LOSS_NOTHING)
            *saving = split;
        if (split.imbalance < halving->imbalance)
            *halving = split;
    }
}

/* Where no split saves anything by itself, two may: halving goes on. */
static struct split find_split(struct growing *growing, size_t first, size_t count, double loss)
{
    struct split saving = {.feature = CT_LEAF, .loss = loss};
    struct split halving = {.feature = CT_LEAF, .imbalance = SIZE_MAX};
    for (int feature = 0; feature < columns_of(growing); feature++)
        search(growing, feature, first, count, &saving, &halving);
    return saving.feature == CT_LEAF ? halving : saving;
}

/* Parts the node's points in all orders, keeping them. */
static void part(struct growing *growing, size_t first, size_t count, const struct split *split)
{
    const size_t *decided = order_of(growing, split->feature) + first;
    for (size_t i = 0; i < count; i++)
        growing->is_low[decided[i]] = i < split->lows;
    for (int feature = 0; feature < columns_of(growing); feature++) {
        size_t *order = growing->orders + (size_t)feature * growing->points->count + first, lows = 0,
               highs = 0;
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

/* The node of these points with all below it. Recursion is DEEPEST deep at most. */
static int grow(struct growing *growing, size_t first, size_t count, size_t depth, size_t *ret_node)
{
    size_t node = 0, low = 0, high = 0;
    int status = add_node(growing, first, count, &node);
    *ret_node = node;
    if (status != CT_OK || growing->tree.nodes[node].loss <= CT_LOSS_NOTHING || depth >= growing->max_depth)
        return status;
    const struct split split = find_split(growing, first, count, growing->tree.nodes[node].loss);
    if (split.feature == CT_LEAF)
        return CT_OK;
    part(growing, first, count, &split);
    status = grow(growing, first, split.lows, depth + 1, &low);
    if (status == CT_OK)
        status = grow(growing, first + split.lows, count - split.lows, depth + 1, &high);
    struct ct_loss_node *above = &growing->tree.nodes[node];
    above->feature = (int16_t)split.feature;
    above->threshold = split.threshold;
    above->low = low;
    above->high = high;
    above->is_leaf = false;
    return status;
}

struct sorting {
    const struct growing *growing;
    int feature;
};

static int compare(const void *a, const void *b, void *context)
{
    const struct sorting *sorting = context;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    size_t left_value = value_of(sorting->growing, left, sorting->feature);
    size_t right_value = value_of(sorting->growing, right, sorting->feature);
    if (left_value != right_value)
        return left_value < right_value ? -1 : 1;
    return (left > right) - (left < right);
}

static void sort_points(struct growing *growing)
{
    for (int feature = 0; feature < orders_of(growing); feature++) {
        size_t *order = growing->orders + (size_t)feature * growing->points->count;
        for (size_t i = 0; i < growing->points->count; i++)
            order[i] = i;
        struct sorting sorting = {growing, feature};
        if (feature < columns_of(growing))
            qsort_r(order, growing->points->count, sizeof *order, compare, &sorting);
    }
}

static int make_room(struct growing *growing)
{
    const struct ct_points *points = growing->points;
    size_t places, sums;
    if (!ct_multiply(points->count, (size_t)orders_of(growing), &places) ||
        !ct_multiply(points->kind_count, points->method_count, &sums))
        return CT_E_LIMIT;
    growing->orders = ct_allocate(places, sizeof *growing->orders);
    growing->spare = ct_allocate(points->count, sizeof *growing->spare);
    growing->is_low = ct_allocate(points->count, sizeof *growing->is_low);
    growing->all = ct_allocate(sums, sizeof *growing->all);
    growing->below = ct_allocate(sums, sizeof *growing->below);
    growing->none = ct_allocate(sums, sizeof *growing->none);
    bool is_there = growing->orders && growing->spare && growing->is_low && growing->all && growing->below &&
                    growing->none;
    return is_there ? CT_OK : CT_E_MEMORY;
}

int ct_loss_tree_grow(const struct ct_points *points, size_t max_depth, size_t favourite,
                      struct ct_loss_tree *ret_tree)
{
    struct growing growing = {
        .points = points,
        .favourite = favourite,
        .max_depth = max_depth < DEEPEST ? max_depth : DEEPEST,
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
    free(growing.below);
    free(growing.none);
    if (status == CT_OK)
        *ret_tree = growing.tree;
    else
        ct_loss_tree_free(&growing.tree);
    return status;
}
