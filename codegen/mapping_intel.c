/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"

/* Intel MPI's I_MPI_ADJUST_<COLLECTIVE>: the numbers are places in the lists of its Developer Reference, the
 * section "I_MPI_ADJUST Family Environment Variables"; the sizes are those of the table of messages there.
 * Intel does not document segments and trees of its algorithms; nothing of this table was run. */

static const struct ct_mapping rows[] = {
    {.method = "barrier/dissemination", .theirs = "dissemination", .number = 1},
    {.method = "barrier/recursive_doubling", .theirs = "recursive doubling", .number = 2},
    {.method = "barrier/tree", .theirs = "binomial gather and scatter", .number = 5},

    {.method = "bcast/binomial", .theirs = "binomial", .number = 1},
    {.method = "bcast/knomial:radix=2", .theirs = "binomial", .number = 1},
    {.method = "bcast/scatter_allgather", .theirs = "recursive doubling", .number = 2},
    {.method = "bcast/scatter_allgather_ring", .theirs = "ring", .number = 3},
    {.method = "bcast/knomial:radix=4",
     .theirs = "knomial",
     .number = 8,
     .remark = "has the radix of I_MPI_ADJUST_BCAST_KN_RADIX (4)"},

    {.method = "scatter/binomial", .theirs = "binomial", .number = 1},
    {.method = "scatterv/linear", .theirs = "linear", .number = 1},
    {.method = "gather/binomial", .theirs = "binomial", .number = 1},
    {.method = "gatherv/linear", .theirs = "linear", .number = 1},

    {.method = "allgather/recursive_doubling", .theirs = "recursive doubling", .number = 1},
    {.method = "allgather/bruck", .theirs = "Bruck's", .number = 2},
    {.method = "allgather/ring", .theirs = "ring", .number = 3},
    {.method = "allgatherv/recursive_doubling", .theirs = "recursive doubling", .number = 1},
    {.method = "allgatherv/bruck", .theirs = "Bruck's", .number = 2},
    {.method = "allgatherv/ring", .theirs = "ring", .number = 3},

    {.method = "alltoall/bruck", .theirs = "Bruck's", .number = 1},
    {.method = "alltoall/linear", .theirs = "isend, irecv and waitall", .number = 2},
    {.method = "alltoall/pairwise", .theirs = "pairwise exchange", .number = 3},
    {.method = "alltoallv/linear", .theirs = "isend, irecv and waitall", .number = 1},
    {.method = "alltoallw/linear", .theirs = "isend, irecv and waitall", .number = 1},

    {.method = "reduce/binomial", .theirs = "binomial", .number = 2},
    {.method = "reduce/rabenseifner", .theirs = "Rabenseifner's", .number = 5},
    {.method = "reduce_scatter/recursive_halving", .theirs = "recursive halving", .number = 1},
    {.method = "reduce_scatter/pairwise", .theirs = "pairwise exchange", .number = 2},
    {.method = "reduce_scatter/recursive_doubling", .theirs = "recursive doubling", .number = 3},
    {.method = "reduce_scatter/nonoverlapping", .theirs = "reduce and scatterv", .number = 4},

    {.method = "allreduce/recursive_doubling", .theirs = "recursive doubling", .number = 1},
    {.method = "allreduce/rabenseifner", .theirs = "Rabenseifner's", .number = 2},
    {.method = "allreduce/reduce_bcast", .theirs = "reduce and bcast", .number = 3},
    {.method = "allreduce/ring", .theirs = "ring", .number = 8},
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
