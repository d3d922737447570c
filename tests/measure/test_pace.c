/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/pace.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A sweep on a clock of our own: jobs take `startup` to come up, and a slot at least `least` seconds, else
 * what it is given but `most`, which is when it is precise. */
struct machine {
    double startup;
    double least;
    double most;
};

static double run_job(const struct ct_pace *pace, const struct machine *machine, double seconds, size_t slots,
                      double now, bool *ret_ended)
{
    double begun = now + machine->startup;
    now = begun;
    for (size_t slot = 0; slot < slots && !*ret_ended; slot++) {
        double share = ct_pace_of_slot(seconds, now - begun, slots - slot);
        now += fmax(machine->least, fmin(share, machine->most));
        *ret_ended = ct_pace_is_over(pace, now);
    }
    return now;
}

/* Seconds that a sweep of some jobs takes, begun at an odd time. */
static double run_sweep(double budget, const struct machine *machine, const size_t *jobs, size_t count)
{
    struct ct_pace pace = {.budget = budget, .begun = 1234.5};
    size_t slots = 0;
    double now = pace.begun;
    bool ended = false;
    for (size_t i = 0; i < count; i++)
        slots += jobs[i];
    for (size_t i = 0; i < count && !ended && ct_pace_left(&pace, now) > 0; i++) {
        double seconds = ct_pace_of_job(&pace, now, jobs[i], slots);
        assert_true(seconds > 0);
        now = run_job(&pace, machine, seconds, jobs[i], now, &ended);
        pace.startup = machine->startup;
        slots -= jobs[i];
    }
    return now - pace.begun;
}

static void budgets_are_kept(void **state)
{
    (void)state;
    static const size_t launches[] = {400, 400, 400}, rounds[] = {160, 20, 44, 30, 200, 200}, one[] = {1000};
    static const struct {
        const size_t *jobs;
        size_t count;
    } sweeps[] = {{launches, 3}, {rounds, 6}, {one, 1}};
    static const double budgets[] = {10, 60, 600}, startups[] = {0.05, 0.5, 2};
    for (size_t s = 0; s < 3; s++)
        for (size_t b = 0; b < 3; b++)
            for (size_t u = 0; u < 3; u++) {
                const struct machine machine = {startups[u], 1e-4, INFINITY};
                if (startups[u] * (double)sweeps[s].count > budgets[b] / 2)
                    continue;
                double took = run_sweep(budgets[b], &machine, sweeps[s].jobs, sweeps[s].count);
                assert_true(took > 0.9 * budgets[b] && took < 1.1 * budgets[b]);
            }
}

/* Calls that take longer than their share: what is over the budget is ended. */
static void slow_machines_are_ended(void **state)
{
    (void)state;
    const size_t jobs[] = {1000, 1000, 1000};
    const struct machine slow = {1, 0.1, INFINITY};
    double took = run_sweep(60, &slow, jobs, 3);
    assert_true(took > 0.9 * 60 && took < 1.1 * 60);
}

/* Where all is precise early there is nothing to spend the rest on. */
static void precise_sweeps_end_early(void **state)
{
    (void)state;
    const size_t jobs[] = {100, 100};
    const struct machine precise = {0.5, 0.001, 0.01};
    assert_float_equal(run_sweep(600, &precise, jobs, 2), 2 * (0.5 + 100 * 0.01), 1e-6);
}

static void no_budget_no_pace(void **state)
{
    (void)state;
    const struct ct_pace none = {.begun = 5};
    assert_true(isinf(ct_pace_left(&none, 1e9)));
    assert_true(ct_pace_of_job(&none, 1e9, 5, 50) <= 0);
    assert_false(ct_pace_is_over(&none, 1e9));
    const struct ct_pace gone = {.budget = 10, .begun = 5};
    assert_true(ct_pace_left(&gone, 100) <= 0);
    assert_true(ct_pace_of_job(&gone, 100, 5, 50) > 0);
    assert_true(ct_pace_is_over(&gone, 100));
    assert_true(ct_pace_of_slot(10, 11, 4) <= 0);
    assert_float_equal(ct_pace_of_slot(10, 2, 4), 2, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(budgets_are_kept),
        cmocka_unit_test(slow_machines_are_ended),
        cmocka_unit_test(precise_sweeps_end_early),
        cmocka_unit_test(no_budget_no_pace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
