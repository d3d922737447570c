/* SPDX-License-Identifier: BSD-3-Clause */
/* Trees are laid out whole and looked at for what their algorithms stand on; broken ones are refused. */
#include "algorithms/algorithm.h"
#include "algorithms/part_tree.h"
#include "plan/shapes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

enum { SIZES = 200 };

struct shape {
    const char *name;
    void (*place)(int rank, int size, int fan, struct ct_tree *tree);
    int (*depth)(int size, int fan);
    bool in_order;      /* a subtree holds ranks that follow one another */
    bool largest_first; /* of siblings, the later one's subtree is no larger */
};

static void binary(int rank, int size, int fan, struct ct_tree *tree)
{
    (void)fan;
    ct_tree_binary(rank, size, tree);
}

static void in_order_binary(int rank, int size, int fan, struct ct_tree *tree)
{
    (void)fan;
    ct_tree_in_order_binary(rank, size, tree);
}

static void binomial(int rank, int size, int fan, struct ct_tree *tree)
{
    (void)fan;
    ct_tree_binomial(rank, size, tree);
}

static void reversed(int rank, int size, int fan, struct ct_tree *tree)
{
    binomial(rank, size, fan, tree);
    ct_tree_reverse(tree);
}

static void binomial_balanced(int rank, int size, int fan, struct ct_tree *tree)
{
    (void)fan;
    ct_tree_binomial_balanced(rank, size, tree);
}

/* A tree of parts, by its name among the parameter's words. */
static void part_tree(const char *name, int rank, int size, struct ct_tree *tree)
{
    size_t shape = 0;
    assert_true(ct_parameter_parse(&ct_gather_tree_parameter, name, &shape));
    const struct ct_part_tree place = ct_part_tree_place(shape, rank, size);
    tree->parent = place.parent;
    tree->child_count = 0;
    for (int child = rank + 1; child < place.end; child = ct_part_tree_child_end(&place, child))
        tree->children[tree->child_count++] = child;
}

static void binomial_parts(int rank, int size, int fan, struct ct_tree *tree)
{
    (void)fan;
    part_tree("binomial", rank, size, tree);
}

static void binary_parts(int rank, int size, int fan, struct ct_tree *tree)
{
    (void)fan;
    part_tree("in_order_binary", rank, size, tree);
}

static void linear_parts(int rank, int size, int fan, struct ct_tree *tree)
{
    (void)fan;
    part_tree("linear", rank, size, tree);
}

static void pipeline_parts(int rank, int size, int fan, struct ct_tree *tree)
{
    (void)fan;
    part_tree("pipeline", rank, size, tree);
}

static int linear_depth(int size, int fan)
{
    (void)fan;
    return size > 1;
}

static int pipeline_depth(int size, int fan)
{
    (void)fan;
    return size - 1;
}

static int chain_depth(int size, int fan)
{
    return (size - 1 + fan - 1) / fan;
}

/* The first rank of depth d has 1 + radix + ... + radix^(d - 1) before it: in a k-nomial tree it is the one
 * of d digits 1. */
static int depth_of_base(int size, int radix)
{
    int depth = 0;
    for (int first = 1; first < size; first = first * radix + 1)
        depth++;
    return depth;
}

static int depth_of_base_2(int size, int fan)
{
    (void)fan;
    return depth_of_base(size, 2);
}

static const struct shape shapes[] = {
    {"chain", ct_tree_chain, chain_depth, .in_order = true, .largest_first = true},
    {"kary", ct_tree_kary, depth_of_base, .largest_first = true},
    {"binary", binary, depth_of_base_2, .largest_first = true},
    {"in_order_binary", in_order_binary, depth_of_base_2, .in_order = true, .largest_first = true},
    {"binomial", binomial, depth_of_base_2, .in_order = true},
    {"reversed", reversed, depth_of_base_2, .in_order = true},
    {"binomial_balanced", binomial_balanced, depth_of_base_2, .largest_first = true},
    {"knomial", ct_tree_knomial, depth_of_base, .in_order = true},
    {"parts, binomial", binomial_parts, depth_of_base_2, .in_order = true},
    {"parts, in_order_binary", binary_parts, depth_of_base_2, .in_order = true, .largest_first = true},
    {"parts, linear", linear_parts, linear_depth, .in_order = true, .largest_first = true},
    {"parts, pipeline", pipeline_parts, pipeline_depth, .in_order = true, .largest_first = true},
};

/* A tree whole. */
struct layout {
    int size;
    struct ct_tree trees[SIZES]; /* by rank */
    int depth;
    int subtree[SIZES]; /* ranks in it, with its root */
    int last[SIZES];    /* the highest of them */
    int first[SIZES];   /* the lowest */
};

/* Every rank but the root is the child of just its parent. */
static bool parents_and_children_agree(const struct layout *layout)
{
    int named[SIZES] = {0};
    for (int rank = 0; rank < layout->size; rank++) {
        const struct ct_tree *tree = &layout->trees[rank];
        if ((tree->parent < 0) != (rank == 0))
            return false;
        for (int i = 0; i < tree->child_count; i++) {
            int child = tree->children[i];
            if (child < 1 || child >= layout->size || layout->trees[child].parent != rank || named[child]++)
                return false;
        }
    }
    for (int rank = 1; rank < layout->size; rank++)
        if (!named[rank])
            return false;
    return true;
}

/* Measures subtrees from each rank up to the root; false where that does not lead to the root. */
static bool hangs_from_root(struct layout *layout)
{
    layout->depth = 0;
    for (int rank = 0; rank < layout->size; rank++) {
        layout->subtree[rank] = 0;
        layout->first[rank] = layout->last[rank] = rank;
    }
    for (int rank = 0; rank < layout->size; rank++) {
        int steps = 0;
        for (int at = rank; at >= 0; at = layout->trees[at].parent, steps++) {
            if (steps == layout->size)
                return false;
            layout->subtree[at]++;
            layout->first[at] = rank < layout->first[at] ? rank : layout->first[at];
            layout->last[at] = rank > layout->last[at] ? rank : layout->last[at];
        }
        layout->depth = steps - 1 > layout->depth ? steps - 1 : layout->depth;
    }
    return true;
}

static bool is_in_order(const struct layout *layout)
{
    for (int rank = 0; rank < layout->size; rank++)
        if (layout->first[rank] != rank || layout->last[rank] != rank + layout->subtree[rank] - 1)
            return false;
    return true;
}

static bool is_largest_first(const struct layout *layout)
{
    for (int rank = 0; rank < layout->size; rank++) {
        const struct ct_tree *tree = &layout->trees[rank];
        for (int i = 1; i < tree->child_count; i++)
            if (layout->subtree[tree->children[i - 1]] < layout->subtree[tree->children[i]])
                return false;
    }
    return true;
}

/* What is wrong with the shape; "" where nothing is. */
static const char *flaw_of(const struct shape *shape, int size, int fan)
{
    static struct layout layout;
    layout.size = size;
    for (int rank = 0; rank < size; rank++)
        shape->place(rank, size, fan, &layout.trees[rank]);
    if (!parents_and_children_agree(&layout))
        return "parents and children";
    if (!hangs_from_root(&layout))
        return "root";
    if (layout.depth != shape->depth(size, fan))
        return "depth";
    if (shape->in_order && !is_in_order(&layout))
        return "order";
    if (shape->largest_first && !is_largest_first(&layout))
        return "siblings";
    return "";
}

static void test_shapes(void **state)
{
    (void)state;
    static const int fans[] = {2, 3, 4, 5, 6, 7, 8, 9, 64};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        for (int size = 1; size <= SIZES; size++)
            for (size_t f = 0; f < sizeof fans / sizeof fans[0]; f++) {
                const char *flaw = flaw_of(&shapes[s], size, fans[f]);
                if (*flaw)
                    fail_msg("%s of %d ranks, %d wide: %s", shapes[s].name, size, fans[f], flaw);
            }
    const struct shape *chains = &shapes[0]; /* there may be a single one */
    for (int size = 1; size <= SIZES; size++)
        assert_string_equal(flaw_of(chains, size, 1), "");
}

/* The last rank is nobody's child. */
static void loses_one(int rank, int size, int fan, struct ct_tree *tree)
{
    ct_tree_chain(rank, size, fan, tree);
    tree->child_count = rank == size - 2 ? 0 : tree->child_count;
}

/* All but the root name each other in a circle. */
static void runs_in_circles(int rank, int size, int fan, struct ct_tree *tree)
{
    ct_tree_chain(rank, size, fan, tree);
    if (rank == 0)
        tree->child_count = 0;
    if (rank == 1)
        tree->parent = size - 1;
    if (rank == size - 1)
        tree->children[tree->child_count++] = 1;
}

static void names_another_parent(int rank, int size, int fan, struct ct_tree *tree)
{
    ct_tree_chain(rank, size, fan, tree);
    tree->parent = rank == size - 1 ? 0 : tree->parent;
}

static void names_one_twice(int rank, int size, int fan, struct ct_tree *tree)
{
    ct_tree_chain(rank, size, fan, tree);
    if (rank == 0)
        tree->children[tree->child_count++] = 1;
}

static void test_broken_shapes(void **state)
{
    (void)state;
    static const struct {
        struct shape shape;
        const char *flaw;
    } broken[] = {
        {{"", ct_tree_chain, chain_depth, false, false}, ""},
        {{"", loses_one, chain_depth, false, false}, "parents and children"},
        {{"", names_another_parent, chain_depth, false, false}, "parents and children"},
        {{"", names_one_twice, chain_depth, false, false}, "parents and children"},
        {{"", runs_in_circles, chain_depth, false, false}, "root"},
        {{"", ct_tree_chain, depth_of_base_2, false, false}, "depth"},
        {{"", binomial_balanced, depth_of_base_2, true, false}, "order"},
        {{"", binomial, depth_of_base_2, false, true}, "siblings"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++)
        assert_string_equal(flaw_of(&broken[i].shape, 8, 1), broken[i].flaw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_broken_shapes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
