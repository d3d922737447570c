/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "decision/map.h"
#include "samples/run_folder.h"
#include "tests/samples/run_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two cells of bcast in disorder; in the larger one chain fails after a good sample, and two launches add up.
 */
#define ROWS                                                                                                 \
    "0,bcast,binomial:seg=8K,8,1,8,0,1,byte,,0,4,ok\n"                                                       \
    "0,bcast,native,8,1,8,0,1,byte,,0,7,ok\n"                                                                \
    "0,bcast,\"chain:seg=1K,radix=4\",8,1,8,0,1,byte,,0,1,ok\n"                                              \
    "0,bcast,\"chain:seg=1K,radix=4\",8,1,8,0,1,byte,,1,,crashed\n"                                          \
    "0,bcast,binomial:seg=8K,8,1,8,0,1,byte,,1,2,ok\n"                                                       \
    "0,bcast,,8,1,8,,1,,,,,commit\n"                                                                         \
    "0,bcast,binomial:seg=8K,2,1,2,0,1048576,byte,,0,5,ok\n"                                                 \
    "0,bcast,\"chain:seg=1K,radix=4\",2,1,2,0,1048576,byte,,0,5,ok\n"                                        \
    "0,bcast,,2,1,2,,1048576,,,,,commit\n"                                                                   \
    "1,bcast,native,8,1,8,0,1,byte,,0,3.5,ok\n"                                                              \
    "1,bcast,binomial:seg=8K,8,1,8,0,1,byte,,0,3,ok\n"                                                       \
    "1,bcast,,8,1,8,,1,,,,,commit\n"                                                                         \
    "0,bcast,\"chain:seg=1K,radix=4\",4,1,4,0,1,byte,,1,,crashed\n"                                          \
    "0,bcast,,4,1,4,,1,,,,,commit\n"

struct world {
    char *folder;
    struct ct_run run;
    struct ct_map map;
};

static int setup(void **state)
{
    struct world *world = calloc(1, sizeof *world);
    world->folder = fixture_folder();
    char *path = fixture_run(world->folder, ROWS);
    struct ct_error error = {""};
    if (ct_run_read(path, false, &error, &world->run) != CT_OK ||
        ct_map_make(&world->run, CT_COLLECTIVE_BCAST, &error, &world->map) != CT_OK)
        fail_msg("%s", error.text);
    free(path);
    *state = world;
    return 0;
}

static int teardown(void **state)
{
    struct world *world = *state;
    ct_map_free(&world->map);
    ct_run_free(&world->run);
    ct_remove_all(world->folder, NULL);
    free(world->folder);
    free(world);
    return 0;
}

/* Methods in the registry's order: native, chain, binomial. */
enum { NATIVE, CHAIN, BINOMIAL };

static void test_methods(void **state)
{
    const struct ct_map *map = &((struct world *)*state)->map;
    static const char *const spellings[] = {"native", "chain:seg=1K,radix=4", "binomial:seg=8K"};
    assert_int_equal(map->method_count, 3);
    for (size_t i = 0; i < 3; i++) {
        char text[CT_METHOD_TEXT];
        assert_string_equal(ct_method_format(&map->methods[i], false, text), spellings[i]);
        assert_int_equal(ct_map_find_method(map, &map->methods[i]), i);
    }
    struct ct_method other;
    assert_int_equal(ct_method_parse("bcast/linear", CT_COLLECTIVE_BCAST, NULL, &other), CT_OK);
    assert_true(ct_map_find_method(map, &other) == SIZE_MAX);
}

static void test_cells(void **state)
{
    const struct ct_map *map = &((struct world *)*state)->map;
    assert_int_equal(map->cell_count, 3);
    const struct ct_cell *small = &map->cells[0], *failed = &map->cells[1], *large = &map->cells[2];
    assert_int_equal(small->key.comm_size, 2);
    assert_int_equal(failed->key.comm_size, 4);
    assert_int_equal(large->key.comm_size, 8);
    assert_ptr_equal(ct_map_find_cell(map, 8, 1), large);
    assert_null(ct_map_find_cell(map, 8, 8192));

    /* a tie goes to the first, the other is as good */
    assert_int_equal(small->best, CHAIN);
    assert_int_equal(small->standings[CHAIN], CT_STANDING_BEST);
    assert_int_equal(small->standings[BINOMIAL], CT_STANDING_EQUIVALENT);
    assert_int_equal(small->standings[NATIVE], CT_STANDING_UNMEASURED);
    assert_int_equal(small->methods[NATIVE].count, 0);
    assert_true(isnan(ct_cell_penalty(small, NATIVE)));

    /* all failed: nothing is best */
    assert_true(failed->best == SIZE_MAX);
    assert_true(isnan(ct_cell_penalty(failed, CHAIN)));

    /* one failure takes the method out; of the rest each launch's median counts once */
    assert_int_equal(large->methods[CHAIN].count, 0);
    assert_int_equal(large->standings[CHAIN], CT_STANDING_UNMEASURED);
    assert_true(isnan(ct_cell_spread(large, CHAIN)));
    assert_int_equal(large->best, BINOMIAL);
    assert_int_equal(large->methods[BINOMIAL].count, 3);
    assert_true(large->methods[BINOMIAL].median == 3);
    assert_true(large->methods[BINOMIAL].low == 3 && large->methods[BINOMIAL].high == 3);
    assert_true(large->methods[NATIVE].median == 5.25);
    assert_int_equal(large->standings[NATIVE], CT_STANDING_WORSE);
    assert_true(ct_cell_spread(large, NATIVE) == 2);
    assert_int_equal(large->methods[BINOMIAL].launches, 2);
    const struct ct_launch_median *launches = large->launches + large->methods[BINOMIAL].first_launch;
    assert_true(launches[0].launch == 0 && launches[0].count == 2 && launches[0].median == 3);
    assert_true(launches[1].launch == 1 && launches[1].count == 1 && launches[1].median == 3);
    assert_true(ct_cell_penalty(large, NATIVE) == 0.75);
    assert_true(ct_cell_penalty(large, BINOMIAL) == 0);
}

/* A wider margin; a part of the launches. */
static void test_margin_and_parts(void **state)
{
    struct world *world = *state;
    struct ct_map wide, part;
    assert_int_equal(ct_map_make_within(&world->run, CT_COLLECTIVE_BCAST, 0.75, NULL, &wide), CT_OK);
    assert_int_equal(wide.cells[2].standings[NATIVE], CT_STANDING_EQUIVALENT);
    ct_map_free(&wide);

    uint32_t *launches;
    size_t count;
    assert_int_equal(ct_map_launches(&world->map, &launches, &count), CT_OK);
    assert_int_equal(count, 2);
    assert_true(launches[0] == 0 && launches[1] == 1);
    free(launches);
    assert_int_equal(ct_map_part(&world->map, 1, false, &part), CT_OK);
    assert_int_equal(part.cell_count, 3);
    assert_true(part.cells[0].best == SIZE_MAX);
    assert_int_equal(part.cells[2].best, BINOMIAL);
    assert_true(part.cells[2].methods[NATIVE].median == 3.5);
    ct_map_free(&part);
    assert_int_equal(ct_map_part(&world->map, 1, true, &part), CT_OK);
    assert_int_equal(part.cells[0].best, CHAIN);
    assert_true(part.cells[2].methods[NATIVE].median == 7);
    assert_int_equal(part.cells[2].methods[BINOMIAL].count, 2);
    ct_map_free(&part);
}

static void test_sizes(void **state)
{
    const struct ct_map *map = &((struct world *)*state)->map;
    const size_t comm[] = {2, 4, 8}, msg[] = {1, 1048576};
    size_t *sizes, count;
    assert_int_equal(ct_map_comm_sizes(map, &sizes, &count), CT_OK);
    assert_int_equal(count, 3);
    assert_memory_equal(sizes, comm, sizeof comm);
    free(sizes);
    assert_int_equal(ct_map_msg_sizes(map, &sizes, &count), CT_OK);
    assert_int_equal(count, 2);
    assert_memory_equal(sizes, msg, sizeof msg);
    free(sizes);
}

/* A collective that was not measured. */
static void test_nothing(void **state)
{
    struct world *world = *state;
    struct ct_error error = {""};
    struct ct_map map;
    assert_int_equal(ct_map_make(&world->run, CT_COLLECTIVE_BARRIER, &error, &map), CT_E_INPUT);
    assert_non_null(strstr(error.text, "barrier"));
    assert_int_equal(ct_map_make(&world->run, CT_COLLECTIVE_ALLREDUCE, &error, &map), CT_E_INPUT);
}

/* The maps of what was measured; barrier is in the run's grid alone. */
static void test_all(void **state)
{
    struct world *world = *state;
    struct ct_map *maps;
    size_t count;
    assert_int_equal(ct_maps_make(&world->run, CT_COLLECTIVES, 0.75, NULL, &maps, &count), CT_OK);
    assert_int_equal(count, 1);
    assert_int_equal(maps[0].collective, CT_COLLECTIVE_BCAST);
    assert_int_equal(maps[0].cell_count, world->map.cell_count);
    assert_true(maps[0].margin > world->map.margin);
    ct_maps_free(maps, count);
    assert_int_equal(ct_maps_make(&world->run, CT_COLLECTIVE_BARRIER, CT_MARGIN, NULL, &maps, &count), CT_OK);
    assert_int_equal(count, 0);
    ct_maps_free(maps, count);
}

/* Launch 1 takes three times as long, and has not measured the chain. */
static void test_launches(void **state)
{
    static const char rows[] = "0,bcast,native,2,1,2,0,1,byte,,0,4,ok\n"
                               "0,bcast,binomial:seg=8K,2,1,2,0,1,byte,,0,2,ok\n"
                               "0,bcast,\"chain:seg=1K,radix=4\",2,1,2,0,1,byte,,0,3,ok\n"
                               "0,bcast,,2,1,2,,1,,,,,commit\n"
                               "1,bcast,native,2,1,2,0,1,byte,,0,12,ok\n"
                               "1,bcast,binomial:seg=8K,2,1,2,0,1,byte,,0,6,ok\n"
                               "1,bcast,,2,1,2,,1,,,,,commit\n";
    struct world *world = *state;
    char *path = fixture_run(world->folder, rows);
    struct ct_error error = {""};
    struct ct_run run;
    struct ct_map map;
    if (ct_run_read(path, false, &error, &run) != CT_OK ||
        ct_map_make(&run, CT_COLLECTIVE_BCAST, &error, &map) != CT_OK)
        fail_msg("%s", error.text);
    const struct ct_statistics *methods = map.cells[0].methods;
    assert_int_equal(map.cells[0].best, BINOMIAL);
    assert_true(methods[BINOMIAL].median == 4 && methods[NATIVE].median == 8);
    assert_float_equal(methods[CHAIN].median, 3 * (1 + pow(3, 2.0 / 3)) / 2, 1e-12);
    assert_float_equal(methods[CHAIN].low, methods[CHAIN].median, 1e-12); /* one sample */
    ct_map_free(&map);
    ct_run_free(&run);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_methods, setup, teardown),
        cmocka_unit_test_setup_teardown(test_cells, setup, teardown),
        cmocka_unit_test_setup_teardown(test_margin_and_parts, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing, setup, teardown),
        cmocka_unit_test_setup_teardown(test_all, setup, teardown),
        cmocka_unit_test_setup_teardown(test_launches, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
