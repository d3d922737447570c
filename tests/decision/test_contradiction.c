/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/contradiction.h"
#include "samples/run_folder.h"
#include "tests/learners/map_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

/* Cells of communicator size 2 to 8 with times that rise with both sizes, which method `m` does at its own
 * rate. */
enum { SIZES = 7, MESSAGES = 3, METHODS = 4 };

static void make(struct ct_map *map)
{
    fixture_map(CT_COLLECTIVE_BCAST, "2-8", "8,1K,64K", "native,linear,binomial,chain:radix=1", map);
    for (size_t c = 0; c < SIZES * MESSAGES; c++)
        for (size_t m = 0; m < METHODS; m++)
            fixture_set(map, c, m,
                        1e-6 * (double)((m + 1) * map->cells[c].key.comm_size * (c % MESSAGES + 1)));
}

/* Multiplies the times of the methods from `first` on at a size. */
static void plant(struct ct_map *map, size_t comm_size, size_t first, double factor)
{
    for (size_t c = 0; c < map->cell_count; c++)
        for (size_t m = first; map->cells[c].key.comm_size == comm_size && m < METHODS; m++)
            fixture_set(map, c, m, factor * map->cells[c].methods[m].median);
}

static size_t find(const struct ct_map *map, struct ct_contradiction *ret_first)
{
    struct ct_contradiction *found;
    size_t count;
    assert_int_equal(ct_contradictions_find(map, &found, &count), CT_OK);
    if (count > 0)
        *ret_first = found[0];
    free(found);
    return count;
}

static void a_planted_one_is_found(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_contradiction found;
    make(&map);
    plant(&map, 6, 0, 1.0 / 9);
    assert_int_equal(find(&map, &found), 1);
    assert_int_equal(found.comm_size, 6);
    assert_int_equal(found.compared, METHODS);
    assert_int_equal(found.methods, METHODS);
    assert_true(ct_is_native(map.methods[found.method].algorithm));
    /* against 5 ranks, which are nearer than 7: 6 / 5 / 9 */
    assert_true(found.factor > 0.13 && found.factor < 0.14);
    ct_map_free(&map);
    make(&map);
    plant(&map, 4, 2, 20);
    assert_int_equal(find(&map, &found), 1);
    assert_int_equal(found.comm_size, 4);
    assert_int_equal(found.methods, 2);
    assert_true(found.factor > 10);
    ct_map_free(&map);
}

/* One method alone, a step to which times stay, either end, and different layouts do not count. */
static void others_are_not(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_contradiction found;
    make(&map);
    assert_int_equal(find(&map, &found), 0);
    plant(&map, 6, METHODS - 1, 9);
    assert_int_equal(find(&map, &found), 0);
    for (size_t size = 5; size <= 8; size++)
        plant(&map, size, 0, 9);
    assert_int_equal(find(&map, &found), 0);
    plant(&map, 2, 0, 100);
    assert_int_equal(find(&map, &found), 0);
    plant(&map, 6, 0, 100);
    assert_int_equal(find(&map, &found), 1);
    for (size_t c = 0; c < map.cell_count; c++)
        map.cells[c].key.nodes = map.cells[c].key.ppn = map.cells[c].key.comm_size;
    assert_int_equal(find(&map, &found), 0);
    ct_map_free(&map);
}

/* Simulated times do not contradict each other. */
static void shipped_runs_have_none(void **state)
{
    (void)state;
    static const char *const runs[] = {SHIPPED "/ethernet100-bcast", SHIPPED "/ethernet100-reduce",
                                       SHIPPED "/gigabit-allreduce", SHIPPED "/fattree-allgather",
                                       SHIPPED "/gigabit-alltoall"};
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        struct ct_error error = {""};
        struct ct_contradiction found;
        struct ct_run run;
        struct ct_map map;
        if (ct_run_read(runs[i], false, &error, &run) != CT_OK)
            fail_msg("%s", error.text);
        assert_int_equal(ct_map_make(&run, run.description.collectives[0], &error, &map), CT_OK);
        assert_int_equal(find(&map, &found), 0);
        ct_map_free(&map);
        ct_run_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_planted_one_is_found),
        cmocka_unit_test(others_are_not),
        cmocka_unit_test(shipped_runs_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
