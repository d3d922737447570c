/* SPDX-License-Identifier: BSD-3-Clause */
/* In three steps: blocks for other nodes are gathered by representatives of this node, travel to the
 * representatives of theirs, in one message for each pair of nodes, and are scattered there. */
#include "algorithms/descriptor.h"
#include "algorithms/sparse.h"
#include "plan/routed_plan.h"

const struct ct_descriptor ct_neighbor_alltoall_node_aware = {
    .text = "in three steps by way of representatives of the nodes",
    .source = "Collom, Li, Bienz 2023, Optimizing irregular communication with neighborhood collectives and "
              "locality-aware parallelism",
    .cost = "2 (n - 1) alpha within a node, and one message for each pair of nodes",
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .parameters = {&ct_leaders_parameter},
    .forwarding = &ct_forwarding_nodes,
    .build = ct_routes_build,
};
