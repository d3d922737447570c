/* SPDX-License-Identifier: BSD-3-Clause */
/* Cells that are measured once more, each job alone: which, and what they tell. */
#include "measure/backend/backend_real.h"
#include "measure/sweep/sweep_alone.h"
#include "measure/sweep/sweep_conditions.h"
#include "tests/samples/run_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* A rank on each of eight nodes. */
static struct ct_sweep_conditions conditions_of_eight(void)
{
    struct ct_sweep_conditions conditions = {.place = {.backend = &ct_backend_real, .ppn = 1},
                                             .nodes.count = 8};
    fixture_description(&conditions.description);
    return conditions;
}

static void make_grids(const struct ct_sweep_conditions *conditions, struct ct_sweep_grid grids[2])
{
    const struct ct_sweep_division division = ct_sweep_conditions_division(conditions);
    struct ct_run_description single = conditions->description;
    single.launches = 1;
    assert_int_equal(ct_sweep_grid_make(&conditions->description, &division, NULL, &grids[0]), CT_OK);
    assert_int_equal(ct_sweep_grid_make(&single, &division, NULL, &grids[1]), CT_OK);
}

/* Of the cells that are done and need fewer than all nodes, with the methods that did not fail. */
static void cells_are_chosen(void **state)
{
    (void)state;
    enum { LAUNCH = 5, LEAST = 3 };
    struct ct_sweep_conditions conditions = conditions_of_eight();
    struct ct_sweep_grid grids[2];
    size_t wanted = 0;
    make_grids(&conditions, grids);
    assert_int_equal(ct_sweep_alone_choose(&conditions, &grids[0], LAUNCH, &grids[1]), 0);
    for (size_t i = 0; i < grids[0].cell_count; i++)
        ct_sweep_grid_finish(&grids[0], &grids[0].cells[i]);
    for (size_t i = 0; i < grids[0].slot_count; i++)
        if (ct_is_native(conditions.description.methods[grids[0].slots[i].method].algorithm))
            grids[0].slots[i].status = CT_SAMPLE_HUNG;
    assert_int_equal(ct_sweep_alone_choose(&conditions, &grids[0], LAUNCH, &grids[1]), LEAST);
    for (size_t i = 0; i < grids[1].cell_count; i++) {
        const struct ct_sweep_cell *cell = &grids[1].cells[i];
        assert_int_equal(cell->launch, LAUNCH);
        if (!cell->wanted)
            continue;
        wanted++;
        assert_true(cell->key.comm_size < 8);
        for (size_t m = 0; m < cell->method_count; m++) {
            const struct ct_sweep_slot *slot = &grids[1].slots[cell->first + m];
            assert_int_equal(slot->wanted,
                             !ct_is_native(conditions.description.methods[slot->method].algorithm));
        }
    }
    assert_int_equal(wanted, LEAST);
    for (int i = 0; i < 2; i++)
        ct_sweep_grid_free(&grids[i]);
    ct_run_description_free(&conditions.description);
}

/* Launch 1 is alone: natively it takes half the time, binomial as long; on 4 ranks nothing is alone. */
static void times_are_compared(void **state)
{
    static const char rows[] = "0,bcast,native,2,1,2,0,8192,byte,,0,4e-06,ok\n"
                               "0,bcast,native,2,1,2,0,8192,byte,,1,6e-06,ok\n"
                               "0,bcast,native,2,1,2,0,8192,byte,,2,4e-06,ok\n"
                               "0,bcast,binomial:seg=8K,2,1,2,0,8192,byte,,0,3e-06,ok\n"
                               "0,bcast,,2,1,2,,8192,,,,,commit\n"
                               "0,bcast,native,4,1,4,0,8192,byte,,0,9e-06,ok\n"
                               "0,bcast,,4,1,4,,8192,,,,,commit\n"
                               "1,bcast,native,2,1,2,0,8192,byte,,0,2e-06,ok\n"
                               "1,bcast,native,2,1,2,0,8192,byte,,1,2e-06,ok\n"
                               "1,bcast,binomial:seg=8K,2,1,2,0,8192,byte,,0,3e-06,ok\n"
                               "1,bcast,,2,1,2,,8192,,,,,commit\n";
    const double slight = 1e-9;
    struct ct_sweep_interference found;
    struct ct_error error = {""};
    char *path = fixture_run(*state, rows);
    if (ct_sweep_alone_compare(path, 1, &error, &found) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(found.methods, 2);
    assert_true(found.median > 1.5 - slight && found.median < 1.5 + slight);
    assert_true(found.low > 1 - slight && found.low <= 1.5 && found.high >= 1.5 && found.high < 2 + slight);
    assert_int_equal(ct_sweep_alone_compare(path, 3, &error, &found), CT_OK);
    assert_int_equal(found.methods, 0);
    assert_true(found.median == 1);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_are_chosen),
        cmocka_unit_test_setup_teardown(times_are_compared, fixture_begin, fixture_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
