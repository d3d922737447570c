/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_H
#define CT_PLAN_VERIFY_VERIFIER_H

#include "algorithms/method.h"
#include "plan/verify/verifier_task.h"
#include "plan/verify/verifier_verdict.h"

/* Verifies that the plans of all ranks together carry out a collective, for one size, root and set of counts,
 * by executing them symbolically: messages carry the origin of data instead of data. Every send waits for its
 * receive (rendezvous). As matching is static, more buffering never hurts, and the order in which ranks
 * advance does not matter. The cost depends on the number of steps, not on counts. */

struct ct_verifier;

/* A verifier keeps its memory between verifications. One thread uses it at a time. NULL without memory. */
struct ct_verifier *ct_verifier_new(void);
void ct_verifier_free(struct ct_verifier *verifier);

/* Verifies a method for one call of all ranks, see call.h. CT_OK and CT_E_ANSWER fill *ret_verdict;
 * CT_E_ANSWER, the plan is wrong, leaves one line in `error` that names rank, round and step. CT_E_INPUT
 * where the method has no plan; CT_E_MEMORY. */
int ct_verify(struct ct_verifier *verifier, const struct ct_method *method, const struct ct_call *call,
              struct ct_error *error, struct ct_verdict *ret_verdict);

/* The same, but plans that this verifier has verified before are not carried out again, nor those that differ
 * from them in the names of ranks or in scale only (by 128 bits that depend on every step; see docs/plan.md).
 * Then `traffic` is NULL. */
int ct_verify_once(struct ct_verifier *verifier, const struct ct_method *method, const struct ct_call *call,
                   struct ct_error *error, struct ct_verdict *ret_verdict);

/* The same for plans that are there already, plans[rank], of any collective. */
int ct_verify_plans(struct ct_verifier *verifier, const struct ct_task *task, const struct ct_plan *plans,
                    struct ct_error *error, struct ct_verdict *ret_verdict);

/* The same as ct_verify_once() does it. Of plans that differ only in `root` and in the names that all ranks
 * have relative to it, one is carried out. */
int ct_verify_plans_once(struct ct_verifier *verifier, const struct ct_task *task,
                         const struct ct_plan *plans, int root, struct ct_error *error,
                         struct ct_verdict *ret_verdict);

#endif
