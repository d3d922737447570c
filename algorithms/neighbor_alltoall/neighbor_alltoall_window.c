/* SPDX-License-Identifier: BSD-3-Clause */
/* As linear, with a bound on the messages that a rank sends at once. */
#include "algorithms/descriptor.h"
#include "algorithms/shared_parameters.h"
#include "algorithms/sparse.h"

const struct ct_descriptor ct_neighbor_alltoall_window = {
    .text = "all messages, with a bound on those outstanding",
    .source = "MPI 4.0, section 8.6",
    .cost = "d (alpha + m beta)",
    .parameters = {&ct_requests_parameter},
    .build = ct_sparse_blocks,
};

const struct ct_descriptor ct_neighbor_allgather_window = {
    .text = "all messages, with a bound on those outstanding",
    .source = "MPI 4.0, section 8.6",
    .cost = "d (alpha + m beta)",
    .parameters = {&ct_requests_parameter},
    .build = ct_sparse_one_block,
};
