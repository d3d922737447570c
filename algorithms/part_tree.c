/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/part_tree.h"

enum { BINOMIAL, IN_ORDER_BINARY, LINEAR, PIPELINE, SHAPES };

static const char *const shape_names[SHAPES] = {[BINOMIAL] = "binomial",
                                                [IN_ORDER_BINARY] = "in_order_binary",
                                                [LINEAR] = "linear",
                                                [PIPELINE] = "pipeline"};

const struct ct_parameter ct_gather_tree_parameter = {"gather", "tree of the gather", "binomial",
                                                      .most = SHAPES - 1, .words = shape_names};

const struct ct_parameter ct_scatter_tree_parameter = {"scatter", "tree of the scatter", "binomial",
                                                       .most = SHAPES - 1, .words = shape_names};

/* Children at distances 1, 2, 4 ... */
static int binomial_child_end(const struct ct_part_tree *tree, int child)
{
    const int distance = child - tree->rank;
    return distance < tree->end - child ? child + distance : tree->end;
}

/* Two halves, of which the first is no smaller. */
static int binary_child_end(const struct ct_part_tree *tree, int child)
{
    const int others = tree->end - tree->rank - 1;
    return child == tree->rank + 1 ? child + others - others / 2 : tree->end;
}

static int linear_child_end(const struct ct_part_tree *tree, int child)
{
    (void)tree;
    return child + 1;
}

static int pipeline_child_end(const struct ct_part_tree *tree, int child)
{
    (void)child;
    return tree->end;
}

int ct_part_tree_child_end(const struct ct_part_tree *tree, int child)
{
    static int (*const child_end[SHAPES])(const struct ct_part_tree *tree,
                                          int child) = {[BINOMIAL] = binomial_child_end,
                                                        [IN_ORDER_BINARY] = binary_child_end,
                                                        [LINEAR] = linear_child_end,
                                                        [PIPELINE] = pipeline_child_end};
    return child_end[tree->shape](tree, child);
}

struct ct_part_tree ct_part_tree_place(size_t shape, int rank, int size)
{
    struct ct_part_tree tree = {.shape = shape, .rank = 0, .parent = -1, .end = size};
    while (tree.rank != rank) {
        int child = tree.rank + 1, end = ct_part_tree_child_end(&tree, child);
        for (; end <= rank; end = ct_part_tree_child_end(&tree, child))
            child = end;
        tree = (struct ct_part_tree){.shape = shape, .rank = child, .parent = tree.rank, .end = end};
    }
    return tree;
}

int *ct_part_tree_children(struct ct_plan *plan, const struct ct_part_tree *tree, size_t *ret_count)
{
    size_t count = 0;
    for (int child = tree->rank + 1; child < tree->end; child = ct_part_tree_child_end(tree, child))
        count++;
    int *children = ct_scratch(plan, count, sizeof *children);
    if (!children)
        return NULL;
    for (size_t i = 0; i < count; i++)
        children[i] = i == 0 ? tree->rank + 1 : ct_part_tree_child_end(tree, children[i - 1]);
    *ret_count = count;
    return children;
}
