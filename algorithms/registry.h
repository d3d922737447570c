/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_REGISTRY_H
#define CT_ALGORITHMS_REGISTRY_H

#include "algorithms/algorithm_list.h"

/* The registry: all algorithms in the order that ids and ties follow, by collective, `native` first. */
extern const struct ct_algorithm ct_algorithms[];
extern const size_t ct_algorithm_count;

/* The same as a list. */
extern const struct ct_algorithm_list ct_registry;

/* Beside the registry, by collective: `foreign` stands for methods that others measured and that only they
 * can carry out. Runs and tables may hold them. */
extern const struct ct_algorithm ct_foreign_algorithms[CT_COLLECTIVES];

static inline bool ct_is_foreign(const struct ct_algorithm *algorithm)
{
    return algorithm == &ct_foreign_algorithms[algorithm->collective];
}

/* Is it the MPI library's own? */
static inline bool ct_is_native(const struct ct_algorithm *algorithm)
{
    return !ct_has_plan(algorithm) && !ct_is_foreign(algorithm);
}

#endif
