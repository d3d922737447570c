/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* How a sweep saves time, out of what the user says and what the run it goes on with was measured by. */

static const char *property(const struct ct_sweep_conditions *conditions, const char *name)
{
    const char *value = ct_run_property(&conditions->description, name);
    return value ? value : "";
}

/* `seconds` is what a method would get in a cell. Free with ct_sweep_conditions_free(). */
static struct ct_sweep_conditions choose(struct ct_sweep_request request,
                                         const struct ct_run_description *before, bool simulated,
                                         double seconds)
{
    struct ct_sweep_conditions conditions = {.simulated = simulated};
    struct ct_error error = {""};
    conditions.description.most_seconds = seconds;
    if (ct_sweep_choose_saving(&request, before, &error, &conditions) != CT_OK)
        fail_msg("%s", error.text);
    return conditions;
}

static void refuse(struct ct_sweep_request request, const struct ct_run_description *before,
                   const char *expected)
{
    struct ct_sweep_conditions conditions = {0};
    struct ct_error error = {""};
    assert_true(ct_sweep_choose_saving(&request, before, &error, &conditions) != CT_OK);
    if (!strstr(error.text, expected))
        fail_msg("'%s' lacks '%s'", error.text, expected);
    ct_sweep_conditions_free(&conditions);
}

static void a_small_budget_guides(void **state)
{
    (void)state;
    const struct {
        struct ct_sweep_request request;
        double seconds;
        bool guided;
    } cases[] = {
        {{.budget = 60}, 0.002, true},
        {{.budget = 60}, 0.5, false},
        {{.budget = 0}, 0.002, false},
        {{.budget = 60, .cells = CT_SWEEP_CELLS_EXHAUSTIVE}, 0.002, false},
        {{.budget = 60, .cells = CT_SWEEP_CELLS_GUIDED}, 0.5, true},
        {{.cells = CT_SWEEP_CELLS_GUIDED}, 0.5, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_sweep_conditions made = choose(cases[i].request, NULL, false, cases[i].seconds);
        assert_int_equal(made.guided, cases[i].guided);
        assert_string_equal(property(&made, "sweep.cells"), cases[i].guided ? "guided" : "exhaustive");
        assert_string_equal(property(&made, "sweep.budget"), cases[i].request.budget > 0 ? "60" : "");
        assert_true(made.budget >= cases[i].request.budget && made.budget <= cases[i].request.budget);
        ct_sweep_conditions_free(&made);
    }
}

static void methods_race_unless_told_not_to(void **state)
{
    (void)state;
    struct ct_sweep_conditions made = choose((struct ct_sweep_request){0}, NULL, false, 1);
    assert_true(made.race > 0.04 && made.race < 0.06);
    assert_string_equal(property(&made, "sweep.racing"), "on");
    ct_sweep_conditions_free(&made);
    made = choose((struct ct_sweep_request){.no_racing = true}, NULL, false, 1);
    assert_true(made.race <= 0);
    assert_string_equal(property(&made, "sweep.racing"), "off");
    ct_sweep_conditions_free(&made);
    /* one exact repetition leaves nothing to race for */
    made = choose((struct ct_sweep_request){0}, NULL, true, 1);
    assert_true(made.race <= 0);
    assert_string_equal(property(&made, "sweep.racing"), "");
    ct_sweep_conditions_free(&made);
}

/* A run is gone on with as it was begun; one that says nothing was exhaustive and without racing. */
static void resuming_keeps_to_what_was(void **state)
{
    (void)state;
    const struct ct_sweep_request nothing = {.resume = true};
    struct ct_sweep_conditions before =
        choose((struct ct_sweep_request){.budget = 60, .cells = CT_SWEEP_CELLS_GUIDED}, NULL, false, 1);
    struct ct_sweep_conditions made = choose(nothing, &before.description, false, 1);
    assert_true(made.guided && made.race > 0 && made.budget >= 60 && made.budget <= 60);
    assert_string_equal(property(&made, "sweep.cells"), "guided");
    ct_sweep_conditions_free(&made);
    made = choose((struct ct_sweep_request){.resume = true, .budget = 5}, &before.description, false, 1);
    assert_true(made.budget >= 5 && made.budget <= 5);
    ct_sweep_conditions_free(&made);
    ct_sweep_conditions_free(&before);

    const struct ct_run_description old = {0};
    made = choose(nothing, &old, false, 0.001);
    assert_true(!made.guided && made.race <= 0 && made.budget <= 0);
    assert_string_equal(property(&made, "sweep.cells"), "");
    assert_string_equal(property(&made, "sweep.racing"), "");
    ct_sweep_conditions_free(&made);
}

static void bad_priors_are_refused(void **state)
{
    (void)state;
    refuse((struct ct_sweep_request){.prior = "runs"}, NULL, "expected --guided");
    refuse((struct ct_sweep_request){.prior = "no-such-run", .cells = CT_SWEEP_CELLS_GUIDED}, NULL,
           "no-such-run/samples.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_budget_guides),
        cmocka_unit_test(methods_race_unless_told_not_to),
        cmocka_unit_test(resuming_keeps_to_what_was),
        cmocka_unit_test(bad_priors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
