/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/registry.h"

/* native: the MPI library's own collective. It has no plan; it always applies, and it is the yardstick. */

#define NATIVE(which, WHICH)                                                                                 \
    const struct ct_algorithm which##_native = {.name = "native",                                            \
                                                .collective = WHICH,                                         \
                                                .text = "the MPI library's own",                             \
                                                .source = "the MPI library in use",                          \
                                                .cost = "unknown"}

NATIVE(barrier, CT_BARRIER);
NATIVE(bcast, CT_BCAST);
NATIVE(scatter, CT_SCATTER);
NATIVE(scatterv, CT_SCATTERV);
NATIVE(gather, CT_GATHER);
NATIVE(gatherv, CT_GATHERV);
NATIVE(allgather, CT_ALLGATHER);
NATIVE(allgatherv, CT_ALLGATHERV);
NATIVE(alltoall, CT_ALLTOALL);
NATIVE(alltoallv, CT_ALLTOALLV);
NATIVE(alltoallw, CT_ALLTOALLW);
NATIVE(reduce, CT_REDUCE);
NATIVE(reduce_scatter_block, CT_REDUCE_SCATTER_BLOCK);
NATIVE(reduce_scatter, CT_REDUCE_SCATTER);
NATIVE(allreduce, CT_ALLREDUCE);
NATIVE(scan, CT_SCAN);
NATIVE(exscan, CT_EXSCAN);
