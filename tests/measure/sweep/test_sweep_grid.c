/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/method_list.h"
#include "measure/sweep/sweep_grid.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct ct_sweep_division real = {0}, exact = {.exact = true};

static const enum ct_collective some[] = {CT_COLLECTIVE_BARRIER, CT_COLLECTIVE_BCAST,
                                          CT_COLLECTIVE_ALLREDUCE};

static void parses(const char *list, const char *expected)
{
    struct ct_method *methods;
    struct ct_error error = {""};
    size_t count, length = 0;
    char text[500] = "";
    int status = ct_method_list_parse(list, some, 3, &error, &methods, &count);
    if (status != CT_OK)
        fail_msg("%s: %s", list, error.text);
    for (size_t i = 0; i < count; i++) {
        char spelling[CT_METHOD_TEXT];
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", i ? " " : "",
                                   ct_method_format(&methods[i], true, spelling));
    }
    free(methods);
    assert_string_equal(text, expected);
}

static void refuses(const char *list, const char *expected)
{
    struct ct_method *methods;
    struct ct_error error = {""};
    size_t count;
    assert_int_equal(ct_method_list_parse(list, some, 3, &error, &methods, &count), CT_E_INPUT);
    if (!strstr(error.text, expected))
        fail_msg("'%s' lacks '%s'", error.text, expected);
}

static void methods_apply_where_they_exist(void **state)
{
    (void)state;
    parses("linear,ring",
           "barrier/native bcast/native allreduce/native barrier/linear bcast/linear allreduce/ring");
    parses("bcast/linear,barrier/linear,allreduce/native,-native,allreduce/ring",
           "bcast/linear barrier/linear allreduce/ring");
    parses("double_ring,ring,binomial:seg=8K,-allreduce/native",
           "barrier/native bcast/native barrier/double_ring allreduce/ring bcast/binomial:seg=8K");
    parses("native", "barrier/native bcast/native allreduce/native");
}

/* `list` is all methods without `word`'s. */
static void leaves_out(const char *list, const char *word)
{
    struct ct_method *all, *left;
    struct ct_error error = {""};
    size_t all_count, left_count, next = 0, out = 0;
    assert_int_equal(ct_method_list_parse("all", some, 3, &error, &all, &all_count), CT_OK);
    assert_int_equal(ct_method_list_parse(list, some, 3, &error, &left, &left_count), CT_OK);
    for (size_t i = 0; i < all_count; i++) {
        char spelling[CT_METHOD_TEXT];
        if (next < left_count && ct_method_equal(&all[i], &left[next]))
            next++;
        else {
            out++;
            assert_non_null(strstr(ct_method_format(&all[i], true, spelling), word));
        }
    }
    assert_int_equal(next, left_count);
    assert_true(out > 0);
    free(all);
    free(left);
}

static bool has_method(const char *list, const char *spelling)
{
    static const enum ct_collective collective[] = {CT_COLLECTIVE_ALLTOALLV};
    struct ct_method *methods, wanted;
    struct ct_error error = {""};
    size_t count;
    assert_int_equal(ct_method_list_parse(list, collective, 1, &error, &methods, &count), CT_OK);
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, &error, &wanted), CT_OK);
    const bool is_there = ct_method_index(&wanted, methods, count) < count;
    free(methods);
    return is_there;
}

static void methods_with_a_set_up_of_dense_collectives_are_named(void **state)
{
    (void)state;
    assert_true(has_method("all", "alltoallv/pairwise"));
    assert_false(has_method("all", "alltoallv/grid:dims=2"));
    assert_false(has_method("alltoallv/all", "alltoallv/locality"));
    assert_true(has_method("all,grid:dims=2", "alltoallv/grid:dims=2"));
    assert_true(has_method("alltoallv/locality", "alltoallv/locality"));
}

static void words_that_only_leave_out_leave_the_others(void **state)
{
    (void)state;
    leaves_out("-native", "native");
    leaves_out("-allreduce/native", "allreduce/native");
    leaves_out("-bcast/binomial,-bcast/linear", "bcast/");
}

static void bad_methods_are_refused(void **state)
{
    (void)state;
    refuses("linear,ring,binomal", "unknown algorithm 'binomal'; did you mean 'binomial'?");
    refuses("linear,moon:seg=8K", "unknown algorithm 'moon:seg=8K': none of the collectives has it");
    refuses("linear,ring,bcast/binomal", "unknown algorithm 'bcast/binomal'");
    refuses("linear,ring,bcats/linear", "unknown collective 'bcats'");
    refuses("linear,ring,reduce/binomial", "expected it in --collectives");
    refuses("linear", "is one of allreduce");
    refuses("all,-allreduce/all", "is one of allreduce");
    refuses("-allreduce/all", "is one of allreduce");
    refuses("linear,,ring", "empty");
}

/* A description to make grids of. */
static struct ct_run_description describe(enum ct_collective *collectives, struct ct_method *methods,
                                          size_t *comm_sizes, size_t *msg_sizes)
{
    methods[0] = (struct ct_method){.algorithm = ct_algorithm_find(CT_COLLECTIVE_BCAST, "linear")};
    methods[1] = (struct ct_method){.algorithm = ct_algorithm_find(CT_COLLECTIVE_ALLREDUCE, "ring")};
    methods[2] = (struct ct_method){.algorithm = ct_algorithm_find(CT_COLLECTIVE_BARRIER, "linear")};
    memcpy(collectives, some, sizeof some);
    memcpy(comm_sizes, (size_t[]){2, 8, 5}, 3 * sizeof(size_t));
    memcpy(msg_sizes, (size_t[]){4, 8, 1024}, 3 * sizeof(size_t));
    return (struct ct_run_description){.collectives = collectives,
                                       .collective_count = 3,
                                       .methods = methods,
                                       .method_count = 3,
                                       .comm_sizes = comm_sizes,
                                       .comm_size_count = 3,
                                       .msg_sizes = msg_sizes,
                                       .msg_size_count = 3,
                                       .launches = 2,
                                       .seed = 1};
}

/* Per launch and communicator size: bcast 3 cells, allreduce 2 (4 bytes are no double), barrier 1. */
static void real_grids_have_a_batch_a_launch(void **state)
{
    (void)state;
    enum ct_collective collectives[3];
    struct ct_method methods[3];
    size_t comm_sizes[3], msg_sizes[3];
    struct ct_run_description description = describe(collectives, methods, comm_sizes, msg_sizes);
    struct ct_sweep_grid grid;
    assert_int_equal(ct_sweep_grid_make(&description, &real, NULL, &grid), CT_OK);
    assert_int_equal(grid.cell_count, 2 * 3 * 6);
    assert_int_equal(grid.batch_count, 2);
    assert_int_equal(grid.distinct_count, 3 * 6);
    assert_int_equal(grid.uneven, 3); /* allreduce of 4 bytes */
    assert_int_equal(grid.batches[1].first, 18);
    assert_int_equal(grid.batches[1].size, 8);
    for (size_t i = 0; i < grid.cell_count; i++) {
        assert_int_equal(grid.cells[i].launch, i / 18);
        assert_int_equal(grid.cells[i].key.comm_size, ((size_t[]){8, 5, 2})[i % 18 / 6]);
        assert_false(grid.cells[i].collective == CT_COLLECTIVE_ALLREDUCE && grid.cells[i].key.msg_bytes == 4);
        assert_int_equal(grid.cells[i].method_count, 1);
        for (size_t j = 0; j < i; j++)
            assert_int_equal(grid.cells[i].number == grid.cells[j].number,
                             grid.cells[i].collective == grid.cells[j].collective &&
                                 grid.cells[i].key.comm_size == grid.cells[j].key.comm_size &&
                                 grid.cells[i].key.msg_bytes == grid.cells[j].key.msg_bytes);
    }
    for (size_t i = 0, last = grid.cell_count - 1; i < 2; i++) { /* the same cell in both launches */
        size_t other = 0;
        while (grid.cells[other].number != grid.cells[last].number)
            other++;
        ct_sweep_grid_finish(&grid, &grid.cells[i == 0 ? last : other]);
        assert_int_equal(grid.distinct_done, 1);
        assert_int_equal(grid.cells_done, i + 1);
    }
    ct_sweep_grid_free(&grid);
}

/* Guided: the same cells of each launch, whose sizes and collectives are mixed, the smallest messages first.
 */
static void guided_grids_are_mixed(void **state)
{
    (void)state;
    enum ct_collective collectives[3];
    struct ct_method methods[3];
    size_t comm_sizes[3], msg_sizes[3], rises = 0, early_barriers = 0, cells[9] = {0};
    struct ct_run_description description = describe(collectives, methods, comm_sizes, msg_sizes);
    struct ct_sweep_grid grid;
    description.sweep.guided = true;
    assert_int_equal(ct_sweep_grid_make(&description, &real, NULL, &grid), CT_OK);
    assert_int_equal(grid.cell_count, 2 * 3 * 6);
    for (size_t i = 0; i < grid.cell_count; i++) {
        assert_int_equal(grid.cells[i].launch, i / 18);
        rises += i > 0 && grid.cells[i].key.comm_size > grid.cells[i - 1].key.comm_size;
        early_barriers += i % 18 < 9 && grid.cells[i].collective == CT_COLLECTIVE_BARRIER;
        cells[grid.cells[i].key.comm_size]++;
        for (size_t j = i - i % 18; j < i; j++) /* a larger one never goes before */
            assert_false(grid.cells[j].collective == grid.cells[i].collective &&
                         grid.cells[j].key.msg_bytes > msg_sizes[0] &&
                         grid.cells[i].key.msg_bytes == msg_sizes[0]);
    }
    assert_true(rises > 4);
    assert_int_equal(early_barriers, 6); /* all: three times each collective has had its turn */
    assert_int_equal(cells[2] + cells[5] + cells[8], 36);
    assert_int_equal(cells[5], 12);
    ct_sweep_grid_free(&grid);
}

static void simulated_grids_have_a_batch_a_size_and_collective(void **state)
{
    (void)state;
    enum ct_collective collectives[3];
    struct ct_method methods[3];
    size_t comm_sizes[3], msg_sizes[3];
    struct ct_run_description description = describe(collectives, methods, comm_sizes, msg_sizes);
    struct ct_sweep_grid grid;
    description.launches = 1;
    assert_int_equal(ct_sweep_grid_make(&description, &exact, NULL, &grid), CT_OK);
    assert_int_equal(grid.cell_count, 18);
    assert_int_equal(grid.batch_count, 9);
    assert_int_equal(grid.batches[0].size, 8);
    assert_int_equal(grid.batches[8].size, 2);
    assert_int_equal(grid.uneven, 3); /* allreduce of 4 bytes */
    assert_int_equal(grid.left_out, 0);
    ct_sweep_grid_free(&grid);
}

/* Side by side: small communicators have a batch a collective, large ones one for all. */
static void divided_grids_have_a_batch_a_size(void **state)
{
    (void)state;
    static const struct {
        size_t size, cells;
    } expected[] = {{8, 6}, {5, 3}, {5, 2}, {5, 1}, {2, 3}, {2, 2}, {2, 1}};
    enum { BATCHES = sizeof expected / sizeof expected[0] };
    const struct ct_sweep_division divided = {.divided_below = 6};
    enum ct_collective collectives[3];
    struct ct_method methods[3];
    size_t comm_sizes[3], msg_sizes[3];
    struct ct_run_description description = describe(collectives, methods, comm_sizes, msg_sizes);
    for (int guided = 0; guided < 2; guided++) {
        struct ct_sweep_grid grid;
        size_t cells = 0;
        description.sweep.guided = guided;
        assert_int_equal(ct_sweep_grid_make(&description, &divided, NULL, &grid), CT_OK);
        assert_int_equal(grid.batch_count, 2 * BATCHES);
        for (size_t b = 0; b < grid.batch_count; b++) {
            const struct ct_sweep_batch *batch = &grid.batches[b];
            assert_int_equal(batch->first, cells);
            assert_int_equal(batch->size, expected[b % BATCHES].size);
            cells += batch->count;
            size_t own = 0;
            for (size_t i = batch->first; i < cells; i++) {
                assert_int_equal(grid.cells[i].launch, b / BATCHES);
                assert_int_equal(grid.cells[i].key.comm_size, batch->size);
                own += grid.cells[i].collective == grid.cells[batch->first].collective;
            }
            assert_true(batch->size == 8 || own == batch->count);
        }
        assert_int_equal(cells, grid.cell_count);
        ct_sweep_grid_free(&grid);
    }
}

static void cells_of_a_run_are_done(void **state)
{
    (void)state;
    enum ct_collective collectives[3];
    struct ct_method methods[3];
    size_t comm_sizes[3], msg_sizes[3], done = 0;
    struct ct_run_description description = describe(collectives, methods, comm_sizes, msg_sizes);
    struct ct_sweep_grid grid;
    assert_int_equal(ct_sweep_grid_make(&description, &real, NULL, &grid), CT_OK);
    struct ct_run_cell cells[] = {{1, CT_COLLECTIVE_BCAST, {1, 5, 5, 1024}},
                                  {0, CT_COLLECTIVE_BARRIER, {2, 4, 8, 0}}};
    const struct ct_run run = {.cells = cells, .cell_count = 2};
    assert_int_equal(ct_sweep_grid_mark_done(&grid, &run), CT_OK);
    for (size_t i = 0; i < grid.cell_count; i++) {
        const struct ct_sweep_cell *cell = &grid.cells[i];
        bool expected =
            (cell->launch == 1 && cell->collective == CT_COLLECTIVE_BCAST && cell->key.comm_size == 5 &&
             cell->key.msg_bytes == 1024) ||
            (cell->launch == 0 && cell->collective == CT_COLLECTIVE_BARRIER && cell->key.comm_size == 8);
        assert_int_equal(cell->done, expected);
        done += cell->done;
    }
    assert_int_equal(done, 2);
    ct_sweep_grid_free(&grid);
}

static void grid_without_cells_is_refused(void **state)
{
    (void)state;
    enum ct_collective collectives[3];
    struct ct_method methods[3];
    size_t comm_sizes[3], msg_sizes[3];
    struct ct_run_description description = describe(collectives, methods, comm_sizes, msg_sizes);
    struct ct_sweep_grid grid;
    struct ct_error error = {""};
    collectives[0] = CT_COLLECTIVE_ALLREDUCE;
    description.collective_count = 1;
    description.msg_size_count = 1;
    assert_int_equal(ct_sweep_grid_make(&description, &real, &error, &grid), CT_E_INPUT);
    assert_non_null(strstr(error.text, "multiples of 8"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_apply_where_they_exist),
        cmocka_unit_test(words_that_only_leave_out_leave_the_others),
        cmocka_unit_test(methods_with_a_set_up_of_dense_collectives_are_named),
        cmocka_unit_test(bad_methods_are_refused),
        cmocka_unit_test(real_grids_have_a_batch_a_launch),
        cmocka_unit_test(guided_grids_are_mixed),
        cmocka_unit_test(simulated_grids_have_a_batch_a_size_and_collective),
        cmocka_unit_test(divided_grids_have_a_batch_a_size),
        cmocka_unit_test(cells_of_a_run_are_done),
        cmocka_unit_test(grid_without_cells_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
