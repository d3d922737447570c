/* SPDX-License-Identifier: BSD-3-Clause */
/* A shipped study of one collective, of which every fourth communicator size and message size is kept: the
 * rest is filled in and compared with what was measured. Times are simulated, so that all figures are exact.
 */
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/map.h"
#include "models/correction.h"
#include "models/model_file.h"
#include "models/predictor.h"
#include "models/supplement.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEPT = 4 };

struct study {
    struct ct_run run;
    struct ct_run thin; /* shares all but samples and cells */
    struct ct_model model;
    struct ct_prediction prediction;
    struct ct_supplement supplement;
    struct ct_map truth;
    struct ct_map filled;
    size_t first_rank, first_byte; /* the first sizes that are kept */
};

static bool is_kept(const struct study *study, size_t comm_size, size_t msg_bytes)
{
    const struct ct_run_description *description = &study->run.description;
    size_t p = 0, b = 0;
    while (description->comm_sizes[p] != comm_size)
        p++;
    while (description->msg_sizes[b] != msg_bytes)
        b++;
    return p % KEPT == study->first_rank && b % KEPT == study->first_byte;
}

static void make_thin(struct study *study)
{
    const struct ct_run *run = &study->run;
    struct ct_run *thin = &study->thin;
    *thin = *run;
    thin->samples = ct_allocate(run->sample_count, sizeof *thin->samples);
    thin->cells = ct_allocate(run->cell_count, sizeof *thin->cells);
    thin->sample_count = thin->cell_count = 0;
    for (size_t i = 0; i < run->sample_count; i++)
        if (is_kept(study, run->samples[i].comm_size, run->samples[i].msg_bytes))
            thin->samples[thin->sample_count++] = run->samples[i];
    for (size_t i = 0; i < run->cell_count; i++)
        if (is_kept(study, run->cells[i].comm_size, run->cells[i].msg_bytes))
            thin->cells[thin->cell_count++] = run->cells[i];
}

static void fill(struct study *study)
{
    make_thin(study);
    assert_int_equal(ct_supplement_make(&study->thin, &study->prediction, NULL, &study->supplement), CT_OK);
    struct ct_run filled = study->run;
    filled.samples = study->supplement.samples;
    filled.sample_count = study->supplement.sample_count;
    assert_int_equal(ct_map_make(&filled, study->run.description.collectives[0], NULL, &study->filled),
                     CT_OK);
}

static void empty(struct study *study)
{
    ct_map_free(&study->filled);
    ct_supplement_free(&study->supplement);
    free(study->thin.samples);
    free(study->thin.cells);
}

static int prepare(void **state)
{
    struct study *study = calloc(1, sizeof *study);
    assert_int_equal(ct_run_read(SHIPPED_STUDY, false, NULL, &study->run), CT_OK);
    assert_int_equal(ct_model_read(SHIPPED_MODEL, NULL, &study->model), CT_OK);
    study->prediction = (struct ct_prediction){.model = &study->model,
                                               .weights = {[CT_PLOGP] = 1},
                                               .segments = CT_SEGMENT_FROM_LIST,
                                               .ppn = 1,
                                               .most_messages = 1 << 20};
    assert_int_equal(ct_map_make(&study->run, study->run.description.collectives[0], NULL, &study->truth),
                     CT_OK);
    fill(study);
    *state = study;
    return 0;
}

static int end(void **state)
{
    struct study *study = *state;
    ct_map_free(&study->truth);
    empty(study);
    ct_model_free(&study->model);
    ct_run_free(&study->run);
    free(study);
    return 0;
}

/* --- ways to fill in --- */

/* log of the time of a method in a held-out cell; NAN where there is none. */
typedef double guess(const struct study *study, const struct ct_cell *cell, size_t m);

static double supplemented(const struct study *study, const struct ct_cell *cell, size_t m)
{
    const struct ct_cell *filled = ct_map_find_cell(&study->filled, cell->comm_size, cell->msg_bytes);
    if (filled->methods[m].count == 0) /* in no cell that is kept */
        return NAN;
    assert_true(filled->methods[m].predicted);
    return log(filled->methods[m].median);
}

static double predicted(const struct study *study, const struct ct_cell *cell, size_t m)
{
    struct ct_predictor *predictor;
    struct ct_predicted out;
    assert_int_equal(ct_predictor_new(&study->prediction, &predictor), CT_OK);
    assert_int_equal(ct_predictor_set_ranks(predictor, cell->comm_size), CT_OK);
    const struct ct_call call = ct_predictor_call(predictor, study->truth.collective, cell->msg_bytes);
    assert_int_equal(ct_predictor_seconds(predictor, &study->truth.methods[m], &call, cell->msg_bytes,
                                          CT_PLOGP, false, NULL, &out),
                     CT_OK);
    ct_predictor_free(predictor);
    return log(out.seconds);
}

/* The kept cells as points whose "ratio" is the time itself. */
static size_t kept_times(const struct study *study, size_t m, struct ct_correction_point *points)
{
    size_t count = 0;
    for (size_t c = 0; c < study->truth.cell_count; c++) {
        const struct ct_cell *cell = &study->truth.cells[c];
        if (cell->methods[m].count > 0 && is_kept(study, cell->comm_size, cell->msg_bytes))
            points[count++] = (struct ct_correction_point){(double)cell->comm_size, (double)cell->msg_bytes,
                                                           log(cell->methods[m].median)};
    }
    return count;
}

static double nearest(const struct study *study, const struct ct_cell *cell, size_t m)
{
    struct ct_correction_point points[1000];
    size_t count = kept_times(study, m, points), best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double distance = hypot(log(points[i].ranks / (double)cell->comm_size),
                                log((points[i].bytes + 1) / ((double)cell->msg_bytes + 1)));
        best = distance < least ? i : best;
        least = fmin(distance, least);
    }
    return count > 0 ? points[best].log_ratio : NAN;
}

static double interpolated(const struct study *study, const struct ct_cell *cell, size_t m)
{
    struct ct_correction_point points[1000];
    size_t count = kept_times(study, m, points);
    return ct_correction_at(points, count, (double)cell->comm_size, (double)cell->msg_bytes);
}

/* --- how good they are --- */

struct verdict {
    double error;   /* median of |log ratio| */
    double penalty; /* mean, of the best by these times */
};

static struct verdict judge(const struct study *study, guess *guessed)
{
    const struct ct_map *truth = &study->truth;
    double *errors = ct_allocate(truth->cell_count * truth->method_count, sizeof *errors), penalties = 0;
    size_t count = 0, cells = 0;
    for (size_t c = 0; c < truth->cell_count; c++) {
        const struct ct_cell *cell = &truth->cells[c];
        size_t chosen = SIZE_MAX, best = SIZE_MAX;
        double least = INFINITY;
        if (is_kept(study, cell->comm_size, cell->msg_bytes))
            continue;
        for (size_t m = 0; m < truth->method_count; m++) {
            if (ct_is_native(truth->methods[m].algorithm) || cell->methods[m].count == 0)
                continue;
            double time = guessed(study, cell, m);
            if (!isnan(time))
                errors[count++] = fabs(time - log(cell->methods[m].median));
            if (best == SIZE_MAX || cell->methods[m].median < cell->methods[best].median)
                best = m;
            chosen = time < least ? m : chosen;
            least = fmin(least, time);
        }
        penalties += cell->methods[chosen].median / cell->methods[best].median - 1;
        cells++;
    }
    ct_sort(errors, count);
    struct verdict verdict = {ct_quantile(errors, count, 0.5), penalties / (double)cells};
    free(errors);
    return verdict;
}

static void test_beats_the_nearest(void **state)
{
    static const struct {
        const char *name;
        guess *guessed;
    } ways[] = {{"supplemented", supplemented},
                {"nearest neighbour", nearest},
                {"times interpolated", interpolated},
                {"model alone", predicted}};
    const struct study *study = *state;
    struct verdict verdicts[4];
    for (size_t i = 0; i < 4; i++) {
        verdicts[i] = judge(study, ways[i].guessed);
        printf("%-20s median error %6.2f %%, mean penalty %6.2f %%\n", ways[i].name,
               100 * (exp(verdicts[i].error) - 1), 100 * verdicts[i].penalty);
    }
    for (size_t i = 1; i < 4; i++) {
        assert_true(verdicts[0].error < verdicts[i].error);
        assert_true(verdicts[0].penalty < verdicts[i].penalty);
    }
}

/* Whichever cells are kept times are nearer, and in the mean so are choices; where the best method changes
 * between the message sizes that are kept, neighbours may choose better. */
static void test_beats_the_nearest_in_the_mean(void **state)
{
    enum { CHOICES = KEPT * KEPT };
    struct study study = *(const struct study *)*state;
    double own = 0, neighbours = 0;
    size_t worse = 0;
    for (size_t i = 0; i < CHOICES; i++) {
        study.first_rank = i / KEPT;
        study.first_byte = i % KEPT;
        fill(&study);
        struct verdict filled = judge(&study, supplemented), taken = judge(&study, nearest);
        assert_true(filled.error < taken.error / 4);
        own += filled.penalty / CHOICES;
        neighbours += taken.penalty / CHOICES;
        worse += filled.penalty > taken.penalty;
        empty(&study);
    }
    printf("of %d choices: mean penalty %.2f %%, nearest neighbour %.2f %%; worse in %zu\n", CHOICES,
           100 * own, 100 * neighbours, worse);
    assert_true(own < neighbours);
    assert_true(worse <= CHOICES / 3);
}

/* What was measured is as it was; all else but native is there, once, and said to be predicted. */
static void test_fills_what_lacks(void **state)
{
    const struct study *study = *state;
    const struct ct_supplement *supplement = &study->supplement;
    size_t lacking = 0, natives = 0;
    for (size_t m = 0; m < study->truth.method_count; m++) {
        bool native = ct_is_native(study->truth.methods[m].algorithm);
        natives += native;
        for (size_t c = 0; !native && c < study->truth.cell_count; c++) {
            const struct ct_cell *cell = &study->truth.cells[c];
            lacking += cell->methods[m].count > 0 && !is_kept(study, cell->comm_size, cell->msg_bytes);
        }
    }
    assert_int_equal(supplement->added, lacking);
    assert_int_equal(supplement->added_cells, study->run.cell_count - study->thin.cell_count);
    assert_int_equal(supplement->cell_count, study->run.cell_count);
    assert_int_equal(supplement->left_out, natives);
    assert_memory_equal(supplement->samples, study->thin.samples,
                        study->thin.sample_count * sizeof *supplement->samples);
    for (size_t c = 0; c < study->filled.cell_count; c++) {
        const struct ct_cell *cell = &study->filled.cells[c];
        const struct ct_cell *truth = ct_map_find_cell(&study->truth, cell->comm_size, cell->msg_bytes);
        for (size_t m = natives; m < study->filled.method_count; m++) {
            assert_int_equal(cell->methods[m].count, truth->methods[m].count > 0);
            if (cell->methods[m].count == 0)
                continue;
            assert_int_equal(cell->methods[m].predicted, !is_kept(study, cell->comm_size, cell->msg_bytes));
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

/* Nothing measured, nothing to go by. */
static void test_refuses_an_empty_run(void **state)
{
    const struct study *study = *state;
    struct ct_run run = study->thin;
    struct ct_supplement supplement;
    struct ct_error error = {""};
    run.sample_count = run.cell_count = 0;
    assert_int_equal(ct_supplement_make(&run, &study->prediction, &error, &supplement), CT_E_INPUT);
    assert_non_null(strstr(error.text, "has no samples that can be supplemented"));
}

/* A point at the very place says it alone; between two alike in distance lies their mean; no point, no say.
 */
static void test_corrections(void **state)
{
    (void)state;
    const struct ct_correction_point points[] = {{4, 63, 1}, {16, 63, 3}};
    assert_true(ct_correction_at(points, 2, 16, 63) == 3);
    assert_true(fabs(ct_correction_at(points, 2, 8, 63) - 2) < 1e-12);
    assert_true(ct_correction_at(points, 2, 15, 63) > 2.9);
    assert_true(ct_correction_at(points, 0, 8, 63) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beats_the_nearest),    cmocka_unit_test(test_beats_the_nearest_in_the_mean),
        cmocka_unit_test(test_fills_what_lacks),     cmocka_unit_test(test_leaves_what_failed),
        cmocka_unit_test(test_refuses_an_empty_run), cmocka_unit_test(test_corrections),
    };
    return cmocka_run_group_tests(tests, prepare, end);
}
