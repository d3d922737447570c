/* SPDX-License-Identifier: BSD-3-Clause */
/* In step k ranks 2^k apart send each other what they have combined. A partner needs the parts of the ranks
 * that it can still reach in later steps, those whose number has the same lowest bits as its own: half as
 * many in every step. The parts are first permuted, by reversing the bits of their numbers, so that these are
 * always one message. Ranks combined are neighbours, which keeps the order of ranks. Where P is not a power
 * of two, the first ranks form pairs: the odd one sends its vector to the even one and gets its part at the
 * end, for P m (beta + gamma) more.
 * Memory: 3 / 2 P m; P m more where ranks form pairs. */
#include "algorithms/descriptor.h"
#include "algorithms/reduce_scatter/reduce_scatter_halving.h"

static size_t length_of(const struct ct_halving_sum *sum, int piece)
{
    return ct_halving_length(sum, piece, piece + 1);
}

/* The pieces in mirrored order. The table lies in the plan's scratch memory; there is none where all are
 * alike, or no memory, the plan having failed. */
static struct ct_parts mirrored(struct ct_plan *plan, const struct ct_halving_sum *sum, int pieces)
{
    struct ct_parts parts = {.length = sum->parts->length};
    size_t *at = sum->parts->at || sum->pairs ? ct_scratch(plan, (size_t)pieces + 1, sizeof *at) : NULL;
    for (int i = 0; at && i < pieces; i++)
        at[i + 1] = at[i] + length_of(sum, ct_halving_mirror(i, pieces));
    parts.at = at;
    return parts;
}

/* Copies the pieces of `sum` into mirrored order, in which `ret_sum` then holds them. */
static void permute(struct ct_plan *plan, const struct ct_halving_sum *sum, const struct ct_parts *order,
                    struct ct_halving_sum *ret_sum)
{
    int pieces = sum->last;
    unsigned to = ct_temporary(plan, ct_part_begin(order, pieces));
    for (int i = 0; i < pieces; i++)
        ct_copy(plan, to, ct_part_begin(order, i), sum->held.buffer,
                ct_halving_piece(sum, ct_halving_mirror(i, pieces)), ct_parts_length(order, i, i + 1));
    ct_round_end(plan);
    *ret_sum =
        (struct ct_halving_sum){.parts = order, .last = pieces, .ordered = sum->ordered, .held.buffer = to};
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_halving_group group = ct_halving_group_of(call->rank, call->size);
    if (group.size <= 2) { /* the mirrored order is the order */
        ct_halving_reduce_scatter(plan, call, CT_HALVING_NEAR_FIRST);
        return;
    }
    const struct ct_parts parts = ct_parts_of(plan, call->send_counts, call->size, call->count);
    struct ct_halving_sum input = ct_halving_sum_of_parts(call, &parts, &group), sum = {0};
    const struct ct_parts order = mirrored(plan, &input, group.size);
    if (ct_halving_fold(plan, call, &group, &input)) {
        permute(plan, &input, &order, &sum);
        if (group.rank >= group.pairs)
            sum.home = (struct ct_halving_place){
                CT_BUFFER_RECV, ct_part_begin(&order, ct_halving_mirror(group.rank, group.size))};
        ct_halving_halve(plan, &group, CT_HALVING_NEAR_FIRST, &sum);
    }
    ct_halving_hand_out(plan, call, &group, &parts, &sum, group.rank);
}

const struct ct_descriptor ct_reduce_scatter_recursive_doubling = {
    .text = "ranks 1, 2, ... P/2 apart swap what they have combined and the other needs",
    .source = "Thakur, Rabenseifner, Gropp 2005, without what no rank needs",
    .cost = "log2 P alpha + (P - 1) m (beta + gamma), and a copy of P m",
    .build = build,
};
