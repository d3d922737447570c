/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/registry.h"

/* The registry with what the page on how to add an algorithm adds: to be linked instead of the usual one. */

#define ALGORITHM(collective, name) extern const struct ct_algorithm collective##_##name;
#include "page.def"
#undef ALGORITHM

const struct ct_algorithm *const ct_algorithms[] = {
#define ALGORITHM(collective, name)    &collective##_##name,
#define FORM(collective, folder, name) ALGORITHM(collective, name)
#include "algorithms/registry.def"
#include "page.def"
#undef FORM
#undef ALGORITHM
};

const size_t ct_algorithm_count = sizeof ct_algorithms / sizeof ct_algorithms[0];
