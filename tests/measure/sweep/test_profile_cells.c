/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "measure/sweep/method_list.h"
#include "measure/sweep/profile_cells.h"
#include "measure/sweep/sweep_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct ct_sweep_division real = {0}, exact = {.exact = true};

#define HEADER "rank,collective,mode,comm_size,msg_bytes,method,calls,bytes,seconds,waiting\n"

/* Reads a profile of this text from a file. */
static int choose(const char *text, struct ct_error *error, struct ct_profile_cells *ret_cells)
{
    char *folder, *path;
    assert_int_equal(ct_folder_temporary(NULL, &folder), CT_OK);
    path = ct_format("%s/p", folder);
    assert_int_equal(ct_file_write(path, text, strlen(text), NULL), CT_OK);
    int status = ct_profile_cells_read(path, error, ret_cells);
    assert_int_equal(ct_remove_all(folder, NULL), CT_OK);
    free(path);
    free(folder);
    return status;
}

static void most_time_comes_first(void **state)
{
    (void)state;
    const char *text = HEADER "0,allreduce,blocking,4,512,native,10,10100,3,0\n"
                              "0,bcast,blocking,4,64,native,2,140,5,0\n"
                              "0,bcast,blocking,8,64,native,1,100,0.001,0\n"
                              "1,bcast,persistent,4,64,native,1,70,5,0\n"
                              "1,barrier,blocking,2,0,native,1,0,4,0\n"
                              "0,neighbor_alltoall,blocking,4,8,native,1,8,9,0\n" /* of whom? */
                              "0,allreduce,blocking,2,4,native,1,4,1,0\n";
    struct ct_error error = {""};
    struct ct_profile_cells cells;
    assert_int_equal(choose(text, &error, &cells), CT_OK);
    assert_string_equal(cells.cells, "bcast/4/70 barrier/2/0 allreduce/4/1008 allreduce/2/8");
    assert_string_equal(cells.collectives, "bcast,barrier,allreduce");
    assert_string_equal(cells.comm_sizes, "2,4");
    assert_string_equal(cells.msg_sizes, "8,70,1008");
    assert_int_equal(cells.count, 4);
    assert_int_equal(cells.left_out, 1);
    ct_profile_cells_free(&cells);
}

static void needs_something_to_measure(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEADER,
        HEADER "0,bcast,blocking,1,64,native,10,1000,3,0\n", /* one rank */
        HEADER "0,bcast,blocking,4,0,native,10,0,3,0\n",     /* nothing to send */
        HEADER "0,neighbor_alltoallv,blocking,4,0,native,10,0,3,0\n",
        "rank\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ct_error error = {""};
        struct ct_profile_cells cells = {.count = 77};
        assert_int_equal(choose(texts[i], &error, &cells), CT_E_INPUT);
        assert_non_null(strstr(error.text, "expected"));
        assert_int_equal(cells.count, 77);
    }
}

static void refuses_broken_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",           "bcast",       "bcast/4",  "bcast/4/x",  "bcast/1/8",
        "bcast/4/0",  "barrier/4/8", "cast/4/8", "bcast/4/8 ", "bcast/4/-8",
        "bcast/4/8,", "bcast/4/8/8", "bcast//8", "/4/8",       "bcast/99999999999999999999/8"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ct_error error = {""};
        struct ct_wanted_cell *wanted;
        size_t count;
        if (ct_wanted_cells_parse(texts[i], &error, &wanted, &count) != CT_E_INPUT ||
            !strstr(error.text, "expected COLLECTIVE/RANKS/BYTES"))
            fail_msg("'%s' is read: %s", texts[i], error.text);
    }
}

/* A grid of the cells: these alone, in their order, in each launch. */
static void grid_has_these_cells(void **state)
{
    (void)state;
    enum ct_collective collectives[] = {CT_COLLECTIVE_BARRIER, CT_COLLECTIVE_BCAST};
    size_t comm_sizes[] = {2, 4}, msg_sizes[] = {8, 64};
    char text[] = "bcast/2/64 barrier/4/0 bcast/4/8";
    struct ct_run_description description = {.collectives = collectives,
                                             .collective_count = 2,
                                             .comm_sizes = comm_sizes,
                                             .comm_size_count = 2,
                                             .msg_sizes = msg_sizes,
                                             .msg_size_count = 2,
                                             .launches = 2,
                                             .sweep.cells = text};
    struct ct_error error = {""};
    struct ct_sweep_grid grid;
    assert_int_equal(ct_method_list_parse("native", collectives, 2, &error, &description.methods,
                                          &description.method_count),
                     CT_OK);
    assert_int_equal(ct_sweep_grid_make(&description, &real, &error, &grid), CT_OK);
    assert_int_equal(grid.batch_count, 2);
    assert_int_equal(grid.cell_count, 6);
    for (size_t i = 0; i < 6; i++) {
        static const struct ct_wanted_cell expected[] = {
            {CT_COLLECTIVE_BCAST, 2, 64}, {CT_COLLECTIVE_BARRIER, 4, 0}, {CT_COLLECTIVE_BCAST, 4, 8}};
        assert_int_equal(grid.cells[i].launch, i / 3);
        assert_int_equal(grid.cells[i].collective, expected[i % 3].collective);
        assert_int_equal(grid.cells[i].key.comm_size, expected[i % 3].comm_size);
        assert_int_equal(grid.cells[i].key.msg_bytes, expected[i % 3].msg_bytes);
    }
    ct_sweep_grid_free(&grid);
    description.launches = 1;
    assert_int_equal(ct_sweep_grid_make(&description, &exact, &error, &grid), CT_OK);
    assert_int_equal(grid.cell_count, 3);
    assert_int_equal(grid.batch_count, 3);
    ct_sweep_grid_free(&grid);
    text[0] = 'x';
    assert_int_equal(ct_sweep_grid_make(&description, &real, &error, &grid), CT_E_INPUT);
    free(description.methods);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(most_time_comes_first),
        cmocka_unit_test(needs_something_to_measure),
        cmocka_unit_test(refuses_broken_texts),
        cmocka_unit_test(grid_has_these_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
