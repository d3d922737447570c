/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_EXPLAIN_EXPLAIN_FLOW_H
#define CT_PLAN_EXPLAIN_EXPLAIN_FLOW_H

#include "plan/plan.h"

/* Which message moves when: the plans of all ranks laid along one row of bands. A message moves in the first
 * band in which both its ends can be posted if all ranks advance a round per band wherever they need not
 * wait. */

struct ct_arrow {
    int from, to;
    size_t n; /* units; 0: a token */
    size_t band;
    bool leaves; /* the node of its sender, which ct_explain() sets */
};

struct ct_flow {
    struct ct_arrow *arrows; /* by band, then sender, then receiver */
    size_t count;
    size_t bands;
};

/* In pictures. */
enum { CT_ARROWS_MAX = 20000 };

/* Messages that have but one end are left out. CT_OK; CT_E_LIMIT beyond `most` messages or for peers
 * out of range; CT_E_MEMORY. Caller frees with ct_flow_free(). */
int ct_flow_of(const struct ct_plan *plans, int size, size_t most, struct ct_flow *ret_flow);
void ct_flow_free(struct ct_flow *flow);

#endif
