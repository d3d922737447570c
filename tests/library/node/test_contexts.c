/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of many more channels than there are numbers: none has that of another one. */
#include "library/node/contexts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static int make(void **state)
{
    *state = calloc(1, sizeof(struct ct_contexts));
    return *state ? 0 : -1;
}

static int release(void **state)
{
    free(*state);
    return 0;
}

/* Some channels live on while others come and go. */
static void numbers_in_use_are_not_given(void **state)
{
    enum { HELD = 600, MADE = 3 * CT_LANE_CONTEXTS };
    unsigned held[HELD];
    bool is_held[CT_LANE_CONTEXTS] = {false};
    struct ct_contexts *contexts = *state;
    for (int i = 0; i < HELD; i++) {
        held[i] = ct_context_take(contexts);
        assert_in_range(held[i], 1, CT_LANE_CONTEXTS - 1);
        assert_false(is_held[held[i]]);
        is_held[held[i]] = true;
    }
    for (int i = 0; i < MADE; i++) {
        unsigned context = ct_context_take(contexts);
        assert_true(context > CT_NO_CONTEXT && context < CT_LANE_CONTEXTS && !is_held[context]);
        ct_context_give_back(contexts, context);
    }
    for (int i = 0; i < HELD; i++)
        ct_context_give_back(contexts, held[i]);
}

/* After all others. */
static void numbers_serve_again(void **state)
{
    struct ct_contexts *contexts = *state;
    unsigned first = ct_context_take(contexts);
    ct_context_give_back(contexts, first);
    for (int i = 1; i < CT_LANE_CONTEXTS - 1; i++)
        assert_int_not_equal(ct_context_take(contexts), first);
    assert_int_equal(ct_context_take(contexts), first);
    assert_int_equal(ct_context_take(contexts), CT_NO_CONTEXT);
    ct_context_give_back(contexts, CT_NO_CONTEXT);
    assert_int_equal(ct_context_take(contexts), CT_NO_CONTEXT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(numbers_in_use_are_not_given, make, release),
        cmocka_unit_test_setup_teardown(numbers_serve_again, make, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
