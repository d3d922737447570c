/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans that differ in scale alone need not be written: for every method, every rank and every count, the
 * plan that is scaled is the one that the method writes. */
#include "algorithms/scaled_plans.h"
#include "plan/nodes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COUNTS = 40, UNIT_BYTES = 8, SEGMENT = 64, RANKS_MOST = 9 };

static struct {
    size_t scaled, written; /* calls */
} seen;

/* Counts in an order in which methods that divide data do so before and after others. */
static void check_counts(const struct ct_method *method, struct ct_call *call, struct ct_scaled_plans *plans)
{
    struct ct_plan written = {0}, scaled = {0};
    for (size_t i = 0; i < COUNTS; i++) {
        call->count = 1 + i * 17 % COUNTS;
        if (!ct_method_applies(method, call, NULL))
            continue;
        bool is_scaled = ct_scaled_plan_write(plans, method, call, &scaled);
        seen.scaled += is_scaled;
        seen.written += !is_scaled;
        if (!is_scaled)
            continue;
        ct_plan_reset(&written);
        assert_int_equal(ct_method_build(method, &written, call), CT_OK);
        if (!ct_is_scaled_plan(&scaled, &written, 1)) {
            char text[CT_METHOD_TEXT];
            fail_msg("%s, rank %d of %d, root %d, count %zu", ct_method_format(method, true, text),
                     call->rank, call->size, call->root, call->count);
        }
    }
    ct_plan_free(&written);
    ct_plan_free(&scaled);
}

static void check_ranks(const struct ct_method *method, int size)
{
    const bool has_root = ct_collectives[method->algorithm->collective].has_root;
    int labels[RANKS_MOST] = {0};
    struct ct_nodes nodes;
    for (int i = 0; i < size; i++)
        labels[i] = i / 3;
    assert_int_equal(ct_nodes_make(labels, size, &nodes), CT_OK);
    for (int rank = 0; rank < size; rank++) {
        for (int form = 0; form < 4; form++) {
            struct ct_scaled_plans plans = {0};
            struct ct_call call = {.rank = rank,
                                   .size = size,
                                   .root = has_root && form % 2 ? size - 1 : 0,
                                   .unit_bytes = form < 2 ? UNIT_BYTES : 1,
                                   .commutative = form % 2 == 0,
                                   .nodes = form < 2 ? NULL : &nodes};
            check_counts(method, &call, &plans);
            ct_scaled_plans_free(&plans);
        }
    }
    ct_nodes_free(&nodes);
}

static void check_method(struct ct_method method)
{
    for (int size = 1; size <= RANKS_MOST; size += size < 5 ? 1 : 2)
        check_ranks(&method, size);
    size_t *segment = ct_method_segment(&method);
    if (!segment || *segment == SEGMENT)
        return;
    *segment = SEGMENT;
    check_ranks(&method, 5);
}

static void test_every_method(void **state)
{
    (void)state;
    struct ct_method *methods = NULL;
    size_t count = 0, capacity = 0;
    for (size_t i = 0; i < ct_algorithm_count; i++) {
        const struct ct_collective_description *about = &ct_collectives[ct_algorithms[i].collective];
        if (ct_has_plan(&ct_algorithms[i]) && !about->is_sparse && !about->varies && about->has_data)
            assert_int_equal(ct_methods_of(&ct_algorithms[i], &methods, &count, &capacity), CT_OK);
    }
    assert_true(count > 0);
    for (size_t i = 0; i < count; i++)
        check_method(methods[i]);
    free(methods);
    assert_true(seen.scaled > 100 * count && seen.written > 10 * count);
}

/* What differs in more than scale is told apart. */
static void test_other_plans(void **state)
{
    (void)state;
    struct ct_plan one = {0}, other = {0};
    ct_plan_reset(&one);
    ct_send(&one, 1, CT_BUFFER_SEND, 1, 2);
    ct_copy(&one, CT_BUFFER_SEND, 0, CT_BUFFER_RECV, 3, 1);
    assert_int_equal(ct_plan_finish(&one), CT_OK);
    for (int difference = 0; difference < 6; difference++) {
        ct_plan_reset(&other);
        ct_send(&other, difference == 1 ? 2 : 1, CT_BUFFER_SEND, difference == 2 ? 3 : 2,
                difference == 3 ? 2 : 4);
        if (difference == 4)
            ct_round_end(&other);
        ct_copy(&other, CT_BUFFER_SEND, 0, CT_BUFFER_RECV, difference == 5 ? 3 : 6, 2);
        assert_int_equal(ct_plan_finish(&other), CT_OK);
        assert_int_equal(ct_is_scaled_plan(&one, &other, 2), difference == 0);
    }
    ct_plan_free(&one);
    ct_plan_free(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_method),
        cmocka_unit_test(test_other_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
