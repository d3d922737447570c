/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/shapes.h"

static void add_child(struct ct_tree *tree, long child)
{
    assert(tree->child_count < CT_CHILDREN_MAX);
    tree->children[tree->child_count++] = (int)child;
}

static void begin_tree(int rank, int size, int parent, struct ct_tree *ret_tree)
{
    assert(rank >= 0 && rank < size && parent < size);
    ret_tree->parent = parent;
    ret_tree->child_count = 0;
}

int ct_power_of_two_below(int size)
{
    assert(size >= 1);
    int power = 1;
    while (power <= size / 2)
        power *= 2;
    return power;
}

void ct_tree_chain(int rank, int size, int chains, struct ct_tree *ret_tree)
{
    assert(chains >= 1);
    begin_tree(rank, size, -1, ret_tree);
    size_t others = (size_t)size - 1;
    if (rank == 0) {
        for (int i = 0; i < chains && (size_t)i < others; i++)
            add_child(ret_tree, 1 + (int)ct_part_offset(others, (size_t)chains, (size_t)i));
        return;
    }
    /* the chain that holds the rank: the longer ones come first */
    size_t at = (size_t)rank - 1, length = others / (size_t)chains, longer = others % (size_t)chains;
    size_t chain =
        at < longer * (length + 1) ? at / (length + 1) : longer + (at - longer * (length + 1)) / length;
    size_t begin = ct_part_offset(others, (size_t)chains, chain);
    size_t end = ct_part_offset(others, (size_t)chains, chain + 1);
    ret_tree->parent = at == begin ? 0 : rank - 1;
    if (at + 1 < end)
        add_child(ret_tree, rank + 1);
}

void ct_tree_kary(int rank, int size, int k, struct ct_tree *ret_tree)
{
    long width = 1, begin = 0, above = 0; /* of the rank's level; where the level above begins */
    while (rank >= begin + width) {
        above = begin;
        begin += width;
        width *= k;
    }
    begin_tree(rank, size, rank == 0 ? -1 : (int)((rank - begin) % (width / k) + above), ret_tree);
    for (int i = 1; i <= k && i * width < size - rank; i++)
        add_child(ret_tree, rank + i * width);
}

void ct_tree_binary(int rank, int size, struct ct_tree *ret_tree)
{
    ct_tree_kary(rank, size, 2, ret_tree);
}

void ct_tree_binomial(int rank, int size, struct ct_tree *ret_tree)
{
    int lowest_bit = rank & -rank, to_end = size - rank;
    int reach = rank == 0 || to_end < lowest_bit ? to_end : lowest_bit;
    begin_tree(rank, size, rank == 0 ? -1 : rank - lowest_bit, ret_tree);
    for (long distance = 1; distance < reach; distance *= 2)
        add_child(ret_tree, rank + distance);
}

void ct_tree_binomial_balanced(int rank, int size, struct ct_tree *ret_tree)
{
    int highest_bit = rank == 0 ? 0 : ct_power_of_two_below(rank);
    begin_tree(rank, size, rank == 0 ? -1 : rank - highest_bit, ret_tree);
    for (long distance = rank == 0 ? 1 : 2L * highest_bit; distance < size - rank; distance *= 2)
        add_child(ret_tree, rank + distance);
}

void ct_tree_knomial(int rank, int size, int radix, struct ct_tree *ret_tree)
{
    assert(radix >= 2);
    begin_tree(rank, size, -1, ret_tree);
    for (long distance = 1; distance < size; distance *= radix) {
        if (rank % (distance * radix) != 0) {
            ret_tree->parent = (int)(rank - rank % (distance * radix));
            return;
        }
        for (long child = rank + distance; child < rank + radix * distance && child < size; child += distance)
            add_child(ret_tree, child);
    }
}

int ct_tree_knomial_end(int rank, int size, int radix)
{
    long ranks = 1;
    while (ranks < size - rank && rank % (ranks * radix) == 0)
        ranks *= radix;
    return ranks < size - rank ? (int)(rank + ranks) : size;
}

void ct_tree_in_order_binary(int rank, int size, struct ct_tree *ret_tree)
{
    int root = 0, parent = -1, others = size - 1;
    while (root != rank) {
        int left = others - others / 2, right_root = root + 1 + left;
        parent = root;
        root = rank < right_root ? root + 1 : right_root;
        others = (rank < right_root ? left : others / 2) - 1;
    }
    begin_tree(rank, size, parent, ret_tree);
    if (others > 0)
        add_child(ret_tree, root + 1);
    if (others > 1)
        add_child(ret_tree, root + 1 + others - others / 2);
}

void ct_tree_reverse(struct ct_tree *tree)
{
    for (int i = 0, j = tree->child_count - 1; i < j; i++, j--) {
        int child = tree->children[i];
        tree->children[i] = tree->children[j];
        tree->children[j] = child;
    }
}
