/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/earlier_points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { COLLECTIVES = 6, COMM_SIZES = 3, MSG_SIZES = 4, POINTS = COLLECTIVES * COMM_SIZES * MSG_SIZES };

/* As a validation's file has them: by collective, ranks and bytes. */
static struct ct_validation make(double speed_up)
{
    static const uint32_t comm_sizes[COMM_SIZES] = {2, 4, 8};
    struct ct_validation validation = {.points = calloc(POINTS, sizeof *validation.points)};
    struct ct_method linear;
    assert_non_null(validation.points);
    assert_int_equal(ct_method_parse("linear", CT_COLLECTIVE_BCAST, NULL, &linear), CT_OK);
    for (size_t i = 0; i < POINTS; i++)
        validation.points[validation.count++] = (struct ct_validation_point){
            .collective = (enum ct_collective)(i / (COMM_SIZES * MSG_SIZES)),
            .key = {.comm_size = comm_sizes[i / MSG_SIZES % COMM_SIZES], .msg_bytes = 8U << i % MSG_SIZES},
            .method = linear,
            .tuned = 1,
            .native = speed_up,
            .low = speed_up,
            .high = speed_up};
    return validation;
}

/* Among the first points on more ranks than CPUs, as many as there are collectives and as many again, is each
 * collective, and among three times as many each number of ranks and each size, too. */
static void beginnings_cover_all(void **state)
{
    (void)state;
    struct ct_validation earlier = make(2);
    size_t fit = 0, collectives[COLLECTIVES] = {0}, comm_sizes[9] = {0}, msg_sizes[65] = {0};
    assert_int_equal(ct_earlier_points_order(&earlier, 2), CT_OK);
    assert_int_equal(earlier.count, POINTS);
    for (; fit < earlier.count && earlier.points[fit].key.comm_size == 2; fit++)
        if (fit > 0)
            assert_true(earlier.points[fit - 1].collective <= earlier.points[fit].collective);
    assert_int_equal(fit, COLLECTIVES * MSG_SIZES);
    for (size_t i = fit; i < fit + 2 * COLLECTIVES; i++)
        collectives[earlier.points[i].collective]++;
    for (size_t i = 0; i < COLLECTIVES; i++)
        assert_in_range(collectives[i], 1, 4);
    for (size_t i = fit; i < fit + 3 * COLLECTIVES; i++) {
        comm_sizes[earlier.points[i].key.comm_size]++;
        msg_sizes[earlier.points[i].key.msg_bytes]++;
    }
    assert_true(comm_sizes[4] > 0 && comm_sizes[8] > 0);
    for (size_t bytes = 8; bytes <= 64; bytes *= 2)
        assert_true(msg_sizes[bytes] > 0);
    ct_validation_free(&earlier);
}

/* Of the points on more ranks than CPUs those that were slower come first. */
static void slower_points_come_first(void **state)
{
    (void)state;
    struct ct_validation earlier = make(2);
    const size_t slower[] = {5, 40, POINTS - 1};
    for (size_t i = 0; i < 3; i++) {
        struct ct_validation_point *point = &earlier.points[slower[i]];
        point->native = point->low = point->high = 0.5;
    }
    assert_int_equal(ct_earlier_points_order(&earlier, 1), CT_OK);
    for (size_t i = 0; i < POINTS; i++)
        assert_int_equal(ct_validation_is_slower(&earlier.points[i]), i < 3);
    ct_validation_free(&earlier);
}

/* A cell knows the method of a point unless that was slower. */
static void cells_know_methods(void **state)
{
    (void)state;
    struct ct_validation earlier = make(2);
    struct ct_validation_cell *cells;
    earlier.points[1].native = earlier.points[1].low = earlier.points[1].high = 0.5;
    assert_int_equal(ct_earlier_points_cells(&earlier, &cells), CT_OK);
    for (size_t i = 0; i < POINTS; i++) {
        assert_int_equal(cells[i].collective, earlier.points[i].collective);
        assert_int_equal(cells[i].key.msg_bytes, earlier.points[i].key.msg_bytes);
        assert_ptr_equal(cells[i].known.algorithm, i == 1 ? NULL : earlier.points[i].method.algorithm);
    }
    free(cells);
    ct_validation_free(&earlier);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beginnings_cover_all),
        cmocka_unit_test(slower_points_come_first),
        cmocka_unit_test(cells_know_methods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
