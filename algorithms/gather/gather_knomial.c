/* SPDX-License-Identifier: BSD-3-Clause */
/* As gather/binomial, up a k-nomial tree, which is flatter. Messages from different children overlap. */
#include "algorithms/descriptor.h"
#include "algorithms/gather_scatter.h"
#include "algorithms/shared_parameters.h"

const struct ct_descriptor ct_gather_knomial = {
    .text = "up a k-nomial tree, a subtree's blocks in one message",
    .source = "MPICH 4.0, Igather tsp_tree knomial",
    .cost = "(radix - 1) ceil(log_radix P) alpha + (P - 1) m beta",
    .parameters = {&ct_wide_radix_parameter},
    .build = ct_gather_tree,
};
