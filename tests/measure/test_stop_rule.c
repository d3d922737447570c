/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/statistics.h"
#include "measure/stop_rule.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void fill(double *times, size_t n)
{
    for (size_t i = 0; i < n; i++)
        times[i] = (double)(n - i);
}

/* Fewer than eight times allow no interval of 99 %. */
static void few_times_prove_nothing(void **state)
{
    (void)state;
    double times[7] = {1, 1, 1, 1, 1, 1, 1};
    for (size_t n = 0; n <= 7; n++)
        assert_true(isinf(ct_median_error(times, n)));
}

/* Orders of the binomial distribution: for 8 times the extremes, for 20 the 4th and 17th, for 100 the 37th
 * and 64th. */
static void interval_is_the_binomials(void **state)
{
    (void)state;
    double times[100];
    fill(times, 8);
    assert_float_equal(ct_median_error(times, 8), (8 - 1) / 2.0 / 4.5, 1e-12);
    fill(times, 20);
    assert_float_equal(ct_median_error(times, 20), (17 - 4) / 2.0 / 10.5, 1e-12);
    fill(times, 100);
    assert_float_equal(ct_median_error(times, 100), (64 - 37) / 2.0 / 50.5, 1e-12);
}

/* A stream of times as a method yields them, and its true median. */
struct stream {
    const char *name;
    double scale; /* of the noise */
    double tail;  /* share of the times in a tail without a mean */
    double after; /* of 300 streams so many stop before the most repetitions, at least */
};

static double draw(const struct stream *stream, gsl_rng *random)
{
    if (gsl_rng_uniform(random) < stream->tail)
        return gsl_rng_uniform(random) < 0.5 ? gsl_ran_pareto(random, 0.5, 1) : 0.99;
    return exp(gsl_ran_gaussian(random, stream->scale));
}

/* However heavy the tails, it stops, and the interval that it stops at holds the median, 1, as often as it
 * should although it was looked at after each repetition. */
static void interval_holds_where_it_stops(void **state)
{
    (void)state;
    enum { STREAMS = 300, MOST = 120, LEAST_HELD = 274 /* 95 % but for one time in a thousand */ };
    static const struct stream streams[] = {{"steady", 0.02, 0, 300},
                                            {"noisy", 0.1, 0, 290},
                                            {"wild", 0.5, 0, 0},
                                            {"steady with a tail", 0.02, 0.2, 300},
                                            {"noisy with a tail", 0.07, 0.3, 250}};
    const struct ct_stop_rule rule = {.least = 5, .most = MOST, .precision = 0.05, .most_seconds = 1e9};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        size_t held = 0, early = 0;
        for (int s = 0; s < STREAMS; s++) {
            double times[MOST];
            size_t n = 0, low, high;
            do /* sorting them does not change what comes of them */
                times[n++] = draw(&streams[i], random);
            while (!ct_stop(&rule, times, n, 0));
            assert_true(n <= MOST);
            early += n < MOST;
            ct_sort(times, n);
            assert_true(ct_median_bounds(n, 0.99, &low, &high));
            held += times[low] <= 1 && 1 <= times[high];
        }
        print_message("%-20s held %zu, early %zu of %d\n", streams[i].name, held, early, STREAMS);
        assert_true(held >= LEAST_HELD);
        assert_true((double)early >= streams[i].after);
    }
    gsl_rng_free(random);
}

static void equal_times_have_no_error(void **state)
{
    (void)state;
    double times[8] = {2, 2, 2, 2, 2, 2, 2, 2};
    assert_float_equal(ct_median_error(times, 8), 0, 0);
}

static void rule_stops_for_each_reason(void **state)
{
    (void)state;
    const struct ct_stop_rule rule = {.least = 8, .most = 20, .precision = 0.05, .most_seconds = 1};
    double steady[20], wild[20];
    for (size_t i = 0; i < 20; i++) {
        steady[i] = 1;
        wild[i] = (double)(1 + i * i);
    }
    /* precise, but too few */
    assert_false(ct_stop(&rule, steady, 7, 0));
    assert_true(ct_stop(&rule, steady, 8, 0));
    /* enough, but not precise */
    assert_false(ct_stop(&rule, wild, 19, 0));
    assert_true(ct_stop(&rule, wild, 20, 0));
    /* out of time, but never without a sample */
    assert_true(ct_stop(&rule, wild, 1, 1));
    assert_false(ct_stop(&rule, wild, 0, 5));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_times_prove_nothing),       cmocka_unit_test(interval_is_the_binomials),
        cmocka_unit_test(interval_holds_where_it_stops), cmocka_unit_test(equal_times_have_no_error),
        cmocka_unit_test(rule_stops_for_each_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
