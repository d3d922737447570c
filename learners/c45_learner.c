/* SPDX-License-Identifier: BSD-3-Clause */
/* C4.5 over the features of a call (c45/c45.h), after Pjesivac-Grbovic 2007, chapter 6: each cell is a case,
 * and its class is the best method there.
 *
 * With --joint one tree is learned for several collectives, with the collective as one more attribute, so
 * that similar collectives share what was measured (section 6.3.2). It is then cut into a tree for each. If a
 * collective does not have the method of a leaf, it gets, of the methods it has, the one that was best in
 * most of the leaf's cells, or else the one with the least geometric-mean time over all of its cells. */
#include "base/memory.h"
#include "base/sort.h"
#include "learners/c45/c45.h"
#include "learners/c45_decide.h"
#include "learners/c45_map.h"
#include "learners/follow_rules.h"
#include "learners/leaf_methods.h"
#include "learners/learner.h"
#include "learners/permitted.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct ct_learn_settings common;
    struct ct_c45_options c45;
    bool by_loss; /* cells count by what a wrong choice loses there */
};

/* Did the user set how much is pruned? That goes before the rules. */
static bool is_bounded(const struct settings *settings)
{
    return settings->c45.least != ct_c45_standard.least ||
           fabs(settings->c45.confidence - ct_c45_standard.confidence) > 0;
}

/* The values that occur, by attribute, because C4.5 itself has them in single precision. NULL without memory;
 * caller frees the result, which holds them all. */
static size_t *find_values(const struct ct_c45_map *c45, struct ct_c45_values *values)
{
    const size_t attributes = c45->columns.count, cases = c45->cases.count;
    size_t *all = ct_allocate(attributes * cases, sizeof *all);
    for (size_t a = 0; all && a < attributes; a++) {
        values[a].values = all + a * cases;
        for (size_t i = 0; i < cases; i++)
            values[a].values[i] = c45->values[i * attributes + a];
        values[a].count = ct_sort_unique(values[a].values, cases);
    }
    return all;
}

/* By class: the map's method; without an algorithm if the map does not have it or may not choose it. */
static struct ct_method *methods_of(const struct ct_map *map, const bool *allowed,
                                    const struct ct_c45_words *classes)
{
    struct ct_method *methods = ct_allocate(classes->count, sizeof *methods), method;
    for (size_t c = 0; methods && c < classes->count; c++) {
        if (ct_method_parse_any(classes->words[c], map->collective, NULL, &method) != CT_OK)
            continue;
        size_t index = ct_map_find_method(map, &method);
        if (index != SIZE_MAX && (!allowed || allowed[index]))
            methods[c] = method;
    }
    return methods;
}

/* The tree of one collective. `meaning` is that of the tree of all. It follows the rules if columns are given
 * that may be tested. */
static int cut_tree(const struct ct_map *map, const bool *allowed, const struct ct_c45_words *classes,
                    const struct ct_c45_node *root, struct ct_c45_meaning meaning,
                    const struct ct_feature_columns *columns, bool by_loss, struct ct_error *error,
                    struct ct_decision_tree *ret_tree)
{
    size_t best = ct_map_best_method(map, NULL, map->cell_count, allowed), doubtful;
    if (best == SIZE_MAX)
        return ct_fail(error, CT_E_INPUT, "no allowed method of %s was measured in any cell",
                       ct_collectives[map->collective].name);
    struct ct_method *methods = methods_of(map, allowed, classes);
    if (!methods)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    meaning.collective = map->collective;
    meaning.methods = methods;
    meaning.usual = map->methods[best];
    int status = ct_c45_decide(root, &meaning, error, &doubtful, ret_tree);
    if (status == CT_OK &&
        ((by_loss && ct_learn_best_leaves(ret_tree, map, allowed) != CT_OK) ||
         ct_learn_fill_fallback(ret_tree, map, allowed) != CT_OK ||
         (columns && ct_follow_rules(map, allowed, columns, NULL, false, ret_tree) != CT_OK)))
        status = ct_fail(error, CT_E_MEMORY, "out of memory");
    free(methods);
    return status;
}

static int learn_trees(const struct ct_map *maps, size_t count, const struct ct_feature_columns *columns,
                       const struct settings *settings, const bool *const *allowed, struct ct_error *error,
                       struct ct_decision_tree *const *ret_trees)
{
    struct ct_c45_values values[CT_FEATURES_MAX] = {0};
    struct ct_decision_tree trees[CT_COLLECTIVES] = {0};
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    struct ct_c45_map c45;
    size_t *all_values = NULL;
    assert(count <= CT_COLLECTIVES);
    int status = ct_c45_map_make(maps, count, columns, allowed, error, &c45);
    if (status != CT_OK)
        return status;
    if (settings->by_loss && ct_c45_map_weigh(maps, count, allowed, &c45) != CT_OK)
        status = ct_fail(error, CT_E_MEMORY, "out of memory");
    if (status == CT_OK)
        status = ct_c45_learn(&c45.names, &c45.cases, &settings->c45, &pool, error, &root);
    if (status != CT_OK)
        goto done;
    all_values = find_values(&c45, values);
    if (!all_values)
        status = ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        const struct ct_c45_meaning meaning = {.set = columns->set,
                                               .numbers = columns->numbers,
                                               .classes = c45.names.classes.count,
                                               .values = values,
                                               .has_constant = count > 1,
                                               .constant = columns->count,
                                               .constant_value = i + 1};
        if (ret_trees[i])
            status = cut_tree(&maps[i], allowed[i], &c45.names.classes, root, meaning,
                              is_bounded(settings) ? NULL : columns, settings->by_loss, error, &trees[i]);
    }
    for (size_t i = 0; i < count; i++)
        if (status == CT_OK && ret_trees[i])
            *ret_trees[i] = trees[i];
        else
            ct_tree_free(&trees[i]);
done:
    free(all_values);
    ct_c45_pool_free(&pool);
    ct_c45_map_free(&c45);
    return status;
}

static int learn_c45(const struct ct_map *map, const struct ct_learn_settings *settings, const bool *allowed,
                     struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    const struct ct_feature_columns columns = ct_feature_columns_of(map, &settings->features);
    return learn_trees(map, 1, &columns, (const struct settings *)settings, &allowed, error, &ret_tree);
}

static int learn_joint(const struct ct_map *maps, size_t count, const struct ct_learn_settings *settings,
                       struct ct_error *error, struct ct_decision_tree *const *ret_trees)
{
    const struct ct_learn_features *features = &settings->features;
    struct ct_feature_columns columns = {.set = &features->set, .count = features->count};
    bool *allowed[CT_COLLECTIVES] = {NULL};
    int status = CT_OK;
    memcpy(columns.numbers, features->numbers, sizeof columns.numbers);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = ct_learn_permitted(&maps[i], settings, error, &allowed[i]);
    if (status == CT_OK)
        status = learn_trees(maps, count, &columns, (const struct settings *)settings,
                             (const bool *const *)allowed, error, ret_trees);
    for (size_t i = 0; i < count; i++)
        free(allowed[i]);
    return status;
}

static int prepare(struct ct_learn_settings *settings, struct ct_error *error)
{
    if (((struct settings *)settings)->c45.subsets && !settings->joint)
        return ct_fail(error, CT_E_INPUT,
                       "--subsets: expected --joint, too: all other attributes are numbers");
    return CT_OK;
}

static const struct ct_option options[] = {
    {"min-cases", 0, "M", CT_OPTION_WHOLE, offsetof(struct settings, c45.least), .least = 1,
     .most = CT_C45_LEAST_MAX, .usual = "2", .text = "require M cases in at least two branches of a test"},
    {"confidence", 0, "PERCENT", CT_OPTION_NUMBER, offsetof(struct settings, c45.confidence), .least = 0.001,
     .most = 100, .usual = "25",
     .text = "set the confidence factor CF of C4.5's pruning: smaller values prune more. It is not a "
             "confidence level"},
    {"gain", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, c45.gain_alone),
     .text = "choose tests by gain, not by gain ratio"},
    {"trials", 0, "N", CT_OPTION_WHOLE, offsetof(struct settings, c45.trials), .least = 1,
     .most = CT_C45_TRIALS_MAX, .usual_text = "one tree from all cells",
     .text = "grow N trees from windows of the cells, which misclassified cells join, and take the one with "
             "the fewest estimated errors"},
    {"subsets", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, c45.subsets),
     .text = "with --joint: let the tree test groups of collectives"},
    {"by-loss", 0, NULL, CT_OPTION_FLAG, offsetof(struct settings, by_loss),
     .text = "weight each cell by the loss of a wrong choice there, and let leaves take the method with the "
             "least loss"},
    {"joint", 0, NULL, CT_OPTION_FLAG, offsetof(struct ct_learn_settings, joint),
     .text = "learn all collectives that have a message size in one tree, with the collective as an "
             "attribute"},
    CT_LEARN_EXCLUDE_OPTION,
#include "learners/learn_feature_options.def"
    {0},
};

const struct ct_learner ct_c45_learner = {
    .name = "c45",
    .text = "C4.5: tests by gain ratio, pruned by pessimistic errors",
    .options = options,
    .settings_size = sizeof(struct settings),
    .learn = learn_c45,
    .knows_patterns = true,
    .learn_joint = learn_joint,
    .prepare = prepare,
};
