/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_conditions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* How a sweep saves time, from the request and from the state of the run that it resumes. */

/* `seconds` is what a method would get in a cell. Free with ct_sweep_state_free(). */
static struct ct_sweep_state choose(struct ct_sweep_request request, const struct ct_sweep_state *before,
                                    bool exact, double seconds)
{
    struct ct_sweep_state state = {0};
    struct ct_error error = {""};
    if (ct_sweep_choose_saving(&request, before, exact, seconds, &error, &state) != CT_OK)
        fail_msg("%s", error.text);
    return state;
}

static void refuse(struct ct_sweep_request request, const char *expected)
{
    struct ct_sweep_state state = {0};
    struct ct_error error = {""};
    assert_true(ct_sweep_choose_saving(&request, NULL, false, 1, &error, &state) != CT_OK);
    if (!strstr(error.text, expected))
        fail_msg("'%s' lacks '%s'", error.text, expected);
    ct_sweep_state_free(&state);
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
        {{.budget = 0}, 0.5, false},
        {{.budget = 60, .cells = CT_SWEEP_CELLS_EXHAUSTIVE}, 0.002, false},
        {{.budget = 60, .cells = CT_SWEEP_CELLS_GUIDED}, 0.5, true},
        {{.cells = CT_SWEEP_CELLS_GUIDED}, 0.5, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_sweep_state made = choose(cases[i].request, NULL, false, cases[i].seconds);
        assert_int_equal(made.guided, cases[i].guided);
        assert_true(made.budget >= cases[i].request.budget && made.budget <= cases[i].request.budget);
        ct_sweep_state_free(&made);
    }
}

/* The usual budget counts if it is too small for all cells; where times are exact there is none. */
static void the_usual_budget_guides(void **state)
{
    (void)state;
    struct ct_sweep_state made = choose((struct ct_sweep_request){0}, NULL, false, 0.002);
    assert_true(made.guided && made.budget >= 600 && made.budget <= 600);
    made = choose((struct ct_sweep_request){0}, NULL, true, 0.002);
    assert_true(!made.guided && made.budget <= 0);
}

static void methods_race_unless_told_not_to(void **state)
{
    (void)state;
    struct ct_sweep_state made = choose((struct ct_sweep_request){0}, NULL, false, 1);
    assert_true(made.racing_margin > 0.04 && made.racing_margin < 0.06);
    made = choose((struct ct_sweep_request){.no_racing = true}, NULL, false, 1);
    assert_true(made.racing_margin <= 0);
    /* one exact repetition leaves nothing to race for */
    made = choose((struct ct_sweep_request){0}, NULL, true, 1);
    assert_true(made.racing_margin <= 0);
}

/* A run is resumed as it was begun. */
static void resuming_keeps_to_what_was(void **state)
{
    (void)state;
    const struct ct_sweep_request nothing = {.resume = true};
    struct ct_sweep_state before =
        choose((struct ct_sweep_request){.budget = 60, .cells = CT_SWEEP_CELLS_GUIDED}, NULL, false, 1);
    struct ct_sweep_state made = choose(nothing, &before, false, 1);
    assert_true(made.guided && made.racing_margin > 0 && made.budget >= 60 && made.budget <= 60);
    made = choose((struct ct_sweep_request){.resume = true, .budget = 5}, &before, false, 1);
    assert_true(made.guided && made.budget >= 5 && made.budget <= 5);
    const struct ct_sweep_state plain = {.sync = (char *)"auto"};
    made = choose(nothing, &plain, false, 0.001);
    assert_true(!made.guided && made.racing_margin <= 0 && made.budget <= 0);
}

/* Each condition of a run must be the same when it is resumed; budget and findings may differ. */
static void other_conditions_are_refused(void **state)
{
    (void)state;
    const struct ct_sweep_state before = {.sync = (char *)"auto", .mpi = (char *)"mpich", .ppn = 2};
    struct ct_sweep_state now = before;
    struct ct_error error = {""};
    now.budget = 3;
    now.skew = 1;
    assert_int_equal(ct_sweep_state_check(&before, &now, "run", &error), CT_OK);
    now.ppn = 3;
    assert_int_equal(ct_sweep_state_check(&before, &now, "run", &error), CT_E_INPUT);
    assert_string_equal(error.text, "run: was begun with ppn '2', not '3': measure into a new folder");
    now = before;
    now.hostfile = (char *)"hosts";
    assert_int_equal(ct_sweep_state_check(&before, &now, "run", &error), CT_E_INPUT);
    now.sync = NULL;
    assert_int_equal(ct_sweep_state_check(&now, &before, "run", &error), CT_E_INPUT);
}

static void bad_priors_are_refused(void **state)
{
    (void)state;
    refuse((struct ct_sweep_request){.prior = "runs"}, "expected --guided");
    refuse((struct ct_sweep_request){.prior = "no-such-run", .cells = CT_SWEEP_CELLS_GUIDED},
           "--prior: no-such-run: does not exist: expected a folder with run.xml and samples.csv");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_budget_guides),           cmocka_unit_test(the_usual_budget_guides),
        cmocka_unit_test(methods_race_unless_told_not_to), cmocka_unit_test(resuming_keeps_to_what_was),
        cmocka_unit_test(other_conditions_are_refused),    cmocka_unit_test(bad_priors_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
