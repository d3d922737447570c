/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks travel along the dimensions of a grid of all ranks, one after another. In each stage a rank sends
 * one message to those of its line for which it has blocks, so it sends few messages however many
 * destinations it has. */
#include "algorithms/registry.h"
#include "algorithms/sparse.h"
#include "plan/routes.h"

const struct ct_descriptor ct_neighbor_alltoall_grid = {
    .text = "along the dimensions of a grid, combining messages",
    .source = "Selvitopi, Aykanat 2019, algorithm 1",
    .cost = "at most sum over the dimensions of (k_i - 1) alpha, and each block up to dims times",
    .parameters = {&ct_dimensions_parameter},
    .forwarding = &ct_forwarding_grid,
    .build = ct_routes_build,
};
