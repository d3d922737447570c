/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the times of every method between the measured sizes, and a doubling beyond (surface.h), on a
 * fine grid; then learns the tree that loses least time there (loss_learner.h). For runs with fewer sizes
 * than their users have. */
#include "base/file.h"
#include "base/memory.h"
#include "learners/between.h"
#include "learners/dense_grid.h"
#include "learners/layouts.h"
#include "learners/loss_learner.h"
#include "learners/map_cells.h"
#include "models/model_file.h"
#include "models/predict/predicted_times.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 30000 };

struct settings {
    struct ct_loss_settings loss;
    const char *model_file; /* a model that times follow between and beyond the measured sizes; NULL: none */
    int way;                /* enum ct_prediction_way */
    bool shares_links;

    char *model_text; /* the model as a table states it */
    struct ct_model model;
    struct ct_predicted_times *prior; /* of the model; or NULL */
};

/* Points that are being filled in. */
struct filling {
    const struct ct_map *map;
    const struct ct_feature_columns *columns;
    const bool *allowed;
    struct ct_predicted_times *prior; /* or NULL */
    struct ct_error *error;
    struct ct_layouts layouts;
    struct ct_dense_grid grid;
    struct ct_points points;
    size_t filled;
    size_t together; /* so many ranks and fewer are on one node, in calls that are filled in already */
    double *times;   /* by method */
};

/* A call of the grid; `ppn` 0: ranks lie as in the nearest communicator. */
static struct ct_cell call_of(const struct ct_between *between, size_t comm_size, size_t msg_bytes,
                              size_t ppn)
{
    const struct ct_placing near = ct_between_placing(between, comm_size);
    return (struct ct_cell){.key = {.comm_size = comm_size,
                                    .msg_bytes = msg_bytes,
                                    .nodes = ppn > 0 ? (comm_size - 1) / ppn + 1 : near.nodes,
                                    .ppn = ppn == 0          ? near.ppn
                                           : ppn < comm_size ? ppn
                                                             : comm_size}};
}

static int fill_points(struct filling *filling, const struct ct_between *between, size_t ppn)
{
    const struct ct_dense_grid *grid = &filling->grid;
    struct ct_points *points = &filling->points;
    for (size_t i = 0; i < grid->rows * grid->columns; i++) {
        if (grid->comm_sizes[i / grid->columns] <= filling->together)
            continue;
        const struct ct_cell cell =
            call_of(between, grid->comm_sizes[i / grid->columns], grid->msg_sizes[i % grid->columns], ppn);
        const struct ct_features call = ct_key_features(&cell.key);
        size_t point = filling->filled++;
        ct_feature_columns_take(filling->columns, &call, ct_point_values(points, point));
        int status = ct_between_times(between, &call, filling->error, filling->times);
        if (status != CT_OK)
            return status;
        ct_points_set(points, point, filling->map, &cell, filling->times);
    }
    return CT_OK;
}

/* The cells in which ranks lie like that. */
static int fill_layout(struct filling *filling, size_t ppn)
{
    struct ct_map part = {0};
    struct ct_between between;
    bool *keep = ct_allocate(filling->map->cell_count, sizeof *keep);
    if (!keep)
        return CT_E_MEMORY;
    for (size_t c = 0; c < filling->map->cell_count; c++)
        keep[c] = ct_layout_has(ppn, &filling->map->cells[c]);
    int status = ct_map_cells(filling->map, keep, &part);
    if (status == CT_OK)
        status = ct_between_make(&part, filling->columns, filling->prior, filling->error, &between);
    if (status == CT_OK) {
        status = fill_points(filling, &between, ppn);
        filling->together = ppn;
        ct_between_free(&between);
    }
    ct_map_cells_free(&part);
    free(keep);
    return status;
}

static int make_room(struct filling *filling, const struct ct_between *between)
{
    size_t layouts = filling->layouts.count > 0 ? filling->layouts.count : 1, count;
    int status = ct_dense_grid_make(&between->kinds[0].times, POINTS_MAX / layouts, &filling->grid);
    if (status != CT_OK)
        return status;
    if (!ct_multiply(filling->grid.rows, filling->grid.columns, &count) ||
        !ct_multiply(count, layouts, &count))
        return CT_E_LIMIT;
    filling->times = ct_allocate(filling->map->method_count, sizeof *filling->times);
    return filling->times
               ? ct_points_make_for(filling->map, filling->allowed, count, filling->columns, &filling->points)
               : CT_E_MEMORY;
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

/* Ranks on the fullest node. */
static size_t fullest(const struct ct_map *map)
{
    size_t ppn = 1;
    for (size_t c = 0; c < map->cell_count; c++)
        if (map->cells[c].key.ppn > ppn)
            ppn = map->cells[c].key.ppn;
    return ppn;
}

static int make_points(const struct ct_map *map, const struct ct_feature_columns *columns,
                       const bool *allowed, const struct ct_loss_settings *settings, struct ct_error *error,
                       struct ct_points *ret_points)
{
    struct filling filling = {.map = map,
                              .columns = columns,
                              .allowed = allowed,
                              .prior = ((const struct settings *)settings)->prior,
                              .error = error};
    /* are there any? */
    int status = ct_points_of_map(map, columns, allowed, error, &filling.points);
    if (status != CT_OK)
        return status;
    ct_points_free(&filling.points);
    status = ct_layouts_of(map, columns, error, &filling.layouts);
    if (status != CT_OK)
        return status;
    if (filling.prior)
        ct_predicted_times_set_ppn(filling.prior, fullest(map));
    status = fill(&filling);
    free(filling.times);
    ct_dense_grid_free(&filling.grid);
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

/* How far the times go beyond what was measured. */
static int tell_reach(const struct ct_map *map, struct ct_text *notes)
{
    size_t *comm_sizes, *msg_sizes, rows, columns;
    char least[CT_SIZE_TEXT], most[CT_SIZE_TEXT], reach[CT_SIZE_TEXT];
    int status = ct_map_comm_sizes(map, &comm_sizes, &rows);
    if (status != CT_OK)
        return status;
    status = ct_map_msg_sizes(map, &msg_sizes, &columns);
    if (status == CT_OK) {
        ct_text_append(notes, "%s: measured on %zu to %zu ranks", ct_collectives[map->collective].name,
                       comm_sizes[0], comm_sizes[rows - 1]);
        if (ct_collectives[map->collective].has_size)
            ct_text_append(notes, " with %s to %s bytes", ct_size_format(msg_sizes[0], least),
                           ct_size_format(msg_sizes[columns - 1], most));
        ct_text_append(notes, "; times go on to %zu ranks",
                       rows > 1 ? 2 * comm_sizes[rows - 1] : comm_sizes[0]);
        if (ct_collectives[map->collective].has_size)
            ct_text_append(notes, " and %s bytes",
                           ct_size_format(columns > 1 ? 2 * msg_sizes[columns - 1] : msg_sizes[0], reach));
        ct_text_append(notes, ", the choice at these ends beyond\n");
        free(msg_sizes);
    }
    free(comm_sizes);
    return status;
}

static int learn_interpolate(const struct ct_map *map, const struct ct_learn_settings *settings,
                             const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    struct ct_decision_tree tree;
    int status =
        ct_learn_by_loss(map, (const struct ct_loss_settings *)settings, allowed, make_points, error, &tree);
    if (status == CT_OK && settings->notes && tell_reach(map, settings->notes) != CT_OK) {
        ct_tree_free(&tree);
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    }
    if (status == CT_OK)
        *ret_tree = tree;
    return status;
}

/* --- options --- */

/* Reads the model. From here on its option is spelled by the model's name and kind, without a path. */
static int prepare(struct ct_learn_settings *common, struct ct_error *error)
{
    struct settings *settings = (struct settings *)common;
    /* as many messages as take some milliseconds: there are tens of thousands of calls to predict */
    enum { MESSAGES_MOST = 1 << 16 };
    const double seconds_most = 1;
    if (!settings->model_file)
        return settings->way == CT_PREDICTION_BY_PLANS && !settings->shares_links
                   ? CT_OK
                   : ct_fail(error, CT_E_INPUT, "--by and --share-links: expected --model, too");
    int status = ct_model_read(settings->model_file, error, &settings->model);
    if (status != CT_OK)
        return status;
    struct ct_prediction prediction = {.model = &settings->model,
                                       .way = (enum ct_prediction_way)settings->way,
                                       .segments = CT_SEGMENT_FROM_LIST,
                                       .ppn = 1,
                                       .most_messages = MESSAGES_MOST,
                                       .most_seconds = seconds_most,
                                       .shares_links = settings->shares_links,
                                       .stop = common->stop};
    for (int link = 0; settings->shares_links && link < CT_LINK_KINDS; link++)
        ct_link_gap_of_overhead(&settings->model.links[link]);
    int kind = CT_COMMUNICATION_MODELS - 1;
    while (kind > 0 && !settings->model.links[CT_LINK_NETWORK].known[kind])
        kind--;
    prediction.weights[kind] = 1;
    settings->model_text = ct_format("%s:%s", settings->model.name, ct_communication_model_names[kind]);
    settings->model_file = settings->model_text;
    return settings->model_text && ct_predicted_times_new(&prediction, &settings->prior) == CT_OK
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
    CT_LOSS_OPTIONS,
    {"model", 0, "MODEL.xml", CT_OPTION_TEXT, offsetof(struct settings, model_file),
     .text = "between and beyond the measured sizes, let times follow this model of the machine"},
    {"by", 0, "WAY", CT_OPTION_CHOICE, offsetof(struct settings, way), .choice = way_name,
     .text = "with --model, how to predict times, as colltune predict --by"},
    {"share-links", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, shares_links),
     .text = "with --model, as colltune predict --share-links"},
    CT_LEARN_EXCLUDE_OPTION,
    CT_LEARN_FEATURE_OPTIONS,
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
