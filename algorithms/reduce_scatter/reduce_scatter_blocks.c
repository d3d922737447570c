/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/reduce_scatter/reduce_scatter_blocks.h"

/* The largest block that fits from `begin` on; of size 0 where there are no more ranks. */
static struct ct_halving_group block_at(int begin, int size)
{
    return (struct ct_halving_group){.size = begin < size ? ct_power_of_two_below(size - begin) : 0,
                                     .begin = begin};
}

struct ct_binary_blocks ct_binary_blocks_of(int rank, int size)
{
    struct ct_binary_blocks blocks = {.own = block_at(0, size), .pieces = ct_power_of_two_below(size)};
    while (rank >= blocks.own.begin + blocks.own.size) {
        blocks.larger = blocks.own;
        blocks.own = block_at(blocks.own.begin + blocks.own.size, size);
    }
    blocks.own.rank = rank - blocks.own.begin;
    blocks.smaller = block_at(blocks.own.begin + blocks.own.size, size);
    return blocks;
}

/* This rank's counterpart in the smaller block. */
static int below(const struct ct_binary_blocks *blocks)
{
    return ct_halving_peer(&blocks->smaller, blocks->own.rank % blocks->smaller.size);
}

/* Sends to or receives from its counterparts in the larger block the pieces that they have. */
static void exchange_above(struct ct_plan *plan, const struct ct_binary_blocks *blocks,
                           const struct ct_halving_sum *sum, bool sends)
{
    const struct ct_halving_group *larger = &blocks->larger;
    for (int member = blocks->own.rank; member < larger->size; member += blocks->own.size) {
        int width = blocks->pieces / larger->size;
        int first = ct_halving_mirror(member, larger->size) * width;
        (sends ? ct_halving_send : ct_halving_receive)(plan, ct_halving_peer(larger, member), sum, sum->held,
                                                       first, first + width);
    }
    ct_round_end(plan);
}

void ct_binary_blocks_climb(struct ct_plan *plan, const struct ct_binary_blocks *blocks,
                            struct ct_halving_sum *sum)
{
    ct_halving_halve(plan, &blocks->own, CT_HALVING_NEAR_FIRST, sum);
    if (blocks->smaller.size)
        ct_halving_take(plan, sum, below(blocks));
    exchange_above(plan, blocks, sum, true);
}

void ct_binary_blocks_descend(struct ct_plan *plan, const struct ct_binary_blocks *blocks,
                              struct ct_halving_sum *sum)
{
    if (ct_binary_blocks_at_top(blocks))
        ct_halving_settle(plan, sum);
    sum->held = sum->home;
    exchange_above(plan, blocks, sum, false);
    if (blocks->smaller.size) /* in the first round of doubling */
        ct_halving_send(plan, below(blocks), sum, sum->held, sum->first, sum->last);
    ct_halving_double(plan, &blocks->own, sum);
}
