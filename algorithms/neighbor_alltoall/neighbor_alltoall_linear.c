/* SPDX-License-Identifier: BSD-3-Clause */
/* All messages are posted at once, in the order of the neighbors. An exchange finds its sources before. */
#include "algorithms/descriptor.h"
#include "algorithms/sparse.h"
#include "plan/routed_plan.h"

const struct ct_descriptor ct_neighbor_alltoall_linear = {
    .text = "all messages at once",
    .source = "MPI 4.0, section 8.6",
    .cost = "d (alpha + m beta)",
    .build = ct_sparse_blocks,
};

const struct ct_descriptor ct_neighbor_allgather_linear = {
    .text = "all messages at once",
    .source = "MPI 4.0, section 8.6",
    .cost = "d (alpha + m beta)",
    .build = ct_sparse_one_block,
};

const struct ct_descriptor ct_exchange_linear = {
    .text = "all messages at once, after the sources are found",
    .source =
        "Hoefler, Siebert, Lumsdaine 2010, Scalable communication protocols for dynamic sparse data exchange",
    .cost = "d (alpha + m beta)",
    .forwarding = &ct_forwarding_direct,
    .build = ct_routes_build,
};
