/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/registry.h"

/* The registry with methods that do what methods must not: to be linked instead of the usual one. */

extern const struct ct_algorithm bcast_test_crash, bcast_test_hang, bcast_test_wrong;

const struct ct_algorithm *const ct_algorithms[] = {
#define ALGORITHM(collective, name)    &collective##_##name,
#define FORM(collective, folder, name) ALGORITHM(collective, name)
#include "algorithms/registry.def"
#undef FORM
#undef ALGORITHM
    &bcast_test_crash,
    &bcast_test_hang,
    &bcast_test_wrong,
};

const size_t ct_algorithm_count = sizeof ct_algorithms / sizeof ct_algorithms[0];
