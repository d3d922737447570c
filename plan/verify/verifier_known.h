/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_KNOWN_H
#define CT_PLAN_VERIFY_VERIFIER_KNOWN_H

#include "base/hash.h"
#include "plan/plan.h"
#include "plan/verify/verifier_task.h"
#include "plan/verify/verifier_verdict.h"

/* 128 bits that tell plans and their task from others. */
struct ct_fingerprint {
    uint64_t low, high;
};

/* What was found about plans without a flaw. */
struct ct_known_plan {
    uint64_t high; /* of the fingerprint */
    size_t steps, messages, units;
};

struct ct_known_plans {
    struct ct_hash_table table; /* by `low` */
    struct ct_known_plan *items;
    size_t count, capacity;
};

struct ct_fingerprint ct_fingerprint_of(const struct ct_task *task, const struct ct_plan *plans);
/* NULL: these plans were not verified, or long ago. */
const struct ct_known_plan *ct_known_find(const struct ct_known_plans *known, struct ct_fingerprint print);
/* CT_OK or CT_E_MEMORY. */
int ct_known_add(struct ct_known_plans *known, struct ct_fingerprint print, const struct ct_verdict *verdict);
void ct_known_free(struct ct_known_plans *known);

#endif
