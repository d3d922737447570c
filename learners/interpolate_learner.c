/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the times of every method between the measured sizes and one doubling beyond them (between.h), on
 * a dense grid, and learns the tree that loses the least time there (loss_learner.h). It suits runs that have
 * fewer sizes than their users call with. */
#include "base/file.h"
#include "base/memory.h"
#include "learners/between.h"
#include "learners/loss_learner.h"
#include "learners/map_parts.h"
#include "models/model_file.h"
#include "models/predict/predicted_times.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 30000 };

struct settings {
    struct ct_loss_settings loss;
    const char *model_file; /* a model that times follow between and beyond the measured sizes; NULL: none */
    int way;                /* enum ct_prediction_way */
    bool own_links;

    const char *model_path; /* model_file as it was given */
    char *model_text;       /* the model as a table states it */
    struct ct_model model;
    struct ct_prediction prediction;  /* of the model */
    struct ct_predicted_times *prior; /* of the model; or NULL */
};

/* Rising sizes. */
struct sizes {
    size_t *values;
    size_t count;
};

/* The points of the dense grid while they are made. */
struct filling {
    const struct ct_map *map;
    const struct ct_feature_columns *columns;
    const bool *allowed;
    struct ct_predicted_times *prior; /* or NULL */
    const struct ct_watch *watch;     /* or NULL */
    struct ct_error *error;
    struct ct_layouts layouts;
    struct sizes comm_sizes, msg_sizes;
    struct ct_points points;
    size_t filled;
    size_t one_node; /* calls with at most so many ranks, all on one node, are filled in already */
    double *times;   /* by method */
};

/* --- the grid --- */

/* Sizes at most `step` doublings apart. They include the given ones; if there are several of these, they go
 * on for one doubling. */
static int refine(const size_t *sizes, size_t count, double step, struct sizes *ret_sizes)
{
    struct sizes fine = {0};
    size_t capacity = 0;
    for (size_t i = 0; i < count; i++) {
        double from = fmax((double)sizes[i], 1);
        double to = i + 1 < count ? (double)sizes[i + 1] : count > 1 ? 2 * from : from;
        size_t pieces = to > from ? (size_t)ceil(log2(to / from) / step - 1e-9) : 1;
        for (size_t j = 0; j < pieces; j++) {
            size_t size =
                j == 0 ? sizes[i] : (size_t)round(from * pow(to / from, (double)j / (double)pieces));
            if (fine.count > 0 && size <= fine.values[fine.count - 1])
                continue;
            int status = ct_grow(&fine.values, &capacity, fine.count + 1, sizeof *fine.values);
            if (status != CT_OK) {
                free(fine.values);
                return status;
            }
            fine.values[fine.count++] = size;
        }
    }
    free(ret_sizes->values);
    *ret_sizes = fine;
    return CT_OK;
}

/* 8 communicator sizes and 4 message sizes a doubling; fewer if that makes more than `most` points. */
static int make_grid(const struct ct_surface *surface, size_t most, struct filling *filling)
{
    const double comm_step = 0.125, msg_step = 0.25, coarsest = 32;
    for (double coarser = 1; coarser <= coarsest; coarser *= 2) {
        int status = refine(surface->comm_sizes, surface->rows, coarser * comm_step, &filling->comm_sizes);
        if (status == CT_OK)
            status = refine(surface->msg_sizes, surface->columns, coarser * msg_step, &filling->msg_sizes);
        if (status != CT_OK || filling->comm_sizes.count * filling->msg_sizes.count <= most)
            return status;
    }
    return CT_OK;
}

/* --- points --- */

/* A call of the grid; with `ppn` 0, ranks lie as in the nearest communicator. */
static struct ct_cell call_of(const struct ct_map *map, const struct ct_between *between, size_t comm_size,
                              size_t msg_bytes, size_t ppn)
{
    struct ct_placing placing = ct_between_placing(between, comm_size);
    if (ppn > 0)
        placing = (struct ct_placing){(comm_size - 1) / ppn + 1, ppn < comm_size ? ppn : comm_size};
    return (struct ct_cell){.key = {.comm_size = comm_size,
                                    .msg_bytes = msg_bytes,
                                    .nodes = placing.nodes,
                                    .ppn = placing.ppn,
                                    .yield = ct_map_yields(map, placing.ppn)}};
}

static int fill_points(struct filling *filling, const struct ct_between *between, size_t ppn)
{
    const struct sizes *rows = &filling->comm_sizes, *columns = &filling->msg_sizes;
    struct ct_points *points = &filling->points;
    for (size_t i = 0; i < rows->count * columns->count; i++) {
        size_t comm_size = rows->values[i / columns->count];
        if (comm_size <= filling->one_node)
            continue;
        const struct ct_cell cell =
            call_of(filling->map, between, comm_size, columns->values[i % columns->count], ppn);
        const struct ct_features call = ct_key_features(&cell.key);
        assert(filling->filled < points->count);
        size_t point = filling->filled++;
        ct_feature_columns_take(filling->columns, &call, ct_point_values(points, point));
        int status = ct_between_times(between, &call, filling->error, filling->times);
        if (status != CT_OK)
            return status;
        ct_points_set(points, point, filling->map, &cell, filling->times);
        if (filling->prior) /* without a model it is done at once */
            ct_watch_progress(filling->watch, &(struct ct_progress){.what = "predicting",
                                                                    .units = "calls",
                                                                    .done = filling->filled,
                                                                    .total = points->count});
    }
    return CT_OK;
}

/* The points of one layout, from the cells that belong to it. */
static int fill_layout(struct filling *filling, size_t ppn)
{
    struct ct_map part;
    struct ct_between between;
    bool *keep = ct_allocate(filling->map->cell_count, sizeof *keep);
    if (!keep)
        return CT_E_MEMORY;
    for (size_t c = 0; c < filling->map->cell_count; c++)
        keep[c] = ct_layout_has(ppn, &filling->map->cells[c]);
    int status = ct_learn_split(filling->map, keep, &part, NULL);
    free(keep);
    if (status != CT_OK)
        return status;
    status = ct_between_make(&part, filling->columns, filling->prior, filling->error, &between);
    if (status == CT_OK) {
        status = fill_points(filling, &between, ppn);
        filling->one_node = ppn;
        ct_between_free(&between);
    }
    free(part.cells);
    return status;
}

static int make_room(struct filling *filling, const struct ct_between *between)
{
    size_t layouts = filling->layouts.count > 0 ? filling->layouts.count : 1, count;
    int status = make_grid(&between->kinds[0].times, POINTS_MAX / layouts, filling);
    if (status != CT_OK)
        return status;
    if (!ct_multiply(filling->comm_sizes.count, filling->msg_sizes.count, &count) ||
        !ct_multiply(count, layouts, &count))
        return CT_E_LIMIT;
    filling->times = ct_allocate(filling->map->method_count, sizeof *filling->times);
    if (!filling->times)
        return CT_E_MEMORY;
    return ct_points_make_for(filling->map, filling->allowed, count, filling->columns, &filling->points);
}

static int fill(struct filling *filling)
{
    struct ct_between between;
    int status = ct_between_make(filling->map, filling->columns, filling->prior, filling->error, &between);
    if (status != CT_OK)
        return status;
    status = make_room(filling, &between);
    if (status == CT_OK && filling->layouts.count == 0)
        status = fill_points(filling, &between, 0);
    for (size_t i = 0; status == CT_OK && i < filling->layouts.count; i++)
        status = fill_layout(filling, filling->layouts.ppn[i]);
    ct_between_free(&between);
    filling->points.count = filling->filled;
    return status;
}

/* Predicts for ranks that lie on nodes as in the map. */
static int place_prior(const struct ct_map *map, const struct settings *settings, struct ct_error *error)
{
    struct ct_cells_placing placing = {0};
    for (size_t c = 0; c < map->cell_count; c++)
        ct_cells_placing_add(&placing, &map->cells[c].key);
    struct ct_prediction prediction = settings->prediction;
    prediction.ppn = ct_cells_ppn(&placing);
    int status = ct_prediction_check(&prediction, SIZE_MAX, settings->model_path, error);
    return status == CT_OK ? ct_predicted_times_place(settings->prior, prediction.ppn, map->node_channel,
                                                      settings->model_path, error)
                           : status;
}

/* Notes the methods whose times the model predicts in all cells in which they were measured. */
static int note_predicted(const struct filling *filling, struct ct_points *points)
{
    const struct ct_map *map = filling->map;
    points->predicted = ct_allocate(map->method_count, sizeof *points->predicted);
    if (!points->predicted)
        return CT_E_MEMORY;
    for (size_t m = 0; m < map->method_count; m++) {
        bool is_predicted = true;
        for (size_t c = 0; is_predicted && c < map->cell_count; c++) {
            const struct ct_cell *cell = &map->cells[c];
            double seconds = 0;
            int status = cell->methods[m].count == 0
                             ? CT_OK
                             : ct_predicted_times_at(filling->prior, &map->methods[m], cell->key.comm_size,
                                                     cell->key.msg_bytes, filling->error, &seconds);
            if (status != CT_OK)
                return status;
            is_predicted = !isnan(seconds);
        }
        points->predicted[m] = is_predicted;
    }
    return CT_OK;
}

static int make_points(const struct ct_map *map, const struct ct_feature_columns *columns,
                       const bool *allowed, const struct ct_loss_settings *settings, struct ct_error *error,
                       struct ct_points *ret_points)
{
    struct filling filling = {.map = map,
                              .columns = columns,
                              .allowed = allowed,
                              .prior = ((const struct settings *)settings)->prior,
                              .watch = ((const struct settings *)settings)->prediction.watch,
                              .error = error};
    /* refuses a map without any measured allowed method */
    int status = ct_points_of_map(map, columns, allowed, error, &filling.points);
    if (status != CT_OK)
        return status;
    ct_points_free(&filling.points);
    status = ct_layouts_of(map, columns, error, &filling.layouts);
    if (status != CT_OK)
        return status;
    if (filling.prior)
        status = place_prior(map, (const struct settings *)settings, error);
    if (status == CT_OK)
        status = fill(&filling);
    if (status == CT_OK && filling.prior)
        status = note_predicted(&filling, &filling.points);
    free(filling.times);
    free(filling.comm_sizes.values);
    free(filling.msg_sizes.values);
    ct_layouts_free(&filling.layouts);
    if (status == CT_OK)
        *ret_points = filling.points;
    else
        ct_points_free(&filling.points);
    if (status == CT_E_MEMORY || status == CT_E_LIMIT)
        ct_fail(error, status, "the times of %s between the measured sizes do not fit into memory",
                ct_collectives[map->collective].name);
    return status;
}

/* Appends "8 to 4K", or the size alone if both are the same. */
static void append_range(struct ct_text *text, const char *least, const char *most)
{
    if (strcmp(least, most) != 0)
        ct_text_append(text, "%s to ", least);
    ct_text_append(text, "%s", most);
}

/* Notes how far the times go beyond what was measured. */
static int note_reach(const struct ct_map *map, struct ct_text *notes)
{
    size_t *comm_sizes = NULL, *msg_sizes = NULL, rows, columns;
    char least[CT_SIZE_TEXT], most[CT_SIZE_TEXT];
    const struct ct_collective_description *collective = &ct_collectives[map->collective];
    int status = ct_map_comm_sizes(map, &comm_sizes, &rows);
    if (status == CT_OK)
        status = ct_map_msg_sizes(map, &msg_sizes, &columns);
    if (status != CT_OK)
        goto done;
    size_t ranks = comm_sizes[rows - 1], bytes = msg_sizes[columns - 1];
    ct_text_append(notes, "%s: measured on ", collective->name);
    snprintf(least, sizeof least, "%zu", comm_sizes[0]);
    snprintf(most, sizeof most, "%zu", ranks);
    append_range(notes, least, most);
    ct_text_append(notes, " ranks");
    if (collective->has_size) {
        ct_text_append(notes, " with ");
        append_range(notes, ct_size_format(msg_sizes[0], least), ct_size_format(bytes, most));
        ct_text_append(notes, " bytes");
    }
    ct_text_append(notes, "; times go on to %zu ranks", rows > 1 ? 2 * ranks : ranks);
    if (collective->has_size)
        ct_text_append(notes, " and %s bytes", ct_size_format(columns > 1 ? 2 * bytes : bytes, most));
    ct_text_append(notes, "; larger calls take the choice at these ends\n");
done:
    free(comm_sizes);
    free(msg_sizes);
    return status;
}

static int learn_interpolate(const struct ct_map *map, const struct ct_learn_settings *settings,
                             const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    struct ct_decision_tree tree;
    int status =
        ct_learn_by_loss(map, (const struct ct_loss_settings *)settings, allowed, make_points, error, &tree);
    if (status == CT_OK && settings->notes && note_reach(map, settings->notes) != CT_OK) {
        ct_tree_free(&tree);
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    }
    if (status == CT_OK)
        *ret_tree = tree;
    return status;
}

/* --- options --- */

/* Reads the model. Provenance then states the model's name and kind instead of the path. */
static int prepare(struct ct_learn_settings *common, struct ct_error *error)
{
    struct settings *settings = (struct settings *)common;
    /* takes some milliseconds, because there are tens of thousands of calls to predict */
    enum { MESSAGES_MOST = 1 << 16 };
    const double seconds_most = 1;
    if (!settings->model_file)
        return settings->way == CT_PREDICTION_BY_PLANS && !settings->own_links
                   ? CT_OK
                   : ct_fail(error, CT_E_INPUT, "--by and --no-share-links: expected --model, too");
    int status = ct_model_read(settings->model_file, error, &settings->model);
    if (status != CT_OK)
        return status;
    settings->model_path = settings->model_file;
    settings->prediction = (struct ct_prediction){.model = &settings->model,
                                                  .way = (enum ct_prediction_way)settings->way,
                                                  .segments = CT_SEGMENT_FROM_LIST,
                                                  .ppn = 1,
                                                  .most_messages = MESSAGES_MOST,
                                                  .most_seconds = seconds_most,
                                                  .shares_links = !settings->own_links,
                                                  .watch = common->watch};
    enum ct_communication_model kind =
        ct_model_last(&settings->model, !ct_model_has_network(&settings->model));
    settings->prediction.weights[kind] = 1;
    settings->model_text = ct_format("%s:%s", settings->model.name, ct_communication_model_names[kind]);
    settings->model_file = settings->model_text;
    return settings->model_text && ct_predicted_times_new(&settings->prediction, &settings->prior) == CT_OK
               ? CT_OK
               : ct_fail(error, CT_E_MEMORY, "out of memory");
}

static void release(struct ct_learn_settings *common)
{
    struct settings *settings = (struct settings *)common;
    ct_predicted_times_free(settings->prior);
    ct_model_free(&settings->model);
    free(settings->model_text);
}

static const char *way_name(size_t way)
{
    return way < CT_PREDICTION_WAYS ? ct_prediction_way_names[way] : NULL;
}

static const struct ct_option options[] = {
#include "learners/loss_options.def"
    {"model", 0, "MODEL.xml", CT_OPTION_TEXT, offsetof(struct settings, model_file),
     .text = "let times between and beyond the measured sizes follow this model of the machine"},
    {"by", 0, "WAY", CT_OPTION_CHOICE, offsetof(struct settings, way), .choice = way_name,
     .text = "with --model: predict times in this way, as colltune predict --by"},
    {"no-share-links", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, own_links),
     .text = "with --model: assume that messages do not share links, as colltune predict --no-share-links"},
    CT_LEARN_EXCLUDE_OPTION,
#include "learners/learn_feature_options.def"
    {0},
};

const struct ct_learner ct_interpolate_learner = {
    .name = "interpolate",
    .text = "as penalty, on times between the measured sizes and a doubling beyond",
    .options = options,
    .settings_size = sizeof(struct settings),
    .learn = learn_interpolate,
    .prepare = prepare,
    .release = release,
};
