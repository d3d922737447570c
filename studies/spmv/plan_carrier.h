/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_STUDIES_PLAN_CARRIER_H
#define CT_STUDIES_PLAN_CARRIER_H

#include "plan/plan.h"

/* Carries out the plans of all ranks in one process, with real numbers: of data movers whose buffers are made
 * of blocks, one unit being a double. A send hands over its data when it is posted. */

/* The two buffers of a rank: where blocks begin, by block, and how long all are. */
struct ct_carried_buffers {
    const size_t *send_begins;
    size_t send_length;
    const size_t *recv_begins;
    size_t recv_length;
};

/* What is exchanged, and what it is for. */
struct ct_carried_data {
    void *context; /* passed to the functions */
    struct ct_carried_buffers (*buffers)(void *context, int rank);
    void (*fill)(void *context, int rank, double *send);      /* before the plans are carried out */
    void (*use)(void *context, int rank, const double *recv); /* rank after rank, when they all have been */
};

/* CT_OK; CT_E_ANSWER with a line in `error` where ranks wait for ever, a message differs in length from its
 * receive, is never received, or a step is no data mover's; CT_E_MEMORY. */
int ct_carry_plans(const struct ct_plan *plans, int size, const struct ct_carried_data *data,
                   struct ct_error *error);

#endif
