/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_SPARSE_TASK_H
#define CT_PLAN_VERIFY_VERIFIER_SPARSE_TASK_H

#include "plan/call.h"
#include "plan/verify/verifier_task.h"

/* ct_task_make() of a sparse collective, whose pattern must be whole: what a rank has for another one, that
 * one expects. */
int ct_sparse_task_make(enum ct_collective collective, const struct ct_call *call,
                        struct ct_task_memory *memory, struct ct_task *ret_task);

#endif
