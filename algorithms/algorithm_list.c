/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/algorithm_list.h"

#include <string.h>

const struct ct_algorithm *ct_list_find(const struct ct_algorithm_list *list, enum ct_collective collective,
                                        const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].collective == collective && strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

static bool is_plain(const struct ct_algorithm *algorithm)
{
    return algorithm && ct_has_plan(algorithm) && !algorithm->descriptor->forwarding &&
           !(algorithm->descriptor->constraints & ~(unsigned)CT_CONSTRAINT_COMMUTATIVE);
}

bool ct_list_allows(const struct ct_algorithm_list *list, const struct ct_parameter *parameter,
                    const struct ct_algorithm *algorithm)
{
    if (!is_plain(algorithm) || algorithm->collective != parameter->inner[0])
        return false;
    for (int i = 1; i < parameter->inner_count; i++)
        if (!is_plain(ct_list_find(list, parameter->inner[i], algorithm->name)))
            return false;
    return true;
}

bool ct_list_index(const struct ct_algorithm_list *list, const struct ct_parameter *parameter,
                   const char *name, size_t *ret_index)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->items[i].name, name) != 0 || !ct_list_allows(list, parameter, &list->items[i]))
            continue;
        *ret_index = i;
        return true;
    }
    return false;
}

size_t ct_list_standard(const struct ct_algorithm_list *list, const struct ct_parameter *parameter)
{
    size_t index = 0;
    if (!parameter->standard_name)
        return parameter->standard;
    ct_list_index(list, parameter, parameter->standard_name, &index);
    return index;
}
