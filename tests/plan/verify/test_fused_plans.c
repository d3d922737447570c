/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans of all methods, rewritten for ranks on one node and on several: they do what the plans do that were
 * written. Where the rewriting leaves a receive and a reduction alone, careless fusing is either right on
 * numbers all the same, or refused by the verifier. */
#include "algorithms/routing.h"
#include "concrete.h"
#include "plan/share_sends.h"
#include "plan/verify/verifier_cases.h"
#include "plan/verify/verifier_task_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS_MAX = 40, PLACEMENTS = 3 };

static struct {
    struct ct_verifier *verifier;
    struct concrete *concrete;
    struct ct_plan plans[RANKS_MAX];
    struct ct_task_memory memory;
    size_t receives, fused, shared, cases, careless, harmful;
    bool carelessly;
} state;

/* --- where ranks are --- */

struct place {
    int kind; /* all on one node, blocks of three, or in turn on two */
    int rank;
};

static int node_of(int kind, int rank)
{
    const int nodes[PLACEMENTS] = {0, rank / 3, rank % 2};
    return nodes[kind];
}

static bool is_near(const void *context, int peer)
{
    const struct place *place = context;
    return node_of(place->kind, peer) == node_of(place->kind, place->rank);
}

/* --- careless fusing --- */

static bool is_slice(unsigned buffer, size_t offset, size_t n, const struct ct_step *receive)
{
    return buffer == receive->buffer && offset == receive->offset && n == receive->n;
}

static bool is_lower(const struct ct_step *receive, const struct ct_step *reduction)
{
    return is_slice(reduction->buffer, reduction->offset, reduction->n, receive);
}

/* Does the reduction take what was received there? */
static bool can_fuse(const struct ct_step *receive, const struct ct_step *reduction)
{
    return receive->kind == CT_STEP_RECEIVE && receive->n > 0 && reduction->kind == CT_STEP_REDUCE &&
           (is_lower(receive, reduction) ||
            is_slice(reduction->other, reduction->other_offset, reduction->n, receive));
}

/* Makes these two steps one, whatever is between them. */
static void fuse_carelessly(struct ct_plan *plan, size_t receive, size_t reduction)
{
    struct ct_step *step = &plan->steps[receive], *local = &plan->steps[reduction];
    if (is_lower(step, local)) {
        step->kind = CT_STEP_RECEIVE_LOWER;
        step->buffer = local->other;
        step->offset = local->other_offset;
    } else {
        step->kind = CT_STEP_RECEIVE_UPPER;
        step->other = local->buffer;
        step->other_offset = local->offset;
    }
    memmove(local, local + 1, (plan->step_count - reduction - 1) * sizeof *local);
    plan->step_count--;
    for (size_t i = 0; i < plan->round_count; i++)
        plan->rounds[i].end -= plan->rounds[i].end > reduction;
}

static struct ct_plan copy_of(const struct ct_plan *plan)
{
    struct ct_plan copy;
    assert_int_equal(ct_plan_copy(plan, &copy), CT_OK);
    return copy;
}

static bool is_refused(const struct ct_task *task)
{
    struct ct_error error = {{0}};
    struct ct_verdict verdict;
    int status = ct_verify_plans(state.verifier, task, state.plans, &error, &verdict);
    assert_true(status == CT_OK || status == CT_E_ANSWER);
    return status == CT_E_ANSWER;
}

/* Fuses what the rewriting has left, one pair at a time, in the plan of one rank. */
static void try_careless(const struct ct_method *method, const struct ct_task *task, int rank)
{
    const struct ct_plan kept = state.plans[rank];
    for (size_t i = 0; i < kept.step_count; i++) {
        for (size_t k = 0; k < kept.step_count; k++) {
            if (!can_fuse(&kept.steps[i], &kept.steps[k]))
                continue;
            struct ct_plan broken = copy_of(&kept);
            fuse_carelessly(&broken, i, k);
            state.plans[rank] = broken;
            bool harmful = !concrete_is_right(state.concrete, state.plans), refused = is_refused(task);
            state.careless++;
            state.harmful += harmful;
            if (harmful && !refused)
                fail_msg("%s/%s, rank %d of %d: steps %zu and %zu were fused, and not refused",
                         ct_collectives[method->algorithm->collective].name, method->algorithm->name, rank,
                         task->size, i, k);
            ct_plan_free(&broken);
        }
    }
    state.plans[rank] = kept;
}

/* --- all methods --- */

static void build_fused(const struct ct_method *method, const struct ct_call *call, int kind)
{
    for (int rank = 0; rank < call->size; rank++) {
        const struct place place = {.kind = kind, .rank = rank};
        const struct ct_fusion fusion = {.is_near = is_near, .context = &place};
        struct ct_call own = ct_call_of_rank(method->algorithm->collective, call, rank);
        struct ct_plan *plan = &state.plans[rank];
        size_t fused;
        ct_plan_reset(plan);
        assert_int_equal(ct_method_build(method, plan, &own), CT_OK);
        for (size_t i = 0; i < plan->step_count; i++)
            state.receives += plan->steps[i].kind == CT_STEP_RECEIVE;
        if (ct_collectives[method->algorithm->collective].reduces)
            assert_int_equal(ct_plan_fuse(plan, &fusion, &fused), CT_OK);
        else
            fused = 0;
        state.fused += fused;
        ct_plan_share_sends(plan, &fusion, &fused);
        state.shared += fused;
    }
}

static int verify_fused(const struct ct_method *method, const struct ct_call *call, void *context)
{
    struct ct_error error = {{0}};
    struct ct_verdict verdict;
    struct ct_task task;
    struct ct_call routed = *call;
    struct ct_routes *routes = NULL;
    int kind = (int)(state.cases++ % PLACEMENTS);
    (void)context;
    if (ct_needs_routes(method))
        assert_int_equal(ct_routes_make(method, call, &error, &routes), CT_OK);
    routed.routes = routes;
    build_fused(method, &routed, kind);
    ct_routes_free_all(routes, call->size);
    assert_int_equal(ct_task_make(method->algorithm->collective, call, &state.memory, &task), CT_OK);
    int status = ct_verify_plans(state.verifier, &task, state.plans, &error, &verdict);
    if (status != CT_OK)
        fail_msg("%s/%s, %d ranks, count %zu, placement %d%s%s: %s",
                 ct_collectives[method->algorithm->collective].name, method->algorithm->name, call->size,
                 call->count, kind, call->in_place ? ", in place" : "", call->commutative ? "" : ", ordered",
                 error.text);
    if (state.carelessly) {
        concrete_prepare(state.concrete, &task, state.plans);
        assert_true(concrete_is_right(state.concrete, state.plans));
        for (int rank = 0; rank < call->size; rank++)
            try_careless(method, &task, rank);
    }
    return CT_OK;
}

static void visit(size_t algorithm, int size, const size_t *counts, size_t count_count)
{
    const struct ct_cases cases = {
        .algorithm = &ct_algorithms[algorithm], .size = size, .counts = counts, .count_count = count_count};
    struct ct_cases_skipped skipped;
    assert_int_equal(ct_cases_visit(&cases, verify_fused, NULL, &skipped), CT_OK);
}

static bool reduces(size_t algorithm)
{
    return !ct_is_native(&ct_algorithms[algorithm]) &&
           ct_collectives[ct_algorithms[algorithm].collective].reduces;
}

static void test_all_methods(void **unused)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 11, 16, 17, 33};
    const size_t tried = FEWER_CASES ? 6 : sizeof sizes / sizeof sizes[0];
    (void)unused;
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        if (ct_is_native(&ct_algorithms[i]) || ct_collectives[ct_algorithms[i].collective].is_sparse)
            continue;
        state.receives = state.fused = state.shared = 0;
        for (size_t s = 0; s < tried; s++)
            visit(i, sizes[s], NULL, 0);
        print_message("%-20s %-24s %7zu of %8zu receives fused, %zu sends shared\n",
                      ct_collectives[ct_algorithms[i].collective].name, ct_algorithms[i].name, state.fused,
                      state.receives, state.shared);
    }
}

static void test_careless_fusing(void **unused)
{
    const size_t counts[] = {1, 7};
    (void)unused;
    state.carelessly = true;
    for (size_t i = 0; i < ct_algorithm_count; i++)
        for (int size = 2; size <= 5 && reduces(i); size++)
            visit(i, size, counts, sizeof counts / sizeof counts[0]);
    state.carelessly = false;
    print_message("%zu pairs fused carelessly, %zu harmful, all of these refused\n", state.careless,
                  state.harmful);
    assert_true(state.harmful > 1000);
}

/* --- one condition at a time --- */

enum { N = 4 };

static bool everywhere(const void *context, int peer)
{
    (void)context;
    (void)peer;
    return true;
}

static size_t fuse_all(struct ct_plan *plan)
{
    const struct ct_fusion fusion = {.is_near = everywhere, .least = 2};
    size_t fused;
    assert_int_equal(ct_plan_finish(plan), CT_OK);
    assert_int_equal(ct_plan_fuse(plan, &fusion, &fused), CT_OK);
    return fused;
}

/* Receives into temporary memory and reduces it into the result, a round later; what is done in between, and
 * after it, is up to the test. */
struct written {
    struct ct_plan plan;
    unsigned temporary;
};

static struct written receive_lower(size_t n, enum ct_deferral deferral, unsigned *ret_slot)
{
    struct written written = {.plan = {0}};
    ct_plan_reset(&written.plan);
    written.temporary = ct_temporary(&written.plan, 2 * N);
    ct_copy(&written.plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, N);
    ct_round_end(&written.plan);
    *ret_slot = ct_post(&written.plan, CT_STEP_RECEIVE, 1,
                        (struct ct_slice){.buffer = written.temporary, .n = n}, deferral);
    return written;
}

static void reduce_lower(struct written *written, size_t n)
{
    ct_reduce(&written->plan, CT_BUFFER_RECV, 0, written->temporary, 0, n);
}

static void expect_fused(struct written *written, size_t fused)
{
    assert_int_equal(fuse_all(&written->plan), fused);
    ct_plan_free(&written->plan);
}

static void test_lower(void **unused)
{
    unsigned slot;
    (void)unused;
    struct written written = receive_lower(N, CT_DEFERRAL_IN_ROUND, &slot);
    ct_round_end(&written.plan);
    reduce_lower(&written, N);
    ct_round_end(&written.plan);
    ct_send(&written.plan, 2, CT_BUFFER_RECV, 0, N);
    assert_int_equal(fuse_all(&written.plan), 1);
    assert_int_equal(written.plan.round_count, 3);
    assert_int_equal(written.plan.step_count, 3);
    const struct ct_step *step = &written.plan.steps[1];
    assert_int_equal(step->kind, CT_STEP_RECEIVE_LOWER);
    assert_int_equal(step->buffer, CT_BUFFER_RECV);
    assert_int_equal(written.plan.temporary[written.temporary], 0);
    ct_plan_free(&written.plan);
}

/* Waited for two rounds later; the round that only waits is one with the next. */
static void test_deferred(void **unused)
{
    unsigned slot;
    (void)unused;
    struct written written = receive_lower(N, CT_DEFERRAL_LATER, &slot);
    ct_round_end(&written.plan);
    ct_send(&written.plan, 2, CT_BUFFER_SEND, 0, N);
    ct_round_end(&written.plan);
    ct_wait(&written.plan, slot);
    reduce_lower(&written, N);
    ct_round_end(&written.plan);
    ct_send(&written.plan, 2, CT_BUFFER_RECV, 0, N);
    assert_int_equal(fuse_all(&written.plan), 1);
    assert_int_equal(written.plan.round_count, 4);
    assert_int_equal(written.plan.steps[written.plan.rounds[2].end].kind, CT_STEP_WAIT);
    assert_int_equal(written.plan.steps[1].until, slot);
    ct_plan_free(&written.plan);
}

static void test_short_ones_stay(void **unused)
{
    unsigned slot;
    (void)unused;
    struct written written = receive_lower(1, CT_DEFERRAL_IN_ROUND, &slot);
    ct_round_end(&written.plan);
    reduce_lower(&written, 1);
    expect_fused(&written, 0);
}

static void test_parts_stay(void **unused)
{
    unsigned slot;
    (void)unused;
    struct written written = receive_lower(N, CT_DEFERRAL_IN_ROUND, &slot);
    ct_round_end(&written.plan);
    reduce_lower(&written, N - 1);
    expect_fused(&written, 0);
}

/* The temporary memory is read again, or the destination is used, in the same round or the next. */
static void test_uses_in_the_way(void **unused)
{
    (void)unused;
    for (int way = 0; way < 7; way++) {
        unsigned slot;
        struct written written = receive_lower(N, CT_DEFERRAL_IN_ROUND, &slot);
        if (way == 1)
            ct_send(&written.plan, 2, CT_BUFFER_RECV, 0, 1);
        if (way == 2)
            ct_copy(&written.plan, CT_BUFFER_RECV, N - 1, CT_BUFFER_SEND, 0, 1);
        ct_round_end(&written.plan);
        if (way == 3)
            ct_copy(&written.plan, written.temporary, N, CT_BUFFER_RECV, 0, 1);
        reduce_lower(&written, N);
        if (way == 4)
            ct_reduce(&written.plan, CT_BUFFER_RECV, N, written.temporary, 1, 1);
        ct_round_end(&written.plan);
        if (way == 5)
            ct_send(&written.plan, 2, written.temporary, N - 1, 1);
        if (way == 6) { /* all of it is overwritten first */
            ct_receive(&written.plan, 2, written.temporary, 0, N);
            ct_round_end(&written.plan);
            ct_send(&written.plan, 2, written.temporary, N - 1, 1);
        }
        expect_fused(&written, way == 0 || way == 6);
    }
}

/* A message that an earlier round has left in flight reads the destination. */
static void test_flights_in_the_way(void **unused)
{
    (void)unused;
    for (int awaited = 0; awaited < 2; awaited++) {
        struct ct_plan plan = {0};
        ct_plan_reset(&plan);
        unsigned temporary = ct_temporary(&plan, N);
        unsigned slot = ct_post(&plan, CT_STEP_SEND, 2, (struct ct_slice){.buffer = CT_BUFFER_RECV, .n = N},
                                CT_DEFERRAL_LATER);
        ct_round_end(&plan);
        if (awaited)
            ct_wait(&plan, slot);
        ct_receive(&plan, 1, temporary, 0, N);
        ct_round_end(&plan);
        if (!awaited)
            ct_wait(&plan, slot);
        ct_reduce(&plan, CT_BUFFER_RECV, 0, temporary, 0, N);
        assert_int_equal(fuse_all(&plan), (size_t)awaited);
        ct_plan_free(&plan);
    }
}

/* Own data are added to what came; they may be sent meanwhile, not written. */
static void test_upper(void **unused)
{
    (void)unused;
    for (int way = 0; way < 4; way++) {
        struct ct_plan plan = {0};
        ct_plan_reset(&plan);
        unsigned own = ct_temporary(&plan, N);
        ct_copy(&plan, own, 0, CT_BUFFER_SEND, 0, N);
        ct_round_end(&plan);
        ct_receive(&plan, 1, CT_BUFFER_RECV, 0, N);
        if (way == 1)
            ct_send(&plan, 2, own, 0, N);
        if (way == 2)
            ct_copy(&plan, own, 1, CT_BUFFER_SEND, 0, 1);
        ct_round_end(&plan);
        if (way == 3)
            ct_send(&plan, 2, CT_BUFFER_RECV, 0, N); /* before it is combined */
        if (way == 3)
            ct_round_end(&plan);
        ct_reduce(&plan, CT_BUFFER_RECV, 0, own, 0, N);
        assert_int_equal(fuse_all(&plan), way < 2);
        if (way < 2) {
            assert_int_equal(plan.steps[1].kind, CT_STEP_RECEIVE_UPPER);
            assert_int_equal(plan.steps[1].other, own);
        }
        ct_plan_free(&plan);
    }
}

/* Of one slice, to near ranks, of one round, and long enough; each slice has its group. */
static void test_shared_sends(void **unused)
{
    struct ct_plan plan = {0};
    const struct place place = {.kind = 1, .rank = 0}; /* with ranks 1 and 2 */
    const struct ct_fusion fusion = {.is_near = is_near, .context = &place, .least = 2};
    size_t shared;
    (void)unused;
    ct_plan_reset(&plan);
    for (int peer = 1; peer < 4; peer++) {
        ct_send(&plan, peer, CT_BUFFER_RECV, 0, N);
        ct_send(&plan, peer, CT_BUFFER_RECV, N, 2);
        ct_send(&plan, peer, CT_BUFFER_RECV, 2 * N, 1);
        ct_receive(&plan, peer, CT_BUFFER_RECV, 10 * N, N);
    }
    ct_round_end(&plan);
    ct_send(&plan, 1, CT_BUFFER_RECV, 0, N);
    ct_send(&plan, 2, CT_BUFFER_RECV, 1, N);
    ct_round_end(&plan);
    ct_send(&plan, 2, CT_BUFFER_RECV, 0, N);
    ct_send(&plan, 1, CT_BUFFER_RECV, 0, N);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
    ct_plan_share_sends(&plan, &fusion, &shared);
    assert_int_equal(shared, 6);
    const unsigned groups[] = {1, 2, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
    assert_int_equal(plan.step_count, sizeof groups / sizeof groups[0]);
    for (size_t i = 0; i < plan.step_count; i++)
        assert_int_equal(plan.steps[i].other, groups[i]);
    ct_plan_free(&plan);
}

static int set_up(void **unused)
{
    (void)unused;
    state.verifier = ct_verifier_new();
    state.concrete = concrete_new();
    return state.verifier && state.concrete ? 0 : -1;
}

static int tear_down(void **unused)
{
    (void)unused;
    for (int i = 0; i < RANKS_MAX; i++)
        ct_plan_free(&state.plans[i]);
    ct_task_memory_free(&state.memory);
    concrete_free(state.concrete);
    ct_verifier_free(state.verifier);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lower),           cmocka_unit_test(test_deferred),
        cmocka_unit_test(test_short_ones_stay), cmocka_unit_test(test_parts_stay),
        cmocka_unit_test(test_uses_in_the_way), cmocka_unit_test(test_flights_in_the_way),
        cmocka_unit_test(test_upper),           cmocka_unit_test(test_shared_sends),
        cmocka_unit_test(test_all_methods),     cmocka_unit_test(test_careless_fusing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
