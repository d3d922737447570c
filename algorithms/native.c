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
NATIVE(reduce, CT_REDUCE);
NATIVE(allreduce, CT_ALLREDUCE);
