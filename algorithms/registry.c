/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/registry.h"

/* One line an algorithm. The order is data: ids and ties follow it. */
const struct ct_algorithm *const ct_algorithms[] = {
    &barrier_native,
    &barrier_linear,
    &barrier_dissemination,

    &bcast_native,
    &bcast_linear,
    &bcast_chain,
    &bcast_pipeline,
    &bcast_binary,
    &bcast_binomial,
    &bcast_split_binary,

    &reduce_native,
    &reduce_pipeline,
    &reduce_binomial,

    &allreduce_native,
    &allreduce_reduce_bcast,
    &allreduce_recursive_doubling,
    &allreduce_ring,
};

const size_t ct_algorithm_count = sizeof ct_algorithms / sizeof ct_algorithms[0];
