/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/expected_times.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { METHODS = 2, KNOWN = 0, OTHER = 1 };

static const double close_enough = 1e-9;
static const bool all[METHODS] = {true, true};

/* log(seconds) by method, and how certain they are. */
struct estimates {
    double means[METHODS], deviations[METHODS];
};

static struct ct_cell_key key_of(unsigned ranks, size_t bytes)
{
    return (struct ct_cell_key){.nodes = 1, .ppn = ranks, .comm_size = ranks, .msg_bytes = bytes};
}

/* Estimates of the surrogate by itself. */
static struct estimates alone(const struct ct_map *map, const bool *allowed, const struct ct_cell_key *key)
{
    const struct ct_surrogate_options options = {.no_plans = true, .calls = 1};
    struct estimates estimates;
    struct ct_surrogate *surrogate;
    assert_int_equal(ct_surrogate_new(map, allowed, &options, NULL, &surrogate), CT_OK);
    assert_int_equal(ct_surrogate_at(surrogate, key, estimates.means, estimates.deviations), CT_OK);
    ct_surrogate_free(surrogate);
    return estimates;
}

static struct estimates expected(const struct ct_map *map, const bool *allowed, const struct ct_cell_key *key)
{
    const struct ct_surrogate_options options = {.no_plans = true, .calls = 1};
    const struct ct_feature_columns columns = ct_feature_columns_of(map, NULL);
    struct estimates estimates;
    struct ct_expected_times times;
    assert_int_equal(ct_expected_times_make(map, &columns, allowed, &options, NULL, &times), CT_OK);
    assert_int_equal(ct_expected_times_at(&times, key, estimates.means, estimates.deviations), CT_OK);
    ct_expected_times_free(&times);
    return estimates;
}

/* 10 microseconds on few ranks, but 160 on 8 with many bytes, and 1000 on 32. */
static void make_map(const char *comm_sizes, struct ct_map *map)
{
    fixture_map(CT_COLLECTIVE_BCAST, comm_sizes, "64,1K", "linear,binomial:", map);
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; m < METHODS; m++) {
            const size_t ranks = map->cells[c].key.comm_size, bytes = map->cells[c].key.msg_bytes;
            fixture_set(map, c, m, ranks == 32 ? 1e-3 : ranks == 8 && bytes == 1024 ? 160e-6 : 10e-6);
        }
}

/* In the middle of the four cells on 2 and 8 ranks a line gives the geometric mean of their times, 20
 * microseconds, which counts a third. How certain times are is left to the surrogate. */
static void test_mean(void **state)
{
    (void)state;
    const struct ct_cell_key middle = key_of(4, 256);
    struct ct_map map;
    make_map("2,8,32", &map);
    const struct estimates a = alone(&map, all, &middle), b = expected(&map, all, &middle);
    for (size_t m = 0; m < METHODS; m++) {
        assert_true(fabs(a.means[m] - log(20e-6)) > 0.02);
        assert_true(fabs(b.means[m] - (2 * a.means[m] + log(20e-6)) / 3) < close_enough);
        assert_true(b.deviations[m] == a.deviations[m]);
    }
    ct_map_free(&map);
}

static void check_alone(const struct ct_map *map)
{
    const struct ct_cell_key middle = key_of(4, 256);
    const struct estimates a = alone(map, all, &middle), b = expected(map, all, &middle);
    for (size_t m = 0; m < METHODS; m++)
        assert_true(b.means[m] == a.means[m]);
}

/* Computed times have no noise. */
static void test_computed(void **state)
{
    (void)state;
    struct ct_map map;
    make_map("2,8,32", &map);
    map.exact = true;
    check_alone(&map);
    ct_map_free(&map);
}

/* A method that was measured on 8 ranks alone is not interpolated on 4, but the surrogate estimates it. */
static void test_not_interpolated(void **state)
{
    (void)state;
    const struct ct_cell_key middle = key_of(4, 256);
    struct ct_map map;
    make_map("2,8", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        if (map.cells[c].key.comm_size == 2)
            map.cells[c].methods[OTHER] = (struct ct_statistics){0};
    const struct estimates a = alone(&map, all, &middle), b = expected(&map, all, &middle);
    assert_true(isfinite(a.means[OTHER]));
    assert_true(b.means[OTHER] == a.means[OTHER]);
    assert_true(b.means[KNOWN] != a.means[KNOWN]);
    ct_map_free(&map);
}

/* A method that is not allowed stays unknown, though it could be interpolated. */
static void test_not_allowed(void **state)
{
    (void)state;
    const bool allowed[METHODS] = {true, false};
    const struct ct_cell_key middle = key_of(4, 256);
    struct ct_map map;
    make_map("2,8", &map);
    const struct estimates estimates = expected(&map, allowed, &middle);
    assert_true(isfinite(estimates.means[KNOWN]));
    assert_true(isnan(estimates.means[OTHER]));
    ct_map_free(&map);
}

/* Ranks on nodes in several ways would be mixed: the surrogate tells them apart. */
static void test_layouts(void **state)
{
    (void)state;
    struct ct_map map;
    make_map("2,7,8", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        struct ct_cell_key *key = &map.cells[c].key;
        if (key->comm_size == 7)
            *key = (struct ct_cell_key){.nodes = 8, .ppn = 1, .comm_size = 8, .msg_bytes = key->msg_bytes};
    }
    check_alone(&map);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mean),
        cmocka_unit_test(test_computed),
        cmocka_unit_test(test_not_interpolated),
        cmocka_unit_test(test_not_allowed),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
