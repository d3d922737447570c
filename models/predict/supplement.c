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

/* A cell of the run's grid. */
struct place {
    struct ct_run_cell cell;
    const struct ct_cell *known; /* its cell in the map; NULL: it was not measured */
    bool is_in_run;              /* or was added */
    double down;                 /* of its message size, see ct_size_axis() */
};

/* The grid of one collective, of a sparse one for one pattern. */
struct plane {
    const struct ct_map *map;
    const char *pattern;  /* NULL: none */
    struct place *places; /* [communicator size][message size] */
    size_t place_count;
    double *predicted;                  /* [place][method]; NAN where nothing is to be filled in */
    struct ct_correction_point *points; /* of one method */
};

void ct_supplement_free(struct ct_supplement *supplement)
{
    free(supplement->samples);
    free(supplement->cells);
    *supplement = (struct ct_supplement){0};
}

static int predict_cell(struct filling *filling, const struct ct_map *map, size_t msg_bytes,
                        double *predicted)
{
    for (size_t m = 0; m < map->method_count; m++) {
        struct ct_predicted time;
        int status = ct_predictor_method_seconds(filling->predictor, &map->methods[m], msg_bytes,
                                                 filling->kind, filling->error, &time);
        if (status != CT_OK)
            return status;
        predicted[m] = time.seconds;
    }
    return CT_OK;
}

/* Sets the features of the pattern, as a measurement would record them. */
static int describe_pattern(struct filling *filling, const struct plane *plane, struct ct_run_cell *cell)
{
    struct ct_call call = ct_predictor_call(filling->predictor, cell->collective, cell->key.msg_bytes);
    int status = ct_predictor_add_neighbors(filling->predictor, cell->collective, cell->key.msg_bytes, &call);
    if (status != CT_OK)
        return status;
    const struct ct_cell_key key = ct_call_key(cell->collective, &call);
    cell->key.pattern = ct_pattern_id(plane->pattern);
    cell->key.degree = key.degree;
    cell->key.mean_degree = key.mean_degree;
    cell->key.imbalance = key.imbalance;
    cell->key.on_node = key.on_node;
    return CT_OK;
}

/* Sets places and predictions. There are `size_count` message sizes. */
static int predict_plane(struct filling *filling, size_t size_count, struct plane *plane)
{
    const struct ct_run_description *description = &filling->run->description;
    const struct ct_map *map = plane->map;
    const size_t ppn = filling->prediction.ppn;
    for (size_t i = 0; i < plane->place_count; i++) {
        size_t ranks = description->comm_sizes[i / size_count], b = i % size_count;
        struct place *place = &plane->places[i];
        place->cell = (struct ct_run_cell){.collective = map->collective,
                                           .key = {.nodes = (ranks - 1) / ppn + 1,
                                                   .ppn = ppn < ranks ? ppn : ranks,
                                                   .comm_size = ranks,
                                                   .by = ct_run_mapping(description, 0)}};
        place->cell.key.yield = ct_run_yields(description, 0, place->cell.key.ppn);
        if (ct_collectives[map->collective].has_size)
            place->cell.key.msg_bytes = description->msg_sizes[b];
        int status = b == 0 ? ct_predictor_set_ranks(filling->predictor, ranks) : CT_OK;
        if (status == CT_OK && b == 0 && plane->pattern)
            status = ct_predictor_set_pattern(filling->predictor, plane->pattern, filling->error);
        if (status == CT_OK && plane->pattern)
            status = describe_pattern(filling, plane, &place->cell);
        place->known = ct_map_find_key(map, &place->cell.key);
        place->is_in_run = ct_run_has_cell(filling->run, &place->cell);
        if (status == CT_OK)
            status = predict_cell(filling, map, place->cell.key.msg_bytes,
                                  plane->predicted + i * map->method_count);
        if (status != CT_OK)
            return status;
        ct_watch_progress(filling->prediction.watch,
                          &(struct ct_progress){.what = ct_collectives[map->collective].name,
                                                .units = "cells",
                                                .done = i + 1,
                                                .total = plane->place_count});
    }
    return CT_OK;
}

/* A method that failed in a cell is not filled in there. */
static void forget_failed(const struct ct_run *run, struct plane *plane)
{
    for (size_t s = 0; s < run->sample_count; s++) {
        const struct ct_sample *sample = &run->samples[s];
        if (ct_sample_has_time(sample->status) ||
            run->methods[sample->method].algorithm->collective != plane->map->collective)
            continue;
        size_t m = ct_map_find_method(plane->map, &run->methods[sample->method]);
        for (size_t i = 0; i < plane->place_count; i++)
            if (plane->places[i].cell.key.comm_size == sample->key.comm_size &&
                plane->places[i].cell.key.pattern == sample->key.pattern &&
                plane->places[i].cell.key.msg_bytes == sample->key.msg_bytes)
                plane->predicted[i * plane->map->method_count + m] = NAN;
    }
}

static size_t take_points(struct plane *plane, size_t m)
{
    size_t count = 0;
    for (size_t i = 0; i < plane->place_count; i++) {
        const struct place *place = &plane->places[i];
        const struct ct_statistics *known = place->known ? &place->known->methods[m] : NULL;
        double predicted = plane->predicted[i * plane->map->method_count + m];
        if (!known || known->count == 0 || known->predicted || isnan(predicted))
            continue;
        plane->points[count++] =
            (struct ct_correction_point){.across = log((double)place->cell.key.comm_size),
                                         .down = place->down,
                                         .log_ratio = log(known->median / predicted)};
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

static int add_sample(struct ct_supplement *out, struct place *place, const struct ct_sample *sample)
{
    int status = ct_grow(&out->samples, &out->sample_capacity, out->sample_count + 1, sizeof *out->samples);
    if (status == CT_OK)
        status = ct_grow(&out->cells, &out->cell_capacity, out->cell_count + 1, sizeof *out->cells);
    if (status != CT_OK)
        return status;
    out->samples[out->sample_count++] = *sample;
    out->added++;
    if (!place->is_in_run)
        out->cells[out->cell_count++] = place->cell;
    place->is_in_run = true;
    return CT_OK;
}

static int fill_method(struct filling *filling, struct plane *plane, size_t m)
{
    size_t count = take_points(plane, m);
    if (count == 0) {
        filling->out.left_out++;
        return CT_OK;
    }
    struct ct_sample sample = sample_of(filling->run, &plane->map->methods[m]);
    for (size_t i = 0; i < plane->place_count; i++) {
        struct place *place = &plane->places[i];
        double predicted = plane->predicted[i * plane->map->method_count + m];
        if (isnan(predicted) || (place->known && place->known->methods[m].count))
            continue;
        sample.key = place->cell.key;
        sample.seconds = predicted * exp(ct_correction_at(plane->points, count,
                                                          log((double)sample.key.comm_size), place->down));
        int status = add_sample(&filling->out, place, &sample);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

static int fill_plane(struct filling *filling, const struct ct_map *map, const char *pattern)
{
    const struct ct_run_description *description = &filling->run->description;
    const size_t sizes = ct_collectives[map->collective].has_size ? description->msg_size_count : 1;
    struct plane plane = {.map = map, .pattern = pattern};
    size_t times;
    if (!ct_multiply(description->comm_size_count, sizes, &plane.place_count) ||
        !ct_multiply(plane.place_count, map->method_count, &times))
        return CT_E_MEMORY;
    plane.places = ct_allocate(plane.place_count, sizeof *plane.places);
    plane.predicted = ct_allocate(times, sizeof *plane.predicted);
    plane.points = ct_allocate(plane.place_count, sizeof *plane.points);
    double *down = ct_allocate(sizes, sizeof *down);
    int status = CT_E_MEMORY;
    if (!plane.places || !plane.predicted || !plane.points || !down)
        goto done;
    status = predict_plane(filling, sizes, &plane);
    if (status != CT_OK)
        goto done;
    ct_size_axis(plane.predicted, description->comm_size_count, sizes, map->method_count, down);
    for (size_t i = 0; i < plane.place_count; i++)
        plane.places[i].down = down[i % sizes];
    forget_failed(filling->run, &plane);
    for (size_t m = 0; status == CT_OK && m < map->method_count; m++)
        status = fill_method(filling, &plane, m);
done:
    free(plane.places);
    free(plane.predicted);
    free(plane.points);
    free(down);
    return status;
}

size_t ct_run_ppn(const struct ct_run *run)
{
    struct ct_cells_placing placing = {0};
    for (size_t i = 0; i < run->cell_count; i++)
        ct_cells_placing_add(&placing, &run->cells[i].key);
    return ct_cells_ppn(&placing);
}

/* Times of another channel would be filled in. */
static int check_channel(const struct filling *filling)
{
    const struct ct_model *model = filling->prediction.model;
    const enum ct_node_channel is = ct_run_node_channel(&filling->run->description), in = model->node_channel;
    if (filling->prediction.ppn == 1 || !ct_link_is_known(&model->links[CT_LINK_NODE]) || is == in)
        return CT_OK;
    return ct_fail(
        filling->error, CT_E_INPUT,
        "%s: messages within a node go through %s, in the model %s through %s: expected a model that "
        "was fitted with COLLTUNE_NODE=%s",
        filling->run->folder, ct_node_channel_titles[is], model->name, ct_node_channel_titles[in],
        ct_node_channel_names[is]);
}

static int begin(struct filling *filling)
{
    const struct ct_run *run = filling->run;
    struct ct_supplement *out = &filling->out;
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
        if (!ct_collectives[collective].is_sparse)
            status = fill_plane(filling, &map, NULL);
        for (size_t k = 0; ct_collectives[collective].is_sparse && status == CT_OK && map.patterns[k]; k++)
            status = fill_plane(filling, &map, map.patterns[k]);
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
    if (ct_run_has_overlap(&run->description))
        return ct_fail(
            error, CT_E_INPUT,
            "%s: has calls that are not blocking; expected a run of blocking calls, since models predict no "
            "others",
            run->folder);
    filling.prediction.ppn = ct_run_ppn(run);
    int status = check_channel(&filling);
    if (status == CT_OK)
        status = begin(&filling);
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
