/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/constraints.h"

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
