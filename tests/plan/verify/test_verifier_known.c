/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans that are known again must have the verdict that they would have if they were carried out. Plans of
 * all algorithms are broken at random, in one place each, and verified by a verifier that knows plans again
 * and by one that does not; then again with all lengths three times as long, and with other names of the
 * ranks. */
#include "algorithms/routing.h"
#include "mutations.h"
#include "plan/fuse.h"
#include "plan/verify/verifier_cases.h"
#include "plan/verify/verifier_task_make.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS_MAX = 8, CASES_OF_A_SIZE = 24, CHANGES_OF_A_CASE = 4, TIMES_LONGER = 3 };

struct known {
    struct ct_verifier *knowing;
    struct ct_verifier *thorough;
    struct ct_task_memory memory, other_memory;
    struct ct_task task;
    struct ct_plan *plans;
    uint64_t random;
    size_t cases; /* of the size at hand */
    size_t apart;
    size_t right, wrong, known_again, longer, renamed; /* verdicts */
};

/* Both verdicts, which must agree. Returns the status. */
static int verify_both(struct known *known, const struct ct_task *task, const struct ct_plan *plans, int root,
                       struct ct_verdict *ret_verdict)
{
    struct ct_error error, other_error;
    struct ct_verdict other;
    int status = ct_verify_plans_once(known->knowing, task, plans, root, &error, ret_verdict);
    assert_int_equal(ct_verify_plans(known->thorough, task, plans, &other_error, &other), status);
    assert_true(status == CT_OK || status == CT_E_ANSWER);
    if (status == CT_E_ANSWER)
        assert_string_equal(error.text, other_error.text);
    assert_int_equal(ret_verdict->flaw, other.flaw);
    assert_int_equal(ret_verdict->steps, other.steps);
    assert_int_equal(ret_verdict->messages, other.messages);
    assert_int_equal(ret_verdict->units, other.units);
    known->right += status == CT_OK;
    known->wrong += status != CT_OK;
    known->known_again += status == CT_OK && !ret_verdict->traffic;
    return status;
}

/* --- the same plans in another form --- */

static void copy_plans(const struct known *known, struct ct_plan *plans, int size, int shift)
{
    for (int rank = 0; rank < size; rank++) {
        struct ct_plan whole = known->plans[rank], *plan = &plans[(rank + shift) % size];
        whole.status = CT_OK;
        whole.round_begin = whole.step_count;
        assert_int_equal(ct_plan_copy(&whole, plan), CT_OK);
        plan->status = known->plans[rank].status;
    }
}

static void free_plans(struct ct_plan *plans, int size)
{
    for (int rank = 0; rank < size; rank++)
        ct_plan_free(&plans[rank]);
}

static void lengthen(struct ct_plan *plan)
{
    for (size_t i = 0; i < plan->step_count; i++) {
        struct ct_step *step = &plan->steps[i];
        step->offset *= TIMES_LONGER;
        step->n *= TIMES_LONGER;
        if (step->kind == CT_STEP_COPY || step->kind == CT_STEP_REDUCE || step->kind == CT_STEP_RECEIVE_UPPER)
            step->other_offset *= TIMES_LONGER;
    }
    for (unsigned i = CT_BUFFER_TEMPORARY; i < plan->buffer_count; i++)
        plan->temporary[i] *= TIMES_LONGER;
}

static const size_t *longer_counts(const size_t *counts, size_t count, size_t *ret_counts)
{
    for (size_t i = 0; counts && i < count; i++)
        ret_counts[i] = TIMES_LONGER * counts[i];
    return counts ? ret_counts : NULL;
}

/* The same verdict, from the same fingerprint. */
static void verify_longer(struct known *known, enum ct_collective collective, const struct ct_call *call,
                          int status, enum ct_flaw flaw)
{
    size_t send_counts[RANKS_MAX * RANKS_MAX], recv_counts[RANKS_MAX * RANKS_MAX], size = (size_t)call->size;
    size_t count = ct_collectives[collective].result[0] == CT_CONTENTS_PARTS_OF_EACH ? size * size : size;
    struct ct_call longer = *call;
    struct ct_plan plans[RANKS_MAX];
    struct ct_task task;
    struct ct_verdict verdict;
    longer.count *= TIMES_LONGER;
    longer.send_counts = longer_counts(call->send_counts, count, send_counts);
    longer.recv_counts = longer_counts(call->recv_counts, count, recv_counts);
    assert_int_equal(ct_task_make(collective, &longer, &known->other_memory, &task), CT_OK);
    copy_plans(known, plans, call->size, 0);
    for (int rank = 0; rank < call->size; rank++)
        lengthen(&plans[rank]);
    assert_int_equal(verify_both(known, &task, plans, call->root, &verdict), status);
    assert_int_equal(verdict.flaw, flaw);
    if (status == CT_OK)
        assert_null(verdict.traffic);
    known->longer++;
    free_plans(plans, call->size);
}

/* Where ranks have other names, another flaw may be found first. */
static void verify_renamed(struct known *known, enum ct_collective collective, const struct ct_call *call,
                           int status)
{
    const int shift = 1 + (int)mutation_below(&known->random, (size_t)call->size - 1);
    struct ct_call renamed = *call;
    struct ct_plan plans[RANKS_MAX];
    struct ct_task task;
    struct ct_verdict verdict;
    renamed.root = (call->root + shift) % call->size;
    assert_int_equal(ct_task_make(collective, &renamed, &known->other_memory, &task), CT_OK);
    copy_plans(known, plans, call->size, shift);
    for (int rank = 0; rank < call->size; rank++)
        for (size_t i = 0; i < plans[rank].step_count; i++)
            if (ct_step_is_message(&plans[rank].steps[i]))
                plans[rank].steps[i].peer = (plans[rank].steps[i].peer + shift) % call->size;
    assert_int_equal(verify_both(known, &task, plans, renamed.root, &verdict), status);
    if (status == CT_OK)
        assert_null(verdict.traffic);
    known->renamed++;
    free_plans(plans, call->size);
}

/* Verifies the plans as they are, and in other forms. */
static void verify_forms(struct known *known, enum ct_collective collective, const struct ct_call *call)
{
    struct ct_verdict verdict, other;
    int status = verify_both(known, &known->task, known->plans, call->root, &verdict);
    enum ct_flaw flaw = verdict.flaw;
    bool has_one_task = collective == CT_COLLECTIVE_BCAST || collective == CT_COLLECTIVE_REDUCE;
    if (!ct_collectives[collective].is_sparse)
        verify_longer(known, collective, call, status, flaw);
    if (has_one_task && call->commutative && call->size > 1)
        verify_renamed(known, collective, call, status);
    if (status == CT_OK && !call->commutative) {
        struct ct_task task = known->task;
        task.commutative = true;
        assert_int_equal(verify_both(known, &task, known->plans, call->root, &other), CT_OK);
        assert_null(other.traffic);
    }
}

/* --- changes that concern no step --- */

static bool change_status(struct place *place)
{
    place->plan->status = CT_E_LIMIT;
    return true;
}

static bool change_window(struct place *place)
{
    struct ct_round *round = &place->plan->rounds[place->round];
    round->window = round->window == 1 ? 0 : 1;
    return true;
}

static bool change_temporary(struct place *place)
{
    unsigned last = place->plan->buffer_count - 1;
    if (last < CT_BUFFER_TEMPORARY || place->plan->temporary[last] == 0)
        return false;
    place->plan->temporary[last]--;
    return true;
}

static bool change_buffer_count(struct place *place)
{
    place->plan->buffer_count--;
    return true;
}

static bool change_round_end(struct place *place)
{
    place->plan->rounds[place->round].end--;
    return true;
}

static mutate *const others[] = {change_status, change_window, change_temporary, change_buffer_count,
                                 change_round_end};

enum { OTHERS = sizeof others / sizeof others[0] };

static void break_plan(struct known *known, enum ct_collective collective, const struct ct_call *call)
{
    int rank = (int)mutation_below(&known->random, (size_t)call->size);
    struct ct_plan right = known->plans[rank], *plan = &known->plans[rank];
    if (right.step_count == 0)
        return;
    assert_int_equal(ct_plan_copy(&right, plan), CT_OK);
    struct place place = mutation_place(plan, &known->task.shares[rank], call->size, &known->random);
    size_t kind = mutation_below(&known->random, MUTATIONS + OTHERS);
    if ((kind < MUTATIONS ? mutations[kind].apply : others[kind - MUTATIONS])(&place))
        verify_forms(known, collective, call);
    ct_plan_free(plan);
    *plan = right;
}

/* The task expects something else. */
static void change_task(struct known *known, const struct ct_call *call)
{
    size_t rank = mutation_below(&known->random, (size_t)call->size);
    const struct ct_share *share = &known->task.shares[rank];
    struct ct_verdict verdict;
    if (share->result_count == 0)
        return;
    struct ct_piece *piece = &known->memory.pieces[(size_t)(share->results - known->memory.pieces) +
                                                   mutation_below(&known->random, share->result_count)];
    const struct ct_piece before = *piece;
    if (mutation_below(&known->random, 2) == 0)
        piece->unit++;
    else if (piece->ranks > 0)
        piece->ranks--;
    else
        piece->origin = (piece->origin + 1) % call->size;
    verify_both(known, &known->task, known->plans, call->root, &verdict);
    *piece = before;
}

static bool is_near(const void *context, int peer)
{
    (void)context;
    return peer % 5 != 4;
}

static int break_case(const struct ct_method *method, const struct ct_call *call, void *context)
{
    struct known *known = context;
    enum ct_collective collective = method->algorithm->collective;
    struct ct_error error;
    if (known->cases++ % known->apart != 0)
        return CT_OK;
    assert_int_equal(ct_plans_make(method, call, &error, &known->plans), CT_OK);
    const struct ct_fusion fusion = {.is_near = is_near};
    for (int rank = 0; ct_collectives[collective].reduces && known->cases % 2 == 0 && rank < call->size;
         rank++) {
        size_t fused = 0;
        assert_int_equal(ct_plan_fuse(&known->plans[rank], &fusion, &fused), CT_OK);
    }
    assert_int_equal(ct_task_make(collective, call, &known->memory, &known->task), CT_OK);
    verify_forms(known, collective, call);
    for (int i = 0; i < CHANGES_OF_A_CASE; i++)
        break_plan(known, collective, call);
    change_task(known, call);
    ct_plans_free_all(known->plans, call->size);
    return CT_OK;
}

static void test_known_plans_have_their_verdict(void **state)
{
    (void)state;
    const int sizes[] = {2, 3, 5, RANKS_MAX};
    static struct known known;
    known.thorough = ct_verifier_new();
    assert_non_null(known.thorough);
    for (size_t a = 0; a < ct_algorithm_count; a++) {
        if (ct_is_native(&ct_algorithms[a]))
            continue;
        known.knowing = ct_verifier_new();
        assert_non_null(known.knowing);
        for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
            const size_t counts[] = {1, 6, (size_t)sizes[s] + 1};
            const struct ct_cases cases = {
                .algorithm = &ct_algorithms[a], .size = sizes[s], .counts = counts, .count_count = 3};
            struct ct_cases_skipped skipped;
            size_t number = 0;
            assert_int_equal(ct_cases_visit(&cases, mutation_count_case, &number, &skipped), CT_OK);
            known.cases = 0;
            known.apart = 1 + number / CASES_OF_A_SIZE;
            known.random = a * 1000 + s;
            assert_int_equal(ct_cases_visit(&cases, break_case, &known, &skipped), CT_OK);
        }
        ct_verifier_free(known.knowing);
    }
    print_message("%zu right, %zu of them known again, %zu wrong; %zu longer, %zu renamed\n", known.right,
                  known.known_again, known.wrong, known.longer, known.renamed);
    assert_true(known.right > 1000 && known.known_again > 1000 && known.wrong > 1000);
    assert_true(known.longer > 1000 && known.renamed > 1000);
    ct_task_memory_free(&known.memory);
    ct_task_memory_free(&known.other_memory);
    ct_verifier_free(known.thorough);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_plans_have_their_verdict)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
