/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/plan.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct ct_plan plan;

static int set_up(void **state)
{
    (void)state;
    ct_plan_reset(&plan);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    ct_plan_free(&plan);
    return 0;
}

static void test_empty(void **state)
{
    (void)state;
    ct_round_end(&plan);
    ct_round_end(&plan);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
    assert_int_equal(plan.round_count, 0);
    assert_int_equal(plan.step_count, 0);
}

/* Data of no length vanishes, a token stays. */
static void test_zero_lengths(void **state)
{
    (void)state;
    ct_send(&plan, 1, CT_BUFFER_SEND, 0, 0);
    ct_receive(&plan, 1, CT_BUFFER_RECV, 0, 0);
    ct_copy(&plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 0);
    ct_reduce(&plan, CT_BUFFER_RECV, 0, CT_BUFFER_SEND, 0, 0);
    unsigned slot =
        ct_post(&plan, CT_STEP_SEND, 1, (struct ct_slice){.buffer = CT_BUFFER_SEND}, CT_DEFERRAL_LATER);
    assert_int_equal(slot, 0);
    ct_wait(&plan, slot);
    assert_int_equal(plan.step_count, 0);
    ct_send_token(&plan, 1);
    ct_receive_token(&plan, 1);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
    assert_int_equal(plan.step_count, 2);
    assert_int_equal(plan.steps[0].n, 0);
    assert_int_equal(plan.round_count, 1);
}

static void test_rounds_and_windows(void **state)
{
    (void)state;
    ct_window(&plan, 3);
    ct_send(&plan, 1, CT_BUFFER_SEND, 4, 8);
    ct_round_end(&plan);
    ct_receive(&plan, 2, CT_BUFFER_RECV, 1, 2);
    ct_copy(&plan, CT_BUFFER_RECV, 5, CT_BUFFER_SEND, 6, 7);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
    assert_int_equal(plan.round_count, 2);
    assert_int_equal(plan.rounds[0].end, 1);
    assert_int_equal(plan.rounds[0].window, 3);
    assert_int_equal(plan.rounds[1].end, 3);
    assert_int_equal(plan.rounds[1].window, 0);
    const struct ct_step *copy = &plan.steps[2];
    assert_int_equal(copy->kind, CT_STEP_COPY);
    assert_int_equal(copy->buffer, CT_BUFFER_SEND);
    assert_int_equal(copy->offset, 6);
    assert_int_equal(copy->other, CT_BUFFER_RECV);
    assert_int_equal(copy->other_offset, 5);
    assert_int_equal(copy->n, 7);
}

/* A slot is taken again only after its wait. */
static void test_slots(void **state)
{
    (void)state;
    const struct ct_slice slice = {.buffer = CT_BUFFER_SEND, .n = 1};
    unsigned first = ct_post(&plan, CT_STEP_SEND, 1, slice, CT_DEFERRAL_LATER);
    unsigned second = ct_post(&plan, CT_STEP_SEND, 1, slice, CT_DEFERRAL_LATER);
    assert_int_not_equal(first, 0);
    assert_int_not_equal(first, second);
    ct_round_end(&plan);
    ct_wait(&plan, first);
    assert_int_equal(ct_post(&plan, CT_STEP_SEND, 1, slice, CT_DEFERRAL_LATER), first);
    assert_int_equal(ct_post(&plan, CT_STEP_SEND, 1, slice, CT_DEFERRAL_AT_END), 0);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
    assert_int_equal(plan.steps[plan.step_count - 1].until, CT_PLAN_END);
    assert_int_equal(plan.steps[2].kind, CT_STEP_WAIT);
    assert_int_equal(plan.steps[2].until, first);
}

static void test_too_many_slots_and_buffers(void **state)
{
    (void)state;
    for (int i = 0; i < CT_BUFFERS_MAX - CT_BUFFER_TEMPORARY; i++)
        assert_int_equal(ct_temporary(&plan, 1), CT_BUFFER_TEMPORARY + i);
    assert_int_equal(plan.status, CT_OK);
    ct_temporary(&plan, 1);
    assert_int_equal(ct_plan_finish(&plan), CT_E_LIMIT);

    ct_plan_reset(&plan);
    const struct ct_slice slice = {.buffer = CT_BUFFER_SEND, .n = 1};
    for (int i = 1; i < CT_PLAN_END; i++)
        assert_int_equal(ct_post(&plan, CT_STEP_SEND, 1, slice, CT_DEFERRAL_LATER), i);
    assert_int_equal(plan.status, CT_OK);
    ct_post(&plan, CT_STEP_SEND, 1, slice, CT_DEFERRAL_LATER);
    assert_int_equal(ct_plan_finish(&plan), CT_E_LIMIT);
    ct_plan_reset(&plan);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
}

/* Views map ranks, buffers and offsets, one inside the other; temporary buffers stay what they are. */
static void test_views(void **state)
{
    (void)state;
    const int outer_peers[] = {4, 5, 6, 7}, inner_peers[] = {2, 0};
    unsigned temporary = ct_temporary(&plan, 100);
    struct ct_view outer = {.peers = outer_peers, .map = {{CT_BUFFER_RECV, 10}, {temporary, 20}}};
    struct ct_view inner = {.peers = inner_peers, .map = {{CT_BUFFER_RECV, 3}, {CT_BUFFER_SEND, 1}}};
    ct_send(&plan, 1, CT_BUFFER_SEND, 0, 1);
    ct_view_enter(&plan, &outer);
    ct_view_enter(&plan, &inner);
    ct_send(&plan, 0, CT_BUFFER_SEND, 5, 2);
    ct_receive(&plan, 1, CT_BUFFER_RECV, 5, 2);
    unsigned own = ct_temporary(&plan, 8);
    ct_copy(&plan, own, 1, CT_BUFFER_RECV, 2, 3);
    ct_view_leave(&plan);
    ct_send(&plan, 3, CT_BUFFER_SEND, 0, 1);
    ct_view_leave(&plan);
    ct_send(&plan, 3, CT_BUFFER_SEND, 0, 1);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);

    assert_int_equal(plan.round_count, 4);
    assert_int_equal(plan.steps[1].peer, 6);
    assert_int_equal(plan.steps[1].buffer, temporary);
    assert_int_equal(plan.steps[1].offset, 28);
    assert_int_equal(plan.steps[2].peer, 4);
    assert_int_equal(plan.steps[2].buffer, CT_BUFFER_RECV);
    assert_int_equal(plan.steps[2].offset, 16);
    assert_int_equal(plan.steps[3].buffer, CT_BUFFER_RECV);
    assert_int_equal(plan.steps[3].offset, 13);
    assert_int_equal(plan.steps[3].other, own);
    assert_int_equal(plan.steps[3].other_offset, 1);
    assert_int_equal(plan.steps[4].peer, 7);
    assert_int_equal(plan.steps[4].offset, 10);
    assert_int_equal(plan.steps[5].peer, 3);
    assert_int_equal(plan.steps[5].buffer, CT_BUFFER_SEND);
}

static int drain(struct ct_plan *full, void *context)
{
    size_t *drained = context;
    *drained += full->step_count;
    return CT_OK;
}

static int refuse(struct ct_plan *full, void *context)
{
    (void)full;
    (void)context;
    return CT_E_SYSTEM;
}

static void test_drain(void **state)
{
    (void)state;
    size_t drained = 0;
    plan.drain = drain;
    plan.drain_context = &drained;
    plan.drain_at = 4;
    for (int i = 0; i < 10; i++) {
        ct_send(&plan, 1, CT_BUFFER_SEND, 0, 1);
        ct_round_end(&plan);
        assert_in_range(plan.step_count, 0, 3);
    }
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
    assert_int_equal(drained, 8);
    assert_int_equal(plan.step_count, 2);

    plan.drain = refuse;
    for (int i = 0; i < 4; i++) {
        ct_send(&plan, 1, CT_BUFFER_SEND, 0, 1);
        ct_round_end(&plan);
    }
    assert_int_equal(ct_plan_finish(&plan), CT_E_SYSTEM);
    plan.drain = NULL;
}

/* A copy does not depend on the plan, which is used again. */
static void test_copy(void **state)
{
    (void)state;
    struct ct_plan copy;
    unsigned buffer = ct_temporary(&plan, 7);
    ct_send(&plan, 1, CT_BUFFER_SEND, 4, 8);
    ct_window(&plan, 2);
    ct_round_end(&plan);
    ct_receive(&plan, 3, buffer, 0, 5);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
    assert_int_equal(ct_plan_copy(&plan, &copy), CT_OK);
    ct_plan_reset(&plan);
    ct_send(&plan, 9, CT_BUFFER_RECV, 0, 1);
    assert_int_equal(ct_plan_finish(&plan), CT_OK);
    assert_int_equal(copy.step_count, 2);
    assert_int_equal(copy.round_count, 2);
    assert_int_equal(copy.rounds[0].end, 1);
    assert_int_equal(copy.rounds[0].window, 2);
    assert_int_equal(copy.steps[0].peer, 1);
    assert_int_equal(copy.steps[0].n, 8);
    assert_int_equal(copy.steps[1].peer, 3);
    assert_int_equal(copy.temporary[buffer], 7);
    ct_plan_free(&copy);
    ct_plan_reset(&plan);
    assert_int_equal(ct_plan_copy(&plan, &copy), CT_OK);
    assert_int_equal(copy.round_count, 0);
    ct_plan_free(&copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_empty, set_up),
        cmocka_unit_test_setup(test_zero_lengths, set_up),
        cmocka_unit_test_setup(test_rounds_and_windows, set_up),
        cmocka_unit_test_setup(test_slots, set_up),
        cmocka_unit_test_setup(test_too_many_slots_and_buffers, set_up),
        cmocka_unit_test_setup(test_views, set_up),
        cmocka_unit_test_setup(test_drain, set_up),
        cmocka_unit_test_setup(test_copy, set_up),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
