/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/follow_rules.h"
#include "base/memory.h"
#include "decision/score.h"
#include "learners/choosable.h"
#include "learners/learner.h"
#include "learners/loss_tree.h"
#include "learners/place.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* A call, and what the tree does in it. */
struct judged {
    struct ct_cell_key key;
    uint32_t leaf;
    size_t choice; /* SIZE_MAX: it is not in the map */
    bool breaks;   /* the choice may not be made */
};

struct following {
    const struct ct_map *map;
    const bool *allowed;
    const struct ct_feature_columns *columns;
    bool spare_native;
    struct ct_decision_tree *tree;
    struct ct_choosable *choosable;
    bool *may;     /* by method: room for a call */
    double *times; /* likewise */
    struct judged *calls;
    size_t call_count;
};

/* Calls with alike sizes need not be alike if trees test more than the keys of cells. */
static bool tests_keys_alone(const struct ct_feature_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->numbers[i] >= CT_FEATURES)
            return false;
    return true;
}

/* The measured cells, and the other calls with sizes that were measured. */
static int list_calls(struct following *following)
{
    const struct ct_map *map = following->map;
    size_t *comm_sizes = NULL, *msg_sizes = NULL, rows, columns, most;
    int status = ct_map_comm_sizes(map, &comm_sizes, &rows);
    if (status == CT_OK)
        status = ct_map_msg_sizes(map, &msg_sizes, &columns);
    if (status != CT_OK)
        goto done;
    status = CT_E_LIMIT;
    if (!ct_multiply(rows, columns, &most) || !ct_add(most, map->cell_count, &most))
        goto done;
    following->calls = ct_allocate(most, sizeof *following->calls);
    status = following->calls ? CT_OK : CT_E_MEMORY;
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++)
        following->calls[following->call_count++].key = map->cells[c].key;
    if (!tests_keys_alone(following->columns))
        rows = 0;
    for (size_t i = 0; status == CT_OK && i < rows * columns; i++) {
        struct ct_cell_key key = {.comm_size = (uint32_t)comm_sizes[i / columns],
                                  .msg_bytes = msg_sizes[i % columns]};
        ct_place_ranks(map, &key);
        if (!ct_map_find_cell(map, key.comm_size, key.msg_bytes))
            following->calls[following->call_count++].key = key;
    }
done:
    free(comm_sizes);
    free(msg_sizes);
    return status;
}

static void find_may(struct following *following, const struct ct_cell_key *key)
{
    size_t native = ct_score_native(following->map);
    ct_choosable_at(following->choosable, key, following->may);
    if (following->spare_native && native != SIZE_MAX)
        following->may[native] = following->allowed[native];
}

static void judge(struct following *following, struct judged *call)
{
    const struct ct_cell cell = {.key = call->key};
    const struct ct_features features = ct_key_features(&call->key);
    call->choice = ct_score_choice(following->tree, following->map, &cell);
    call->leaf = (uint32_t)(ct_tree_decide(following->tree, &features) - following->tree->nodes);
    find_may(following, &call->key);
    call->breaks = call->choice != SIZE_MAX && !following->may[call->choice];
}

/* --- one leaf --- */

/* The calls that lead to the leaf, with what methods lose in the nearest measured cells. A choice that breaks
 * no rule is the only one that may be made. */
static int make_points(struct following *following, uint32_t leaf, struct ct_points *points)
{
    const struct ct_map *map = following->map;
    size_t count = 0, point = 0;
    for (size_t i = 0; i < following->call_count; i++)
        count += following->calls[i].leaf == leaf;
    int status = ct_points_make_for(map, following->allowed, count, following->columns, points);
    for (size_t i = 0; status == CT_OK && i < following->call_count; i++) {
        const struct judged *judged = &following->calls[i];
        const struct ct_cell call = {.key = judged->key};
        const struct ct_features features = ct_key_features(&call.key);
        const struct ct_cell *nearest = ct_choosable_nearest(following->choosable, &call.key);
        if (judged->leaf != leaf)
            continue;
        for (size_t m = 0; m < map->method_count; m++)
            following->times[m] = nearest && nearest->methods[m].count > 0 ? nearest->methods[m].median : NAN;
        ct_feature_columns_take(following->columns, &features, ct_point_values(points, point));
        ct_points_set(points, point, map, &call, following->times);
        find_may(following, &call.key);
        for (size_t m = 0; !judged->breaks && judged->choice != SIZE_MAX && m < map->method_count; m++)
            following->may[m] = m == judged->choice;
        status = ct_points_forbid(points, point++, following->may);
    }
    return status;
}

static int replace(struct following *following, uint32_t leaf)
{
    const double slight = CT_LOSS_FORBIDDEN / 100.0; /* a broken rule is worth many leaves, a loss is not */
    struct ct_points points = {0};
    struct ct_loss_tree parts = {0};
    int status = make_points(following, leaf, &points);
    if (status == CT_OK)
        status = ct_loss_tree_grow(&points, CT_LOSS_DEEPEST, SIZE_MAX, &parts);
    if (status == CT_OK) {
        ct_loss_tree_cut(&parts, slight);
        status = ct_loss_tree_emit_at(&parts, following->map, following->columns, following->tree, leaf);
    }
    if (status == CT_OK && points.lacks_fallbacks)
        status = ct_learn_fill_fallback(following->tree, following->map, following->allowed);
    ct_loss_tree_free(&parts);
    ct_points_free(&points);
    return status;
}

/* --- all leaves --- */

int ct_follow_rules(const struct ct_map *map, const bool *allowed, const bool *predicted,
                    const struct ct_feature_columns *columns, bool spare_native,
                    struct ct_decision_tree *tree)
{
    bool *all = ct_allocate(map->method_count, sizeof *all);
    struct following following = {.map = map,
                                  .allowed = all,
                                  .columns = columns,
                                  .spare_native = spare_native,
                                  .tree = tree,
                                  .may = ct_allocate(map->method_count, sizeof *following.may),
                                  .times = ct_allocate(map->method_count, sizeof *following.times)};
    const size_t leaves = tree->node_count;
    bool *breaks = ct_allocate(leaves, sizeof *breaks);
    int status = CT_E_MEMORY;
    if (!following.may || !following.times || !breaks || !all)
        goto done;
    for (size_t m = 0; m < map->method_count; m++)
        all[m] = !allowed || allowed[m];
    status = ct_choosable_new(map, all, predicted, &following.choosable);
    if (status == CT_OK)
        status = list_calls(&following);
    for (size_t i = 0; status == CT_OK && i < following.call_count; i++) {
        judge(&following, &following.calls[i]);
        breaks[following.calls[i].leaf] |= following.calls[i].breaks;
    }
    for (size_t i = 0; status == CT_OK && i < leaves; i++)
        if (breaks[i])
            status = replace(&following, (uint32_t)i);
done:
    ct_choosable_free(following.choosable);
    free(following.may);
    free(following.times);
    free(following.calls);
    free(breaks);
    free(all);
    return status;
}
