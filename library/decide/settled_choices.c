/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/settled_choices.h"
#include "algorithms/routing.h"

struct ct_pattern_choices *ct_pattern_choices_of(const struct ct_topology *topology,
                                                 enum ct_collective collective)
{
    return (struct ct_pattern_choices *)&topology->choices[collective - CT_DENSE_COLLECTIVES];
}

struct ct_choice *ct_pattern_choice_settled(const struct ct_topology *topology, enum ct_collective collective)
{
    return ct_pattern_choices_of(topology, collective)->settled;
}

void ct_pattern_choices_unsettle(struct ct_topology *topology, enum ct_collective collective)
{
    struct ct_pattern_choices *choices = ct_pattern_choices_of(topology, collective);
    if (choices->settled && !ct_needs_routes(&choices->settled->method))
        return;
    choices->settled = choices->last = NULL;
    choices->alike = 0;
}

void ct_pattern_choices_settle(struct ct_pattern_choices *choices, struct ct_choice *choice)
{
    choices->alike = choice == choices->last ? choices->alike + 1 : 1;
    choices->last = choice;
    if (choices->alike == CT_SETTLED_AFTER)
        choices->settled = choice;
}
