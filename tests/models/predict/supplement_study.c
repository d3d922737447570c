/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/models/predict/supplement_study.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "models/model_file.h"
#include "models/predict/correction.h"
#include "models/predict/predictor.h"
#include "samples/run_folder.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

bool study_keeps(const struct study *study, size_t comm_size, size_t msg_bytes)
{
    const struct ct_run_description *description = &study->run.description;
    size_t p = 0, b = 0;
    while (description->comm_sizes[p] != comm_size)
        p++;
    while (description->msg_sizes[b] != msg_bytes)
        b++;
    return p % study->every_rank == study->first_rank && b % study->every_byte == study->first_byte;
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
        if (study_keeps(study, run->samples[i].key.comm_size, run->samples[i].key.msg_bytes))
            thin->samples[thin->sample_count++] = run->samples[i];
    for (size_t i = 0; i < run->cell_count; i++)
        if (study_keeps(study, run->cells[i].key.comm_size, run->cells[i].key.msg_bytes))
            thin->cells[thin->cell_count++] = run->cells[i];
}

void study_fill(struct study *study)
{
    make_thin(study);
    assert_int_equal(ct_supplement_make(&study->thin, &study->prediction, NULL, &study->supplement), CT_OK);
    struct ct_run filled = study->run;
    filled.samples = study->supplement.samples;
    filled.sample_count = study->supplement.sample_count;
    assert_int_equal(ct_map_make(&filled, study->truth.collective, NULL, &study->filled), CT_OK);
}

void study_empty(struct study *study)
{
    ct_map_free(&study->filled);
    ct_supplement_free(&study->supplement);
    free(study->thin.samples);
    free(study->thin.cells);
}

void study_open(const char *run, const char *model, struct study *ret_study)
{
    *ret_study = (struct study){.every_rank = 4, .every_byte = 4};
    assert_int_equal(ct_run_read(run, false, NULL, &ret_study->run), CT_OK);
    assert_int_equal(ct_model_read(model, NULL, &ret_study->model), CT_OK);
    assert_int_equal(
        ct_map_make(&ret_study->run, ret_study->run.description.collectives[0], NULL, &ret_study->truth),
        CT_OK);
    ret_study->prediction = (struct ct_prediction){.model = &ret_study->model,
                                                   .weights = {[CT_MODEL_PLOGP] = 1},
                                                   .segments = CT_SEGMENT_FROM_LIST,
                                                   .ppn = 1,
                                                   .most_messages = 1 << 20};
}

void study_close(struct study *study)
{
    ct_map_free(&study->truth);
    ct_model_free(&study->model);
    ct_run_free(&study->run);
}

/* --- ways to fill in --- */

double study_supplemented(const struct study *study, const struct ct_cell *cell, size_t m)
{
    const struct ct_cell *filled = ct_map_find_cell(&study->filled, cell->key.comm_size, cell->key.msg_bytes);
    assert_true(filled->methods[m].predicted || filled->methods[m].count == 0);
    return filled->methods[m].count > 0 ? log(filled->methods[m].median) : NAN;
}

double study_predicted(const struct study *study, const struct ct_cell *cell, size_t m)
{
    struct ct_predictor *predictor;
    struct ct_predicted out;
    assert_int_equal(ct_predictor_new(&study->prediction, &predictor), CT_OK);
    assert_int_equal(ct_predictor_set_ranks(predictor, cell->key.comm_size), CT_OK);
    const struct ct_call call = ct_predictor_call(predictor, study->truth.collective, cell->key.msg_bytes);
    assert_int_equal(ct_predictor_seconds(predictor, &study->truth.methods[m], &call, cell->key.msg_bytes,
                                          CT_MODEL_PLOGP, false, NULL, &out),
                     CT_OK);
    ct_predictor_free(predictor);
    return log(out.seconds);
}

static struct ct_correction_point time_at(const struct ct_cell *cell, size_t m)
{
    return (struct ct_correction_point){log((double)cell->key.comm_size),
                                        log((double)cell->key.msg_bytes + 1), log(cell->methods[m].median)};
}

/* The kept cells as points whose "ratio" is the time itself. */
static size_t kept_times(const struct study *study, size_t m, struct ct_correction_point *points)
{
    size_t count = 0;
    for (size_t c = 0; c < study->truth.cell_count; c++) {
        const struct ct_cell *cell = &study->truth.cells[c];
        if (study_keeps(study, cell->key.comm_size, cell->key.msg_bytes) && cell->methods[m].count > 0)
            points[count++] = time_at(cell, m);
    }
    return count;
}

double study_nearest(const struct study *study, const struct ct_cell *cell, size_t m)
{
    struct ct_correction_point points[1000];
    const struct ct_correction_point here = time_at(cell, m);
    size_t count = kept_times(study, m, points), best = 0;
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double distance = hypot(points[i].across - here.across, points[i].down - here.down);
        best = distance < least ? i : best;
        least = fmin(distance, least);
    }
    return count > 0 ? points[best].log_ratio : NAN;
}

double study_interpolated(const struct study *study, const struct ct_cell *cell, size_t m)
{
    struct ct_correction_point points[1000];
    const struct ct_correction_point here = time_at(cell, m);
    size_t count = kept_times(study, m, points);
    return ct_correction_at(points, count, here.across, here.down);
}

/* --- how good they are --- */

struct verdict study_judge(const struct study *study, study_guess *guessed)
{
    const struct ct_map *truth = &study->truth;
    double *errors = ct_allocate(truth->cell_count * truth->method_count, sizeof *errors), penalties = 0;
    size_t count = 0, cells = 0;
    for (size_t c = 0; c < truth->cell_count; c++) {
        const struct ct_cell *cell = &truth->cells[c];
        size_t chosen = SIZE_MAX, best = SIZE_MAX;
        double least = INFINITY;
        if (study_keeps(study, cell->key.comm_size, cell->key.msg_bytes))
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
