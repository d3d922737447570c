/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/algorithm.h"

#include <string.h>

static bool is_commutative(const struct ct_call *call)
{
    return call->commutative;
}

static bool is_power_of_two(const struct ct_call *call)
{
    return (call->size & (call->size - 1)) == 0;
}

static bool is_even(const struct ct_call *call)
{
    return call->size % 2 == 0;
}

static bool has_nodes(const struct ct_call *call)
{
    return call->nodes && call->nodes->count > 1 && call->nodes->count < call->size;
}

const struct ct_constraint_description ct_constraints[] = {
    {CT_CONSTRAINT_COMMUTATIVE, "commutative operation", is_commutative},
    {CT_CONSTRAINT_POWER_OF_TWO, "power-of-two size", is_power_of_two},
    {CT_CONSTRAINT_EVEN, "even size", is_even},
    {CT_CONSTRAINT_NODES_KNOWN, "several nodes with several ranks", has_nodes},
    {0, NULL, NULL},
};

const struct ct_algorithm *ct_algorithm_find(enum ct_collective collective, const char *name)
{
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (ct_algorithms[i].collective == collective && strcmp(ct_algorithms[i].name, name) == 0)
            return &ct_algorithms[i];
    return NULL;
}

bool ct_constraints_hold(unsigned constraints, const struct ct_call *call,
                         const struct ct_constraint_description **ret_failed)
{
    for (const struct ct_constraint_description *each = ct_constraints; constraints; each++) {
        if ((constraints & each->constraint) && !each->holds(call)) {
            if (ret_failed)
                *ret_failed = each;
            return false;
        }
        constraints &= ~(unsigned)each->constraint;
    }
    return true;
}

int ct_parameter_count(const struct ct_descriptor *descriptor)
{
    int count = 0;
    while (count < CT_PARAMETERS_MAX && descriptor->parameters[count])
        count++;
    return count;
}

const struct ct_descriptor *ct_descriptor_named(size_t value, enum ct_collective collective)
{
    return ct_algorithm_find(collective, ct_algorithms[value].name)->descriptor;
}

static size_t value_for(const struct ct_parameter *parameter, const struct ct_descriptor *outer,
                        const size_t *outer_values)
{
    for (int i = 0; i < ct_parameter_count(outer); i++)
        if (strcmp(outer->parameters[i]->name, parameter->name) == 0)
            return outer_values[i];
    return ct_parameter_standard(parameter);
}

void ct_inner_build(struct ct_plan *plan, const struct ct_descriptor *outer, const struct ct_call *outer_call,
                    const struct ct_descriptor *inner, struct ct_call *inner_call)
{
    size_t values[CT_PARAMETERS_MAX];
    for (int i = 0; i < ct_parameter_count(inner); i++)
        values[i] = value_for(inner->parameters[i], outer, outer_call->values);
    inner_call->values = values;
    inner->build(plan, inner_call);
}
