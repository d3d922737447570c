/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "learners/expected_gain.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_expected_least(void **state)
{
    (void)state;
    /* of two standard normal numbers: -1 / sqrt(pi) */
    assert_true(fabs(ct_expected_least((double[]){0, 0}, (double[]){1, 1}, 2) + 1 / sqrt(M_PI)) < 1e-3);
    assert_true(fabs(ct_expected_least((double[]){3}, (double[]){0.5}, 1) - 3) < 1e-3);
    assert_true(fabs(ct_expected_least((double[]){3, 2, NAN}, (double[]){0, 0, 1}, 3) - 2) < 1e-12);
    assert_true(fabs(ct_expected_least((double[]){0, 9}, (double[]){1, 1}, 2)) < 1e-3);
    assert_true(isnan(ct_expected_least((double[]){NAN}, (double[]){NAN}, 1)));
}

static struct ct_measurement candidate(size_t ranks, size_t bytes, size_t method)
{
    return (struct ct_measurement){
        .key = {.nodes = 1, .ppn = (uint32_t)ranks, .comm_size = (uint32_t)ranks, .msg_bytes = bytes},
        .method = method};
}

static double gain_of(const struct ct_map *map, size_t ranks, size_t bytes, size_t method)
{
    const struct ct_measurement wanted = candidate(ranks, bytes, method);
    struct ct_error error = {""};
    double gain = NAN;
    assert_int_equal(ct_expected_gains(map, &wanted, 1, NULL, &error, &gain), CT_OK);
    return gain;
}

/* Two methods that are close, between 4 and 64 ranks nothing was measured. */
static void make_close(double times_as_long, struct ct_map *map)
{
    unsigned seed = 6;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,64", "8,64,512,4K,32K", "linear,binomial:", map);
    for (size_t c = 0; c < map->cell_count; c++) {
        double seconds = 1e-6 * (double)map->cells[c].key.comm_size;
        fixture_set(map, c, 0, seconds * (1 + (double)fixture_random(&seed, 100) / 200));
        fixture_set(map, c, 1, seconds * (1 + (double)fixture_random(&seed, 100) / 200) * times_as_long);
    }
    map->exact = true;
}

/* It is worth most to measure where methods are close and nothing was measured around. */
static void test_where(void **state)
{
    (void)state;
    struct ct_map map;
    make_close(1, &map);
    const size_t methods[] = {CT_EVERY_METHOD, 0, 1};
    for (size_t i = 0; i < 3; i++) {
        double far = gain_of(&map, 16, 64, methods[i]);
        assert_true(far > 10 * gain_of(&map, 4, 64, methods[i]));
        assert_true(far > gain_of(&map, 3, 64, methods[i]));
        /* one measurement is worth no more than all */
        assert_true(far <= gain_of(&map, 16, 64, CT_EVERY_METHOD) + 1e-3);
    }
    ct_map_free(&map);
    /* one method is far better everywhere: there is nothing to gain */
    make_close(1000, &map);
    for (size_t i = 0; i < 3; i++)
        assert_true(gain_of(&map, 16, 64, methods[i]) < 1e-3);
    ct_map_free(&map);
}

/* Methods that were not measured anywhere, that do not apply, and that alone may be chosen. */
static void test_unknown(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_ALLGATHER, "2,4,8", "8,64", "ring,neighbor_exchange,bruck:", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        fixture_set(&map, c, 0, 1e-5);
        fixture_set(&map, c, 1, 1.1e-5);
    }
    map.exact = true;
    assert_true(isinf(gain_of(&map, 6, 8, 2)));
    assert_true(gain_of(&map, 6, 8, 1) >= 0);
    assert_true(gain_of(&map, 5, 8, 1) <= 0); /* an odd number of ranks */
    ct_map_free(&map);
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "8", "linear,binomial:", &map);
    fixture_set(&map, 0, 0, 1e-5);
    assert_true(gain_of(&map, 2, 8, 0) <= 0);
    ct_map_free(&map);
}

/* All answers at once are those one by one; no answers if there is nothing to learn from, or the user stops.
 */
static void test_list(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_error error = {""};
    const volatile sig_atomic_t stop = 1;
    const struct ct_measurement wanted[] = {candidate(16, 64, 0), candidate(16, 64, 1), candidate(3, 8, 1),
                                            candidate(16, 64, CT_EVERY_METHOD)};
    double gains[4];
    make_close(1, &map);
    assert_int_equal(ct_expected_gains(&map, wanted, 4, NULL, &error, gains), CT_OK);
    for (size_t i = 0; i < 4; i++)
        assert_true(fabs(gains[i] - gain_of(&map, wanted[i].key.comm_size, wanted[i].key.msg_bytes,
                                            wanted[i].method)) < 1e-12);
    gains[0] = -1;
    assert_int_equal(ct_expected_gains(&map, wanted, 4, &stop, &error, gains), CT_E_STOPPED);
    ct_map_free(&map);
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "8", "linear,binomial:", &map);
    assert_int_equal(ct_expected_gains(&map, wanted, 4, NULL, &error, gains), CT_E_INPUT);
    assert_string_equal(error.text, "no allowed method of bcast was measured in any cell");
    assert_true(gains[0] == -1);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_expected_least),
        cmocka_unit_test(test_where),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_list),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
