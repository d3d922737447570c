/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/promise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NATIVE, LINEAR, METHODS, CELLS = 3 };

/* Three cells of bcast; native takes 2, 4 and 8 us, linear half as long, each to within a tenth. */
struct world {
    struct ct_map map;
    struct ct_method methods[METHODS];
    struct ct_cell cells[CELLS];
    struct ct_statistics statistics[CELLS][METHODS];
};

static void make(struct world *world)
{
    static const struct ct_cell_key keys[CELLS] = {{.comm_size = 2, .msg_bytes = 8},
                                                   {.comm_size = 2, .msg_bytes = 64},
                                                   {.comm_size = 4, .msg_bytes = 8}};
    memset(world, 0, sizeof *world);
    world->methods[NATIVE].algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "native");
    world->methods[LINEAR].algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "linear");
    for (int c = 0; c < CELLS; c++) {
        for (int m = 0; m < METHODS; m++) {
            double median = (2 << c) * 1e-6 / (m == LINEAR ? 2 : 1);
            world->statistics[c][m] = (struct ct_statistics){
                .count = 9, .median = median, .low = 0.9 * median, .high = 1.1 * median};
        }
        world->cells[c] = (struct ct_cell){.key = keys[c], .methods = world->statistics[c], .best = LINEAR};
    }
    world->map = (struct ct_map){.collective = CT_COLLECTIVE_BCAST,
                                 .methods = world->methods,
                                 .method_count = METHODS,
                                 .cells = world->cells,
                                 .cell_count = CELLS};
}

static struct ct_promise *find(const struct world *world, const char *rows, size_t *ret_count)
{
    char csv[1024];
    struct ct_validation validation;
    struct ct_promise *promises;
    struct ct_error error = {""};
    const char *header = strstr(rows, "persistent") ? ct_validation_overlap_header : ct_validation_header;
    int length = snprintf(csv, sizeof csv, "%s\n%s", header, rows);
    if (ct_validation_parse(csv, (size_t)length, "points", &error, &validation) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ct_promises_find(&world->map, 1, &validation, &promises, ret_count), CT_OK);
    ct_validation_free(&validation);
    return promises;
}

/* A run promises 2 (1.64 to 2.44) everywhere. */
static void compares_by_ranks(void **state)
{
    (void)state;
    struct world world;
    size_t count;
    make(&world);
    struct ct_promise *promises = find(&world,
                                       "bcast,2,8,linear,1e-6,1e-6,0.9,1.6,blocking\n"
                                       "bcast,2,64,linear,1e-6,2.25e-6,2.2,2.5,blocking\n"
                                       "bcast,4,8,linear,1e-6,3e-6,2.5,3.1,blocking\n",
                                       &count);
    assert_int_equal(count, 2);
    assert_int_equal(promises[0].comm_size, 2);
    assert_int_equal(promises[0].points, 2);
    assert_int_equal(promises[0].agree, 1);
    assert_true(fabs(promises[0].promised - 2) < 1e-9);
    assert_true(fabs(promises[0].validated - 1.5) < 1e-9);
    assert_int_equal(promises[1].comm_size, 4);
    assert_int_equal(promises[1].agree, 0);
    assert_true(fabs(promises[1].validated - 3) < 1e-9);
    free(promises);
}

/* Native promises nothing; a run says nothing of what it did not measure. */
static void leaves_out_what_was_not_promised(void **state)
{
    (void)state;
    struct world world;
    size_t count;
    make(&world);
    world.statistics[1][NATIVE].count = 0;
    struct ct_promise *promises = find(&world,
                                       "allgather,2,8,linear,1e-6,2e-6,2,2,blocking\n" /* no map */
                                       "bcast,2,8,native,1e-6,1e-6,1,1,blocking\n"
                                       "bcast,2,16,linear,1e-6,2e-6,2,2,blocking\n" /* no cell */
                                       "bcast,2,64,linear,1e-6,2e-6,2,2,blocking\n" /* no time of native */
                                       "bcast,4,8,chain,1e-6,2e-6,2,2,blocking\n",  /* no such method */
                                       &count);
    assert_int_equal(count, 0);
    free(promises);
}

/* A point is compared with the cell of its own mode. */
static void compares_by_mode(void **state)
{
    (void)state;
    struct world world;
    size_t count;
    make(&world);
    world.cells[2].key = (struct ct_cell_key){.comm_size = 2, .msg_bytes = 8, .mode = CT_MODE_PERSISTENT};
    world.statistics[2][NATIVE].median *= 4; /* promises 8 */
    struct ct_promise *promises =
        find(&world,
             "bcast,2,8,linear,1e-6,3e-6,3,3,persistent,1,1,1,0,1,1,0\n"
             "bcast,2,64,linear,1e-6,3e-6,3,3,persistent,1,1,1,0,1,1,0\n" /* no cell */
             "bcast,2,8,linear,1e-6,5e-6,5,5,blocking,,,,,,,\n",
             &count);
    assert_int_equal(count, 2);
    assert_int_equal(promises[0].mode, CT_MODE_BLOCKING);
    assert_true(fabs(promises[0].promised - 2) < 1e-9 && fabs(promises[0].validated - 5) < 1e-9);
    assert_int_equal(promises[1].mode, CT_MODE_PERSISTENT);
    assert_int_equal(promises[1].points, 1);
    assert_true(fabs(promises[1].promised - 8) < 1e-9 && fabs(promises[1].validated - 3) < 1e-9);
    free(promises);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_by_ranks),
        cmocka_unit_test(compares_by_mode),
        cmocka_unit_test(leaves_out_what_was_not_promised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
