/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REGISTRY_H
#define CT_ALGORITHMS_REGISTRY_H

#include "algorithms/algorithm.h"

/* The descriptors that registry.def lists, named ct_<collective>_<name>. */
#define ALGORITHM(collective, name)       extern const struct ct_descriptor ct_##collective##_##name;
#define VARIANT(collective, folder, name) ALGORITHM(collective, name)
#include "algorithms/registry.def"

#endif
