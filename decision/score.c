/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/score.h"
#include "base/memory.h"
#include "base/statistics.h"
#include "decision/map.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

const struct ct_method *ct_score_method(const struct ct_decision_tree *tree, const struct ct_cell_key *key)
{
    struct ct_features features = ct_key_features(key);
    const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
    const struct ct_method *method = &tree->methods[leaf->method];
    const struct ct_cell cell = {.key = *key};
    assert(ct_method_constraints(&tree->methods[leaf->fallback]) == 0);
    return ct_score_applies(method, &cell) ? method : &tree->methods[leaf->fallback];
}

size_t ct_score_choice(const struct ct_decision_tree *tree, const struct ct_map *map,
                       const struct ct_cell *cell)
{
    return ct_map_find_method(map, ct_score_method(tree, &cell->key));
}

/* Of `count` rising penalties, at least one. */
static void summarize_known(const double *penalties, size_t count, struct ct_penalty *penalty)
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
        summarize_known(penalties, known, &penalty);
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

size_t ct_score_linear(const struct ct_map *map)
{
    for (size_t m = 0; m < map->method_count; m++)
        if (strcmp(map->methods[m].algorithm->name, "linear") == 0)
            return m;
    return SIZE_MAX;
}

/* --- tallies --- */

static void free_tally(struct ct_tally *tally)
{
    free(tally->penalties);
    free(tally->factors);
    free(tally->comm_sizes);
    *tally = (struct ct_tally){0};
}

static double factor_of(const struct ct_cell *cell, size_t choice, size_t native)
{
    if (native == SIZE_MAX || choice == SIZE_MAX || cell->methods[native].count == 0 ||
        cell->methods[choice].count == 0)
        return NAN;
    return cell->methods[native].median / cell->methods[choice].median;
}

static int add_tally(struct ct_tally *tally, const struct ct_cell *cell, size_t choice, size_t native)
{
    size_t need = tally->count + 1, capacities[] = {tally->capacity, tally->capacity, tally->capacity};
    int status = ct_grow(&tally->penalties, &capacities[0], need, sizeof *tally->penalties);
    if (status == CT_OK)
        status = ct_grow(&tally->factors, &capacities[1], need, sizeof *tally->factors);
    if (status == CT_OK)
        status = ct_grow(&tally->comm_sizes, &capacities[2], need, sizeof *tally->comm_sizes);
    if (status != CT_OK)
        return status;
    tally->capacity = capacities[0]; /* the three are of one size, and so grow alike */
    tally->penalties[tally->count] = choice == SIZE_MAX ? NAN : ct_cell_penalty(cell, choice);
    tally->factors[tally->count] = factor_of(cell, choice, native);
    tally->comm_sizes[tally->count++] = cell->key.comm_size;
    return CT_OK;
}

/* Of `count` factors, NAN where one is not known. Overwrites them. */
static struct ct_speedup summarize_factors(double *factors, size_t count)
{
    struct ct_speedup speedup = {0};
    double sum = 0, logs = 0;
    size_t known = 0, within = 0;
    for (size_t i = 0; i < count; i++)
        if (!isnan(factors[i]))
            factors[known++] = factors[i];
    if (known == 0)
        return speedup;
    ct_sort(factors, known);
    for (size_t i = 0; i < known; i++) {
        sum += factors[i];
        logs += log(factors[i]);
        within += factors[i] * (1 + CT_PENALTY_CLOSE) >= 1;
    }
    return (struct ct_speedup){
        .cells = known,
        .least = factors[0],
        .mean = sum / (double)known,
        .median = ct_quantile(factors, known, 0.5),
        .geometric_mean = exp(logs / (double)known),
        .percentile95 = ct_quantile(factors, known, 0.95),
        .most = factors[known - 1],
        .within = (double)within / (double)known,
    };
}

static int finish_tally(struct ct_tally *tally, struct ct_penalty *ret_penalty,
                        struct ct_mean_interval *ret_interval, struct ct_speedup *ret_speedup)
{
    struct ct_mean_interval interval;
    int status = ct_bootstrap_mean(tally->penalties, tally->comm_sizes, tally->count, &interval);
    if (status == CT_OK) {
        *ret_interval = interval;
        *ret_penalty = ct_penalty_summarize(tally->penalties, tally->count);
        if (ret_speedup)
            *ret_speedup = summarize_factors(tally->factors, tally->count);
    }
    free_tally(tally);
    return status;
}

int ct_tallies_add(struct ct_tallies *tallies, const struct ct_cell *cell, size_t choice, size_t native,
                   size_t single)
{
    int status = add_tally(&tallies->tree, cell, choice, native);
    if (status == CT_OK && native != SIZE_MAX)
        status = add_tally(&tallies->native, cell, native, native);
    if (status == CT_OK && single != SIZE_MAX)
        status = add_tally(&tallies->single, cell, single, native);
    return status;
}

int ct_tallies_finish(int status, struct ct_tallies *tallies, struct ct_score *score)
{
    if (status == CT_OK)
        status = finish_tally(&tallies->tree, &score->tree, &score->tree_mean, &score->speedup);
    if (status == CT_OK)
        status = finish_tally(&tallies->native, &score->native, &score->native_mean, NULL);
    if (status == CT_OK)
        status = finish_tally(&tallies->single, &score->single, &score->single_mean, NULL);
    free_tally(&tallies->tree);
    free_tally(&tallies->native);
    free_tally(&tallies->single);
    return status;
}

/* --- against the best of the same samples --- */

static int score_choices(const struct ct_decision_tree *tree, const struct ct_map *map,
                         struct ct_score *score)
{
    struct ct_tallies tallies = {0};
    size_t native = ct_score_native(map), single = ct_map_best_method(map, NULL, map->cell_count, NULL);
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
    for (size_t i = 0; i < map->cell_count; i++)
        score.modes |= 1U << map->cells[i].key.mode;
    if (score_choices(tree, map, &score) != CT_OK)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    *ret_score = score;
    return CT_OK;
}

/* --- against the best of other job launches --- */

/* The choices that are compared. */
enum chooser { TREE, NATIVE, SINGLE, CHOOSERS };

/* The loss of a chooser in a cell, over the job launches held out so far. */
struct loss {
    double logs; /* of the ratios, added up */
    size_t launches;
};

struct crossing {
    const struct ct_map *map;
    size_t *choices; /* of the tree, by cell */
    size_t native;
    size_t single;       /* of all folds; SIZE_MAX where there is none */
    bool disagree;       /* the folds have different ones */
    size_t folds;        /* with any best to measure against */
    struct loss *losses; /* [chooser * cells + cell] */
};

static size_t choice_of(const struct crossing *crossing, enum chooser chooser, size_t cell, size_t single)
{
    const size_t choices[CHOOSERS] = {crossing->choices[cell], crossing->native, single};
    return choices[chooser];
}

/* One launch held out; the others chose. */
static void take_fold(struct crossing *crossing, const struct ct_map *others, const struct ct_map *held_out)
{
    size_t cells = crossing->map->cell_count, single = ct_map_best_method(others, NULL, cells, NULL);
    bool any = false;
    for (size_t c = 0; c < cells; c++) {
        const struct ct_statistics *timed = held_out->cells[c].methods;
        size_t best = others->cells[c].best;
        if (best == SIZE_MAX || timed[best].count == 0)
            continue;
        any = true;
        for (int k = 0; k < CHOOSERS; k++) {
            size_t choice = choice_of(crossing, (enum chooser)k, c, single);
            if (choice == SIZE_MAX || timed[choice].count == 0)
                continue;
            struct loss *loss = &crossing->losses[(size_t)k * cells + c];
            loss->logs += log(timed[choice].median / timed[best].median);
            loss->launches++;
        }
    }
    if (!any)
        return;
    crossing->disagree |= crossing->folds > 0 && single != crossing->single;
    crossing->single = single;
    crossing->folds++;
}

static int take_folds(struct crossing *crossing)
{
    uint32_t *launches;
    size_t count;
    int status = ct_map_launches(crossing->map, &launches, &count);
    if (status != CT_OK)
        return status;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_map others = {0}, held_out = {0};
        status = ct_map_part(crossing->map, launches[i], true, &others);
        if (status == CT_OK)
            status = ct_map_part(crossing->map, launches[i], false, &held_out);
        if (status == CT_OK)
            take_fold(crossing, &others, &held_out);
        ct_map_free(&others);
        ct_map_free(&held_out);
    }
    free(launches);
    return status;
}

static int summarize_folds(const struct crossing *crossing, struct ct_score *score)
{
    struct ct_penalty *const penalties[CHOOSERS] = {&score->tree, &score->native, &score->single};
    const bool there[CHOOSERS] = {true, crossing->native != SIZE_MAX, crossing->single != SIZE_MAX};
    struct ct_mean_interval *const means[CHOOSERS] = {&score->tree_mean, &score->native_mean,
                                                      &score->single_mean};
    size_t cells = crossing->map->cell_count;
    double *of_cells = ct_allocate(cells, sizeof *of_cells);
    size_t *comm_sizes = ct_allocate(cells, sizeof *comm_sizes);
    int status = of_cells && comm_sizes ? CT_OK : CT_E_MEMORY;
    for (size_t c = 0; status == CT_OK && c < cells; c++)
        comm_sizes[c] = crossing->map->cells[c].key.comm_size;
    for (int k = 0; status == CT_OK && k < CHOOSERS; k++) {
        for (size_t c = 0; c < cells; c++) {
            const struct loss *loss = &crossing->losses[(size_t)k * cells + c];
            of_cells[c] = loss->launches > 0 ? expm1(loss->logs / (double)loss->launches) : NAN;
        }
        status = ct_bootstrap_mean(of_cells, comm_sizes, there[k] ? cells : 0, means[k]);
        *penalties[k] = there[k] ? ct_penalty_summarize(of_cells, cells) : (struct ct_penalty){0};
    }
    free(of_cells);
    free(comm_sizes);
    if (status != CT_OK)
        return status;
    if (crossing->disagree)
        score->single_method = (struct ct_method){0};
    else if (crossing->single != SIZE_MAX)
        score->single_method = crossing->map->methods[crossing->single];
    return CT_OK;
}

int ct_score_cross_launches(const struct ct_decision_tree *tree, const struct ct_map *map,
                            struct ct_error *error, struct ct_score *ret_score)
{
    struct ct_score score;
    int status = ct_score_tree(tree, map, error, &score);
    if (status != CT_OK)
        return status;
    struct crossing crossing = {.map = map, .native = ct_score_native(map), .single = SIZE_MAX};
    size_t room;
    bool fits = ct_multiply(map->cell_count, CHOOSERS, &room);
    crossing.choices = ct_allocate(map->cell_count, sizeof *crossing.choices);
    crossing.losses = fits ? ct_allocate(room, sizeof *crossing.losses) : NULL;
    status = crossing.choices && crossing.losses ? CT_OK : CT_E_MEMORY;
    for (size_t c = 0; status == CT_OK && c < map->cell_count; c++)
        crossing.choices[c] = ct_score_choice(tree, map, &map->cells[c]);
    if (status == CT_OK)
        status = take_folds(&crossing);
    if (status == CT_OK && crossing.folds > 0)
        status = summarize_folds(&crossing, &score);
    free(crossing.choices);
    free(crossing.losses);
    if (status != CT_OK)
        return ct_fail(error, status, "out of memory");
    if (crossing.folds == 0)
        return ct_fail(error, CT_E_ANSWER,
                       "no cell of %s has two launches, so the best cannot be chosen on other launches than "
                       "those that score it: measure with --launches 2 or more",
                       ct_collectives[map->collective].name);
    *ret_score = score;
    return CT_OK;
}
