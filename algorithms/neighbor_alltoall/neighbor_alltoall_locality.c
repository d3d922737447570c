/* SPDX-License-Identifier: BSD-3-Clause */
/* As node_aware, but all ranks of a node represent it: each one talks to a part of the other nodes. */
#include "algorithms/descriptor.h"
#include "algorithms/sparse.h"
#include "plan/routed_plan.h"

const struct ct_descriptor ct_neighbor_alltoall_locality = {
    .text = "in three steps, each rank of a node for a part of the other nodes",
    .source = "Collom, Li, Bienz 2023, Optimizing irregular communication with neighborhood collectives and "
              "locality-aware parallelism",
    .cost = "2 (n - 1) alpha within a node, and one message for each pair of nodes, divided among n ranks",
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .forwarding = &ct_forwarding_nodes,
    .build = ct_routes_build,
};
