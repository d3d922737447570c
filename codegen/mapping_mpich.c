/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"

/* MPICH's algorithms of intracommunicators, as MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM and, behind
 * MPIR_<Collective>_intra_, as selection files name them. MPICH obeys a selection file without a check: the
 * needs of each algorithm stand here as in MPICH's own file and in its checks of the settings. */

enum {
    WHOLE = CT_NEED_BUILT_IN | CT_NEED_ELEMENTS,
    COMMUTES = CT_NEED_COMMUTATIVE,
    LEVELS = CT_NEED_HIERARCHY,
    POWERS = CT_NEED_POWER_OF_TWO,
    SENDS = CT_NEED_SEND_BUFFER
};

static const char other_edges[] = "takes the edges of the binomial tree in another order";
static const char throttled[] = "bounds what is outstanding by MPIR_CVAR_ALLTOALL_THROTTLE (32)";
static const char own_levels[] = "chooses what to do on each level itself";

static const struct ct_mapping rows[] = {
    {"barrier/dissemination", "dissemination"},
    {"barrier/two_level", "smp", .decides = true, .needs = LEVELS, .remark = own_levels},

    {"bcast/knomial:radix=2", "binomial"},
    {"bcast/binomial", "binomial", .remark = other_edges},
    {"bcast/scatter_allgather", "scatter_recursive_doubling_allgather"},
    {"bcast/scatter_allgather_ring", "scatter_ring_allgather"},
    {"bcast/two_level", "smp", .decides = true, .needs = LEVELS, .remark = own_levels},

    {"scatter/binomial", "binomial"},
    {"gather/binomial", "binomial"},

    {"allgather/bruck", "brucks"},
    {"allgather/recursive_doubling", "recursive_doubling", .needs = POWERS},
    {"allgather/ring", "ring"},
    {"allgatherv/bruck", "brucks"},
    {"allgatherv/recursive_doubling", "recursive_doubling", .needs = POWERS},
    {"allgatherv/ring", "ring"},

    {"alltoall/bruck", "brucks", .needs = SENDS},
    {"alltoall/pairwise", "pairwise", .needs = SENDS},
    {"alltoall/linear", "scattered", .needs = SENDS, .remark = throttled},
    {"alltoall/linear_sync", "scattered", .decides = true, .needs = SENDS, .remark = throttled},
    {"alltoallv/linear", "scattered", .needs = SENDS, .remark = throttled},
    {"alltoallv/linear_sync", "scattered", .decides = true, .needs = SENDS, .remark = throttled},
    {"alltoallw/linear", "scattered", .needs = SENDS, .remark = throttled},
    {"alltoallw/linear_sync", "scattered", .decides = true, .needs = SENDS, .remark = throttled},

    {"reduce/binomial", "binomial"},
    {"reduce/rabenseifner", "reduce_scatter_gather", .needs = WHOLE},
    {"reduce/two_level", "smp", .decides = true, .needs = COMMUTES | LEVELS, .remark = own_levels},

    {"reduce_scatter_block/recursive_doubling", "noncommutative", .needs = POWERS},
    {"reduce_scatter_block/recursive_halving", "recursive_halving", .needs = COMMUTES},
    {"reduce_scatter_block/pairwise", "pairwise", .needs = COMMUTES},
    {"reduce_scatter/recursive_doubling", "noncommutative", .needs = CT_NEED_EQUAL_BLOCKS | POWERS},
    {"reduce_scatter/recursive_halving", "recursive_halving", .needs = COMMUTES},
    {"reduce_scatter/pairwise", "pairwise", .needs = COMMUTES},

    {"allreduce/recursive_doubling", "recursive_doubling"},
    {"allreduce/rabenseifner", "reduce_scatter_allgather", .needs = WHOLE},
    {"allreduce/two_level", "smp", .decides = true, .needs = COMMUTES | LEVELS, .remark = own_levels},

    {"scan/recursive_doubling", "recursive_doubling"},
    {"exscan/recursive_doubling", "recursive_doubling"},
};

const struct ct_library_mapping ct_mpich_mapping = {
    .name = "MPICH",
    .tests = CT_NEED_COMMUTATIVE | CT_NEED_BUILT_IN | CT_NEED_ELEMENTS | CT_NEED_POWER_OF_TWO |
             CT_NEED_HIERARCHY | CT_NEED_SEND_BUFFER | CT_NEED_EQUAL_BLOCKS,
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    /* MPICH looks at no size of scan, and would count elements of scatter and gather, whatever their size */
    /* scatterv and gatherv have one algorithm each */
    .collectives =
        {
            [CT_COLLECTIVE_BARRIER] = {true},
            [CT_COLLECTIVE_BCAST] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_SCATTER] = {true},
            [CT_COLLECTIVE_GATHER] = {true},
            [CT_COLLECTIVE_ALLGATHER] = {true, CT_SIZE_TIMES_RANKS},
            [CT_COLLECTIVE_ALLGATHERV] = {true, CT_SIZE_TIMES_RANKS},
            [CT_COLLECTIVE_ALLTOALL] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_ALLTOALLV] = {true},
            [CT_COLLECTIVE_ALLTOALLW] = {true},
            [CT_COLLECTIVE_REDUCE] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_REDUCE_SCATTER_BLOCK] = {true, CT_SIZE_TIMES_RANKS},
            [CT_COLLECTIVE_REDUCE_SCATTER] = {true, CT_SIZE_TIMES_RANKS},
            [CT_COLLECTIVE_ALLREDUCE] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_SCAN] = {true},
            [CT_COLLECTIVE_EXSCAN] = {true},
        },
};
