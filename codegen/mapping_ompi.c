/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"

/* Open MPI's component coll/tuned. Numbers and names are those that `ompi_info --all` lists as
 * coll_tuned_<collective>_algorithm in release 4.1; 6 has a few more. Open MPI obeys a rule whatever the
 * operation: trials showed which algorithms are wrong for operations that do not commute
 * (docs/tuning-files.md). */

enum { COMMUTES = CT_NEED_COMMUTATIVE };

static const char retells[] = "uses the gather and bcast that Open MPI chooses";
static const char bruck_beyond[] = "uses bruck if the number of ranks is no power of two";
static const char ring_if_odd[] = "uses the ring if the number of ranks is odd";
static const char own_parts[] = "uses the reduce and bcast that Open MPI chooses";
static const char own_scatter[] = "uses the reduce and scatter that Open MPI chooses";
static const char own_radix[] = "has radix 4 unless coll_tuned_bcast_algorithm_knomial_radix is set";
static const char unbounded[] = "limits outstanding requests by coll_tuned_alltoall_algorithm_max_requests";

static const struct ct_mapping rows[] = {
    {.method = "barrier/linear", .theirs = "linear", .number = 1},
    {.method = "barrier/double_ring", .theirs = "double_ring", .number = 2},
    {.method = "barrier/recursive_doubling", .theirs = "recursive_doubling", .number = 3},
    {.method = "barrier/dissemination", .theirs = "bruck", .number = 4},
    {.method = "barrier/tree", .theirs = "tree", .number = 6},

    {.method = "bcast/linear", .theirs = "basic_linear", .number = 1},
    {.method = "bcast/chain", .theirs = "chain", .number = 2, .segment = "seg", .fanout = "radix"},
    {.method = "bcast/pipeline", .theirs = "pipeline", .number = 3, .segment = "seg"},
    {.method = "bcast/split_binary", .theirs = "split_binary_tree", .number = 4, .segment = "seg"},
    {.method = "bcast/binary", .theirs = "binary_tree", .number = 5, .segment = "seg"},
    {.method = "bcast/binomial", .theirs = "binomial", .number = 6, .segment = "seg"},
    {.method = "bcast/knomial:radix=4",
     .theirs = "knomial",
     .number = 7,
     .segment = "seg",
     .remark = own_radix},
    {.method = "bcast/scatter_allgather", .theirs = "scatter_allgather", .number = 8},
    {.method = "bcast/scatter_allgather_ring", .theirs = "scatter_allgather_ring", .number = 9},

    {.method = "scatter/linear", .theirs = "basic_linear", .number = 1},
    {.method = "scatter/binomial", .theirs = "binomial", .number = 2},
    {.method = "scatter/window", .theirs = "linear_nb", .number = 3, .since = 6, .requests = "reqs"},

    {.method = "gather/linear", .theirs = "basic_linear", .number = 1},
    {.method = "gather/binomial", .theirs = "binomial", .number = 2},
    {.method = "gather/linear_sync", .theirs = "linear_sync", .number = 3, .segment = "first"},

    {.method = "allgather/gather_bcast", .theirs = "linear", .number = 1, .remark = retells},
    {.method = "allgather/bruck", .theirs = "bruck-k-fanout", .number = 2, .since = 6, .fanout = "radix"},
    {.method = "allgather/bruck", .theirs = "bruck", .number = 2},
    {.method = "allgather/recursive_doubling",
     .theirs = "recursive_doubling",
     .number = 3,
     .remark = bruck_beyond},
    {.method = "allgather/ring", .theirs = "ring", .number = 4},
    {.method = "allgather/neighbor_exchange", .theirs = "neighbor", .number = 5, .remark = ring_if_odd},
    {.method = "allgather/sparbit", .theirs = "sparbit", .number = 7, .since = 6},
    {.method = "allgather/linear", .theirs = "direct-messaging", .number = 8, .since = 6},

    {.method = "allgatherv/gather_bcast", .theirs = "default", .number = 1, .remark = retells},
    {.method = "allgatherv/bruck", .theirs = "bruck", .number = 2},
    {.method = "allgatherv/ring", .theirs = "ring", .number = 3},
    {.method = "allgatherv/neighbor_exchange", .theirs = "neighbor", .number = 4, .remark = ring_if_odd},
    {.method = "allgatherv/sparbit", .theirs = "sparbit", .number = 6, .since = 6},

    {.method = "alltoall/linear", .theirs = "linear", .number = 1},
    {.method = "alltoall/pairwise", .theirs = "pairwise", .number = 2},
    {.method = "alltoall/bruck", .theirs = "modified_bruck", .number = 3},
    {.method = "alltoall/linear_sync", .theirs = "linear_sync", .number = 4, .since = 6, .requests = "reqs"},
    {.method = "alltoall/linear_sync",
     .theirs = "linear_sync",
     .number = 4,
     .decides = true,
     .remark = unbounded},

    {.method = "alltoallv/linear", .theirs = "basic_linear", .number = 1},
    {.method = "alltoallv/pairwise", .theirs = "pairwise", .number = 2},

    {.method = "reduce/linear", .theirs = "linear", .number = 1},
    {.method = "reduce/chain",
     .theirs = "chain",
     .number = 2,
     .segment = "seg",
     .fanout = "radix",
     .needs = COMMUTES},
    {.method = "reduce/pipeline", .theirs = "pipeline", .number = 3, .segment = "seg", .needs = COMMUTES},
    {.method = "reduce/binary", .theirs = "binary", .number = 4, .segment = "seg", .needs = COMMUTES},
    {.method = "reduce/binomial", .theirs = "binomial", .number = 5, .segment = "seg", .needs = COMMUTES},
    {.method = "reduce/in_order_binary", .theirs = "in-order_binary", .number = 6, .segment = "seg"},
    {.method = "reduce/rabenseifner", .theirs = "rabenseifner", .number = 7},
    {.method = "reduce/knomial",
     .theirs = "knomial",
     .number = 8,
     .since = 6,
     .segment = "seg",
     .fanout = "radix",
     .needs = COMMUTES},

    {.method = "reduce_scatter_block/nonoverlapping",
     .theirs = "basic_linear",
     .number = 1,
     .remark = own_scatter},
    {.method = "reduce_scatter_block/recursive_doubling", .theirs = "recursive_doubling", .number = 2},
    {.method = "reduce_scatter_block/recursive_halving", .theirs = "recursive_halving", .number = 3},
    {.method = "reduce_scatter_block/butterfly", .theirs = "butterfly", .number = 4},

    {.method = "reduce_scatter/nonoverlapping",
     .theirs = "non-overlapping",
     .number = 1,
     .remark = own_scatter},
    {.method = "reduce_scatter/recursive_halving",
     .theirs = "recursive_halving",
     .number = 2,
     .needs = COMMUTES},
    {.method = "reduce_scatter/ring", .theirs = "ring", .number = 3, .needs = COMMUTES},
    {.method = "reduce_scatter/butterfly", .theirs = "butterfly", .number = 4},

    {.method = "allreduce/reduce_bcast:reduce=linear,bcast=linear", .theirs = "basic_linear", .number = 1},
    {.method = "allreduce/reduce_bcast",
     .theirs = "nonoverlapping",
     .number = 2,
     .decides = true,
     .remark = own_parts},
    {.method = "allreduce/recursive_doubling", .theirs = "recursive_doubling", .number = 3},
    {.method = "allreduce/ring", .theirs = "ring", .number = 4, .needs = COMMUTES},
    {.method = "allreduce/ring_segmented",
     .theirs = "segmented_ring",
     .number = 5,
     .segment = "seg",
     .needs = COMMUTES},
    {.method = "allreduce/rabenseifner", .theirs = "rabenseifner", .number = 6},
    {.method = "allreduce/allgather_reduce", .theirs = "allgather_reduce", .number = 7, .since = 6},

    {.method = "scan/linear", .theirs = "linear", .number = 1},
    {.method = "scan/recursive_doubling", .theirs = "recursive_doubling", .number = 2},
    {.method = "exscan/linear", .theirs = "linear", .number = 1},
    {.method = "exscan/recursive_doubling", .theirs = "recursive_doubling", .number = 2},
};

const struct ct_library_mapping ct_ompi_mapping = {
    .name = "Open MPI",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    /* scan and exscan are looked up by the bytes of one element times the ranks, however many there are */
    .collectives =
        {
            [CT_COLLECTIVE_BARRIER] = {true, CT_SIZE_UNSEEN, 6},
            [CT_COLLECTIVE_BCAST] = {true, CT_SIZE_AS_OURS, 7},
            [CT_COLLECTIVE_SCATTER] = {true, CT_SIZE_TIMES_RANKS, 15},
            [CT_COLLECTIVE_GATHER] = {true, CT_SIZE_TIMES_RANKS, 9},
            [CT_COLLECTIVE_ALLGATHER] = {true, CT_SIZE_TIMES_RANKS, 0},
            [CT_COLLECTIVE_ALLGATHERV] = {true, CT_SIZE_AS_OURS, 1},
            [CT_COLLECTIVE_ALLTOALL] = {true, CT_SIZE_TIMES_RANKS, 3},
            [CT_COLLECTIVE_ALLTOALLV] = {true, CT_SIZE_UNSEEN, 4},
            [CT_COLLECTIVE_REDUCE] = {true, CT_SIZE_AS_OURS, 11},
            [CT_COLLECTIVE_REDUCE_SCATTER_BLOCK] = {true, CT_SIZE_TIMES_RANKS, 13},
            [CT_COLLECTIVE_REDUCE_SCATTER] = {true, CT_SIZE_TIMES_RANKS, 12},
            [CT_COLLECTIVE_ALLREDUCE] = {true, CT_SIZE_AS_OURS, 2},
            [CT_COLLECTIVE_SCAN] = {true, CT_SIZE_UNSEEN, 14},
            [CT_COLLECTIVE_EXSCAN] = {true, CT_SIZE_UNSEEN, 8},
        },
};
