/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REGISTRY_H
#define CT_ALGORITHMS_REGISTRY_H

#include "algorithms/algorithm.h"

/* The descriptors that registry.def lists, named <collective>_<name>. */
#define ALGORITHM(collective, name) extern const struct ct_algorithm collective##_##name;
#include "algorithms/registry.def"
#undef ALGORITHM

#endif
