/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REDUCE_SCATTER_REDUCE_SCATTER_BLOCKS_H
#define CT_ALGORITHMS_REDUCE_SCATTER_REDUCE_SCATTER_BLOCKS_H

#include "algorithms/reduce_scatter/reduce_scatter_halving.h"

/* Binary blocks (Rabenseifner 2004): any number of ranks as blocks of 2^k, the largest first. Each halves on
 * its own; then the sums climb from the smallest block to the largest, piece by piece. A member of a block
 * meets those of the next larger one whose numbers are its own modulo the size of its block: by the mirrored
 * order of the pieces just they have, between them, the pieces that it has. */
struct ct_binary_blocks {
    struct ct_halving_group own;
    struct ct_halving_group larger; /* the next larger one; of size 0 where there is none */
    struct ct_halving_group smaller;
    int pieces; /* of the vector: as many as the largest block has members */
};

struct ct_binary_blocks ct_binary_blocks_of(int rank, int size);

/* Is this rank in the largest block, which gets the sum of all? */
static inline bool ct_binary_blocks_at_top(const struct ct_binary_blocks *blocks)
{
    return blocks->larger.size == 0;
}

/* Halves and climbs. */
void ct_binary_blocks_climb(struct ct_plan *plan, const struct ct_binary_blocks *blocks,
                            struct ct_halving_sum *sum);

/* The way back: the pieces go down from block to block, and doubling in each makes them whole, in `home`. */
void ct_binary_blocks_descend(struct ct_plan *plan, const struct ct_binary_blocks *blocks,
                              struct ct_halving_sum *sum);

#endif
