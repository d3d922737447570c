/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/validation_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DENSE = 17, CPUS = 2 };

static const size_t comm_sizes[] = {2, 3, 4, 5, 6, 7, 8};
static const size_t msg_sizes[] = {8, 512, 4096, 32768, 262144, 1048576};

static struct ct_validation_grid grid_of(const enum ct_collective *collectives, size_t most)
{
    return (struct ct_validation_grid){.collectives = collectives,
                                       .collective_count = DENSE,
                                       .comm_sizes = comm_sizes,
                                       .comm_size_count = sizeof comm_sizes / sizeof comm_sizes[0],
                                       .msg_sizes = msg_sizes,
                                       .msg_size_count = sizeof msg_sizes / sizeof msg_sizes[0],
                                       .modes = 1U << CT_MODE_BLOCKING,
                                       .cpus = CPUS,
                                       .most = most};
}

static void find_dense(enum ct_collective collectives[DENSE])
{
    size_t count = 0;
    for (int c = 0; c < CT_COLLECTIVES; c++)
        if (!ct_collectives[c].is_sparse) {
            assert_true(count < DENSE);
            collectives[count++] = (enum ct_collective)c;
        }
    assert_int_equal(count, DENSE);
}

/* However few points are taken, each collective has one without oversubscription, and the first with it are
 * one of each, too. */
static void no_collective_is_left_out(void **state)
{
    (void)state;
    enum ct_collective collectives[DENSE];
    find_dense(collectives);
    for (size_t most = 2 * DENSE; most <= 400; most += 61) {
        const struct ct_validation_grid grid = grid_of(collectives, most);
        struct ct_validation_cell *points;
        size_t count, fit = 0, few[CT_COLLECTIVES] = {0}, many[CT_COLLECTIVES] = {0};
        assert_int_equal(ct_validation_points(&grid, NULL, &points, &count), CT_OK);
        assert_int_equal(count, most);
        for (; fit < count && points[fit].key.comm_size <= CPUS; fit++)
            few[points[fit].collective]++;
        assert_true(fit + DENSE <= count);
        for (size_t i = fit; i < fit + DENSE; i++)
            many[points[i].collective]++;
        for (size_t i = fit; i < count; i++)
            assert_true(points[i].key.comm_size > CPUS);
        for (size_t i = 0; i < DENSE; i++) {
            assert_true(few[collectives[i]] > 0);
            assert_int_equal(many[collectives[i]], 1);
        }
        free(points);
    }
}

/* The points that are to be taken first are taken, even if these are all. */
static void first_points_are_taken(void **state)
{
    (void)state;
    enum ct_collective collectives[DENSE];
    find_dense(collectives);
    const struct ct_validation_cell first = {.collective = CT_COLLECTIVE_REDUCE,
                                             .key = {.comm_size = 7, .msg_bytes = 32768}};
    struct ct_validation_grid grid = grid_of(collectives, 2 * DENSE);
    struct ct_validation_cell *points;
    size_t count, found = 0;
    grid.first = &first;
    grid.first_count = 1;
    assert_int_equal(ct_validation_points(&grid, NULL, &points, &count), CT_OK);
    for (size_t i = 0; i < count; i++)
        found += points[i].collective == first.collective && points[i].key.comm_size == 7 &&
                 points[i].key.msg_bytes == 32768;
    assert_int_equal(found, 1);
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_collective_is_left_out),
        cmocka_unit_test(first_points_are_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
