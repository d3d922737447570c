/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of ranks with common destinations send to these together. */
#include "algorithms/descriptor.h"
#include "algorithms/sparse.h"
#include "plan/routed_plan.h"

const struct ct_descriptor ct_neighbor_alltoall_common_neighbors = {
    .text = "groups of ranks send to their common destinations together",
    .source = "Ghazimirsaeed 2019, section 7.2",
    .cost = "(m / k + k - 1) alpha for the m common destinations of a group",
    .parameters = {&ct_friends_parameter, &ct_within_parameter, &ct_friends_order_parameter,
                   &ct_threshold_parameter},
    .forwarding = &ct_forwarding_friends,
    .build = ct_routes_build,
};
