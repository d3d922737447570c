/* SPDX-License-Identifier: BSD-3-Clause */
/* Kumar 2005, equations 3.1 to 3.16 and 4.1 to 4.6: closed formulas of exchanges on grids, hypercubes and
 * groups, against the evaluation of the plans under Hockney. Copies are free, as in print. */
#include "models/evaluate/evaluate.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { SIZES_MOST = FEWER_CASES ? 40 : 130 };

/* Kumar's figures for QsNet: direct messages are as fast as a square grid at 11e-6 / 8e-9 = 1375 bytes. */
static const double alpha = 11e-6, beta = 8e-9;
static const struct ct_model qsnet = {
    .links = {{.known = {[CT_MODEL_HOCKNEY] = true}, .hockney = {11e-6, 8e-9}}}};

typedef double formula(double size, double bytes, double value);

static double direct(double size, double bytes, double value)
{
    (void)value;
    return (size - 1) * (alpha + bytes * beta);
}

/* The least c with c^dimensions >= size. */
static double side(double size, double dimensions)
{
    double c = 1;
    while (pow(c, dimensions) < size)
        c++;
    return c;
}

/* 3.2 and 3.6 */
static double alltoall_grid(double size, double bytes, double dimensions)
{
    double c = side(size, dimensions);
    return dimensions * (c - 1) * (alpha + size / c * bytes * beta);
}

/* 3.4 */
static double alltoall_holes(double size, double bytes, double dimensions)
{
    return 2 * (side(size, dimensions) - 1) * alpha + 2 * size * bytes * beta;
}

/* 3.3 and 3.7 */
static double allgather_grid(double size, double bytes, double dimensions)
{
    return dimensions * (side(size, dimensions) - 1) * alpha + (size - 1) * bytes * beta;
}

/* 3.5 */
static double allgather_holes(double size, double bytes, double dimensions)
{
    return 2 * (side(size, dimensions) - 1) * alpha + (size + 1) * bytes * beta;
}

/* 3.10 and 3.12 */
static double alltoall_hypercube(double size, double bytes, double value)
{
    (void)value;
    return log2(size) * (alpha + size / 2 * bytes * beta);
}

static double alltoall_folded(double size, double bytes, double value)
{
    (void)value;
    return log2(size) * (2 * alpha + size * bytes * beta);
}

/* 3.16 */
static double allgather_hybrid(double size, double bytes, double steps)
{
    double direct_steps = fmin(steps, log2(size));
    return (log2(size) - direct_steps + exp2(direct_steps) - 1) * alpha + (size - 1) * bytes * beta;
}

static double seconds_of(struct ct_evaluator *evaluator, enum ct_collective collective, const char *name,
                         size_t value, int size, size_t bytes)
{
    struct ct_method method = {.algorithm = ct_algorithm_find(collective, name)};
    assert_non_null(method.algorithm);
    for (int i = 0; i < ct_parameter_count(method.algorithm->descriptor); i++)
        method.values[i] = ct_parameter_standard(method.algorithm->descriptor->parameters[i]);
    if (value > 0)
        method.values[0] = value;
    struct ct_call call = {.size = size, .unit_bytes = 1, .commutative = true, .count = bytes};
    struct ct_error error = {{0}};
    struct ct_evaluation evaluation;
    if (ct_evaluate(evaluator, &method, &call, &qsnet, CT_MODEL_HOCKNEY, NULL, &error, &evaluation) != CT_OK)
        fail_msg("%s", error.text);
    return evaluation.seconds;
}

enum sizes { ALL, POWERS_OF_TWO, OTHERS, SQUARES, NO_SQUARES, CUBES };

static bool is_among(enum sizes sizes, int size)
{
    bool power = (size & (size - 1)) == 0;
    switch (sizes) {
    case ALL:
        return true;
    case POWERS_OF_TWO:
    case OTHERS:
        return power == (sizes == POWERS_OF_TWO);
    case SQUARES:
    case NO_SQUARES:
        return (pow(side(size, 2), 2) == size) == (sizes == SQUARES);
    case CUBES:
        return pow(side(size, 3), 3) == size;
    }
    return false;
}

struct row {
    enum ct_collective collective;
    const char *algorithm;
    size_t value; /* of its first parameter; 0: the standard one */
    formula *seconds;
    enum sizes sizes;
    double least, most; /* of the evaluation over the formula */
};

/* Equal on full grids and cubes. With holes, 3.4 is an upper bound; 3.5 and 3.12 are neither, since they
 * spread what holes and folding add over all ranks, and a few ranks carry it. */
static const struct row rows[] = {
    {CT_COLLECTIVE_ALLTOALL, "pairwise", 0, direct, ALL, 1, 1},
    {CT_COLLECTIVE_ALLTOALL, "grid", 1, direct, ALL, 1, 1},
    {CT_COLLECTIVE_ALLTOALL, "grid", 2, alltoall_grid, SQUARES, 1, 1},
    {CT_COLLECTIVE_ALLTOALL, "grid", 3, alltoall_grid, CUBES, 1, 1},
    {CT_COLLECTIVE_ALLTOALL, "grid", 2, alltoall_holes, NO_SQUARES, 0.25, 1},
    {CT_COLLECTIVE_ALLTOALL, "hypercube", 0, alltoall_hypercube, POWERS_OF_TWO, 1, 1},
    {CT_COLLECTIVE_ALLTOALL, "hypercube", 0, alltoall_folded, OTHERS, 0.69, 1.46},
    {CT_COLLECTIVE_ALLGATHER, "grid", 2, allgather_grid, SQUARES, 1, 1},
    {CT_COLLECTIVE_ALLGATHER, "grid", 3, allgather_grid, CUBES, 1, 1},
    {CT_COLLECTIVE_ALLGATHER, "grid", 2, allgather_holes, NO_SQUARES, 0.33, 1.1},
    {CT_COLLECTIVE_ALLGATHER, "hypercube", 2, allgather_hybrid, POWERS_OF_TWO, 1, 1},
    {CT_COLLECTIVE_ALLGATHER, "hypercube", 3, allgather_hybrid, POWERS_OF_TWO, 1, 1},
    {CT_COLLECTIVE_ALLGATHER, "prefix", 0, direct, ALL, 1, 1},
    {CT_COLLECTIVE_ALLGATHER, "k_prefix", 8, direct, ALL, 1, 1},
    {CT_COLLECTIVE_ALLGATHER, "k_shift", 8, direct, ALL, 1, 1},
};

static bool holds(struct ct_evaluator *evaluator, const struct row *row)
{
    static const size_t sizes[] = {16, 1375, 65536};
    double least = INFINITY, most = 0;
    for (int size = 2; size <= SIZES_MOST; size++)
        for (size_t i = 0; is_among(row->sizes, size) && i < sizeof sizes / sizeof sizes[0]; i++) {
            double ratio =
                seconds_of(evaluator, row->collective, row->algorithm, row->value, size, sizes[i]) /
                row->seconds(size, (double)sizes[i], (double)row->value);
            least = fmin(least, ratio);
            most = fmax(most, ratio);
        }
    if (least >= row->least - 1e-9 && most <= row->most + 1e-9)
        return true;
    print_error("%s %zu: from %.3f to %.3f of the formula, expected %.3f to %.3f\n", row->algorithm,
                row->value, least, most, row->least, row->most);
    return false;
}

static void test_formulas(void **state)
{
    (void)state;
    struct ct_evaluator *evaluator = ct_evaluator_new();
    int wrong = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        wrong += !holds(evaluator, &rows[i]);
    assert_int_equal(wrong, 0);
    struct row bad = rows[0]; /* a row that is wrong by a little */
    bad.most = bad.least = 1.01;
    assert_false(holds(evaluator, &bad));
    ct_evaluator_free(evaluator);
}

/* A square grid is as fast as direct messages of alpha / beta bytes, whatever its size. */
static void test_crossover(void **state)
{
    (void)state;
    struct ct_evaluator *evaluator = ct_evaluator_new();
    for (int c = 2; c <= 11; c++)
        for (int step = -1; step <= 1; step++) {
            size_t bytes = (size_t)(1375 + step);
            double through = seconds_of(evaluator, CT_COLLECTIVE_ALLTOALL, "grid", 2, c * c, bytes);
            double straight = seconds_of(evaluator, CT_COLLECTIVE_ALLTOALL, "pairwise", 0, c * c, bytes);
            double difference = (through - straight) / straight;
            assert_true(step < 0    ? difference < -1e-5
                        : step == 0 ? fabs(difference) < 1e-9
                                    : difference > 1e-5);
        }
    ct_evaluator_free(evaluator);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas), cmocka_unit_test(test_crossover)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
