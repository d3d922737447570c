/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_RANK_GRID_H
#define CT_PLAN_RANK_GRID_H

#include <assert.h>

/* Ranks as points of a grid of several dimensions, for exchanges that combine and forward messages. The
 * coordinates of a rank are its digits to a mixed radix, dimension 0 being the lowest digit. A message
 * travels in one stage per dimension, lowest first: stage d gives the holder the d-th digit of the
 * destination.
 *
 * Where the lengths' product exceeds the number of ranks, the highest layer of the last dimension has holes;
 * all other layers are complete. A message for a hole goes to a rank of another layer instead, and the last
 * stage, which corrects the last digit, brings it to its destination.
 *
 * Sources: Selvitopi and Aykanat 2019, Regularizing irregularly sparse point-to-point communications,
 * sections 2-5 (powers of two); Kumar 2005, Optimizing communication for massively parallel processing,
 * section 3.1 (holes in two and three dimensions). */

enum { CT_RANK_GRID_DIMENSIONS_MAX = 31 };

struct ct_rank_grid {
    int size;                                /* ranks */
    int dimensions;                          /* >= 1 */
    int length[CT_RANK_GRID_DIMENSIONS_MAX]; /* by dimension */
    int stride[CT_RANK_GRID_DIMENSIONS_MAX]; /* by dimension: ranks from one digit to the next */
};

/* The grid of `size` (>= 1) ranks with so many dimensions (>= 1), or log2(size) if that is less. Powers of
 * two are divided into powers of two that differ at most by a factor of two, the longer ones first: no
 * division has less neighbours. For other sizes each dimension is as long as the root of what is left,
 * rounded down, and the last one is what is left then, rounded up. */
struct ct_rank_grid ct_rank_grid_make(int size, int dimensions);

/* The grid of these lengths (>= 2, the last >= 1). All layers of the last dimension but the highest must be
 * complete, the highest must not be empty, and it must not be the only one if it has holes. */
struct ct_rank_grid ct_rank_grid_of_lengths(int size, const int *lengths, int dimensions);

/* A rank's coordinate. */
static inline int ct_rank_grid_digit(const struct ct_rank_grid *grid, int rank, int dimension)
{
    assert(dimension >= 0 && dimension < grid->dimensions);
    return rank / grid->stride[dimension] % grid->length[dimension];
}

/* The point that differs from `rank` at most in this digit; a hole where it is not below `size`. */
static inline int ct_rank_grid_peer(const struct ct_rank_grid *grid, int rank, int dimension, int digit)
{
    assert(digit >= 0 && digit < grid->length[dimension]);
    return rank + (digit - ct_rank_grid_digit(grid, rank, dimension)) * grid->stride[dimension];
}

/* The rank that holds a message for `destination` after this stage, if `holder` holds it before; the holder
 * itself where the digit is right already. In the last stage that is the destination, whose lower digits the
 * holder must have. */
int ct_rank_grid_hop(const struct ct_rank_grid *grid, int holder, int destination, int stage);

/* The ranks, other than `rank`, that may send to it in this stage, in rising order: those on its line and,
 * where the line's image in the highest layer has holes, some of that layer. Room for 2 (length - 1) ranks.
 * Returns how many there are. */
int ct_rank_grid_senders(const struct ct_rank_grid *grid, int rank, int stage, int *ret_ranks);

/* The points whose messages `rank` holds before this stage (0 .. dimensions): the same for every destination
 * that shares its digits below `stage`, also where the grid has holes. In the order of the sequences of ranks
 * that brought them; without holes a run of consecutive ranks, rising. Where there are `ranks` (>= size)
 * ranks, each point stands for all that are a multiple of `size` further on, too. Room for `ranks`; returns
 * how many there are. */
int ct_rank_grid_sources(const struct ct_rank_grid *grid, int ranks, int rank, int stage, int *ret_sources);

#endif
