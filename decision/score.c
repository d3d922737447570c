/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/score.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/cell_group.h"
#include "decision/tally.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

bool ct_score_applies(const struct ct_method *method, const struct ct_cell *cell)
{
    const struct ct_nodes nodes = {.count = cell->key.nodes > INT_MAX ? INT_MAX : (int)cell->key.nodes};
    const struct ct_call call = {
        .size = cell->key.comm_size > INT_MAX ? INT_MAX : (int)cell->key.comm_size,
        .unit_bytes = 1,
        .commutative = true,
        .nodes = &nodes,
    };
    return ct_method_applies(method, &call, NULL);
}

/* The node's method where it applies to calls of this cell, else its next best. */
static const struct ct_method *applicable(const struct ct_decision_tree *tree,
                                          const struct ct_tree_node *leaf, const struct ct_cell *cell)
{
    const struct ct_method *method = &tree->methods[leaf->method];
    return ct_score_applies(method, cell) ? method : &tree->methods[leaf->fallback];
}

size_t ct_score_choice(const struct ct_decision_tree *tree, const struct ct_map *map,
                       const struct ct_cell *cell)
{
    struct ct_features features = ct_key_features(&cell->key);
    return ct_map_find_method(map, applicable(tree, ct_tree_decide(tree, &features), cell));
}

/* Of `count` rising penalties, at least one. */
static void summarize(const double *penalties, size_t count, struct ct_penalty *penalty)
{
    double sum = 0, logs = 0;
    size_t within = 0, best = 0;
    for (size_t i = 0; i < count; i++) {
        sum += penalties[i];
        logs += log1p(penalties[i]);
        within += penalties[i] <= CT_PENALTY_CLOSE;
        best += penalties[i] <= 0;
    }
    penalty->cells = count;
    penalty->least = penalties[0];
    penalty->mean = sum / (double)count;
    penalty->median = ct_quantile(penalties, count, 0.5);
    penalty->geometric_mean = expm1(logs / (double)count);
    penalty->percentile95 = ct_quantile(penalties, count, 0.95);
    penalty->most = penalties[count - 1];
    penalty->within = (double)within / (double)count;
    penalty->best = (double)best / (double)count;
}

struct ct_penalty ct_penalty_summarize(double *penalties, size_t count)
{
    struct ct_penalty penalty = {0};
    size_t known = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(penalties[i]))
            penalties[known++] = penalties[i];
    penalty.unmeasured = count - known;
    ct_sort(penalties, known);
    if (known > 0)
        summarize(penalties, known, &penalty);
    return penalty;
}

int ct_score_choices(const struct ct_map *map, const size_t *choices, struct ct_penalty *ret_penalty)
{
    double *penalties = ct_allocate(map->cell_count, sizeof *penalties);
    if (!penalties)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        penalties[i] = choices[i] == SIZE_MAX ? NAN : ct_cell_penalty(&map->cells[i], choices[i]);
    *ret_penalty = ct_penalty_summarize(penalties, map->cell_count);
    free(penalties);
    return CT_OK;
}

size_t ct_score_native(const struct ct_map *map)
{
    struct ct_method native;
    if (ct_method_parse("native", map->collective, NULL, &native) != CT_OK)
        return SIZE_MAX;
    return ct_map_find_method(map, &native);
}

static int score_choices(const struct ct_decision_tree *tree, const struct ct_map *map,
                         struct ct_score *score)
{
    struct ct_tallies tallies = {0};
    size_t native = ct_score_native(map), single = ct_group_best(map, NULL, map->cell_count, NULL);
    int status = CT_OK;
    if (single != SIZE_MAX)
        score->single_method = map->methods[single];
    for (size_t i = 0; status == CT_OK && i < map->cell_count; i++) {
        const struct ct_cell *cell = &map->cells[i];
        status = ct_tallies_add(&tallies, cell, ct_score_choice(tree, map, cell), native, single);
    }
    return ct_tallies_finish(status, &tallies, score);
}

int ct_score_tree(const struct ct_decision_tree *tree, const struct ct_map *map, struct ct_error *error,
                  struct ct_score *ret_score)
{
    if (tree->collective != map->collective)
        return ct_fail(error, CT_E_INPUT, "a tree of %s cannot be scored against measurements of %s",
                       ct_collectives[tree->collective].name, ct_collectives[map->collective].name);
    struct ct_score score = {
        .collective = map->collective,
        .leaves = ct_tree_leaf_count(tree),
        .depth = ct_tree_depths(tree),
    };
    if (score_choices(tree, map, &score) != CT_OK)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    *ret_score = score;
    return CT_OK;
}
