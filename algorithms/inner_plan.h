/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_ALGORITHMS_INNER_PLAN_H
#define CT_ALGORITHMS_INNER_PLAN_H

#include "algorithms/descriptor.h"

/* Plans made of plans. */

/* The descriptor of the algorithm of `collective` that the value of a parameter names in that call. */
const struct ct_descriptor *ct_inner_descriptor(const struct ct_call *outer_call,
                                                const struct ct_parameter *parameter,
                                                enum ct_collective collective);

/* Writes the plan of an inner call by `inner`, which does a part of the outer call's work: it takes the outer
 * values of parameters of the same name, and standard values for the others. */
void ct_inner_build(struct ct_plan *plan, const struct ct_call *outer_call, const struct ct_descriptor *inner,
                    struct ct_call *inner_call);

#endif
