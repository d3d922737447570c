/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_PLAN_VERIFY_MUTATIONS_H
#define CT_TESTS_PLAN_VERIFY_MUTATIONS_H

#include "algorithms/method.h"
#include "plan/plan.h"
#include "plan/verify/verifier_task.h"

/* Changes of one place of a plan, of which most break it. */

/* A step of a plan to be changed. */
struct place {
    struct ct_plan *plan;
    size_t index;
    size_t round;
    struct ct_step *step;
    int size; /* ranks */
    const struct ct_share *share;
    uint64_t *random;
};

/* False where the mutation does not fit the step. */
typedef bool mutate(struct place *place);

struct mutation {
    const char *name;
    mutate *apply;
};

enum { MUTATIONS = 11 };
extern const struct mutation mutations[MUTATIONS];

/* A random number below n. */
size_t mutation_below(uint64_t *random, size_t n);

/* A random step of a plan that has any, which `share` belongs to, of one of `size` ranks. */
struct place mutation_place(struct ct_plan *plan, const struct ct_share *share, int size, uint64_t *random);

/* Counts the cases that the verifier visits: `context` is a size_t. */
int mutation_count_case(const struct ct_method *method, const struct ct_call *call, void *context);

#endif
