/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/sort.h"
#include "measure/race.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 300 };

static double draw(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((double)((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
}

/* Median `middle`, and a tail that has no variance. */
static double heavy(uint64_t *state, double middle)
{
    double u = draw(state);
    return middle * (u < 0.5 ? 0.9 + 0.2 * u : pow(2 * (1 - u), -0.8));
}

static void few_times_decide_nothing(void **state)
{
    (void)state;
    double times[13] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, low = -1, high = -1;
    for (size_t n = 0; n < 13; n++)
        assert_false(ct_race_interval(times, n, &low, &high));
    assert_true(low < 0 && high < 0);
    assert_true(ct_race_interval(times, 13, &low, &high));
    assert_true(low >= 1 && high <= 1);
    const struct ct_racer racer = {times, 12, false};
    assert_true(isinf(ct_race_limit(&racer, 1, 0.05)));
    assert_false(ct_race_lost(&racer, 0.5));
}

/* Order statistics, whichever way they are found: exact to 1000 times, bounded beyond. */
static void intervals_are_order_statistics(void **state)
{
    (void)state;
    static double times[4000];
    for (size_t i = 0; i < 4000; i++)
        times[i] = (double)(i + 1);
    double low, high, before = 0;
    for (size_t n = 13; n <= 4000; n++) {
        assert_true(ct_race_interval(times, n, &low, &high));
        assert_float_equal(low + high, (double)(n + 1), 1e-9);
        assert_true(low >= 1 && low < high + 0.5);
        if (n != 1001)
            assert_true(low + 3 >= before);
        before = low;
    }
    /* 500 times: some 4.9 standard deviations of sqrt(500) / 2 */
    assert_true(ct_race_interval(times, 500, &low, &high));
    assert_true(low > 250 - 5.5 * 11.2 && low < 250 - 4.5 * 11.2);
}

/* Looked at after every single time, the interval leaves the median out in at most 5 % of the sequences. */
static void intervals_hold_at_all_looks(void **state)
{
    (void)state;
    uint64_t seed = 7;
    size_t failures = 0;
    const size_t sequences = 400;
    for (size_t s = 0; s < sequences; s++) {
        double times[MOST], low, high;
        bool failed = false;
        for (size_t n = 0; n < MOST; n++) {
            times[n] = heavy(&seed, 1);
            ct_sort(times, n + 1);
            if (ct_race_interval(times, n + 1, &low, &high))
                failed |= low > 1 || high < 1;
        }
        failures += failed;
    }
    assert_true(failures <= sequences / 20);
}

/* Times of several methods come in; says after how many the last is out, MOST where it stays. */
static size_t race_until(const double *medians, size_t count, double margin, uint64_t *seed)
{
    static double times[4][MOST];
    struct ct_racer racers[4];
    for (size_t n = 0; n < MOST; n++) {
        for (size_t i = 0; i < count; i++) {
            times[i][n] = heavy(seed, medians[i]);
            ct_sort(times[i], n + 1);
            racers[i] = (struct ct_racer){times[i], n + 1, false};
        }
        if (ct_race_lost(&racers[count - 1], ct_race_limit(racers, count, margin)))
            return n + 1;
    }
    return MOST;
}

/* The worse a method the sooner it is out; one within the margin stays, and so does the best. */
static void the_worse_the_sooner(void **state)
{
    (void)state;
    uint64_t seed = 3;
    assert_int_equal(race_until((double[]){1, 50}, 2, 0.05, &seed), 13);
    assert_true(race_until((double[]){1, 3}, 2, 0.05, &seed) < 60);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(race_until((double[]){1, 1.03}, 2, 0.05, &seed), MOST);
        assert_int_equal(race_until((double[]){2, 3, 2}, 3, 0.05, &seed), MOST);
        assert_int_equal(race_until((double[]){2, 1}, 2, 0.05, &seed), MOST);
    }
}

/* What gave wrong results is no yardstick, however fast it was. */
static void wrong_ones_are_no_yardstick(void **state)
{
    (void)state;
    double fast[20], slow[20];
    for (size_t i = 0; i < 20; i++) {
        fast[i] = 1;
        slow[i] = 2;
    }
    struct ct_racer racers[] = {{fast, 20, true}, {slow, 20, false}};
    assert_false(ct_race_lost(&racers[1], ct_race_limit(racers, 2, 0.05)));
    racers[0].out = false;
    assert_true(ct_race_lost(&racers[1], ct_race_limit(racers, 2, 0.05)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_times_decide_nothing),    cmocka_unit_test(intervals_are_order_statistics),
        cmocka_unit_test(intervals_hold_at_all_looks), cmocka_unit_test(the_worse_the_sooner),
        cmocka_unit_test(wrong_ones_are_no_yardstick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
