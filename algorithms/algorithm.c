/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/algorithm.h"

#include <stdint.h>
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

const struct ct_constraint_description ct_constraints[] = {
    {CT_COMMUTATIVE, "commutative operation", is_commutative},
    {CT_POWER_OF_TWO, "power-of-two size", is_power_of_two},
    {CT_EVEN, "even size", is_even},
    {0, NULL, NULL},
};

const struct ct_parameter ct_segment_parameter = {
    .name = "seg",
    .text = "segment size in bytes, 0 does not cut",
    .least = 0,
    .most = SIZE_MAX,
    .standard = 0,
    .in_bytes = true,
    .sweep = "0,1K,8K,16K",
};

const struct ct_parameter ct_radix_parameter = {
    .name = "radix",
    .text = "fan-out, or number of chains",
    .least = 1,
    .most = 64,
    .standard = 2,
    .sweep = "2,4",
};

const struct ct_algorithm *ct_algorithm_find(enum ct_collective collective, const char *name)
{
    for (size_t i = 0; i < ct_algorithm_count; i++)
        if (ct_algorithms[i]->collective == collective && strcmp(ct_algorithms[i]->name, name) == 0)
            return ct_algorithms[i];
    return NULL;
}

bool ct_algorithm_applies(const struct ct_algorithm *algorithm, const struct ct_call *call,
                          const struct ct_constraint_description **ret_failed)
{
    unsigned open = algorithm->constraints;
    for (const struct ct_constraint_description *each = ct_constraints; open; each++) {
        if ((open & each->constraint) && !each->holds(call)) {
            if (ret_failed)
                *ret_failed = each;
            return false;
        }
        open &= ~(unsigned)each->constraint;
    }
    return true;
}

int ct_algorithm_parameter_count(const struct ct_algorithm *algorithm)
{
    int count = 0;
    while (count < CT_PARAMETERS_MAX && algorithm->parameters[count])
        count++;
    return count;
}
