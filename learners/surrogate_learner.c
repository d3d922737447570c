/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates the time of every method, and how certain it is, in the measured cells and on a grid between and
 * one doubling beyond them (surrogate.h), and learns the tree that is expected to lose the least time there
 * (loss_learner.h), of the methods that may be chosen (choosable.h). Pruning may add a twentieth of the loss
 * that is expected because times are uncertain, and no more. */
#include "base/memory.h"
#include "base/sort.h"
#include "decision/score.h"
#include "learners/between.h"
#include "learners/choosable.h"
#include "learners/expected_gain.h"
#include "learners/loss_learner.h"
#include "learners/patterns_between.h"
#include "learners/place.h"
#include "learners/surrogate.h"

#include <math.h>
#include <stdlib.h>

struct settings {
    struct ct_loss_settings loss;
    bool no_plans;
    bool known_patterns;
};

/* --- calls --- */

struct calls {
    struct ct_cell_key *keys; /* those of the map's cells first */
    size_t count, capacity;
};

struct sizes {
    size_t *values; /* rising */
    size_t count;
};

/* 2^k and 3 * 2^k from the least of the sizes to twice the largest, and the sizes themselves; these alone if
 * there is one. */
static int refine(const struct sizes *sizes, struct sizes *ret_fine)
{
    enum { STEPS = 2 * 64 };
    size_t *fine = ct_allocate(sizes->count + STEPS + 1, sizeof *fine), count = 0;
    if (!fine)
        return CT_E_MEMORY;
    size_t least = sizes->values[0], largest = sizes->values[sizes->count - 1];
    for (size_t i = 0; i < sizes->count; i++)
        fine[count++] = sizes->values[i];
    if (sizes->count > 1 && largest <= SIZE_MAX / 4) {
        for (size_t power = 1; power <= 2 * largest; power *= 2) {
            if (power >= least)
                fine[count++] = power;
            if (power > 1 && power / 2 * 3 >= least && power / 2 * 3 <= 2 * largest)
                fine[count++] = power / 2 * 3;
        }
        fine[count++] = 2 * largest;
    }
    *ret_fine = (struct sizes){fine, ct_sort_unique(fine, count)};
    return CT_OK;
}

/* The sizes of a key that occur in the cells of a layout (0: all), refined. */
static int sizes_of(const struct ct_map *map, enum ct_feature feature, size_t ppn, struct sizes *ret_sizes)
{
    struct sizes sizes = {ct_allocate(map->cell_count, sizeof *sizes.values), 0};
    if (!sizes.values)
        return CT_E_MEMORY;
    for (size_t c = 0; c < map->cell_count; c++)
        if (ppn == 0 || ct_layout_has(ppn, &map->cells[c]))
            sizes.values[sizes.count++] = ct_key_value(&map->cells[c].key, ct_feature_descriptors[feature]);
    sizes.count = ct_sort_unique(sizes.values, sizes.count);
    int status = sizes.count > 0 ? refine(&sizes, ret_sizes) : CT_OK;
    free(sizes.values);
    return status;
}

static bool is_measured(const struct ct_map *map, const struct ct_cell_key *key)
{
    for (size_t c = 0; c < map->cell_count; c++)
        if (ct_cell_key_compare(&map->cells[c].key, key) == 0)
            return true;
    return false;
}

static int add_call(struct calls *calls, const struct ct_cell_key *key)
{
    int status = ct_grow(&calls->keys, &calls->capacity, calls->count + 1, sizeof *calls->keys);
    if (status == CT_OK)
        calls->keys[calls->count++] = *key;
    return status;
}

/* The grid of one layout: `ppn` ranks on each node; 0: as measured. */
static int add_grid(const struct ct_map *map, size_t ppn, struct calls *calls)
{
    struct sizes rows = {0}, columns = {0};
    int status = sizes_of(map, CT_FEATURE_COMM_SIZE, ppn, &rows);
    if (status == CT_OK)
        status = sizes_of(map, CT_FEATURE_MSG_BYTES, ppn, &columns);
    for (size_t i = 0; status == CT_OK && i < rows.count * columns.count; i++) {
        size_t size = rows.values[i / columns.count];
        struct ct_cell_key key = {.comm_size = (uint32_t)size,
                                  .msg_bytes = columns.values[i % columns.count]};
        if (size > UINT32_MAX / 2)
            continue;
        if (ppn > 0) {
            key.nodes = (uint32_t)((size - 1) / ppn + 1);
            key.ppn = (uint32_t)(ppn < size ? ppn : size);
        } else {
            ct_place_ranks(map, &key);
        }
        key.yield = ct_map_yields(map, key.ppn);
        if (!is_measured(map, &key))
            status = add_call(calls, &key);
    }
    free(rows.values);
    free(columns.values);
    return status;
}

static int find_calls(const struct ct_map *map, const struct ct_feature_columns *columns, struct calls *calls)
{
    struct ct_error ignored = {""};
    struct ct_layouts layouts = {0};
    int status = CT_OK;
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++)
        status = add_call(calls, &map->cells[c].key);
    /* too many layouts: as if they could not be told apart */
    if (status == CT_OK && ct_layouts_of(map, columns, &ignored, &layouts) == CT_E_MEMORY)
        status = CT_E_MEMORY;
    if (status == CT_OK && layouts.count == 0)
        status = add_grid(map, 0, calls);
    for (size_t i = 0; status == CT_OK && i < layouts.count; i++)
        status = add_grid(map, layouts.ppn[i], calls);
    ct_layouts_free(&layouts);
    return status;
}

/* --- points --- */

struct estimates {
    double *means, *deviations; /* by method */
    bool *may;
};

static int fill_point(const struct ct_map *map, struct ct_surrogate *surrogate,
                      const struct ct_choosable *choosable, const struct ct_cell *call,
                      const struct estimates *estimates, struct ct_points *points, size_t point)
{
    double chosen = INFINITY;
    const struct ct_features features = ct_key_features(&call->key);
    int status = ct_surrogate_at(surrogate, &call->key, estimates->means, estimates->deviations);
    if (status != CT_OK)
        return status;
    ct_choosable_at(choosable, &call->key, estimates->may);
    ct_feature_columns_take(&points->columns, &features, ct_point_values(points, point));
    for (size_t m = 0; m < map->method_count; m++) {
        if (!ct_score_applies(&map->methods[m], call))
            estimates->means[m] = NAN;
        if (estimates->may[m])
            chosen = fmin(chosen, estimates->means[m]);
    }
    double least = ct_expected_least(estimates->means, estimates->deviations, map->method_count);
    if (isfinite(chosen) && isfinite(least))
        points->allowance += fmax(chosen - least, 0);
    for (size_t m = 0; m < map->method_count; m++) {
        double deviation = estimates->deviations[m];
        /* the expected time of a lognormal distribution */
        estimates->means[m] = estimates->may[m] ? exp(estimates->means[m] + deviation * deviation / 2) : NAN;
    }
    ct_points_set(points, point, map, call, estimates->means);
    return ct_points_forbid(points, point, estimates->may);
}

static int fill_points(const struct ct_map *map, struct ct_surrogate *surrogate,
                       const struct ct_choosable *choosable, const struct calls *calls,
                       const struct ct_watch *watch, struct ct_points *points)
{
    const double share = 0.05, slight = 1e-3;
    struct estimates estimates = {ct_allocate(map->method_count, sizeof *estimates.means),
                                  ct_allocate(map->method_count, sizeof *estimates.deviations),
                                  ct_allocate(map->method_count, sizeof *estimates.may)};
    int status = estimates.means && estimates.deviations && estimates.may ? CT_OK : CT_E_MEMORY;
    for (size_t p = 0; status == CT_OK && p < points->count; p++) {
        const struct ct_cell call = {.key = calls->keys[p]};
        /* what was done before takes about as long */
        ct_watch_progress(watch,
                          &(struct ct_progress){.done = points->count + p, .total = 2 * points->count});
        status = fill_point(map, surrogate, choosable, &call, &estimates, points, p);
    }
    points->allowance = fmax(share * points->allowance / (double)points->count, slight);
    free(estimates.means);
    free(estimates.deviations);
    free(estimates.may);
    return status;
}

static int make_points(const struct ct_map *map, const struct ct_feature_columns *columns,
                       const bool *allowed, const struct ct_loss_settings *settings, struct ct_error *error,
                       struct ct_points *ret_points)
{
    struct ct_points points = {0};
    struct calls calls = {0};
    struct ct_surrogate *surrogate = NULL;
    struct ct_choosable *choosable = NULL;
    struct ct_surrogate_options options = {.no_plans = ((const struct settings *)settings)->no_plans,
                                           .stop = ct_watch_flag(settings->common.watch)};
    int status = find_calls(map, columns, &calls);
    if (status != CT_OK)
        goto done;
    options.calls = calls.count * map->method_count;
    status = ct_surrogate_new(map, allowed, &options, error, &surrogate);
    if (status != CT_OK)
        goto done;
    status = ct_points_make_for(map, allowed, calls.count, columns, &points);
    points.follows_plans = ct_surrogate_follows_plans(surrogate);
    if (status == CT_OK)
        status =
            ct_choosable_new(map, allowed, NULL, !points.follows_plans && !settings->keep_native, &choosable);
    if (status == CT_OK)
        status = fill_points(map, surrogate, choosable, &calls, settings->common.watch, &points);
done:
    free(calls.keys);
    ct_choosable_free(choosable);
    ct_surrogate_free(surrogate);
    if (status == CT_OK)
        *ret_points = points;
    else
        ct_points_free(&points);
    if (status != CT_OK && error && error->text[0] == '\0')
        ct_fail(error, status,
                status == CT_E_STOPPED ? "stopped while %s was learned"
                                       : "the times of %s do not fit into memory",
                ct_collectives[map->collective].name);
    return status;
}

/* If ranks per node vary by themselves, trees may test them unless the user lists other features. */
static int learn_surrogate(const struct ct_map *map, const struct ct_learn_settings *common,
                           const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    struct settings settings = *(const struct settings *)common;
    struct ct_learn_features with_layouts = {0};
    struct ct_text spelled = {0};
    int status = CT_OK;
    settings.loss.any_pattern = ct_collectives[map->collective].is_sparse && !settings.known_patterns;
    if (ct_collectives[map->collective].is_sparse) /* the surrogate knows sizes alone */
        return ct_learn_by_loss(map, &settings.loss, allowed, ct_points_with_calls_between, error, ret_tree);
    ct_learn_features_spell(&common->features, &spelled);
    if (spelled.length == 0 && ct_map_has_layouts(map)) {
        status = ct_learn_features_list(&with_layouts, CT_LEARN_FEATURES ",ppn", error);
        settings.loss.common.features = with_layouts;
    }
    if (status == CT_OK)
        status = ct_learn_by_loss(map, &settings.loss, allowed, make_points, error, ret_tree);
    ct_text_free(&spelled);
    ct_learn_features_free(&with_layouts);
    return status;
}

static const struct ct_option options[] = {
#include "learners/loss_options.def"
    {"no-plans", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, no_plans),
     .text = "do not let times between the measured sizes follow the messages that the methods send"},
    {"known-patterns", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, known_patterns),
     .text = "assume that calls have the patterns of the run: also choose methods that pay off on some of "
             "them only"},
    CT_LEARN_EXCLUDE_OPTION,
#include "learners/learn_feature_options.def"
    {0},
};

const struct ct_learner ct_surrogate_learner = {
    .name = "surrogate",
    .text = "as penalty, on times that a statistical model expects on a fine grid, with their uncertainty",
    .options = options,
    .settings_size = sizeof(struct settings),
    .learn = learn_surrogate,
    .knows_patterns = true,
};
