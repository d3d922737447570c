/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_ALGORITHM_LIST_H
#define CT_ALGORITHMS_ALGORITHM_LIST_H

#include "algorithms/descriptor.h"

/* Algorithms, among which the values of some parameters name one: by its index. */
struct ct_algorithm_list {
    const struct ct_algorithm *items;
    size_t count;
};

/* The algorithm of that name; NULL where there is none. */
const struct ct_algorithm *ct_list_find(const struct ct_algorithm_list *list, enum ct_collective collective,
                                        const char *name);

/* May the parameter name this algorithm? It must have a plan and need no special size or nodes, and the other
 * collectives must have one of its name for which the same holds. */
bool ct_list_allows(const struct ct_algorithm_list *list, const struct ct_parameter *parameter,
                    const struct ct_algorithm *algorithm);

/* The index of the algorithm of that name, if the parameter may name it; else false. */
bool ct_list_index(const struct ct_algorithm_list *list, const struct ct_parameter *parameter,
                   const char *name, size_t *ret_index);

/* The value of a parameter where a method does not name it. */
size_t ct_list_standard(const struct ct_algorithm_list *list, const struct ct_parameter *parameter);

#endif
