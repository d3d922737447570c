/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surface.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const double close_enough = 1e-9;

/* Proportional to a power of ranks and of bytes, which is a plane on the surface. */
static double law(size_t method, double ranks, double bytes)
{
    return 1e-6 * (double)(1 + method) * pow(ranks, 0.5) * pow(bytes, method == 0 ? 0.25 : 0.75);
}

static void paint(struct ct_map *map)
{
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; m < map->method_count; m++)
            fixture_set(map, c, m,
                        law(m, (double)map->cells[c].key.comm_size, (double)map->cells[c].key.msg_bytes));
}

static double seconds_at(const struct ct_surface *surface, double ranks, double bytes, size_t method)
{
    return exp(ct_surface_at(surface, log2(ranks), log2(bytes), method));
}

static struct ct_surface surface_of(const struct ct_map *map)
{
    struct ct_surface surface;
    assert_int_equal(ct_surface_make(map, &surface), CT_OK);
    return surface;
}

/* What is a power of the sizes is found everywhere, at the points, between and beyond. */
static void test_power_law(void **state)
{
    (void)state;
    static const double ranks[] = {2, 3, 4, 7, 16, 31, 40}, bytes[] = {1, 5, 64, 700, 4096, 9000};
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,16,32", "1,8,64,512,4K", "native,linear", &map);
    paint(&map);
    struct ct_surface surface = surface_of(&map);
    for (size_t r = 0; r < sizeof ranks / sizeof ranks[0]; r++)
        for (size_t b = 0; b < sizeof bytes / sizeof bytes[0]; b++)
            for (size_t m = 0; m < 2; m++)
                assert_float_equal(seconds_at(&surface, ranks[r], bytes[b], m) / law(m, ranks[r], bytes[b]),
                                   1, close_enough);
    /* nothing is wrong with it, so nothing is smoothed */
    assert_int_equal(ct_surface_smooth(&surface), CT_OK);
    assert_float_equal(seconds_at(&surface, 7, 700, 1) / law(1, 7, 700), 1, close_enough);
    ct_surface_free(&surface);
    ct_map_free(&map);
}

/* Beyond its ends a time neither falls nor grows faster than the sizes' product. */
static void test_beyond(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "4", "1K,2K", "native,linear", &map);
    fixture_set(&map, 0, 0, 4e-6);
    fixture_set(&map, 1, 0, 2e-6);
    fixture_set(&map, 0, 1, 1e-6);
    fixture_set(&map, 1, 1, 9e-6);
    struct ct_surface surface = surface_of(&map);
    assert_float_equal(seconds_at(&surface, 4, 4096, 0) / 2e-6, 1, close_enough);
    assert_float_equal(seconds_at(&surface, 4, 4096, 1) / 18e-6, 1, close_enough);
    assert_float_equal(seconds_at(&surface, 4, 512, 0) / 4e-6, 1, close_enough);
    assert_float_equal(seconds_at(&surface, 4, 512, 1) / 0.5e-6, 1, close_enough);
    ct_surface_free(&surface);
    ct_map_free(&map);
}

/* A sample that was disturbed gives way to what more ranks and bytes take; those beside it stay as they are.
 */
static void test_disturbed(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "1,8,64,512,4K,32K", "native,linear", &map);
    for (size_t cell = 0; cell < 24; cell++) {
        for (size_t method = 0; method < 2; method++) {
            paint(&map);
            double truth = map.cells[cell].methods[method].median;
            fixture_set(&map, cell, method, 300 * truth);
            struct ct_surface surface = surface_of(&map);
            assert_int_equal(ct_surface_smooth(&surface), CT_OK);
            for (size_t c = 0; c < 24; c++)
                for (size_t m = 0; m < 2; m++) {
                    double found = exp(surface.logs[ct_surface_index(&surface, c / 6, c % 6, m)]);
                    bool disturbed = c == cell && m == method;
                    double ratio = found / law(m, (double)map.cells[c].key.comm_size,
                                               (double)map.cells[c].key.msg_bytes);
                    assert_true(disturbed ? ratio > 0.99 && ratio < 17 : fabs(ratio - 1) < close_enough);
                }
            ct_surface_free(&surface);
        }
    }
    ct_map_free(&map);
}

/* One time that is too short has no say over the others. */
static void test_lucky(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "1,8,64,512,4K,32K", "native,linear", &map);
    paint(&map);
    fixture_set(&map, 21, 1, 1e-9); /* 16 ranks, 512 bytes */
    struct ct_surface surface = surface_of(&map);
    assert_int_equal(ct_surface_smooth(&surface), CT_OK);
    for (size_t c = 0; c < 24; c++) {
        double found = exp(surface.logs[ct_surface_index(&surface, c / 6, c % 6, 1)]);
        double ratio = found / law(1, (double)map.cells[c].key.comm_size, (double)map.cells[c].key.msg_bytes);
        if (c == 20 || c == 22) /* beside it the next neighbour's time is the median */
            assert_true(ratio > 0.2 && ratio < 1 + close_enough);
        else if (c != 21)
            assert_float_equal(ratio, 1, close_enough);
    }
    ct_surface_free(&surface);
    ct_map_free(&map);
}

/* Who was measured often enough to be sure keeps its time, however odd. */
static void test_sure(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "1,8,64,512,4K,32K", "native,linear", &map);
    paint(&map);
    double odd = 100 * map.cells[8].methods[0].median;
    map.cells[8].methods[0] = (struct ct_statistics){
        .count = 60, .launches = 3, .median = odd, .low = 0.9 * odd, .high = 1.1 * odd};
    struct ct_surface surface = surface_of(&map);
    assert_int_equal(ct_surface_smooth(&surface), CT_OK);
    assert_float_equal(exp(surface.logs[ct_surface_index(&surface, 1, 2, 0)]) / (0.9 * odd), 1, close_enough);
    ct_surface_free(&surface);
    ct_map_free(&map);
}

/* Where a method was not measured: between sizes it is known, beyond those it was measured at it is not. */
static void test_gaps(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "1,8,64,512,4K", "native,linear", &map);
    paint(&map);
    map.cells[2].methods[1].count = 0; /* 2 ranks, 64 bytes */
    for (size_t c = 5; c < 10; c++)    /* 4 ranks */
        map.cells[c].methods[1].count = 0;
    map.cells[19].methods[1].count = 0; /* 16 ranks, 4 KB */
    struct ct_surface surface = surface_of(&map);
    ct_surface_fill(&surface);
    assert_float_equal(seconds_at(&surface, 2, 64, 1) / law(1, 2, 64), 1, close_enough);
    assert_float_equal(seconds_at(&surface, 4, 100, 1) / law(1, 4, 100), 1, close_enough);
    assert_true(isnan(ct_surface_at(&surface, 4, log2(4096), 1)));
    assert_true(isnan(ct_surface_at(&surface, 3.5, 12, 1)));
    assert_float_equal(seconds_at(&surface, 16, 4096, 0) / law(0, 16, 4096), 1, close_enough);
    ct_surface_free(&surface);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_law), cmocka_unit_test(test_beyond), cmocka_unit_test(test_disturbed),
        cmocka_unit_test(test_lucky),     cmocka_unit_test(test_sure),   cmocka_unit_test(test_gaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
