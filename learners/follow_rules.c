/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/follow_rules.h"
#include "base/memory.h"
#include "base/sort.h"
#include "decision/score.h"
#include "learners/choosable.h"
#include "learners/leaf_methods.h"
#include "learners/loss_tree.h"
#include "learners/place.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

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
    const struct ct_points *estimates; /* that follow a model; NULL: there are none */
    uint32_t *estimate_leaves;         /* by estimate: where it leads to */
    bool spare_native;
    bool is_cautious; /* choices between the measured sizes follow the rules, too */
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

/* Adds the sizes next to the measured ones, between two of these: all that lies between them has the same
 * nearest cells. *sizes are replaced. */
static int add_between(size_t **sizes, size_t *count)
{
    size_t *all = ct_allocate(3 * *count + 1, sizeof *all), n = 0;
    if (!all)
        return CT_E_MEMORY;
    for (size_t i = 0; i < *count; i++) {
        all[n++] = (*sizes)[i];
        if (i + 1 < *count && (*sizes)[i + 1] - (*sizes)[i] > 1) {
            all[n++] = (*sizes)[i] + 1;
            all[n++] = (*sizes)[i + 1] - 1;
        }
    }
    free(*sizes);
    *sizes = all;
    *count = ct_sort_unique(all, n);
    return CT_OK;
}

/* The measured cells, and the other calls with sizes that were measured, or lie next to these. */
static int list_calls(struct following *following)
{
    const struct ct_map *map = following->map;
    size_t *comm_sizes = NULL, *msg_sizes = NULL, rows, columns, most;
    int status = ct_map_comm_sizes(map, &comm_sizes, &rows);
    if (status == CT_OK)
        status = ct_map_msg_sizes(map, &msg_sizes, &columns);
    if (status == CT_OK && following->is_cautious)
        status = add_between(&comm_sizes, &rows);
    if (status == CT_OK && following->is_cautious)
        status = add_between(&msg_sizes, &columns);
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

/* Takes estimates that follow a model, and finds their leaves. */
static int take_estimates(struct following *following, const struct ct_points *estimates)
{
    const struct ct_feature_columns *columns = following->columns;
    if (!estimates || !estimates->predicted || !tests_keys_alone(columns))
        return CT_OK;
    following->estimate_leaves = ct_allocate(estimates->count, sizeof *following->estimate_leaves);
    if (!following->estimate_leaves)
        return CT_E_MEMORY;
    following->estimates = estimates;
    for (size_t e = 0; e < estimates->count; e++) {
        struct ct_cell_key key = {0};
        for (size_t i = 0; i < columns->count; i++)
            ct_key_set(&key, ct_feature_descriptors[columns->numbers[i]], ct_point_values(estimates, e)[i]);
        const struct ct_features features = ct_key_features(&key);
        following->estimate_leaves[e] =
            (uint32_t)(ct_tree_decide(following->tree, &features) - following->tree->nodes);
    }
    return CT_OK;
}

/* --- one leaf --- */

/* Does one of the first points have these values? */
static bool has_point(const struct ct_points *points, size_t count, const size_t *values)
{
    for (size_t i = 0; i < count; i++)
        if (memcmp(ct_point_values(points, i), values, points->columns.count * sizeof *values) == 0)
            return true;
    return false;
}

/* Copies an estimate to a point, with a part of its losses. */
static void copy_estimate(const struct ct_points *estimates, size_t estimate, double part,
                          struct ct_points *points, size_t point)
{
    const size_t columns = points->columns.count, methods = points->method_count, kinds = points->kind_count;
    memcpy(ct_point_values(points, point), ct_point_values(estimates, estimate),
           columns * sizeof *points->values);
    for (size_t m = 0; m < methods; m++)
        points->losses[point * methods + m] = part * estimates->losses[estimate * methods + m];
    for (size_t k = 0; kinds > 1 && k < kinds; k++)
        points->applies[point * kinds + k] = estimates->applies[estimate * kinds + k];
}

/* Adds the estimates that lead to the leaf, except at its calls, for which the points have `room`. There no
 * method may be taken that is estimated to be slower than the leaf's choice by more than the margin. Apart
 * from that they all weigh as much as one call, so that their losses make no further leaves. */
static int add_estimates(struct following *following, uint32_t leaf, size_t room, struct ct_points *points)
{
    const struct ct_map *map = following->map;
    const struct ct_points *estimates = following->estimates;
    const struct ct_decision_tree *tree = following->tree;
    const size_t calls = points->count - room;
    const size_t method = ct_map_find_method(map, &tree->methods[tree->nodes[leaf].method]);
    const size_t fallback = ct_map_find_method(map, &tree->methods[tree->nodes[leaf].fallback]);
    size_t point = calls;
    int status = CT_OK;
    assert(method != SIZE_MAX);
    for (size_t e = 0; status == CT_OK && e < estimates->count; e++) {
        if (following->estimate_leaves[e] != leaf || has_point(points, calls, ct_point_values(estimates, e)))
            continue;
        const double *losses = estimates->losses + e * map->method_count;
        const double most = ct_point_loss(estimates, e, method, fallback) + log1p(map->margin);
        for (size_t m = 0; m < map->method_count; m++)
            following->may[m] = losses[m] <= most;
        copy_estimate(estimates, e, 1 / (double)room, points, point);
        status = ct_points_forbid(points, point++, following->may);
    }
    points->count = point;
    return status;
}

/* The calls that lead to the leaf, with what methods lose in the nearest measured cells. A choice that breaks
 * no rule is the only one that may be made. */
static int make_points(struct following *following, uint32_t leaf, struct ct_points *points)
{
    const struct ct_map *map = following->map;
    size_t count = 0, room = 0, point = 0;
    for (size_t i = 0; i < following->call_count; i++)
        count += following->calls[i].leaf == leaf;
    for (size_t e = 0; following->estimates && e < following->estimates->count; e++)
        room += following->estimate_leaves[e] == leaf;
    int status = ct_points_make_for(map, following->allowed, count + room, following->columns, points);
    for (size_t i = 0; status == CT_OK && i < following->call_count; i++) {
        const struct judged *judged = &following->calls[i];
        const struct ct_cell call = {.key = judged->key};
        const struct ct_features features = ct_key_features(&call.key);
        if (judged->leaf != leaf)
            continue;
        const struct ct_cell *nearest = ct_choosable_nearest(following->choosable, &call.key);
        for (size_t m = 0; m < map->method_count; m++)
            following->times[m] = nearest && nearest->methods[m].count > 0 ? nearest->methods[m].median : NAN;
        ct_feature_columns_take(following->columns, &features, ct_point_values(points, point));
        ct_points_set(points, point, map, &call, following->times);
        find_may(following, &call.key);
        for (size_t m = 0; !judged->breaks && judged->choice != SIZE_MAX && m < map->method_count; m++)
            following->may[m] = m == judged->choice;
        status = ct_points_forbid(points, point++, following->may);
    }
    if (status == CT_OK && room > 0)
        status = add_estimates(following, leaf, room, points);
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

int ct_follow_rules(const struct ct_map *map, const bool *allowed, const struct ct_feature_columns *columns,
                    const struct ct_points *estimates, bool spare_native, struct ct_decision_tree *tree)
{
    bool *all = ct_allocate(map->method_count, sizeof *all);
    struct following following = {.map = map,
                                  .allowed = all,
                                  .columns = columns,
                                  .spare_native = spare_native,
                                  .is_cautious = !map->exact && (!estimates || !estimates->follows_plans),
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
    status = ct_choosable_new(map, all, estimates ? estimates->predicted : NULL, following.is_cautious,
                              &following.choosable);
    if (status == CT_OK)
        status = list_calls(&following);
    if (status == CT_OK)
        status = take_estimates(&following, estimates);
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
    free(following.estimate_leaves);
    free(breaks);
    free(all);
    return status;
}

int ct_follow_rules_by_sizes(const struct ct_map *map, const bool *allowed, struct ct_error *error,
                             struct ct_decision_tree *tree)
{
    static const struct ct_feature_set no_composites;
    const struct ct_feature_columns columns = {
        .set = &no_composites, .numbers = {CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES}, .count = 2};
    if (map->exact)
        return CT_OK;
    int status = ct_follow_rules(map, allowed, &columns, NULL, false, tree);
    if (status == CT_OK)
        return CT_OK;
    ct_tree_free(tree);
    return ct_fail(error, status, "the tree of %s does not fit into memory",
                   ct_collectives[map->collective].name);
}
