/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/surrogate_levels.h"
#include "tests/learners/map_fixture.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { METHODS = 3, LACKING = 1 };
static const double effects[METHODS] = {0.3, -0.5, 0.2};

static double level(size_t cell)
{
    return -10 + 0.7 * (double)cell + sin((double)cell);
}

/* Is this method measured in the cell? One cell in three lacks one, the first has one alone. */
static bool is_measured(size_t cell, size_t method)
{
    return cell == 0 ? method == 0 : cell % 3 != 0 || method != LACKING;
}

static void make_map(struct ct_map *map)
{
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8", "8,64,512,4K", "native,linear,binomial:", map);
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = 0; m < METHODS; m++)
            if (is_measured(c, m))
                fixture_set(map, c, m, exp(level(c) + effects[m]));
}

/* Times that are a level and an effect are taken apart, though cells lack methods. */
static void test_apart(void **state)
{
    (void)state;
    const bool allowed[METHODS] = {true, true, true};
    double levels[12];
    struct ct_map map;
    make_map(&map);
    assert_int_equal(map.cell_count, 12);
    assert_int_equal(ct_surrogate_find_levels(&map, allowed, levels), CT_OK);
    assert_true(isnan(levels[0]));
    for (size_t c = 2; c < map.cell_count; c++)
        assert_true(fabs((levels[c] - levels[1]) - (level(c) - level(1))) < 1e-4);
    ct_map_free(&map);
}

/* What is not allowed does not count: cells with one other method tell nothing. */
static void test_allowed(void **state)
{
    (void)state;
    const bool allowed[METHODS] = {false, true, true};
    double levels[12];
    struct ct_map map;
    make_map(&map);
    assert_int_equal(ct_surrogate_find_levels(&map, allowed, levels), CT_OK);
    for (size_t c = 0; c < map.cell_count; c++)
        assert_int_equal(isnan(levels[c]), c % 3 == 0);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_allowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
