/* SPDX-License-Identifier: BSD-3-Clause */
/* What is filled in, and what is not. */
#include "base/memory.h"
#include "models/predict/correction.h"
#include "tests/models/predict/supplement_study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int prepare(void **state)
{
    struct study *study = calloc(1, sizeof *study);
    study_open(SHIPPED_STUDIES "/ethernet100-bcast", SHIPPED_MODEL, study);
    study_fill(study);
    *state = study;
    return 0;
}

static int end(void **state)
{
    struct study *study = *state;
    study_empty(study);
    study_close(study);
    free(study);
    return 0;
}

/* What was measured is as it was; all else but native is there, once, and said to be predicted. */
static void test_fills_what_lacks(void **state)
{
    const struct study *study = *state;
    const struct ct_supplement *supplement = &study->supplement;
    size_t methods = study->run.method_count - 1;
    assert_int_equal(supplement->added, (study->run.cell_count - study->thin.cell_count) * methods);
    assert_int_equal(supplement->added_cells, study->run.cell_count - study->thin.cell_count);
    assert_int_equal(supplement->cell_count, study->run.cell_count);
    assert_int_equal(supplement->left_out, 1);
    assert_memory_equal(supplement->samples, study->thin.samples,
                        study->thin.sample_count * sizeof *supplement->samples);
    for (size_t c = 0; c < study->filled.cell_count; c++) {
        const struct ct_cell *cell = &study->filled.cells[c];
        for (size_t m = 1; m < study->filled.method_count; m++) {
            assert_int_equal(cell->methods[m].count, 1);
            assert_int_equal(cell->methods[m].predicted,
                             !study_keeps(study, cell->key.comm_size, cell->key.msg_bytes));
        }
    }
}

/* A method that failed in a cell lacks nothing there. */
static void test_leaves_what_failed(void **state)
{
    const struct study *study = *state;
    struct ct_run run = study->thin;
    run.samples = ct_allocate(run.sample_count, sizeof *run.samples);
    memcpy(run.samples, study->thin.samples, run.sample_count * sizeof *run.samples);
    size_t failed = 5;
    assert_false(ct_is_native(run.methods[run.samples[failed].method].algorithm));
    run.samples[failed].status = CT_SAMPLE_CRASHED;
    run.samples[failed].seconds = NAN;
    struct ct_supplement supplement;
    assert_int_equal(ct_supplement_make(&run, &study->prediction, NULL, &supplement), CT_OK);
    assert_int_equal(supplement.added, study->supplement.added);
    ct_supplement_free(&supplement);
    free(run.samples);
}

/* A cell where ranks yielded is the same cell, and is not filled in as another one. */
static void test_knows_cells_that_yield(void **state)
{
    const struct study *study = *state;
    struct ct_run run = study->thin;
    struct ct_supplement supplement;
    run.description.sweep.yield_from = 1;
    run.samples = ct_allocate(run.sample_count, sizeof *run.samples);
    run.cells = ct_allocate(run.cell_count, sizeof *run.cells);
    for (size_t i = 0; i < run.sample_count; i++) {
        run.samples[i] = study->thin.samples[i];
        run.samples[i].key.yield = 1;
    }
    for (size_t i = 0; i < run.cell_count; i++) {
        run.cells[i] = study->thin.cells[i];
        run.cells[i].key.yield = 1;
    }
    assert_int_equal(ct_supplement_make(&run, &study->prediction, NULL, &supplement), CT_OK);
    assert_int_equal(supplement.added_cells, study->supplement.added_cells);
    assert_int_equal(supplement.added, study->supplement.added);
    ct_supplement_free(&supplement);
    free(run.samples);
    free(run.cells);
}

/* Nothing measured, nothing to go by. */
static void test_refuses_an_empty_run(void **state)
{
    const struct study *study = *state;
    struct ct_run run = study->thin;
    struct ct_supplement supplement;
    struct ct_error error = {""};
    run.sample_count = run.cell_count = 0;
    assert_int_equal(ct_supplement_make(&run, &study->prediction, &error, &supplement), CT_E_INPUT);
    assert_non_null(strstr(error.text, "has no samples of methods that a model can predict"));
}

/* Models predict blocking calls. */
static void test_refuses_other_modes(void **state)
{
    const struct study *study = *state;
    struct ct_run run = study->thin;
    struct ct_supplement supplement;
    struct ct_error error = {""};
    char mode[] = "blocking,nonblocking";
    run.description.mode = mode;
    run.description.launches = 2;
    assert_int_equal(ct_supplement_make(&run, &study->prediction, &error, &supplement), CT_E_INPUT);
    assert_non_null(strstr(error.text, "has calls that are not blocking; expected a run of blocking calls"));
}

/* Times of messages through MPI are not filled in where messages within a node went through shared memory. */
static void test_refuses_another_channel(void **state)
{
    static char mpi[] = "mpi", shared[] = "shared";
    const struct {
        char *run; /* NULL: it does not say */
        enum ct_node_channel model;
        const char *refusal; /* NULL: filled in */
    } cases[] = {
        {shared, CT_NODE_CHANNEL_SHARED, NULL},
        {NULL, CT_NODE_CHANNEL_MPI, NULL},
        {shared, CT_NODE_CHANNEL_MPI, "expected a model that was fitted with COLLTUNE_NODE=shared"},
        {mpi, CT_NODE_CHANNEL_SHARED, "expected a model that was fitted with COLLTUNE_NODE=mpi"},
        {NULL, CT_NODE_CHANNEL_SHARED, "expected a model that was fitted with COLLTUNE_NODE=mpi"},
    };
    const struct study *study = *state;
    struct ct_run run = study->thin;
    struct ct_model model = *study->prediction.model;
    struct ct_prediction prediction = study->prediction;
    model.links[CT_LINK_NODE] = model.links[CT_LINK_NETWORK];
    prediction.model = &model;
    run.samples = ct_allocate(run.sample_count, sizeof *run.samples);
    run.cells = ct_allocate(run.cell_count, sizeof *run.cells);
    for (size_t i = 0; i < run.sample_count; i++) {
        run.samples[i] = study->thin.samples[i];
        run.samples[i].key.nodes = 1;
        run.samples[i].key.ppn = run.samples[i].key.comm_size;
    }
    for (size_t i = 0; i < run.cell_count; i++) {
        run.cells[i] = study->thin.cells[i];
        run.cells[i].key.nodes = 1;
        run.cells[i].key.ppn = run.cells[i].key.comm_size;
    }
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct ct_supplement supplement;
        struct ct_error error = {""};
        run.description.node_channel = cases[i].run;
        model.node_channel = cases[i].model;
        int status = ct_supplement_make(&run, &prediction, &error, &supplement);
        assert_int_equal(status, cases[i].refusal ? CT_E_INPUT : CT_OK);
        if (cases[i].refusal)
            assert_non_null(strstr(error.text, cases[i].refusal));
        else
            ct_supplement_free(&supplement);
    }
    free(run.samples);
    free(run.cells);
}

/* A point at the very place says nearly all; between two alike in distance lies their mean, beyond all of
 * them a mean, too; two in one place count as one that is their mean; no point, no say. */
static void test_corrections(void **state)
{
    (void)state;
    const struct ct_correction_point points[] = {{1, 4, 1}, {3, 4, 3}};
    assert_true(fabs(ct_correction_at(points, 2, 3, 4) - 3) < 0.05);
    assert_true(fabs(ct_correction_at(points, 2, 2, 4) - 2) < 1e-12);
    assert_true(fabs(ct_correction_at(points, 2, 2.5, 4) - 2.5) < 0.02);
    assert_true(ct_correction_at(points, 2, 100, 4) <= 3);
    const struct ct_correction_point twins[] = {{1, 4, 0.5}, {1, 4, 1.5}, {3, 4, 3}};
    assert_true(fabs(ct_correction_at(twins, 3, 2, 4) - 2) < 0.02);
    assert_true(ct_correction_at(points, 0, 2, 4) == 0);
}

/* However many points there are, what is the same everywhere is found everywhere, and adding to all adds to
 * it.
 */
static void test_corrections_shift(void **state)
{
    (void)state;
    struct ct_correction_point points[40], same[40];
    for (size_t i = 0; i < 40; i++) {
        points[i] = (struct ct_correction_point){(double)(i * 7 % 11), (double)(i * 5 % 13), sin((double)i)};
        same[i] = points[i];
        same[i].log_ratio += 1;
    }
    for (size_t count = 1; count <= 40; count++)
        assert_true(fabs(ct_correction_at(same, count, 3.3, 20) - ct_correction_at(points, count, 3.3, 20) -
                         1) < 1e-9);
}

/* Sizes lie apart as their times do; methods that come and go do not move them, nor does the sizes' order. */
static void test_size_axis(void **state)
{
    (void)state;
    enum { SIZES = 4, METHODS = 2 };
    /* two communicator sizes; the first size has no times, the last lacks the slow method */
    const double seconds[2 * SIZES * METHODS] = {NAN, NAN, 1, 100, 4,  400,  2, NAN,
                                                 NAN, NAN, 3, 300, 12, 1200, 6, NAN};
    double axis[SIZES];
    ct_size_axis(seconds, 2, SIZES, METHODS, axis);
    assert_true(axis[0] == 0 && axis[1] == 0);
    assert_true(fabs(axis[2] - log(4)) < 1e-12);
    assert_true(fabs(axis[3] - log(2)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fills_what_lacks),
        cmocka_unit_test(test_leaves_what_failed),
        cmocka_unit_test(test_knows_cells_that_yield),
        cmocka_unit_test(test_refuses_an_empty_run),
        cmocka_unit_test(test_refuses_other_modes),
        cmocka_unit_test(test_refuses_another_channel),
        cmocka_unit_test(test_corrections),
        cmocka_unit_test(test_corrections_shift),
        cmocka_unit_test(test_size_axis),
    };
    return cmocka_run_group_tests(tests, prepare, end);
}
