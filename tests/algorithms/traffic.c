/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/algorithms/traffic.h"

#include <stddef.h>

const struct traffic traffics[] = {
    {"barrier/linear", "P - 1", "0", "2 * (P - 1)", "0"},
    {"barrier/double_ring", "2 * min(P - 1, 1)", "0", "2 * P * min(P - 1, 1)", "0"},
    /* lg(P) - odd(P) is the logarithm rounded down. */
    {"barrier/recursive_doubling", "lg(P)", "0",
     "2^(lg(P) - odd(P)) * (lg(P) - odd(P)) + 2 * (P - 2^(lg(P) - odd(P)))", "0"},
    /* lgr(radix, P + 1) - 1 is the logarithm rounded down: so many steps are full, and the rest is one more.
     */
    {"barrier/dissemination",
     "(lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1))", "0",
     "P * ((lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1)))", "0"},
    /* Rank 0's children: on lgr(radix, P + 1) - 1 levels, the logarithm rounded down, all are there. */
    {"barrier/tree", "(lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1))",
     "0", "2 * (P - 1)", "0"},
    {"barrier/two_level", "2 * lg(n) + lg(P / n)", "0", "2 * P * lg(n) + P / n * lg(P / n)", "0"},
    {"scatter/linear scatter/window scatterv/linear scatterv/window", "P - 1", "(P - 1) * m", "P - 1",
     "(P - 1) * m"},
    {"bcast/linear", "(P - 1) * S", "(P - 1) * m", "(P - 1) * S", "(P - 1) * m"},
    {"bcast/kary", "min(P - 1, radix) * S", "min(P - 1, radix) * m", "(P - 1) * S", "(P - 1) * m"},
    {"bcast/chain", "min(radix, P - 1) * S", "min(radix, P - 1) * m", "(P - 1) * S", "(P - 1) * m"},
    {"bcast/pipeline reduce/linear reduce/kary reduce/chain reduce/pipeline reduce/binary reduce/binomial "
     "reduce/in_order_binary reduce/knomial scan/linear_segmented exscan/linear_segmented",
     "min(P - 1, 1) * S", "min(P - 1, 1) * m", "(P - 1) * S", "(P - 1) * m"},
    {"bcast/binary bcast/in_order_binary", "min(P - 1, 2) * S", "min(P - 1, 2) * m", "(P - 1) * S",
     "(P - 1) * m"},
    {"bcast/binomial", "lg(P) * S", "lg(P) * m", "(P - 1) * S", "(P - 1) * m"},
    /* The same for the root. */
    {"bcast/knomial",
     "((lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1))) * S",
     "((lgr(radix, P + 1) - 1) * (radix - 1) + floor((P - 1) / radix^(lgr(radix, P + 1) - 1))) * m",
     "(P - 1) * S", "(P - 1) * m"},
    {"bcast/split_binary", "min(P - 1, 2) * ceil(S / 2) + min(P - 1, 1)",
     "(min(P - 1, 2) + min(P - 1, 1)) * m / 2", "(P - 1) * (ceil(S / 2) + 1)", "(P - 1) * m"},
    {"bcast/scatter_allgather", "2 * lg(P)", "2 * (1 + odd(P)) * (P - 1) * m / P", "P * lg(P)",
     "(P - 1) * m"},
    {"bcast/scatter_allgather_ring", "lg(P) + P - 1", "2 * (P - 1) * m / P",
     "(P - 1) * (P + 1) - (1 - odd(P)) * P * lg(P) / 2", "(P - 1) * m"},
    {"bcast/two_level", "(lg(P / n) + lg(n)) * S", "(lg(P / n) + lg(n)) * m", "(P - 1) * S", "(P - 1) * m"},
    {"scatter/binomial", "lg(P)", "(P - 1) * m", "P - 1", "digits(2, P) * m"},
    /* The root has radix - 1 children at every distance but the largest. */
    {"scatter/knomial", "(radix - 1) * (lgr(radix, P) - 1) + ceil(P * radix / radix^lgr(radix, P)) - 1",
     "(P - 1) * m", "P - 1", "digits(radix, P) * m"},
    {"gather/linear gather/window gatherv/linear gatherv/window "
     "reduce/knomial_ahead scan/linear exscan/linear",
     "min(P - 1, 1)", "min(P - 1, 1) * m", "P - 1", "(P - 1) * m"},
    {"gather/linear_sync", "(P > 1) * max(P - 1, (first > 0) + (first < m))", "min(P - 1, 1) * m",
     "(P - 1) * (1 + (first > 0) + (first < m))", "(P - 1) * m"},
    {"gather/binomial", "min(P - 1, 1)", "min(P - 1, 2^(lg(P) - 1)) * m", "P - 1", "digits(2, P) * m"},
    /* The largest subtree is that of the first child at the largest distance or, where few ranks are left for
     * it, that of a child one level below. */
    {"gather/knomial", "min(P - 1, 1)",
     "(P > 1) * max(min(radix^(lgr(radix, P) - 1), P - radix^(lgr(radix, P) - 1)), radix^(lgr(radix, P) - "
     "2)) * m",
     "P - 1", "digits(radix, P) * m"},
    {"allgather/linear allgather/ring allgather/sparbit allgatherv/linear allgatherv/ring "
     "allgatherv/neighbor_exchange allgatherv/sparbit alltoall/linear alltoall/linear_sync "
     "alltoall/pairwise alltoallv/linear alltoallv/linear_sync alltoallv/pairwise "
     "alltoallw/linear alltoallw/linear_sync alltoallw/pairwise reduce_scatter_block/ring "
     "reduce_scatter_block/pairwise reduce_scatter/ring reduce_scatter/pairwise",
     "P - 1", "(P - 1) * m", "P * (P - 1)", "P * (P - 1) * m"},
    {"allgather/gather_bcast allgatherv/gather_bcast", "lg(P) * (seg > 0 ? ceil(P * m / seg) : 1)",
     "lg(P) * P * m", "(P - 1) * (1 + (seg > 0 ? ceil(P * m / seg) : 1))",
     "(P * lg(P) / 2 + (P - 1) * P) * m"},
    {"allgather/bruck allgatherv/bruck",
     "(lgr(radix, P) - 1) * (radix - 1) + ceil(P / radix ^ (lgr(radix, P) - 1)) - 1", "(P - 1) * m",
     "P * ((lgr(radix, P) - 1) * (radix - 1) + ceil(P / radix ^ (lgr(radix, P) - 1)) - 1)",
     "P * (P - 1) * m"},
    {"allgather/recursive_doubling allgatherv/recursive_doubling", "lg(P)", "(1 + 2 * odd(P)) * (P - 1) * m",
     "P * lg(P)", "P * (P - 1 + odd(P)) * m"},
    {"allgather/neighbor_exchange", "P / 2", "(P - 1) * m", "P * P / 2", "P * (P - 1) * m"},
    {"allgather/two_level", "P / n - 1 + lg(n)", "(P - n + lg(n) * P) * m",
     "2 * (P - P / n) + P / n * (P / n - 1)", "(P * lg(n) / 2 + P * (P / n - 1) + (P - P / n) * P) * m"},
    {"alltoall/bruck",
     "max(0, (radix - 1) * (lgr(radix, P) - 1) + floor((P - 1) / radix^(lgr(radix, P) - 1)))",
     "digits(radix, P) * m",
     "P * max(0, (radix - 1) * (lgr(radix, P) - 1) + floor((P - 1) / radix^(lgr(radix, P) - 1)))",
     "P * digits(radix, P) * m"},
    {"alltoall/two_level", "P / n - 1 + n - 1", "((P / n - 1) * n^2 + (n - 1) * P) * m",
     "2 * (P - P / n) + P / n * (P / n - 1)", "(2 * (P - P / n) * P + P * (P / n - 1) * n) * m"},
    /* Barriers: after every barrier_every-th of P - 1 rounds, but not after the last one. */
    {"allgather/prefix allgather/k_prefix allgather/k_shift allgatherv/prefix allgatherv/k_prefix "
     "allgatherv/k_shift",
     "P - 1 + (barrier_every > 0 ? floor(max(P - 2, 0) / barrier_every) * lg(P) : 0)", "(P - 1) * m",
     "P * (P - 1 + (barrier_every > 0 ? floor(max(P - 2, 0) / barrier_every) * lg(P) : 0))",
     "P * (P - 1) * m"},
    {"allgather/grid allgatherv/grid", "neighbors(dims, P)", "(1 + odd(P)) * (P - 1) * m",
     "P * neighbors(dims, P)", "P * (P - 1) * m"},
    /* lg(P) - odd(P) is the logarithm rounded down: the most steps that may be direct. */
    {"allgather/hypercube allgatherv/hypercube",
     "lg(P) - min(direct, lg(P) - odd(P)) + 2^min(direct, lg(P) - odd(P)) - 1",
     "(1 + 2 * odd(P)) * (P - 1) * m",
     "P * (lg(P) - min(direct, lg(P) - odd(P)) + 2^min(direct, lg(P) - odd(P)) - 1)",
     "P * (P - 1 + odd(P)) * m"},
    {"alltoall/grid alltoallv/grid", "neighbors(dims, P)", "hops(dims, P) * m", "P * neighbors(dims, P)",
     "P * hops(dims, P) * m"},
    {"alltoall/hypercube", "lg(P)", "((1 + odd(P)) * lg(P) * P / 2 + odd(P) * (P - 1)) * m", "P * lg(P)",
     "P * ((1 + odd(P)) * lg(P) * P / 2 + odd(P) * (P - 1)) * m"},
    /* The nodes but one, divided among the leaders; each block for one of them makes two ways more. */
    {"alltoall/node_aware", "2 * (n - 1) + ceil((P / n - 1) / (leaders > 0 ? min(leaders, n) : n))",
     "(P - 1 + 2 * ceil((P / n - 1) / (leaders > 0 ? min(leaders, n) : n)) * n * (n - 1)) * m",
     "P * (n - 1) + P / n * (P / n - 1 + min(P / n - 1, leaders > 0 ? min(leaders, n) : n) * (n - 1))",
     "(P * (P - 1) + 2 * P / n * (P / n - 1) * n * (n - 1)) * m"},
    /* Nodes are divided among the leaders by number, a rank's own one among them. */
    {"alltoallv/node_aware",
     "2 * (n - 1) + (min(leaders, n) > 1 ? ceil(P / n / min(leaders, n)) : P / n - 1)",
     "(P - 1 + 2 * (min(leaders, n) > 1 ? ceil(P / n / min(leaders, n)) : P / n - 1) * n * (n - 1)) * m",
     "P * (n - 1) + P / n * (P / n - 1) + (n - 1) * (P / n * min(min(leaders, n), P / n) - (P / n > "
     "min(leaders, n) ? max(0, 2 * min(leaders, n) - P / n) : P / n))",
     "(P * (P - 1) + 2 * P / n * (P / n - 1) * n * (n - 1)) * m"},
    {"alltoallv/locality", "2 * (n - 1) + ceil(P / n^2)", "(P - 1 + 2 * ceil(P / n^2) * n * (n - 1)) * m",
     "P * (n - 1) + P / n * (P / n - 1) + (n - 1) * (P / n * min(n, P / n) - (P / n > n ? max(0, 2 * n - P / "
     "n) : P / n))",
     "(P * (P - 1) + 2 * P / n * (P / n - 1) * n * (n - 1)) * m"},
    {"reduce/rabenseifner", "lg(P) + min(P - 1, 1)", "((P - 1) / P + min(P - 1, 1) / 2) * m",
     "P * lg(P) + P - 1", "(P - 1 + lg(P) / 2) * m"},
    {"reduce/binary_blocks", "lg(P) + min(P - 1, 1) + odd(P) * P", "((P - 1) / P + min(P - 1, 1) / 2) * m",
     "P * lg(P) + P - 1", "(P - 1 + lg(P) / 2) * m"},
    {"reduce/two_level", "S", "m", "(P - 1) * S", "(P - 1) * m"},
    {"reduce_scatter_block/nonoverlapping reduce_scatter/nonoverlapping",
     "(P > 1) * (lg(P) - 1 + (seg > 0 ? ceil(P * m / seg) : 1))",
     "max(P - 1, min(P - 1, 1) * P + floor(P / 2) - 1) * m",
     "(P - 1) * (1 + (seg > 0 ? ceil(P * m / seg) : 1))", "((P - 1) * P + P * lg(P) / 2) * m"},
    {"reduce_scatter_block/recursive_doubling reduce_scatter_block/recursive_halving "
     "reduce_scatter/recursive_doubling reduce_scatter/recursive_halving",
     "lg(P)", "(P - 1 + odd(P)) * m", "P * lg(P)", "(P * (P - 1) + odd(P) * P / 2) * m"},
    {"reduce_scatter_block/butterfly reduce_scatter/butterfly", "lg(P) + min(floor(P / 4), 1)",
     "(P - 1 + max(min(floor(P / 4), 1), odd(P))) * m", "P * lg(P) + P - 2 ^ ceil(lg(P) / 2)",
     "(P * P - (1 - odd(P)) * 2 ^ ceil(lg(P) / 2)) * m"},
    {"allreduce/reduce_bcast", "lg(P) * S", "lg(P) * m", "2 * (P - 1) * S", "2 * (P - 1) * m"},
    {"allreduce/recursive_doubling", "lg(P) + odd(P)", "(lg(P) + odd(P)) * m", "P * (lg(P) + odd(P))",
     "P * (lg(P) + odd(P)) * m"},
    /* With W = power(radix, P), floor(P / W) is the width of the last step, and P - floor(P / W) W ranks
       remain. */
    {"allreduce/recursive_multiplying",
     "(radix - 1) * lgr(radix, power(radix, P)) + floor(P / power(radix, P)) - 1 + min(P - floor(P / "
     "power(radix, P)) * power(radix, P), 1)",
     "((radix - 1) * lgr(radix, power(radix, P)) + floor(P / power(radix, P)) - 1 + min(P - floor(P / "
     "power(radix, P)) * power(radix, P), 1)) * m",
     "floor(P / power(radix, P)) * power(radix, P) * ((radix - 1) * lgr(radix, power(radix, P)) + floor(P / "
     "power(radix, P)) - 1) + 2 * (P - floor(P / power(radix, P)) * power(radix, P))",
     "(floor(P / power(radix, P)) * power(radix, P) * ((radix - 1) * lgr(radix, power(radix, P)) + floor(P / "
     "power(radix, P)) - 1) + 2 * (P - floor(P / power(radix, P)) * power(radix, P))) * m"},
    {"allreduce/direct allreduce/ring", "2 * (P - 1)", "2 * (P - 1) * m / P", "2 * P * (P - 1)",
     "2 * (P - 1) * m"},
    {"allreduce/ring_segmented", "2 * (P - 1) * (seg > 0 ? ceil(m / P / seg) : 1)", "2 * (P - 1) * m / P",
     "2 * P * (P - 1) * (seg > 0 ? ceil(m / P / seg) : 1)", "2 * (P - 1) * m"},
    {"allreduce/rabenseifner", "2 * lg(P)", "(2 * (P - 1) / P + odd(P)) * m", "2 * P * lg(P)",
     "2 * (P - 1) * m"},
    {"allreduce/binary_blocks", "2 * lg(P) + odd(P) * P", "2 * (P - 1 + odd(P)) / P * m", "2 * P * lg(P)",
     "2 * (P - 1) * m"},
    {"allreduce/allgather_reduce", "lg(P)", "(P - 1) * m", "P * lg(P)", "P * (P - 1) * m"},
    {"allreduce/two_level", "lg(P / n) + odd(P / n) + lg(n) * S", "(lg(P / n) + odd(P / n) + lg(n)) * m",
     "P / n * (lg(P / n) + odd(P / n)) + 2 * (P - P / n) * S",
     "(P / n * (lg(P / n) + odd(P / n)) + 2 * (P - P / n)) * m"},
    {"scan/binomial exscan/binomial", "lg(P)", "lg(P) * m", "2 * P - 2 - lg(P)", "(2 * P - 2 - lg(P)) * m"},
    {"scan/recursive_doubling exscan/recursive_doubling", "lg(P)", "lg(P) * m", "P * lg(P) - 2^lg(P) + 1",
     "(P * lg(P) - 2^lg(P) + 1) * m"},
#ifdef CT_MORE_TRAFFIC /* rows of algorithms that are registered by CT_MORE_ALGORITHMS */
#include CT_MORE_TRAFFIC
#endif
    {NULL, NULL, NULL, NULL, NULL},
};
