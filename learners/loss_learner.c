/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/loss_learner.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"
#include "decision/score.h"
#include "learners/agreed_tree.h"
#include "learners/follow_rules.h"
#include "learners/keep_native.h"
#include "learners/leaf_methods.h"
#include "learners/loss_tree.h"
#include "learners/map_parts.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { TURNS = 8, PARAMETERS = 33, SIDES = 2 };

/* Complexity parameters rise by the square root of 2, up to 5 % a leaf. */
static double parameter_at(size_t i)
{
    const double highest = 0.05;
    return highest * exp2(-(double)(PARAMETERS - 1 - i) / 2);
}

/* By complexity parameter: the mean loss of its tree in the cells left out. */
struct turn {
    double losses[PARAMETERS];
};

struct validation {
    const struct ct_map *map;
    const struct ct_loss_settings *settings;
    const bool *allowed;
    struct ct_feature_columns columns; /* of the whole map */
    ct_make_points *make;              /* NULL: ct_points_of_map() */
    struct ct_error *error;
    bool *keep; /* by cell: is it kept in this turn? */
    struct turn turns[SIDES * TURNS];
    size_t turn_count;
};

static size_t native_of(const struct ct_map *map, const bool *allowed)
{
    size_t native = ct_score_native(map);
    return native != SIZE_MAX && allowed[native] ? native : SIZE_MAX;
}

static double loss_of(const struct ct_loss_tree *tree, const struct ct_points *points)
{
    double sum = 0;
    for (size_t i = 0; i < points->count; i++) {
        const struct ct_loss_node *leaf = &tree->nodes[ct_loss_tree_leaf(tree, ct_point_values(points, i))];
        sum += ct_point_loss(points, i, leaf->method, leaf->fallback);
    }
    return sum / (double)points->count;
}

/* The points to learn from: what the learner makes of the cells, or the cells themselves. */
static int make_points(const struct validation *validation, const struct ct_map *map, struct ct_error *error,
                       struct ct_points *ret_points)
{
    if (!validation->make)
        return ct_points_of_map(map, &validation->columns, validation->allowed, error, ret_points);
    return validation->make(map, &validation->columns, validation->allowed, validation->settings, error,
                            ret_points);
}

static int score_turn(const struct validation *validation, const struct ct_map *kept,
                      const struct ct_map *left_out, struct ct_error *error, struct turn *turn)
{
    struct ct_points points = {0}, test = {0};
    struct ct_loss_tree tree = {0};
    int status = make_points(validation, kept, error, &points);
    if (status == CT_OK)
        status = ct_points_of_map(left_out, &validation->columns, validation->allowed, error, &test);
    if (status == CT_OK)
        status = ct_loss_tree_grow(&points, validation->settings->max_depth,
                                   native_of(validation->map, validation->allowed), &tree);
    for (size_t i = 0; status == CT_OK && i < PARAMETERS; i++) {
        ct_loss_tree_cut(&tree, parameter_at(i) * (double)points.count);
        turn->losses[i] = loss_of(&tree, &test);
    }
    ct_loss_tree_free(&tree);
    ct_points_free(&points);
    ct_points_free(&test);
    return status;
}

/* Turns that leave nothing to learn from, or nothing to score, do not count. */
static int take_turn(struct validation *validation)
{
    struct ct_map kept, left_out;
    struct ct_error error = {""};
    assert(validation->turn_count < SIDES * TURNS);
    int status = ct_learn_split(validation->map, validation->keep, &kept, &left_out);
    if (status != CT_OK)
        return ct_fail(validation->error, status, "out of memory");
    status = CT_E_INPUT;
    if (kept.cell_count > 0 && left_out.cell_count > 0)
        status = score_turn(validation, &kept, &left_out, &error, &validation->turns[validation->turn_count]);
    free(kept.cells);
    validation->turn_count += status == CT_OK;
    if (status == CT_OK || status == CT_E_INPUT)
        return CT_OK;
    return ct_fail(validation->error, status, "%s", error.text);
}

/* Leaves out the sizes turn, turn + TURNS ... of those between the ends. */
static void leave_out(struct validation *validation, const size_t *sizes, size_t count, size_t turn,
                      bool of_messages)
{
    for (size_t c = 0; c < validation->map->cell_count; c++) {
        const struct ct_cell_key *key = &validation->map->cells[c].key;
        size_t size = of_messages ? key->msg_bytes : key->comm_size;
        validation->keep[c] = true;
        for (size_t i = 1 + turn; i + 1 < count; i += TURNS)
            if (sizes[i] == size)
                validation->keep[c] = false;
    }
}

static int validate_side(struct validation *validation, bool of_messages)
{
    size_t *sizes, count;
    int status = of_messages ? ct_map_msg_sizes(validation->map, &sizes, &count)
                             : ct_map_comm_sizes(validation->map, &sizes, &count);
    if (status != CT_OK)
        return status;
    for (size_t turn = 0; status == CT_OK && turn < TURNS && turn + 2 < count; turn++) {
        leave_out(validation, sizes, count, turn, of_messages);
        status = take_turn(validation);
    }
    free(sizes);
    return status;
}

/* The patterns of the map in rising order. CT_OK, CT_E_MEMORY. Caller frees. */
static int list_patterns(const struct ct_map *map, size_t **ret_patterns, size_t *ret_count)
{
    size_t *patterns = ct_allocate(map->cell_count, sizeof *patterns);
    if (!patterns)
        return CT_E_MEMORY;
    for (size_t c = 0; c < map->cell_count; c++)
        patterns[c] = map->cells[c].key.pattern;
    *ret_count = ct_sort_unique(patterns, map->cell_count);
    *ret_patterns = patterns;
    return CT_OK;
}

/* Leaves out the patterns turn, turn + turns ... */
static void leave_patterns_out(const struct ct_map *map, const size_t *patterns, size_t count, size_t turn,
                               size_t turns, bool *keep)
{
    for (size_t c = 0; c < map->cell_count; c++) {
        keep[c] = true;
        for (size_t i = turn; i < count; i += turns)
            if (patterns[i] == map->cells[c].key.pattern)
                keep[c] = false;
    }
}

/* Leaves out patterns, some in each turn: calls to come have other patterns, while message sizes between the
 * measured ones are near these. */
static int validate_patterns(struct validation *validation)
{
    size_t *patterns, count;
    int status = list_patterns(validation->map, &patterns, &count);
    if (status != CT_OK)
        return status;
    for (size_t turn = 0; status == CT_OK && count > 1 && turn < TURNS && turn < count; turn++) {
        leave_patterns_out(validation->map, patterns, count, turn, TURNS, validation->keep);
        status = take_turn(validation);
    }
    free(patterns);
    return status;
}

static double mean_at(const struct validation *validation, size_t complexity)
{
    double sum = 0;
    for (size_t t = 0; t < validation->turn_count; t++)
        sum += validation->turns[t].losses[complexity];
    return sum / (double)validation->turn_count;
}

/* The standard error of the mean difference between two complexity parameters. */
static double error_between(const struct validation *validation, size_t a, size_t b)
{
    double mean = mean_at(validation, a) - mean_at(validation, b), squares = 0;
    double n = (double)validation->turn_count;
    for (size_t t = 0; t < validation->turn_count; t++) {
        double difference = validation->turns[t].losses[a] - validation->turns[t].losses[b];
        squares += (difference - mean) * (difference - mean);
    }
    return n < 2 ? 0 : sqrt(squares / (n - 1) / n);
}

static double best_parameter(const struct validation *validation)
{
    /* computed times of patterns have no noise that a smaller tree would leave out */
    const double errors =
        ct_collectives[validation->map->collective].is_sparse && validation->map->exact ? 0 : 0.5;
    size_t best = 0;
    if (validation->turn_count == 0)
        return 0;
    for (size_t i = 1; i < PARAMETERS; i++)
        if (mean_at(validation, i) < mean_at(validation, best))
            best = i;
    size_t chosen = best;
    for (size_t i = best + 1; i < PARAMETERS; i++)
        if (mean_at(validation, i) - mean_at(validation, best) <= errors * error_between(validation, i, best))
            chosen = i;
    return parameter_at(chosen);
}

static int find_parameter(struct validation *validation, double *ret_complexity)
{
    validation->keep = ct_allocate(validation->map->cell_count, sizeof *validation->keep);
    int status = validation->keep ? validate_side(validation, false) : CT_E_MEMORY;
    if (status == CT_OK)
        status = ct_collectives[validation->map->collective].is_sparse ? validate_patterns(validation)
                                                                       : validate_side(validation, true);
    free(validation->keep);
    if (status == CT_OK)
        *ret_complexity = best_parameter(validation);
    return status;
}

/* The largest parameter whose tree loses at most the points' allowance more than the whole tree. */
static double parameter_within(struct ct_loss_tree *tree, const struct ct_points *points)
{
    size_t i = PARAMETERS;
    double loss;
    ct_loss_tree_cut(tree, 0);
    double most = loss_of(tree, points) + points->allowance;
    do {
        ct_loss_tree_cut(tree, parameter_at(--i) * (double)points->count);
        loss = loss_of(tree, points);
    } while (i > 0 && loss > most);
    return loss > most ? 0 : parameter_at(i);
}

/* Keeps native, and notes what that costs in the measured cells. */
static int keep_native(struct ct_loss_tree *tree, const struct ct_map *map, const struct ct_points *points,
                       const struct ct_loss_settings *settings, const bool *allowed, size_t native)
{
    struct ct_kept_native kept;
    struct ct_text *notes = settings->common.notes;
    char times[CT_NUMBER_TEXT];
    int status = ct_loss_tree_keep_native(tree, map, &points->columns, allowed, native, &kept);
    if (status != CT_OK || !notes || map->exact)
        return status;
    ct_text_append(
        notes,
        "%s: --keep-native takes native in %zu of %zu measured cell%s where another method would be taken",
        ct_collectives[map->collective].name, kept.changed, map->cell_count, ct_s(map->cell_count));
    if (kept.changed > 0)
        ct_text_append(notes, "; native measured %s times the other's time there (geometric mean)",
                       ct_rounded_format(exp(kept.log_cost / (double)kept.changed), 3, times));
    ct_text_append(notes, "\n");
    return notes->failed ? CT_E_MEMORY : CT_OK;
}

/* --- patterns that were not measured --- */

/* Trees without a part of the patterns: so many leaves at most, and each has to save so many times more. */
enum { PATTERNS_LEAST = 8, PARTIAL_TREES = 2 + 3 + 4, PARTIAL_LEAVES = 8, PARTIAL_COMPLEXITY = 4 };

/* The tree of the cells that are kept. `complexity` is by point. */
static int learn_kept(const struct validation *validation, double complexity, struct ct_loss_tree *ret_tree)
{
    struct ct_map kept;
    struct ct_points points = {0};
    struct ct_loss_tree tree = {0};
    int status = ct_learn_split(validation->map, validation->keep, &kept, NULL);
    if (status != CT_OK)
        return status;
    status = make_points(validation, &kept, validation->error, &points);
    if (status == CT_OK)
        status = ct_loss_tree_grow(&points, validation->settings->max_depth,
                                   native_of(validation->map, validation->allowed), &tree);
    complexity *= (double)points.count;
    if (status == CT_OK && ct_loss_tree_cut(&tree, complexity) > PARTIAL_LEAVES)
        status = ct_loss_tree_cut_to(&tree, complexity, PARTIAL_LEAVES);
    ct_points_free(&points);
    free(kept.cells);
    if (status == CT_OK)
        *ret_tree = tree;
    else
        ct_loss_tree_free(&tree);
    return status;
}

/* How many measured cells get another method by the agreed tree, and what that costs. */
static int note_agreement(const struct validation *validation, const struct ct_loss_tree *tree,
                          const struct ct_loss_tree *agreed, size_t patterns)
{
    const struct ct_map *map = validation->map;
    struct ct_text *notes = validation->settings->common.notes;
    size_t values[CT_FEATURES_MAX], changed = 0;
    char times[CT_NUMBER_TEXT];
    double cost = 0;
    for (size_t c = 0; notes && c < map->cell_count; c++) {
        const struct ct_features call = ct_key_features(&map->cells[c].key);
        ct_feature_columns_take(&validation->columns, &call, values);
        const size_t before = tree->nodes[ct_loss_tree_leaf(tree, values)].method;
        const size_t now = agreed->nodes[ct_loss_tree_leaf(agreed, values)].method;
        const struct ct_statistics *methods = map->cells[c].methods;
        if (before == now || methods[before].count == 0 || methods[now].count == 0)
            continue;
        changed++;
        cost += log(methods[now].median / methods[before].median);
    }
    if (changed == 0)
        return CT_OK;
    ct_text_append(notes,
                   "%s: of %zu measured cells %zu take linear or native, since trees that were learned "
                   "without some of the %zu patterns do; it took %s times the other's time there (geometric "
                   "mean); --known-patterns takes the other\n",
                   ct_collectives[map->collective].name, map->cell_count, changed, patterns,
                   ct_rounded_format(exp(cost / (double)changed), 3, times));
    return notes->failed ? CT_E_MEMORY : CT_OK;
}

/* What an application has without a choice: native, and what it would do by hand. */
static bool find_careful(const struct ct_map *map, const bool *allowed, bool *careful)
{
    const size_t linear = ct_score_linear(map), native = ct_score_native(map);
    bool found = false;
    for (size_t m = 0; m < map->method_count; m++) {
        careful[m] = allowed[m] && (m == linear || m == native);
        found |= careful[m];
    }
    return found;
}

/* Trees without each half, third and quarter of the patterns, behind the whole tree, which is trees[0]. */
static int learn_parts(struct validation *validation, const size_t *patterns, size_t count, double complexity,
                       struct ct_loss_tree *trees)
{
    int status = CT_OK;
    size_t made = 1;
    for (size_t parts = 2; parts <= 4; parts++)
        for (size_t part = 0; status == CT_OK && part < parts; part++) {
            leave_patterns_out(validation->map, patterns, count, part, parts, validation->keep);
            status = learn_kept(validation, PARTIAL_COMPLEXITY * complexity, &trees[made++]);
        }
    return status;
}

/* Takes another method than a careful one only where trees without some of the patterns agree. */
static int agree_on_patterns(struct validation *validation, double complexity, struct ct_loss_tree *tree)
{
    const struct ct_map *map = validation->map;
    struct ct_loss_tree trees[1 + PARTIAL_TREES] = {*tree}, agreed;
    size_t *patterns, count;
    int status = list_patterns(map, &patterns, &count);
    if (status != CT_OK)
        return status;
    bool *careful = ct_allocate(map->method_count, sizeof *careful);
    validation->keep = ct_allocate(map->cell_count, sizeof *validation->keep);
    if (!careful || !validation->keep)
        status = CT_E_MEMORY;
    if (status == CT_OK && count >= PATTERNS_LEAST && find_careful(map, validation->allowed, careful)) {
        status = learn_parts(validation, patterns, count, complexity, trees);
        if (status == CT_OK)
            status =
                ct_loss_trees_agree(trees, 1 + PARTIAL_TREES, careful, validation->columns.count, &agreed);
        if (status == CT_OK) {
            status = note_agreement(validation, tree, &agreed, count);
            ct_loss_tree_free(tree);
            *tree = agreed;
        }
        for (size_t i = 1; i <= PARTIAL_TREES; i++)
            ct_loss_tree_free(&trees[i]);
    }
    free(validation->keep);
    free(careful);
    free(patterns);
    return status;
}

/* Bounds that the user sets go before rules. */
static bool is_bounded(const struct ct_loss_settings *settings)
{
    return settings->max_leaves > 0 || settings->max_depth < CT_LOSS_DEEPEST;
}

static int learn_at(struct validation *validation, const struct ct_points *points, double complexity,
                    struct ct_decision_tree *ret_tree)
{
    const struct ct_map *map = validation->map;
    const struct ct_loss_settings *settings = validation->settings;
    const bool *allowed = validation->allowed;
    const size_t native = native_of(map, allowed);
    struct ct_loss_tree tree;
    struct ct_decision_tree decisions = {0};
    int status = ct_loss_tree_grow(points, settings->max_depth, native, &tree);
    if (status != CT_OK)
        return status;
    if (points->allowance > 0)
        complexity = parameter_within(&tree, points);
    const double of_all = complexity * (double)points->count;
    size_t leaves = ct_loss_tree_cut(&tree, of_all);
    if (settings->max_leaves > 0 && leaves > settings->max_leaves)
        status = ct_loss_tree_cut_to(&tree, of_all, settings->max_leaves);
    if (status == CT_OK && settings->any_pattern && !is_bounded(settings))
        status = agree_on_patterns(validation, complexity, &tree);
    if (status == CT_OK && settings->keep_native && native != SIZE_MAX)
        status = keep_native(&tree, map, points, settings, allowed, native);
    if (status == CT_OK)
        status = ct_loss_tree_emit(&tree, map, &points->columns, &decisions);
    ct_loss_tree_free(&tree);
    if (status == CT_OK && points->lacks_fallbacks)
        status = ct_learn_fill_fallback(&decisions, map, allowed);
    /* the rules know sizes alone */
    if (status == CT_OK && !ct_collectives[map->collective].is_sparse && !is_bounded(settings))
        status = ct_follow_rules(map, allowed, &points->columns, points, settings->keep_native, &decisions);
    if (status == CT_OK)
        *ret_tree = decisions;
    else
        ct_tree_free(&decisions);
    return status;
}

int ct_learn_by_loss(const struct ct_map *map, const struct ct_loss_settings *settings, const bool *allowed,
                     ct_make_points *make, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    bool *all = ct_allocate(map->method_count, sizeof *all);
    struct validation validation = {.map = map,
                                    .settings = settings,
                                    .allowed = all,
                                    .columns = ct_feature_columns_of(map, &settings->common.features),
                                    .make = make,
                                    .error = error};
    struct ct_points points = {0};
    double complexity = 0;
    if (!all)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t m = 0; m < map->method_count; m++)
        all[m] = !allowed || allowed[m];
    int status = make_points(&validation, map, error, &points);
    if (status != CT_OK)
        goto done;
    if (!(points.allowance > 0))
        status = find_parameter(&validation, &complexity);
    if (status == CT_OK && settings->max_slowdown > 0)
        status = ct_points_bound(&points, settings->max_slowdown, map->exact);
    if (status == CT_OK)
        status = learn_at(&validation, &points, complexity, ret_tree);
    if (status == CT_E_MEMORY || status == CT_E_LIMIT)
        ct_fail(error, status, "the tree of %s does not fit into memory",
                ct_collectives[map->collective].name);
done:
    ct_points_free(&points);
    free(all);
    return status;
}
