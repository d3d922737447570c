/* SPDX-License-Identifier: BSD-3-Clause */
/* Breaks right plans at random, in one place each. Those with which the plans, carried out on numbers, no
 * longer do what the collective is for, the verifier must refuse. Plans of reductions are broken as they are
 * written and as they are fused. */
#include "algorithms/routing.h"
#include "concrete.h"
#include "mutations.h"
#include "plan/fuse.h"
#include "plan/step_text.h"
#include "plan/verify/verifier_cases.h"
#include "plan/verify/verifier_task_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS_MAX = 24, CASES_OF_A_SIZE = 80, MUTANTS_OF_A_CASE = 6, SHOWN = 3, LEAST_PERCENT = 99 };

struct tally {
    size_t made;
    size_t harmful; /* change the outcome */
    size_t refused; /* of these */
    size_t harmless;
    size_t strict; /* of these refused all the same: what is of no use, or right by luck only */
};

struct mutants {
    struct ct_verifier *verifier;
    struct concrete *concrete;
    struct ct_plan plans[RANKS_MAX];
    struct ct_task_memory memory;
    struct ct_task task;
    uint64_t random;
    size_t cases; /* of the size at hand */
    bool fuses;
    size_t fused; /* steps of all plans */
    size_t apart;
    struct tally by_kind[MUTATIONS];
    struct tally of_algorithm;
};

static bool is_near(const void *context, int peer)
{
    (void)context;
    return peer % 5 != 4;
}

static void build(struct mutants *mutants, const struct ct_method *method, const struct ct_call *call,
                  int rank)
{
    struct ct_call own = ct_call_of_rank(method->algorithm->collective, call, rank);
    ct_plan_reset(&mutants->plans[rank]);
    assert_int_equal(ct_method_build(method, &mutants->plans[rank], &own), CT_OK);
    const struct ct_fusion fusion = {.is_near = is_near};
    size_t fused = 0;
    if (mutants->fuses)
        assert_int_equal(ct_plan_fuse(&mutants->plans[rank], &fusion, &fused), CT_OK);
    mutants->fused += fused;
}

static void say_survivor(const struct ct_method *method, const struct ct_call *call, int rank,
                         const struct place *place, const struct ct_step *before,
                         const struct mutation *mutation, bool harmful)
{
    char spelling[CT_METHOD_TEXT], old_words[CT_STEP_TEXT], new_words[CT_STEP_TEXT] = "";
    if (place->index < place->plan->step_count)
        ct_step_format(place->step, new_words);
    print_message("%s, %s: %s, %d ranks, root %d, count %zu%s%s: rank %d, round %zu: %s -> %s\n",
                  harmful ? "MISSED" : "harmless", mutation->name, ct_method_format(method, true, spelling),
                  call->size, call->root, call->count, call->in_place ? ", in place" : "",
                  call->commutative ? "" : ", ordered", rank, place->round, ct_step_format(before, old_words),
                  new_words);
}

static bool is_refused(struct mutants *mutants)
{
    struct ct_error error = {{0}};
    struct ct_verdict verdict;
    int status = ct_verify_plans(mutants->verifier, &mutants->task, mutants->plans, &error, &verdict);
    assert_true(status == CT_OK || (status == CT_E_ANSWER && verdict.flaw != CT_FLAW_NONE && error.text[0]));
    return status == CT_E_ANSWER;
}

static void count(struct tally *tally, bool harmful, bool refused)
{
    tally->made++;
    tally->harmful += harmful;
    tally->refused += harmful && refused;
    tally->harmless += !harmful;
    tally->strict += !harmful && refused;
}

static void break_plan(struct mutants *mutants, const struct ct_method *method, const struct ct_call *call,
                       size_t kind)
{
    int rank = (int)mutation_below(&mutants->random, (size_t)call->size);
    if (mutants->plans[rank].step_count == 0)
        return;
    struct place place =
        mutation_place(&mutants->plans[rank], &mutants->task.shares[rank], call->size, &mutants->random);
    const struct ct_step before = *place.step;
    if (mutations[kind].apply(&place)) {
        bool harmful = !concrete_is_right(mutants->concrete, mutants->plans), refused = is_refused(mutants);
        struct tally *tally = &mutants->by_kind[kind];
        count(tally, harmful, refused);
        count(&mutants->of_algorithm, harmful, refused);
        if (!refused && (harmful || tally->harmless - tally->strict <= SHOWN))
            say_survivor(method, call, rank, &place, &before, &mutations[kind], harmful);
    }
    build(mutants, method, call, rank);
}

static int break_case(const struct ct_method *method, const struct ct_call *call, void *context)
{
    struct mutants *mutants = context;
    struct ct_call routed = *call;
    struct ct_routes *routes = NULL;
    struct ct_error error = {{0}};
    if (mutants->cases++ % mutants->apart != 0)
        return CT_OK;
    if (ct_needs_routes(method))
        assert_int_equal(ct_routes_make(method, call, &error, &routes), CT_OK);
    routed.routes = routes;
    mutants->fuses = ct_collectives[method->algorithm->collective].reduces && mutants->cases % 2 == 0;
    assert_int_equal(ct_task_make(method->algorithm->collective, call, &mutants->memory, &mutants->task),
                     CT_OK);
    for (int rank = 0; rank < call->size; rank++)
        build(mutants, method, &routed, rank);
    concrete_prepare(mutants->concrete, &mutants->task, mutants->plans);
    assert_false(is_refused(mutants));
    assert_true(concrete_is_right(mutants->concrete, mutants->plans));
    for (int i = 0; i < MUTANTS_OF_A_CASE; i++)
        break_plan(mutants, method, &routed, mutation_below(&mutants->random, MUTATIONS));
    ct_routes_free_all(routes, call->size);
    return CT_OK;
}

static void break_algorithm(struct mutants *mutants, size_t index)
{
    const int sizes[] = {2, 3, 4, 5, 6, 7, 8, 11, 16, 19};
    const size_t tried = FEWER_CASES ? 7 : sizeof sizes / sizeof sizes[0];
    mutants->of_algorithm = (struct tally){0};
    for (size_t s = 0; s < tried; s++) {
        const size_t counts[] = {1, 6, (size_t)sizes[s] + 1};
        const struct ct_cases cases = {
            .algorithm = &ct_algorithms[index], .size = sizes[s], .counts = counts, .count_count = 3};
        struct ct_cases_skipped skipped;
        size_t number = 0;
        assert_int_equal(ct_cases_visit(&cases, mutation_count_case, &number, &skipped), CT_OK);
        mutants->cases = 0;
        mutants->apart = 1 + number / CASES_OF_A_SIZE;
        mutants->random = index * 1000 + s;
        assert_int_equal(ct_cases_visit(&cases, break_case, mutants, &skipped), CT_OK);
    }
}

static bool enough_refused(const struct tally *tally)
{
    return tally->refused * 100 >= tally->harmful * LEAST_PERCENT;
}

static void print_tally(const char *name, const struct tally *tally)
{
    print_message("%-10s %7zu %8zu %8zu %7zu %9zu %8zu\n", name, tally->made, tally->harmful, tally->refused,
                  tally->harmful - tally->refused, tally->harmless, tally->strict);
}

static void test_mutants_are_refused(void **state)
{
    (void)state;
    static struct mutants mutants;
    mutants.verifier = ct_verifier_new();
    mutants.concrete = concrete_new();
    assert_true(mutants.verifier && mutants.concrete);
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        /* test_routing.c breaks the routes of sparse collectives. */
        if (ct_is_native(&ct_algorithms[i]) || ct_collectives[ct_algorithms[i].collective].is_sparse)
            continue;
        break_algorithm(&mutants, i);
        const struct tally *tally = &mutants.of_algorithm;
        if (tally->harmful == 0 || !enough_refused(tally))
            fail_msg("%s/%s: %zu of %zu refused", ct_collectives[ct_algorithms[i].collective].name,
                     ct_algorithms[i].name, tally->refused, tally->harmful);
    }
    struct tally all = {0};
    print_message("%-10s %7s %8s %8s %7s %9s %8s\n", "mutation", "mutants", "harmful", "refused", "missed",
                  "harmless", "refused");
    for (int i = 0; i < MUTATIONS; i++) {
        const struct tally *tally = &mutants.by_kind[i];
        print_tally(mutations[i].name, tally);
        all.made += tally->made;
        all.harmful += tally->harmful;
        all.refused += tally->refused;
        all.harmless += tally->harmless;
        all.strict += tally->strict;
    }
    print_tally("all", &all);
    for (int i = 0; i < MUTATIONS; i++)
        assert_true(enough_refused(&mutants.by_kind[i]));
    assert_true(mutants.fused > 1000);
    for (int i = 0; i < RANKS_MAX; i++)
        ct_plan_free(&mutants.plans[i]);
    ct_task_memory_free(&mutants.memory);
    concrete_free(mutants.concrete);
    ct_verifier_free(mutants.verifier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mutants_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
