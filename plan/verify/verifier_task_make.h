/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_TASK_MAKE_H
#define CT_PLAN_VERIFY_VERIFIER_TASK_MAKE_H

#include "plan/call.h"
#include "plan/verify/verifier_task.h"

/* The task of a collective in a call of all ranks, as ct_verify() uses it. CT_OK or CT_E_MEMORY. */
int ct_task_make(enum ct_collective collective, const struct ct_call *call, struct ct_task_memory *memory,
                 struct ct_task *ret_task);

#endif
