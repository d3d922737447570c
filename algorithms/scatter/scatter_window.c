/* SPDX-License-Identifier: BSD-3-Clause */
/* The root sends every rank its block, at most `reqs` sends at once. */
#include "algorithms/descriptor.h"
#include "algorithms/gather_scatter.h"
#include "algorithms/shared_parameters.h"

const struct ct_descriptor ct_scatter_window = {
    .text = "the root sends to every rank, a few at a time",
    .source = "Open MPI 4.1, scatter 3 (linear_nb)",
    .cost = "(P - 1) (alpha + m beta)",
    .parameters = {&ct_requests_parameter},
    .build = ct_scatter_flat,
};
