/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/shapes.h"

int ct_power_of_two_below(int size)
{
    int power = 1;
    while (power <= size / 2)
        power *= 2;
    return power;
}

struct ct_tree ct_tree_chain(int rank, int size, int chains)
{
    struct ct_tree tree;
    tree.parent = -1;
    tree.child_count = 0;
    size_t others = (size_t)size - 1;
    if (rank == 0) {
        for (int i = 0; i < chains && (size_t)i < others; i++)
            tree.children[tree.child_count++] = 1 + (int)ct_part_offset(others, (size_t)chains, (size_t)i);
        return tree;
    }
    /* the chain that holds the rank: the longer ones come first */
    size_t at = (size_t)rank - 1, length = others / (size_t)chains, longer = others % (size_t)chains;
    size_t chain =
        at < longer * (length + 1) ? at / (length + 1) : longer + (at - longer * (length + 1)) / length;
    size_t begin = ct_part_offset(others, (size_t)chains, chain);
    size_t end = ct_part_offset(others, (size_t)chains, chain + 1);
    tree.parent = at == begin ? 0 : rank - 1;
    if (at + 1 < end)
        tree.children[tree.child_count++] = rank + 1;
    return tree;
}

struct ct_tree ct_tree_binary(int rank, int size)
{
    struct ct_tree tree;
    int width = ct_power_of_two_below(rank + 1); /* of the rank's level, which begins at width - 1 */
    tree.parent = rank == 0 ? -1 : (rank - (width - 1)) % (width / 2) + width / 2 - 1;
    tree.child_count = 0;
    for (int i = 1; i <= 2 && rank < size - i * width; i++)
        tree.children[tree.child_count++] = rank + i * width;
    return tree;
}

struct ct_tree ct_tree_binomial(int rank, int size)
{
    struct ct_tree tree;
    int lowest_bit = rank & -rank; /* 0 at the root, which has no bound on its children */
    tree.parent = rank == 0 ? -1 : rank - lowest_bit;
    tree.child_count = 0;
    for (int distance = 1; (rank == 0 || distance < lowest_bit) && distance < size - rank; distance *= 2) {
        tree.children[tree.child_count++] = rank + distance;
        if (distance > size / 2)
            break;
    }
    return tree;
}

struct ct_tree ct_tree_reversed(struct ct_tree tree)
{
    for (int i = 0, j = tree.child_count - 1; i < j; i++, j--) {
        int child = tree.children[i];
        tree.children[i] = tree.children[j];
        tree.children[j] = child;
    }
    return tree;
}

struct ct_segments ct_segments_cut(size_t n, size_t unit_bytes, size_t segment_bytes)
{
    size_t length = segment_bytes / unit_bytes;
    if (segment_bytes == 0 || length > n)
        length = n;
    else if (length == 0)
        length = 1;
    return (struct ct_segments){.n = n, .length = length, .count = n == 0 ? 0 : (n - 1) / length + 1};
}
