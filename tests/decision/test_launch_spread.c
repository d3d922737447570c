/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/launch_spread.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { NATIVE, LINEAR, BINARY, METHODS, CELLS = 50, LAUNCHES = 2 };

/* Maps of cells with two launches. In the second one native takes `native` times as long and others `other`
 * times; the last `single` cells have one launch. Ranks yield from 3 on. */
struct world {
    struct ct_map map;
    struct ct_launch_median launches[2 * CELLS][METHODS * LAUNCHES];
};

static void make(double native, double other, size_t single, struct world *world)
{
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "1-50", "native,linear,binary:", &world->map);
    for (size_t c = 0; c < world->map.cell_count; c++) {
        struct ct_cell *cell = &world->map.cells[c];
        cell->key.yield = cell->key.comm_size > 2;
        cell->launches = world->launches[c];
        for (size_t m = 0; m < METHODS; m++) {
            const size_t launches = c % CELLS < CELLS - single ? LAUNCHES : 1;
            fixture_set(&world->map, c, m, 1e-6);
            cell->methods[m] = (struct ct_statistics){.count = 1000 * launches,
                                                      .median = 1e-6,
                                                      .low = 1e-6,
                                                      .high = 1e-6 * exp(0.01),
                                                      .launches = launches,
                                                      .first_launch = m * LAUNCHES};
            for (uint32_t l = 0; l < launches; l++)
                world->launches[c][m * LAUNCHES + l] =
                    (struct ct_launch_median){.launch = l,
                                              .count = 1000,
                                              .median = l == 0        ? 1
                                                        : m == NATIVE ? native
                                                                      : other};
        }
    }
}

static void unmake(struct world *world)
{
    for (size_t c = 0; c < world->map.cell_count; c++)
        world->map.cells[c].launches = NULL;
    ct_map_free(&world->map);
}

static struct ct_launch_spread find(const struct world *world)
{
    struct ct_launch_spread spread;
    assert_int_equal(ct_launch_spread_find(&world->map, 1, &spread), CT_OK);
    return spread;
}

/* What launches add to all methods alike cancels; the rest is found from 50 cells, each one witness. */
static void test_launches(void **state)
{
    (void)state;
    struct world world;
    make(5, 5, 0, &world);
    struct ct_launch_spread spread = find(&world);
    for (int yields = 0; yields < 2; yields++) {
        assert_true(spread.launch[yields] < 0.06);
        assert_true(spread.freedom[yields] == 4 + CELLS);
    }
    unmake(&world);
    make(exp(1), 1, 0, &world); /* the difference of ratios of four times is 1 */
    spread = find(&world);
    for (int yields = 0; yields < 2; yields++)
        assert_true(fabs(spread.launch[yields] - 0.5) < 0.03);
    unmake(&world);
}

/* Without a second launch there is the prior: 95 % of launches are within a factor of two of another. */
static void test_prior(void **state)
{
    (void)state;
    struct world world;
    make(exp(1), 1, CELLS, &world);
    struct ct_launch_spread spread = find(&world);
    for (int yields = 0; yields < 2; yields++) {
        assert_true(spread.freedom[yields] == 4);
        assert_true(fabs(2.776 * M_SQRT2 * spread.launch[yields] - M_LN2) < 1e-9);
    }
    unmake(&world);
}

/* Medians are less certain with one launch than with two; computed ones are certain. */
static void test_medians(void **state)
{
    (void)state;
    struct world world;
    make(1, 1, 1, &world);
    const struct ct_launch_spread spread = find(&world);
    const double of_two = ct_launch_spread_of_median(&spread, &world.map, &world.map.cells[0], LINEAR);
    const double of_one =
        ct_launch_spread_of_median(&spread, &world.map, &world.map.cells[CELLS - 1], LINEAR);
    const double launch = spread.launch[0] * spread.launch[0], sample = pow(0.01 / 3.92, 2);
    assert_true(fabs(of_one - launch - sample) < 1e-9);
    assert_true(of_two > launch / 2 && of_two < of_one);
    world.map.exact = true;
    assert_true(ct_launch_spread_of_median(&spread, &world.map, &world.map.cells[0], LINEAR) == 0);
    assert_true(ct_launch_spread_of_launch(&spread, &world.map, &world.map.cells[0]) == 0);
    unmake(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),
        cmocka_unit_test(test_prior),
        cmocka_unit_test(test_medians),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
