/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"

/* Intel MPI's I_MPI_ADJUST_<COLLECTIVE>: the numbers are places in the lists of its Developer Reference, the
 * section "I_MPI_ADJUST Family Environment Variables"; the sizes are those of the table of messages there.
 * Intel does not document segments and trees of its algorithms; nothing of this table was run. */

static const struct ct_mapping rows[] = {
    {"barrier/dissemination", "dissemination", 1},
    {"barrier/recursive_doubling", "recursive doubling", 2},
    {"barrier/tree", "binomial gather and scatter", 5},

    {"bcast/binomial", "binomial", 1},
    {"bcast/knomial:radix=2", "binomial", 1},
    {"bcast/scatter_allgather", "recursive doubling", 2},
    {"bcast/scatter_allgather_ring", "ring", 3},
    {"bcast/knomial:radix=4", "knomial", 8, .remark = "has the radix of I_MPI_ADJUST_BCAST_KN_RADIX (4)"},

    {"scatter/binomial", "binomial", 1},
    {"scatterv/linear", "linear", 1},
    {"gather/binomial", "binomial", 1},
    {"gatherv/linear", "linear", 1},

    {"allgather/recursive_doubling", "recursive doubling", 1},
    {"allgather/bruck", "Bruck's", 2},
    {"allgather/ring", "ring", 3},
    {"allgatherv/recursive_doubling", "recursive doubling", 1},
    {"allgatherv/bruck", "Bruck's", 2},
    {"allgatherv/ring", "ring", 3},

    {"alltoall/bruck", "Bruck's", 1},
    {"alltoall/linear", "isend, irecv and waitall", 2},
    {"alltoall/pairwise", "pairwise exchange", 3},
    {"alltoallv/linear", "isend, irecv and waitall", 1},
    {"alltoallw/linear", "isend, irecv and waitall", 1},

    {"reduce/binomial", "binomial", 2},
    {"reduce/rabenseifner", "Rabenseifner's", 5},
    {"reduce_scatter/recursive_halving", "recursive halving", 1},
    {"reduce_scatter/pairwise", "pairwise exchange", 2},
    {"reduce_scatter/recursive_doubling", "recursive doubling", 3},
    {"reduce_scatter/nonoverlapping", "reduce and scatterv", 4},

    {"allreduce/recursive_doubling", "recursive doubling", 1},
    {"allreduce/rabenseifner", "Rabenseifner's", 2},
    {"allreduce/reduce_bcast", "reduce and bcast", 3},
    {"allreduce/ring", "ring", 8},
};

const struct ct_library_mapping ct_intel_mapping = {
    .name = "Intel MPI",
    .rows = rows,
    .row_count = sizeof rows / sizeof rows[0],
    .collectives =
        {
            [CT_COLLECTIVE_BARRIER] = {true},
            [CT_COLLECTIVE_BCAST] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_SCATTER] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_SCATTERV] = {true},
            [CT_COLLECTIVE_GATHER] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_GATHERV] = {true},
            [CT_COLLECTIVE_ALLGATHER] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_ALLGATHERV] = {true, CT_SIZE_TIMES_RANKS},
            [CT_COLLECTIVE_ALLTOALL] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_ALLTOALLV] = {true},
            [CT_COLLECTIVE_ALLTOALLW] = {true},
            [CT_COLLECTIVE_REDUCE] = {true, CT_SIZE_AS_OURS},
            [CT_COLLECTIVE_REDUCE_SCATTER] = {true, CT_SIZE_TIMES_RANKS},
            [CT_COLLECTIVE_ALLREDUCE] = {true, CT_SIZE_AS_OURS},
        },
};
