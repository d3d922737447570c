/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_SHAPES_H
#define CT_PLAN_SHAPES_H

#include <assert.h>
#include <stddef.h>

/* Trees, groups and segments. Ranks in a tree are virtual: 0 is the root. */

enum { CT_CHILDREN_MAX = 512 };

/* One rank's place in a tree. */
struct ct_tree {
    int parent; /* -1 at the root */
    int child_count;
    int children[CT_CHILDREN_MAX]; /* in the order they are served */
};

/* `chains` (>= 1) chains of nearly equal length hang from the root, the earlier ones longer by at most one.
 */
void ct_tree_chain(int rank, int size, int chains, struct ct_tree *ret_tree);

/* Balanced k-ary tree: level l holds k^l ranks, which follow those of the levels before, and the children of
 * a rank on it are 1, 2, ... k times k^l further on. So each rank of a level has a first child before any has
 * a second one. k >= 2. */
void ct_tree_kary(int rank, int size, int k, struct ct_tree *ret_tree);

/* The same with two children: the root's left subtree holds the odd ranks, the right one the even. */
void ct_tree_binary(int rank, int size, struct ct_tree *ret_tree);

/* Binomial tree in order: the subtree of a child at distance 2^i holds the 2^i ranks from that child on.
 * Children are listed nearest first, which is the smallest subtree first: right for reductions. */
void ct_tree_binomial(int rank, int size, struct ct_tree *ret_tree);

/* Binomial tree, balanced: the children of a rank are those that have one bit more, above its highest.
 * Nearest first, which is the largest subtree first: right for broadcasts. */
void ct_tree_binomial_balanced(int rank, int size, struct ct_tree *ret_tree);

/* k-nomial tree in order: the binomial tree's generalization to radix (>= 2). A rank has radix - 1 children
 * at the distances 1, 2, ... times every power of the radix below the highest that divides it, and the
 * subtree of each holds the ranks up to the next. Nearest first. */
void ct_tree_knomial(int rank, int size, int radix, struct ct_tree *ret_tree);

/* The end of the subtree of `rank` in that tree: one more than its last rank. */
int ct_tree_knomial_end(int rank, int size, int radix);

/* Binary tree in order: a subtree holds consecutive ranks, its root first, then the left half of the others,
 * then the right half, which is no larger. */
void ct_tree_in_order_binary(int rank, int size, struct ct_tree *ret_tree);

/* Puts the children in reverse order: broadcasts serve the largest subtree first. */
void ct_tree_reverse(struct ct_tree *tree);

/* Virtual rank where `root` is 0, and back. */
static inline int ct_virtual(int rank, int root, int size)
{
    assert(rank >= 0 && rank <= size && root >= 0 && root <= size);
    return rank >= root ? rank - root : rank - root + size;
}

static inline int ct_actual(int virtual_rank, int root, int size)
{
    assert(virtual_rank >= 0 && virtual_rank <= size && root >= 0 && root <= size);
    return virtual_rank + root < size ? virtual_rank + root : virtual_rank + root - size;
}

/* The largest power of two <= size (size >= 1). */
int ct_power_of_two_below(int size);

/* n units cut into segments of `length` (the last may be shorter). */
struct ct_segments {
    size_t n;
    size_t length;
    size_t count; /* 0 where n is 0 */
};

/* Cuts n units of `unit_bytes` each into segments of at most `segment_bytes`, of one unit at least; 0 does
 * not cut. */
static inline struct ct_segments ct_segments_cut(size_t n, size_t unit_bytes, size_t segment_bytes)
{
    assert(unit_bytes > 0);
    if (segment_bytes == 0 || n == 0)
        return (struct ct_segments){.n = n, .length = n, .count = n > 0};
    size_t length = segment_bytes / unit_bytes;
    if (length > n)
        length = n;
    else if (length == 0)
        length = 1;
    return (struct ct_segments){.n = n, .length = length, .count = (n - 1) / length + 1};
}

static inline size_t ct_segment_offset(const struct ct_segments *segments, size_t index)
{
    assert(index <= segments->count);
    return index * segments->length;
}

static inline size_t ct_segment_length(const struct ct_segments *segments, size_t index)
{
    return index + 1 < segments->count ? segments->length
                                       : segments->n - (segments->count - 1) * segments->length;
}

/* Where part `index` begins if n units are divided among `parts`, the first n mod parts of which get one
 * more; n for index `parts`. */
static inline size_t ct_part_offset(size_t n, size_t parts, size_t index)
{
    assert(parts > 0 && index <= parts);
    size_t remainder = n % parts;
    return index * (n / parts) + (index < remainder ? index : remainder);
}

#endif
