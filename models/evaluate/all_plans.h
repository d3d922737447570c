/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MODELS_EVALUATE_ALL_PLANS_H
#define CT_MODELS_EVALUATE_ALL_PLANS_H

#include "algorithms/method.h"
#include "plan/plan.h"

/* Writes the plans of all ranks of a call, to which the method applies, and whose routes are there if it
 * needs some. *ret_plans is an array by rank; ct_plans_free_all() (algorithms/routing.h) frees it. CT_OK;
 * CT_E_LIMIT, without a line anywhere, if they have more than `most_steps` steps; CT_E_MEMORY. */
int ct_all_plans_make(const struct ct_method *method, const struct ct_call *call, size_t most_steps,
                      struct ct_plan **ret_plans);

#endif
