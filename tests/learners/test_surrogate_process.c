/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "learners/surrogate_process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Normal numbers, the same from the same seed. */
static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return ((*seed >> 8) + 0.5) / (1 << 24);
}

static double normal(unsigned *seed)
{
    double radius = sqrt(-2 * log(uniform(seed)));
    return radius * cos(2 * M_PI * uniform(seed));
}

enum { ROWS = 6, COLUMNS = 12, VALUES = ROWS * COLUMNS };

/* A smooth surface of two sizes. */
static double truth(double row, double column)
{
    return -10 + 0.4 * row + 0.3 * column + 0.5 * sin(row) * cos(column / 2);
}

static void make_values(double job, double noise, unsigned seed, struct ct_process_value *values)
{
    for (size_t r = 0; r < ROWS; r++) {
        double effect = job * normal(&seed);
        for (size_t c = 0; c < COLUMNS; c++)
            values[r * COLUMNS + c] = (struct ct_process_value){.place = {(double)r, (double)c},
                                                                .value = truth((double)r, (double)c) +
                                                                         effect + noise * normal(&seed),
                                                                .group = r,
                                                                .launches = 1};
    }
}

static struct ct_process *fit(const struct ct_process_value *values, size_t count, bool exact,
                              struct ct_process_scales *scales)
{
    const struct ct_process_series series = {values, count};
    struct ct_process *process;
    double cost;
    assert_int_equal(ct_process_find_scales(&series, 1, 2, exact, false, scales, &cost), CT_OK);
    assert_int_equal(ct_process_fit(values, count, 2, scales, exact, &process), CT_OK);
    return process;
}

static double error_of(struct ct_process *process)
{
    double squares = 0, count = 0;
    for (double r = 0.5; r < ROWS - 1; r++)
        for (double c = 0.5; c < COLUMNS - 1; c++, count++) {
            double off = ct_process_at(process, (double[]){r, c, 0}, NULL) - truth(r, c);
            squares += off * off;
        }
    return sqrt(squares / count);
}

/* A known function is recovered between its values, and exactly at them. */
static void test_known(void **state)
{
    (void)state;
    struct ct_process_value values[VALUES];
    struct ct_process_scales scales;
    make_values(0, 0, 1, values);
    struct ct_process *process = fit(values, VALUES, true, &scales);
    assert_true(error_of(process) < 0.1);
    for (size_t i = 0; i < VALUES; i++) {
        double deviation, mean = ct_process_at(process, values[i].place, &deviation);
        assert_true(fabs(mean - values[i].value) < 0.02);
        assert_true(deviation < 0.05);
    }
    double near, far;
    ct_process_at(process, (double[]){2, 2.5, 0}, &near);
    ct_process_at(process, (double[]){2, 30, 0}, &far);
    assert_true(near < far);
    ct_process_free(process);
}

/* Noise is found where it is, and averaged. */
static void test_noise(void **state)
{
    (void)state;
    struct ct_process_value values[VALUES];
    struct ct_process_scales scales;
    make_values(0, 0.1, 2, values);
    struct ct_process *process = fit(values, VALUES, false, &scales);
    assert_true(scales.noise > 0.05 && scales.noise < 0.2);
    assert_true(error_of(process) < 0.1);
    ct_process_free(process);
}

/* Slopes as small as these are found to be small, unless they are to be free; then less is believed of what
 * lies beyond the values. */
static void test_slopes(void **state)
{
    (void)state;
    struct ct_process_value values[VALUES];
    struct ct_process_scales found, free;
    double cost, deviations[2];
    make_values(0, 0.02, 5, values);
    for (size_t i = 0; i < VALUES; i++)
        values[i].value -= truth(values[i].place[0], values[i].place[1]) - 0.01 * values[i].place[1];
    const struct ct_process_series series = {values, COLUMNS / 4};
    assert_int_equal(ct_process_find_scales(&series, 1, 2, false, false, &found, &cost), CT_OK);
    assert_int_equal(ct_process_find_scales(&series, 1, 2, false, true, &free, &cost), CT_OK);
    assert_true(found.slope < free.slope / 2);
    const struct ct_process_scales *scales[] = {&found, &free};
    for (size_t i = 0; i < 2; i++) {
        struct ct_process *process;
        assert_int_equal(ct_process_fit(series.values, series.count, 2, scales[i], false, &process), CT_OK);
        ct_process_at(process, (double[]){0, 2 * COLUMNS, 0}, &deviations[i]);
        ct_process_free(process);
    }
    assert_true(deviations[0] < deviations[1]);
}

/* How much of an offset of all values of one row is taken for signal. */
static double signal_in(bool is_one_job, uint64_t launches)
{
    const struct ct_process_scales scales = {
        .amplitude = 1, .lengths = {6, 12}, .job = 0.5, .noise = 0.05, .slope = 1};
    const double offset = 0.6;
    struct ct_process_value values[VALUES];
    struct ct_process *process;
    make_values(0, 0, 1, values);
    for (size_t i = 0; i < VALUES; i++) {
        values[i].value = i / COLUMNS == 2 ? offset : 0;
        values[i].group = is_one_job ? i / COLUMNS : i;
        values[i].launches = launches;
    }
    assert_int_equal(ct_process_fit(values, VALUES, 2, &scales, false, &process), CT_OK);
    double estimate = ct_process_at(process, (double[]){2, 5, 0}, NULL);
    ct_process_free(process);
    return estimate / offset;
}

/* Values of one job are one witness, however many; several launches are several. */
static void test_jobs(void **state)
{
    (void)state;
    double one = signal_in(true, 1), many = signal_in(false, 1), launches = signal_in(true, 0xffff);
    assert_true(one < 0.4);
    assert_true(many > one + 0.2);
    assert_true(launches > one + 0.2);
}

/* The spread between jobs is told from noise. */
static void test_job_scale(void **state)
{
    (void)state;
    struct ct_process_value values[VALUES];
    struct ct_process_scales with, without;
    make_values(0.5, 0.02, 3, values);
    ct_process_free(fit(values, VALUES, false, &with));
    make_values(0, 0.02, 3, values);
    ct_process_free(fit(values, VALUES, false, &without));
    assert_true(with.job > 2 * without.job);
    assert_true(with.noise < 0.1);
}

/* One sample that is far too long does not count. */
static void test_outlier(void **state)
{
    (void)state;
    struct ct_process_value values[VALUES];
    struct ct_process_scales scales;
    const size_t at = 2 * COLUMNS + 5;
    make_values(0, 0.03, 4, values);
    values[at].value += 4;
    struct ct_process *process = fit(values, VALUES, false, &scales);
    assert_true(fabs(ct_process_at(process, values[at].place, NULL) - truth(2, 5)) < 0.3);
    assert_true(ct_process_weight(process, at) < 0.1);
    assert_true(ct_process_weight(process, at + 3) > 0.3);
    ct_process_free(process);
    /* computed times have no outliers */
    process = fit(values, VALUES, true, &scales);
    assert_true(fabs(ct_process_at(process, values[at].place, NULL) - values[at].value) < 0.1);
    ct_process_free(process);
}

/* One value, equal places, equal values: no failure, and finite results. */
static void test_degenerate(void **state)
{
    (void)state;
    struct ct_process_value values[VALUES];
    struct ct_process_scales scales;
    for (int exact = 0; exact < 2; exact++) {
        make_values(0, 0.1, 5, values);
        for (size_t count = 1; count < 4; count++) {
            struct ct_process *process = fit(values, count, exact, &scales);
            double deviation;
            assert_true(isfinite(ct_process_at(process, (double[]){9, 9, 0}, &deviation)));
            assert_true(isfinite(deviation));
            ct_process_free(process);
        }
        for (size_t i = 0; i < VALUES; i++)
            memcpy(values[i].place, values[0].place, sizeof values[i].place);
        struct ct_process *process = fit(values, VALUES, exact, &scales);
        assert_true(isfinite(ct_process_at(process, values[0].place, NULL)));
        ct_process_free(process);
        make_values(0, 0, 5, values);
        for (size_t i = 0; i < VALUES; i++)
            values[i].value = -7;
        process = fit(values, VALUES, exact, &scales);
        assert_true(fabs(ct_process_at(process, (double[]){1.5, 1.5, 0}, NULL) + 7) < 1e-6);
        ct_process_free(process);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),      cmocka_unit_test(test_noise),     cmocka_unit_test(test_slopes),
        cmocka_unit_test(test_jobs),       cmocka_unit_test(test_job_scale), cmocka_unit_test(test_outlier),
        cmocka_unit_test(test_degenerate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
