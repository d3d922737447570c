/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaks right plans at random, in one place each, and counts how many the prover refuses. A few mutants are
 * as right as the plan was; they count as passed all the same. */
#include "algorithms/prover_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { RANKS_MAX = 24, CASES_APART = 7, MUTANTS_OF_A_CASE = 6 };

enum mutation { PEER, OFFSET, LENGTH, OPERANDS, DROP, MUTATIONS };

static const char *const names[] = {"peer", "offset", "length", "operands", "drop"};

struct mutants {
    struct ct_prover *prover;
    struct ct_plan plans[RANKS_MAX];
    struct ct_task_memory memory;
    uint64_t random;
    size_t cases;
    size_t made[MUTATIONS];
    size_t passed[MUTATIONS];
};

static size_t below(struct mutants *mutants, size_t n)
{
    mutants->random += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = mutants->random;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (size_t)((x ^ x >> 31) % n);
}

static bool is_message(const struct ct_step *step)
{
    return step->kind == CT_STEP_SEND || step->kind == CT_STEP_RECEIVE;
}

static void drop_step(struct ct_plan *plan, size_t index)
{
    for (size_t i = index; i + 1 < plan->step_count; i++)
        plan->steps[i] = plan->steps[i + 1];
    plan->step_count--;
    for (size_t i = 0; i < plan->round_count; i++)
        plan->rounds[i].end -= plan->rounds[i].end > index;
}

/* False where the mutation does not fit the step. */
static bool mutate(struct mutants *mutants, struct ct_plan *plan, size_t index, enum mutation mutation,
                   int size)
{
    struct ct_step *step = &plan->steps[index];
    size_t up = below(mutants, 2);
    switch (mutation) {
    case PEER: {
        int peer = (int)below(mutants, (size_t)size);
        if (!is_message(step) || peer == step->peer)
            return false;
        step->peer = peer;
        return true;
    }
    case OFFSET: {
        bool other = !is_message(step) && below(mutants, 2);
        if (step->n == 0 || step->kind == CT_STEP_WAIT)
            return false;
        size_t *offset = other ? &step->other_offset : &step->offset;
        *offset = up || *offset == 0 ? *offset + 1 : *offset - 1;
        return true;
    }
    case LENGTH:
        if (step->kind == CT_STEP_WAIT)
            return false;
        step->n = up || step->n == 0 ? step->n + 1 : step->n - 1;
        return true;
    case OPERANDS: {
        if (step->kind != CT_STEP_REDUCE)
            return false;
        unsigned buffer = step->buffer;
        size_t offset = step->offset;
        step->buffer = step->other;
        step->offset = step->other_offset;
        step->other = buffer & (CT_BUFFERS_MAX - 1);
        step->other_offset = offset;
        return true;
    }
    default:
        drop_step(plan, index);
        return true;
    }
}

static void build(struct mutants *mutants, const struct ct_method *method, const struct ct_call *call,
                  int rank)
{
    struct ct_call own = ct_call_of_rank(method->algorithm->collective, call, rank);
    ct_plan_reset(&mutants->plans[rank]);
    assert_int_equal(ct_method_build(method, &mutants->plans[rank], &own), CT_OK);
}

static int break_case(const struct ct_method *method, const struct ct_call *call, void *context)
{
    struct mutants *mutants = context;
    if (mutants->cases++ % CASES_APART != 0)
        return CT_OK;
    struct ct_task task;
    assert_int_equal(ct_task_make(method->algorithm->collective, call, &mutants->memory, &task), CT_OK);
    for (int rank = 0; rank < call->size; rank++)
        build(mutants, method, call, rank);
    struct ct_error error = {{0}};
    struct ct_proof proof;
    assert_int_equal(ct_prove_plans(mutants->prover, &task, mutants->plans, &error, &proof), CT_OK);
    for (int i = 0; i < MUTANTS_OF_A_CASE; i++) {
        int rank = (int)below(mutants, (size_t)call->size);
        struct ct_plan *plan = &mutants->plans[rank];
        enum mutation mutation = (enum mutation)below(mutants, MUTATIONS);
        if (plan->step_count == 0 ||
            !mutate(mutants, plan, below(mutants, plan->step_count), mutation, call->size))
            continue;
        int status = ct_prove_plans(mutants->prover, &task, mutants->plans, &error, &proof);
        assert_true(status == CT_OK ||
                    (status == CT_E_ANSWER && proof.flaw != CT_FLAW_NONE && error.text[0]));
        mutants->made[mutation]++;
        mutants->passed[mutation] += status == CT_OK;
        build(mutants, method, call, rank);
    }
    return CT_OK;
}

static void test_mutants_are_refused(void **state)
{
    (void)state;
    const int sizes[] = {2, 3, 4, 5, 6, 7, 8, 11, 16, 19};
    static struct mutants mutants;
    mutants.prover = ct_prover_new();
    assert_non_null(mutants.prover);
    for (size_t a = 0; a < ct_algorithm_count; a++) {
        for (size_t s = 0; ct_algorithms[a]->build && s < sizeof sizes / sizeof sizes[0]; s++) {
            const struct ct_grid grid = {.algorithm = ct_algorithms[a], .size = sizes[s]};
            struct ct_grid_skipped skipped;
            mutants.random = a * 1000 + s;
            assert_int_equal(ct_grid_visit(&grid, break_case, &mutants, &skipped), CT_OK);
        }
    }
    size_t made = 0, passed = 0;
    for (int i = 0; i < MUTATIONS; i++) {
        print_message("%-9s %7zu mutants, %4zu not refused\n", names[i], mutants.made[i], mutants.passed[i]);
        assert_true(mutants.made[i] > 100);
        made += mutants.made[i];
        passed += mutants.passed[i];
    }
    assert_true(passed * 100 <= made);
    for (int i = 0; i < RANKS_MAX; i++)
        ct_plan_free(&mutants.plans[i]);
    ct_task_memory_free(&mutants.memory);
    ct_prover_free(mutants.prover);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
