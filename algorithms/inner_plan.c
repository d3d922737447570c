/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/inner_plan.h"
#include "algorithms/algorithm_list.h"

#include <string.h>

const struct ct_descriptor *ct_inner_descriptor(const struct ct_call *outer_call,
                                                const struct ct_parameter *parameter,
                                                enum ct_collective collective)
{
    const struct ct_algorithm_list *list = outer_call->algorithms;
    const size_t value = ct_value(outer_call, parameter);
    assert(value < list->count);
    return ct_list_find(list, collective, list->items[value].name)->descriptor;
}

static size_t value_for(const struct ct_parameter *parameter, const struct ct_call *outer_call)
{
    const struct ct_descriptor *outer = outer_call->descriptor;
    for (int i = 0; i < ct_parameter_count(outer); i++)
        if (strcmp(outer->parameters[i]->name, parameter->name) == 0)
            return outer_call->values[i];
    return ct_list_standard(outer_call->algorithms, parameter);
}

void ct_inner_build(struct ct_plan *plan, const struct ct_call *outer_call, const struct ct_descriptor *inner,
                    struct ct_call *inner_call)
{
    size_t values[CT_PARAMETERS_MAX];
    for (int i = 0; i < ct_parameter_count(inner); i++)
        values[i] = value_for(inner->parameters[i], outer_call);
    inner_call->algorithms = outer_call->algorithms;
    inner_call->descriptor = inner;
    inner_call->values = values;
    inner->build(plan, inner_call);
}
