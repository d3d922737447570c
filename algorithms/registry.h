/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REGISTRY_H
#define CT_ALGORITHMS_REGISTRY_H

#include "algorithms/algorithm.h"

/* The descriptors that registry.c lists; each stands in the file of its name. */

extern const struct ct_algorithm barrier_native, barrier_linear, barrier_dissemination;
extern const struct ct_algorithm bcast_native, bcast_linear, bcast_chain, bcast_pipeline, bcast_binary,
    bcast_binomial, bcast_split_binary;
extern const struct ct_algorithm reduce_native, reduce_pipeline, reduce_binomial;
extern const struct ct_algorithm allreduce_native, allreduce_reduce_bcast, allreduce_recursive_doubling,
    allreduce_ring;

#endif
