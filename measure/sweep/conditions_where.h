/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_CONDITIONS_WHERE_H
#define CT_MEASURE_SWEEP_CONDITIONS_WHERE_H

#include "measure/sweep/making_conditions.h"

/* Where a sweep measures. */

/* The numbers of ranks on a node that are asked for, rising; none where that is open. CT_OK; CT_E_INPUT,
 * CT_E_LIMIT with a line; CT_E_MEMORY. Caller frees. */
int ct_conditions_parse_ppn(const struct ct_making_conditions *making, size_t **ret_ppns, size_t *ret_count);

/* Chooses the place, its nodes, and how jobs start there. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a
 * line; CT_E_MEMORY. What was chosen before a failure stays in the conditions. */
int ct_conditions_choose_where(const struct ct_making_conditions *making);
/* The nodes that a job of so many ranks needs, of `nodes.count`; 0 if jobs do not run side by side. */
size_t ct_sweep_conditions_nodes(const struct ct_sweep_conditions *conditions, size_t ranks);

#endif
