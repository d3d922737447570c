/* SPDX-License-Identifier: BSD-3-Clause */
#include "models/predict/supplement.h"

#include "base/memory.h"
#include "decision/map.h"
#include "models/predict/correction.h"
#include "models/predict/predictor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct filling {
    const struct ct_run *run;
    struct ct_prediction prediction;
    enum ct_communication_model kind;
    struct ct_predictor *predictor;
    struct ct_error *error;
    struct ct_supplement out;
};

/* The grid of one collective. */
struct plane {
    const struct ct_map *map;
    size_t size_count; /* of messages; 1 where there is none */
    double *predicted; /* [communicator size][message size][method]; NAN where nothing is to be filled in */
    double *down;      /* [message size]: its place, see ct_size_axis() */
    bool *has_cell;    /* [communicator size][message size]: in the first launch */
    struct ct_correction_point *points; /* of one method */
};

void ct_supplement_free(struct ct_supplement *supplement)
{
    free(supplement->samples);
    free(supplement->cells);
    *supplement = (struct ct_supplement){0};
}

static size_t bytes_of(const struct filling *filling, const struct plane *plane, size_t b)
{
    return ct_collectives[plane->map->collective].has_size ? filling->run->description.msg_sizes[b] : 0;
}

static size_t place_of(const struct plane *plane, size_t p, size_t b, size_t m)
{
    return (p * plane->size_count + b) * plane->map->method_count + m;
}

/* The cell of communicator size p and message size b. */
static struct ct_run_cell cell_of(const struct filling *filling, const struct plane *plane, size_t p,
                                  size_t b)
{
    size_t ranks = filling->run->description.comm_sizes[p], ppn = filling->prediction.ppn;
    return (struct ct_run_cell){.collective = plane->map->collective,
                                .key = {.nodes = (ranks + ppn - 1) / ppn,
                                        .ppn = ppn < ranks ? ppn : ranks,
                                        .comm_size = ranks,
                                        .msg_bytes = bytes_of(filling, plane, b)}};
}

static const struct ct_cell *measured_cell(const struct plane *plane, const struct ct_run_cell *cell)
{
    for (size_t c = 0; c < plane->map->cell_count; c++) {
        const struct ct_cell *known = &plane->map->cells[c];
        if (ct_cell_key_compare(&known->key, &cell->key) == 0)
            return known;
    }
    return NULL;
}

static int predict_cell(struct filling *filling, struct plane *plane, size_t p, size_t b)
{
    const struct ct_map *map = plane->map;
    for (size_t m = 0; m < map->method_count; m++) {
        struct ct_predicted predicted;
        int status =
            ct_predictor_method_seconds(filling->predictor, &map->methods[m], bytes_of(filling, plane, b),
                                        filling->kind, filling->error, &predicted);
        if (status != CT_OK)
            return status;
        plane->predicted[place_of(plane, p, b, m)] = predicted.seconds;
    }
    return CT_OK;
}

static int predict_plane(struct filling *filling, struct plane *plane)
{
    const struct ct_run_description *description = &filling->run->description;
    int status = CT_OK;
    for (size_t p = 0; status == CT_OK && p < description->comm_size_count; p++) {
        status = ct_predictor_set_ranks(filling->predictor, description->comm_sizes[p]);
        for (size_t b = 0; status == CT_OK && b < plane->size_count; b++)
            status = predict_cell(filling, plane, p, b);
        if (filling->prediction.progress)
            filling->prediction.progress(filling->prediction.context,
                                         (double)(p + 1) / (double)description->comm_size_count,
                                         ct_collectives[plane->map->collective].name);
    }
    return status;
}

/* A method that failed in a cell is not filled in there. */
static void forget_failed(const struct filling *filling, struct plane *plane)
{
    const struct ct_run *run = filling->run;
    for (size_t i = 0; i < run->sample_count; i++) {
        const struct ct_sample *sample = &run->samples[i];
        if (ct_sample_has_time(sample->status) ||
            run->methods[sample->method].algorithm->collective != plane->map->collective)
            continue;
        size_t m = ct_map_find_method(plane->map, &run->methods[sample->method]);
        for (size_t p = 0; p < run->description.comm_size_count; p++)
            for (size_t b = 0; b < plane->size_count; b++)
                if (run->description.comm_sizes[p] == sample->key.comm_size &&
                    bytes_of(filling, plane, b) == sample->key.msg_bytes)
                    plane->predicted[place_of(plane, p, b, m)] = NAN;
    }
}

static size_t take_points(const struct filling *filling, struct plane *plane, size_t m)
{
    size_t count = 0;
    for (size_t p = 0; p < filling->run->description.comm_size_count; p++)
        for (size_t b = 0; b < plane->size_count; b++) {
            const struct ct_run_cell cell = cell_of(filling, plane, p, b);
            const struct ct_cell *known = measured_cell(plane, &cell);
            double predicted = plane->predicted[place_of(plane, p, b, m)];
            if (!known || known->methods[m].count == 0 || known->methods[m].predicted || isnan(predicted))
                continue;
            plane->points[count++] =
                (struct ct_correction_point){.across = log((double)cell.key.comm_size),
                                             .down = plane->down[b],
                                             .log_ratio = log(known->methods[m].median / predicted)};
        }
    return count;
}

/* A predicted sample with the method's index, and the datatype and operation of its measured samples. */
static struct ct_sample sample_of(const struct ct_run *run, const struct ct_method *method)
{
    size_t i = 0;
    while (i + 1 < run->sample_count && !ct_method_equal(&run->methods[run->samples[i].method], method))
        i++;
    return (struct ct_sample){.method = run->samples[i].method,
                              .datatype = run->samples[i].datatype,
                              .operation = run->samples[i].operation,
                              .status = CT_SAMPLE_PREDICTED};
}

static int add_sample(struct filling *filling, struct plane *plane, size_t cell_place,
                      const struct ct_run_cell *cell, struct ct_sample sample)
{
    struct ct_supplement *out = &filling->out;
    sample.key = cell->key;
    int status = ct_grow(&out->samples, &out->sample_capacity, out->sample_count + 1, sizeof *out->samples);
    if (status == CT_OK)
        status = ct_grow(&out->cells, &out->cell_capacity, out->cell_count + 1, sizeof *out->cells);
    if (status != CT_OK)
        return status;
    out->samples[out->sample_count++] = sample;
    out->added++;
    if (!plane->has_cell[cell_place])
        out->cells[out->cell_count++] = *cell;
    plane->has_cell[cell_place] = true;
    return CT_OK;
}

static int fill_method(struct filling *filling, struct plane *plane, size_t m)
{
    size_t count = take_points(filling, plane, m);
    if (count == 0) {
        filling->out.left_out++;
        return CT_OK;
    }
    struct ct_sample sample = sample_of(filling->run, &plane->map->methods[m]);
    for (size_t p = 0; p < filling->run->description.comm_size_count; p++)
        for (size_t b = 0; b < plane->size_count; b++) {
            const struct ct_run_cell cell = cell_of(filling, plane, p, b);
            const struct ct_cell *known = measured_cell(plane, &cell);
            double predicted = plane->predicted[place_of(plane, p, b, m)];
            if (isnan(predicted) || (known && known->methods[m].count))
                continue;
            sample.seconds =
                predicted *
                exp(ct_correction_at(plane->points, count, log((double)cell.key.comm_size), plane->down[b]));
            int status = add_sample(filling, plane, p * plane->size_count + b, &cell, sample);
            if (status != CT_OK)
                return status;
        }
    return CT_OK;
}

static void mark_cells(const struct filling *filling, struct plane *plane)
{
    for (size_t p = 0; p < filling->run->description.comm_size_count; p++)
        for (size_t b = 0; b < plane->size_count; b++) {
            const struct ct_run_cell cell = cell_of(filling, plane, p, b);
            plane->has_cell[p * plane->size_count + b] = ct_run_has_cell(filling->run, &cell);
        }
}

static int fill_plane(struct filling *filling, const struct ct_map *map)
{
    struct plane plane = {.map = map,
                          .size_count = ct_collectives[map->collective].has_size
                                            ? filling->run->description.msg_size_count
                                            : 1};
    size_t cells = 0, places = 0;
    if (!ct_multiply(filling->run->description.comm_size_count, plane.size_count, &cells) ||
        !ct_multiply(cells, map->method_count, &places))
        return CT_E_MEMORY;
    plane.predicted = ct_allocate(places, sizeof *plane.predicted);
    plane.down = ct_allocate(plane.size_count, sizeof *plane.down);
    plane.points = ct_allocate(cells, sizeof *plane.points);
    plane.has_cell = ct_allocate(cells, sizeof *plane.has_cell);
    int status = CT_E_MEMORY;
    if (!plane.predicted || !plane.down || !plane.points || !plane.has_cell)
        goto done;
    status = predict_plane(filling, &plane);
    if (status != CT_OK)
        goto done;
    ct_size_axis(plane.predicted, filling->run->description.comm_size_count, plane.size_count,
                 map->method_count, plane.down);
    forget_failed(filling, &plane);
    mark_cells(filling, &plane);
    for (size_t m = 0; status == CT_OK && m < map->method_count; m++)
        status = fill_method(filling, &plane, m);
done:
    free(plane.predicted);
    free(plane.down);
    free(plane.has_cell);
    free(plane.points);
    return status;
}

static int begin(struct filling *filling)
{
    const struct ct_run *run = filling->run;
    struct ct_supplement *out = &filling->out;
    filling->prediction.ppn = 1;
    for (size_t i = 0; i < run->cell_count; i++)
        if (run->cells[i].key.ppn > filling->prediction.ppn)
            filling->prediction.ppn = run->cells[i].key.ppn;
    while (filling->prediction.weights[filling->kind] <= 0)
        filling->kind++;
    int status = ct_grow(&out->samples, &out->sample_capacity, run->sample_count + 1, sizeof *out->samples);
    if (status == CT_OK)
        status = ct_grow(&out->cells, &out->cell_capacity, run->cell_count + 1, sizeof *out->cells);
    if (status != CT_OK)
        return status;
    if (run->sample_count > 0)
        memcpy(out->samples, run->samples, run->sample_count * sizeof *out->samples);
    if (run->cell_count > 0)
        memcpy(out->cells, run->cells, run->cell_count * sizeof *out->cells);
    out->sample_count = run->sample_count;
    out->cell_count = run->cell_count;
    return ct_predictor_new(&filling->prediction, &filling->predictor);
}

static int fill(struct filling *filling)
{
    const struct ct_run *run = filling->run;
    size_t filled = 0;
    for (size_t i = 0; i < run->description.collective_count; i++) {
        enum ct_collective collective = run->description.collectives[i];
        struct ct_map map;
        if (!ct_prediction_covers(collective) || !ct_run_measures(run, collective))
            continue;
        int status = ct_map_make(run, collective, filling->error, &map);
        if (status != CT_OK)
            return status;
        status = fill_plane(filling, &map);
        ct_map_free(&map);
        if (status != CT_OK)
            return status;
        filled++;
    }
    return filled > 0
               ? CT_OK
               : ct_fail(filling->error, CT_E_INPUT, "%s: has no samples of methods that a model can predict",
                         run->folder ? run->folder : "the run");
}

int ct_supplement_make(const struct ct_run *run, const struct ct_prediction *prediction,
                       struct ct_error *error, struct ct_supplement *ret_supplement)
{
    struct filling filling = {.run = run, .prediction = *prediction, .error = error};
    int status = begin(&filling);
    if (status == CT_OK)
        status = fill(&filling);
    ct_predictor_free(filling.predictor);
    if (status != CT_OK) {
        ct_supplement_free(&filling.out);
        return status;
    }
    filling.out.added_cells = filling.out.cell_count - run->cell_count;
    qsort(filling.out.cells, filling.out.cell_count, sizeof *filling.out.cells, ct_run_cell_compare);
    *ret_supplement = filling.out;
    return CT_OK;
}
