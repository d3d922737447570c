/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"

/* MPICH's algorithms of intracommunicators, as MPIR_CVAR_<COLLECTIVE>_INTRA_ALGORITHM and, behind
 * MPIR_<Collective>_intra_, as selection files name them. MPICH obeys a selection file without a check: the
 * needs of each algorithm stand here as in MPICH's own file and in its checks of the settings. */

enum { WHOLE = CT_NEED_BUILT_IN | CT_NEED_ELEMENTS, COMMUTES = CT_NEED_COMMUTATIVE };

static const char other_edges[] = "takes the edges of the binomial tree in another order";
static const char throttled[] = "bounds what is outstanding by MPIR_CVAR_ALLTOALL_THROTTLE (32)";
static const char own_levels[] = "chooses what to do on each level itself";

static const struct ct_mapping rows[] = {
    {.method = "barrier/dissemination", .theirs = "dissemination"},
    {.method = "barrier/two_level",
     .theirs = "smp",
     .decides = true,
     .needs = CT_NEED_HIERARCHY,
     .remark = own_levels},

    {.method = "bcast/knomial:radix=2", .theirs = "binomial"},
    {.method = "bcast/binomial", .theirs = "binomial", .remark = other_edges},
    {.method = "bcast/scatter_allgather", .theirs = "scatter_recursive_doubling_allgather"},
    {.method = "bcast/scatter_allgather_ring", .theirs = "scatter_ring_allgather"},
    {.method = "bcast/two_level",
     .theirs = "smp",
     .decides = true,
     .needs = CT_NEED_HIERARCHY,
     .remark = own_levels},

    {.method = "scatter/binomial", .theirs = "binomial"},
    {.method = "gather/binomial", .theirs = "binomial"},

    {.method = "allgather/bruck", .theirs = "brucks"},
    {.method = "allgather/recursive_doubling", .theirs = "recursive_doubling", .needs = CT_NEED_POWER_OF_TWO},
    {.method = "allgather/ring", .theirs = "ring"},
    {.method = "allgatherv/bruck", .theirs = "brucks"},
    {.method = "allgatherv/recursive_doubling",
     .theirs = "recursive_doubling",
     .needs = CT_NEED_POWER_OF_TWO},
    {.method = "allgatherv/ring", .theirs = "ring"},

    {.method = "alltoall/bruck", .theirs = "brucks", .needs = CT_NEED_SEND_BUFFER},
    {.method = "alltoall/pairwise", .theirs = "pairwise", .needs = CT_NEED_SEND_BUFFER},
    {.method = "alltoall/linear", .theirs = "scattered", .needs = CT_NEED_SEND_BUFFER, .remark = throttled},
    {.method = "alltoall/linear_sync",
     .theirs = "scattered",
     .decides = true,
     .needs = CT_NEED_SEND_BUFFER,
     .remark = throttled},
    {.method = "alltoallv/linear", .theirs = "scattered", .needs = CT_NEED_SEND_BUFFER, .remark = throttled},
    {.method = "alltoallv/linear_sync",
     .theirs = "scattered",
     .decides = true,
     .needs = CT_NEED_SEND_BUFFER,
     .remark = throttled},
    {.method = "alltoallw/linear", .theirs = "scattered", .needs = CT_NEED_SEND_BUFFER, .remark = throttled},
    {.method = "alltoallw/linear_sync",
     .theirs = "scattered",
     .decides = true,
     .needs = CT_NEED_SEND_BUFFER,
     .remark = throttled},

    {.method = "reduce/binomial", .theirs = "binomial"},
    {.method = "reduce/rabenseifner", .theirs = "reduce_scatter_gather", .needs = WHOLE},
    {.method = "reduce/two_level",
     .theirs = "smp",
     .decides = true,
     .needs = COMMUTES | CT_NEED_HIERARCHY,
     .remark = own_levels},

    {.method = "reduce_scatter_block/recursive_doubling",
     .theirs = "noncommutative",
     .needs = CT_NEED_POWER_OF_TWO},
    {.method = "reduce_scatter_block/recursive_halving", .theirs = "recursive_halving", .needs = COMMUTES},
    {.method = "reduce_scatter_block/pairwise", .theirs = "pairwise", .needs = COMMUTES},
    {.method = "reduce_scatter/recursive_doubling",
     .theirs = "noncommutative",
     .needs = CT_NEED_EQUAL_BLOCKS | CT_NEED_POWER_OF_TWO},
    {.method = "reduce_scatter/recursive_halving", .theirs = "recursive_halving", .needs = COMMUTES},
    {.method = "reduce_scatter/pairwise", .theirs = "pairwise", .needs = COMMUTES},

    {.method = "allreduce/recursive_doubling", .theirs = "recursive_doubling"},
    {.method = "allreduce/rabenseifner", .theirs = "reduce_scatter_allgather", .needs = WHOLE},
    {.method = "allreduce/two_level",
     .theirs = "smp",
     .decides = true,
     .needs = COMMUTES | CT_NEED_HIERARCHY,
     .remark = own_levels},

    {.method = "scan/recursive_doubling", .theirs = "recursive_doubling"},
    {.method = "exscan/recursive_doubling", .theirs = "recursive_doubling"},
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
