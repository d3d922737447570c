/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/rank_grid.h"

#include <stdbool.h>

/* log2(size), rounded down. */
static int log2_below(int size)
{
    int exponent = 0;
    while (size >> exponent > 1)
        exponent++;
    return exponent;
}

/* Is base^exponent <= limit? */
static bool power_fits(int base, int exponent, int limit)
{
    int rest = limit;
    for (int i = 0; i < exponent; i++)
        rest /= base;
    return rest > 0;
}

/* limit^(1 / exponent), rounded down; limit >= 2^exponent. */
static int root_below(int limit, int exponent)
{
    int low = 2, high = limit; /* low^exponent fits; the root is not above high */
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        if (power_fits(middle, exponent, limit))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

struct ct_rank_grid ct_rank_grid_of_lengths(int size, const int *lengths, int dimensions)
{
    assert(size >= 1 && dimensions >= 1 && dimensions <= CT_RANK_GRID_DIMENSIONS_MAX);
    struct ct_rank_grid grid = {.size = size, .dimensions = dimensions};
    int stride = 1;
    for (int d = 0; d < dimensions; d++) {
        assert(lengths[d] >= (d + 1 < dimensions ? 2 : 1));
        grid.length[d] = lengths[d];
        grid.stride[d] = stride;
        if (d + 1 < dimensions)
            stride *= lengths[d];
    }
    assert((size - 1) / stride == lengths[dimensions - 1] - 1 && "the highest layer is not empty");
    assert((size % stride == 0 || size > stride) && "the only layer has no holes");
    return grid;
}

struct ct_rank_grid ct_rank_grid_make(int size, int dimensions)
{
    assert(size >= 1 && dimensions >= 1);
    int lengths[CT_RANK_GRID_DIMENSIONS_MAX] = {0}, digits = log2_below(size);
    int n = dimensions < digits ? dimensions : digits > 0 ? digits : 1;
    if (1 << digits == size) {
        for (int d = 0; d < n; d++)
            lengths[d] = 1 << (digits / n + (d < digits % n));
    } else {
        int rest = size; /* >= 2^(n - d), so no dimension is shorter than 2 */
        for (int d = 0; d < n; d++) {
            lengths[d] = d + 1 < n ? root_below(rest, n - d) : rest;
            rest = (rest - 1) / lengths[d] + 1;
        }
    }
    return ct_rank_grid_of_lengths(size, lengths, n);
}

int ct_rank_grid_hop(const struct ct_rank_grid *grid, int holder, int destination, int stage)
{
    int last = grid->dimensions - 1;
    int next = ct_rank_grid_peer(grid, holder, stage, ct_rank_grid_digit(grid, destination, stage));
    if (next < grid->size)
        return next;
    assert(stage < last && "the last stage ends at the destination");
    return ct_rank_grid_peer(grid, next, last,
                             ct_rank_grid_digit(grid, holder, stage) % (grid->length[last] - 1));
}

/* The i-th of those that may hold what `rank` holds after this stage, itself included, in rising order; -1
 * where that is a hole. There are 2 length - 1 at most. */
static int holder_before(const struct ct_rank_grid *grid, int rank, int stage, int i)
{
    int last = grid->dimensions - 1, highest = grid->length[last] - 1, length = grid->length[stage], peer;
    if (i < length) {
        peer = ct_rank_grid_peer(grid, rank, stage, i);
        return peer < grid->size ? peer : -1;
    }
    int layer = ct_rank_grid_digit(grid, rank, last), image = ct_rank_grid_peer(grid, rank, last, highest);
    int digit = layer + (i - length) * highest;
    if (stage == last || image < grid->size || digit >= length)
        return -1;
    peer = ct_rank_grid_peer(grid, image, stage, digit);
    return peer < grid->size ? peer : -1;
}

int ct_rank_grid_senders(const struct ct_rank_grid *grid, int rank, int stage, int *ret_ranks)
{
    int count = 0;
    for (int i = 0; i < 2 * grid->length[stage] - 1; i++) {
        int peer = holder_before(grid, rank, stage, i);
        if (peer >= 0 && peer != rank)
            ret_ranks[count++] = peer;
    }
    return count;
}

int ct_rank_grid_sources(const struct ct_rank_grid *grid, int ranks, int rank, int stage, int *ret_sources)
{
    int count = 0;
    if (stage == 0) {
        for (int source = rank; source < ranks; source += grid->size)
            ret_sources[count++] = source;
        return count;
    }
    for (int i = 0; i < 2 * grid->length[stage - 1] - 1; i++) {
        int peer = holder_before(grid, rank, stage - 1, i);
        if (peer >= 0)
            count += ct_rank_grid_sources(grid, ranks, peer, stage - 1, ret_sources + count);
    }
    return count;
}
