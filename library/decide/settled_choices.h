/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LIBRARY_SETTLED_CHOICES_H
#define CT_LIBRARY_SETTLED_CHOICES_H

#include "library/decide/choice.h"
#include "library/execute/topology.h"

/* What the ranks have settled on for calls of a sparse collective whose method depends on the pattern
 * (pattern_choices.h). */

/* They settle on a choice, and on lengths (sparse_calls.h), after so many calls in a row with the same. */
enum { CT_SETTLED_AFTER = 8 };

/* The choices of a collective, which are kept with the topology. */
struct ct_pattern_choices *ct_pattern_choices_of(const struct ct_topology *topology,
                                                 enum ct_collective collective);

/* What the ranks have settled on; NULL: they have not. */
struct ct_choice *ct_pattern_choice_settled(const struct ct_topology *topology,
                                            enum ct_collective collective);

/* Counts a decision, which all ranks have made. */
void ct_pattern_choices_settle(struct ct_pattern_choices *choices, struct ct_choice *choice);

/* Lengths have changed: the ranks leave a method that needs routes. All ranks call it between the same calls.
 */
void ct_pattern_choices_unsettle(struct ct_topology *topology, enum ct_collective collective);

#endif
