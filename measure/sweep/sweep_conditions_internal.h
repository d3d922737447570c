/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_CONDITIONS_INTERNAL_H
#define CT_MEASURE_SWEEP_SWEEP_CONDITIONS_INTERNAL_H

#include "measure/sweep/sweep_conditions.h"

/* The parts of making a sweep's conditions. */

struct ct_making_conditions {
    const struct ct_sweep_request *request;
    const struct ct_run_description *before; /* of the run to be resumed; NULL: a new one */
    struct ct_sweep_conditions *conditions;
    struct ct_run_description *description; /* of the conditions */
    struct ct_error *error;
};

/* The numbers of ranks on a node that are asked for, rising; none where that is open. CT_OK; CT_E_INPUT,
 * CT_E_LIMIT with a line; CT_E_MEMORY. Caller frees. */
int ct_conditions_parse_ppn(const struct ct_making_conditions *making, size_t **ret_ppns, size_t *ret_count);

/* conditions_where.c: the place, its nodes, and how jobs start there. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a
 * line; CT_E_MEMORY. What was chosen before a failure stays in the conditions. */
int ct_conditions_choose_where(const struct ct_making_conditions *making);
/* conditions_what.c: what is measured at the place, which is chosen already. Likewise. */
int ct_conditions_choose_what(const struct ct_making_conditions *making);

#endif
