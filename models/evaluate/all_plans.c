/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/evaluate/all_plans.h"
#include "algorithms/routing.h"
#include "base/memory.h"

int ct_all_plans_make(const struct ct_method *method, const struct ct_call *call, size_t most_steps,
                      struct ct_plan **ret_plans)
{
    struct ct_plan *plans = ct_allocate((size_t)call->size, sizeof *plans), plan = {0};
    size_t steps = 0;
    int status = plans ? CT_OK : CT_E_MEMORY;
    for (int rank = 0; status == CT_OK && rank < call->size; rank++) {
        struct ct_call own = ct_call_of_rank(method->algorithm->collective, call, rank);
        ct_plan_reset(&plan);
        status = ct_method_build(method, &plan, &own);
        steps += plan.step_count;
        if (status == CT_OK && steps > most_steps)
            status = CT_E_LIMIT;
        if (status == CT_OK)
            status = ct_plan_copy(&plan, &plans[rank]);
    }
    ct_plan_free(&plan);
    if (status == CT_OK)
        *ret_plans = plans;
    else if (plans)
        ct_plans_free_all(plans, call->size);
    return status;
}
