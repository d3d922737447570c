/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_PLAN_CARRIER_H
#define CT_STUDIES_PLAN_CARRIER_H

#include "plan/plan.h"

/* Carries out the plans of all ranks in one process, with real numbers: of data movers whose buffers are made
 * of blocks, one unit being a double. A send hands over its data when it is posted. */

struct ct_carried_rank {
    const double *send;        /* blocks end to end */
    const size_t *send_begins; /* by block */
    double *recv;
    const size_t *recv_begins;
};

/* CT_OK; CT_E_ANSWER with a line in `error` where ranks wait for ever, a message differs in length from its
 * receive, is never received, or a step is no data mover's; CT_E_MEMORY. */
int ct_carry_plans(const struct ct_plan *plans, const struct ct_carried_rank *ranks, int size,
                   struct ct_error *error);

#endif
