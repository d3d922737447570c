/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_ROUTED_PLAN_H
#define CT_PLAN_ROUTED_PLAN_H

#include "plan/call.h"

/* Writes the plan of a call along call->routes. */
void ct_routes_build(struct ct_plan *plan, const struct ct_call *call);

#endif
