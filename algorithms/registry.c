/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/registry.h"

const struct ct_algorithm *const ct_algorithms[] = {
#define ALGORITHM(collective, name)    &collective##_##name,
#define FORM(collective, folder, name) ALGORITHM(collective, name)
#include "algorithms/registry.def"
#undef FORM
#undef ALGORITHM
};

const size_t ct_algorithm_count = sizeof ct_algorithms / sizeof ct_algorithms[0];
