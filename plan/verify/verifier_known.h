/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_KNOWN_H
#define CT_PLAN_VERIFY_VERIFIER_KNOWN_H

#include "base/hash.h"
#include "plan/plan.h"
#include "plan/verify/verifier_task.h"
#include "plan/verify/verifier_verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* Plans and their task in a form that is common to all that differ in names and scale only: docs/plan.md
 * says which these are, and why one verdict holds for all of them. */
struct ct_normal_form {
    bool ordered; /* operands must keep their order */
    int first;    /* the rank that is called 0, the next 1, and so on around */
    size_t scale; /* divides all lengths and positions */
};

/* 128 bits that tell plans and their task in a normal form from others. */
struct ct_fingerprint {
    uint64_t low, high;
};

/* What was found about plans without a flaw. */
struct ct_known_plan {
    uint64_t high; /* of the fingerprint */
    size_t steps, messages;
    size_t units; /* divided by the scale */
};

struct ct_known_plans {
    struct ct_hash_table table; /* by `low` */
    struct ct_known_plan *items;
    size_t count, capacity;
};

/* The normal form of plans that are alike from `root` on. */
struct ct_normal_form ct_normal_form_of(const struct ct_task *task, const struct ct_plan *plans, int root);
struct ct_fingerprint ct_fingerprint_of(const struct ct_task *task, const struct ct_plan *plans,
                                        const struct ct_normal_form *form);
/* False: these plans were not verified, or long ago. */
bool ct_known_find(const struct ct_known_plans *known, struct ct_fingerprint print,
                   const struct ct_normal_form *form, struct ct_verdict *ret_verdict);
/* CT_OK, CT_E_LIMIT or CT_E_MEMORY. */
int ct_known_add(struct ct_known_plans *known, struct ct_fingerprint print, const struct ct_normal_form *form,
                 const struct ct_verdict *verdict);
void ct_known_free(struct ct_known_plans *known);

#endif
