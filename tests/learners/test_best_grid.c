/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/best_grid.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdint.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static double doublings(size_t value)
{
    return value > 1 ? log2((double)value) : 0;
}

/* What the header says, by looking at every measured point. */
static size_t nearest_by_hand(const struct ct_best_grid *grid, const size_t *places)
{
    const struct ct_best_axis *axes = grid->axes;
    size_t other[CT_GRID_AXES], found = SIZE_MAX;
    double least = INFINITY;
    for (other[0] = 0; other[0] < axes[0].count; other[0]++)
        for (other[1] = 0; other[1] < axes[1].count; other[1]++)
            for (other[2] = 0; other[2] < axes[2].count; other[2]++) {
                double sum = 0;
                for (size_t i = 0; i < CT_GRID_AXES; i++) {
                    double apart = doublings(axes[i].values[other[i]]) - doublings(axes[i].values[places[i]]);
                    sum += apart * apart;
                }
                size_t point = ct_best_grid_point(grid, other);
                if (!grid->filled[point] && sqrt(sum) < least - 1e-9) {
                    least = sqrt(sum);
                    found = point;
                }
            }
    return found;
}

static void check_filled(const struct ct_best_grid *grid)
{
    const struct ct_best_axis *axes = grid->axes;
    size_t places[CT_GRID_AXES];
    for (places[0] = 0; places[0] < axes[0].count; places[0]++)
        for (places[1] = 0; places[1] < axes[1].count; places[1]++)
            for (places[2] = 0; places[2] < axes[2].count; places[2]++) {
                size_t point = ct_best_grid_point(grid, places);
                if (grid->filled[point])
                    assert_int_equal(grid->best[point], grid->best[nearest_by_hand(grid, places)]);
            }
}

static void test_gaps_take_the_nearest(void **state)
{
    (void)state;
    unsigned seed = 11;
    for (size_t turn = 0; turn < 300; turn++) {
        struct ct_map map;
        struct ct_best_grid grid;
        fixture_map(CT_COLLECTIVE_BCAST, "2,3,4,8,9,16", "0,1,2,4,8,9,64,100",
                    "native,linear,binomial,binary", &map);
        size_t share = 2 + fixture_random(&seed, 12);
        fixture_set(&map, fixture_random(&seed, map.cell_count), 0, 1);
        for (size_t c = 0; c < map.cell_count; c++) {
            map.cells[c].key.nodes = 1 + fixture_random(&seed, turn % 2 ? 3 : 1);
            if (fixture_random(&seed, share) == 0)
                fixture_set(&map, c, fixture_random(&seed, 4), 1);
        }
        assert_int_equal(ct_best_grid_make(&map, CT_FEATURE_NODES, NULL, NULL, &grid), CT_OK);
        check_filled(&grid);
        ct_best_grid_free(&grid);
        ct_map_free(&map);
    }
}

/* Blocks of a vector of one length differ by communicator, so that sizes hardly ever meet. To look at all
 * pairs of 320,000 points takes longer than a test may. */
static void test_scattered_sizes(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_best_grid grid;
    fixture_map(CT_COLLECTIVE_BCAST, "2-81", "1-50", "native,linear", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        map.cells[c].key.msg_bytes = c + 1;
        fixture_set(&map, c, c / 50 % 2, 1);
    }
    assert_int_equal(ct_best_grid_make(&map, CT_FEATURE_COMM_SIZE, NULL, NULL, &grid), CT_OK);
    assert_int_equal(grid.point_count, 80 * 4000);
    for (size_t row = 0; row < 80; row += 13) {
        const size_t places[CT_GRID_AXES] = {row, 3999 - 40 * row, 0};
        size_t point = ct_best_grid_point(&grid, places);
        assert_true(grid.filled[point]);
        assert_int_equal(grid.best[point], grid.best[nearest_by_hand(&grid, places)]);
    }
    ct_best_grid_free(&grid);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_take_the_nearest),
        cmocka_unit_test(test_scattered_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
