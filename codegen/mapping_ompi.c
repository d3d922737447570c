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
    {"barrier/linear", "linear", 1},
    {"barrier/double_ring", "double_ring", 2},
    {"barrier/recursive_doubling", "recursive_doubling", 3},
    {"barrier/dissemination", "bruck", 4},
    {"barrier/tree", "tree", 6},

    {"bcast/linear", "basic_linear", 1},
    {"bcast/chain", "chain", 2, .segment = "seg", .fanout = "radix"},
    {"bcast/pipeline", "pipeline", 3, .segment = "seg"},
    {"bcast/split_binary", "split_binary_tree", 4, .segment = "seg"},
    {"bcast/binary", "binary_tree", 5, .segment = "seg"},
    {"bcast/binomial", "binomial", 6, .segment = "seg"},
    {"bcast/knomial:radix=4", "knomial", 7, .segment = "seg", .remark = own_radix},
    {"bcast/scatter_allgather", "scatter_allgather", 8},
    {"bcast/scatter_allgather_ring", "scatter_allgather_ring", 9},

    {"scatter/linear", "basic_linear", 1},
    {"scatter/binomial", "binomial", 2},
    {"scatter/window", "linear_nb", 3, .since = 6, .requests = "reqs"},

    {"gather/linear", "basic_linear", 1},
    {"gather/binomial", "binomial", 2},
    {"gather/linear_sync", "linear_sync", 3, .segment = "first"},

    {"allgather/gather_bcast", "linear", 1, .remark = retells},
    {"allgather/bruck", "bruck-k-fanout", 2, .since = 6, .fanout = "radix"},
    {"allgather/bruck", "bruck", 2},
    {"allgather/recursive_doubling", "recursive_doubling", 3, .remark = bruck_beyond},
    {"allgather/ring", "ring", 4},
    {"allgather/neighbor_exchange", "neighbor", 5, .remark = ring_if_odd},
    {"allgather/sparbit", "sparbit", 7, .since = 6},
    {"allgather/linear", "direct-messaging", 8, .since = 6},

    {"allgatherv/gather_bcast", "default", 1, .remark = retells},
    {"allgatherv/bruck", "bruck", 2},
    {"allgatherv/ring", "ring", 3},
    {"allgatherv/neighbor_exchange", "neighbor", 4, .remark = ring_if_odd},
    {"allgatherv/sparbit", "sparbit", 6, .since = 6},

    {"alltoall/linear", "linear", 1},
    {"alltoall/pairwise", "pairwise", 2},
    {"alltoall/bruck", "modified_bruck", 3},
    {"alltoall/linear_sync", "linear_sync", 4, .since = 6, .requests = "reqs"},
    {"alltoall/linear_sync", "linear_sync", 4, .decides = true, .remark = unbounded},

    {"alltoallv/linear", "basic_linear", 1},
    {"alltoallv/pairwise", "pairwise", 2},

    {"reduce/linear", "linear", 1},
    {"reduce/chain", "chain", 2, .segment = "seg", .fanout = "radix", .needs = COMMUTES},
    {"reduce/pipeline", "pipeline", 3, .segment = "seg", .needs = COMMUTES},
    {"reduce/binary", "binary", 4, .segment = "seg", .needs = COMMUTES},
    {"reduce/binomial", "binomial", 5, .segment = "seg", .needs = COMMUTES},
    {"reduce/in_order_binary", "in-order_binary", 6, .segment = "seg"},
    {"reduce/rabenseifner", "rabenseifner", 7},
    {"reduce/knomial", "knomial", 8, .since = 6, .segment = "seg", .fanout = "radix", .needs = COMMUTES},

    {"reduce_scatter_block/nonoverlapping", "basic_linear", 1, .remark = own_scatter},
    {"reduce_scatter_block/recursive_doubling", "recursive_doubling", 2},
    {"reduce_scatter_block/recursive_halving", "recursive_halving", 3},
    {"reduce_scatter_block/butterfly", "butterfly", 4},

    {"reduce_scatter/nonoverlapping", "non-overlapping", 1, .remark = own_scatter},
    {"reduce_scatter/recursive_halving", "recursive_halving", 2, .needs = COMMUTES},
    {"reduce_scatter/ring", "ring", 3, .needs = COMMUTES},
    {"reduce_scatter/butterfly", "butterfly", 4},

    {"allreduce/reduce_bcast:reduce=linear,bcast=linear", "basic_linear", 1},
    {"allreduce/reduce_bcast", "nonoverlapping", 2, .decides = true, .remark = own_parts},
    {"allreduce/recursive_doubling", "recursive_doubling", 3},
    {"allreduce/ring", "ring", 4, .needs = COMMUTES},
    {"allreduce/ring_segmented", "segmented_ring", 5, .segment = "seg", .needs = COMMUTES},
    {"allreduce/rabenseifner", "rabenseifner", 6},
    {"allreduce/allgather_reduce", "allgather_reduce", 7, .since = 6},

    {"scan/linear", "linear", 1},
    {"scan/recursive_doubling", "recursive_doubling", 2},
    {"exscan/linear", "linear", 1},
    {"exscan/recursive_doubling", "recursive_doubling", 2},
};

const struct ct_library_mapping ct_ompi_mapping = {
    .name = "Open MPI",
    .own = "ignore",
    .fanout = 4,
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
