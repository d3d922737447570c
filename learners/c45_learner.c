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
#include "learners/learner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct settings {
    struct ct_learn_settings common;
    size_t min_cases;
    double confidence; /* in percent */
};

static struct ct_c45_options c45_options_of(const struct ct_learn_settings *common)
{
    const struct settings *settings = (const struct settings *)common;
    struct ct_c45_options options = ct_c45_standard;
    options.least = settings->min_cases;
    options.confidence = settings->confidence;
    return options;
}

/* The exact values of each attribute, because C4.5 itself has them in single precision. */
static int make_room(struct ct_c45_values *values, size_t attributes, size_t cases)
{
    for (size_t a = 0; a < attributes; a++)
        if (!(values[a].values = ct_allocate(cases, sizeof *values[a].values)))
            return CT_E_MEMORY;
    return CT_OK;
}

static void add_value(struct ct_c45_values *values, size_t value)
{
    values->values[values->count++] = value;
}

static void sort_values(struct ct_c45_values *values, size_t attributes)
{
    for (size_t a = 0; a < attributes; a++)
        values[a].count = ct_sort_unique(values[a].values, values[a].count);
}

static void free_values(struct ct_c45_values *values, size_t attributes)
{
    for (size_t a = 0; a < attributes; a++)
        free(values[a].values);
}

/* --- one collective --- */

static int decide(const struct ct_c45_map *c45, enum ct_collective collective, const struct ct_c45_node *root,
                  struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    const struct ct_feature_matrix *features = &c45->features;
    struct ct_c45_values values[CT_FEATURES_MAX] = {0};
    struct ct_c45_meaning meaning = {.collective = collective,
                                     .set = features->set,
                                     .numbers = features->numbers,
                                     .methods = c45->methods,
                                     .values = values};
    size_t doubtful;
    int status = make_room(values, features->count, c45->cases.count);
    if (status == CT_OK) {
        for (size_t i = 0; i < c45->cases.count; i++)
            for (size_t a = 0; a < features->count; a++)
                add_value(&values[a], features->values[c45->cells[i] * features->count + a]);
        sort_values(values, features->count);
        status = ct_c45_decide(root, &meaning, error, &doubtful, ret_tree);
    } else {
        ct_fail(error, status, "out of memory");
    }
    free_values(values, features->count);
    return status;
}

static int learn_c45(const struct ct_map *map, const struct ct_learn_settings *settings, const bool *allowed,
                     struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    const struct ct_c45_options options = c45_options_of(settings);
    struct ct_c45_map c45;
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    struct ct_decision_tree tree = {.collective = map->collective};
    int status = ct_c45_map_make(map, &settings->features, allowed, error, &c45);
    if (status != CT_OK)
        return status;
    status = ct_c45_learn(&c45.names, &c45.cases, &options, &pool, error, &root);
    if (status == CT_OK)
        status = decide(&c45, map->collective, root, error, &tree);
    if (status == CT_OK && (status = ct_learn_fill_fallback(&tree, map, allowed)) != CT_OK)
        ct_fail(error, status, "out of memory");
    ct_c45_pool_free(&pool);
    ct_c45_map_free(&c45);
    if (status == CT_OK)
        *ret_tree = tree;
    else
        ct_tree_free(&tree);
    return status;
}

/* --- several collectives --- */

struct joint {
    const struct ct_learn_features *features;
    struct ct_error *error;
    const struct ct_map *maps;
    size_t count;
    bool *allowed[CT_COLLECTIVES]; /* by map, then by its methods */
    struct ct_c45_names names;     /* the features, then the collective; classes without their collective */
    struct ct_c45_cases cases;
    struct ct_c45_values values[CT_FEATURES_MAX]; /* by feature */
};

static int add_case(struct joint *joint, size_t map, size_t cell)
{
    const struct ct_learn_features *features = joint->features;
    struct ct_c45_cases *cases = &joint->cases;
    const struct ct_features call = ct_key_features(&joint->maps[map].cells[cell].key);
    char spelling[CT_METHOD_TEXT];
    size_t best = ct_map_best_method(&joint->maps[map], &cell, 1, joint->allowed[map]);
    if (best == SIZE_MAX)
        return CT_OK;
    int status = ct_c45_cases_reserve(cases, &joint->names);
    if (status == CT_OK)
        status = ct_c45_words_number(&joint->names.classes,
                                     ct_method_format(&joint->maps[map].methods[best], false, spelling),
                                     &cases->classes[cases->count]);
    if (status != CT_OK)
        return status;
    for (size_t a = 0; a < features->count; a++) {
        size_t value = ct_feature_value(&features->set, features->numbers[a], &call);
        cases->columns[a].numbers[cases->count] = (float)value;
        add_value(&joint->values[a], value);
    }
    cases->columns[features->count].values[cases->count++] = (uint16_t)(map + 1);
    return CT_OK;
}

static int name_attributes(struct joint *joint)
{
    static const char collective[] = "collective";
    const struct ct_learn_features *features = joint->features;
    struct ct_c45_names *names = &joint->names;
    uint16_t number;
    for (size_t a = 0; a < features->count; a++) {
        const char *name = ct_feature_name(&features->set, features->numbers[a]);
        int status = ct_c45_names_add(names, name, strlen(name), CT_C45_CONTINUOUS);
        if (status != CT_OK)
            return status;
    }
    int status = ct_c45_names_add(names, collective, strlen(collective), CT_C45_DISCRETE);
    for (size_t i = 0; status == CT_OK && i < joint->count; i++)
        status = ct_c45_words_number(&names->attributes[features->count].values,
                                     ct_collectives[joint->maps[i].collective].name, &number);
    if (status == CT_OK)
        names->attributes[features->count].trained = joint->count;
    return status;
}

static int add_cases(struct joint *joint)
{
    size_t cells = 0;
    for (size_t i = 0; i < joint->count; i++)
        cells += joint->maps[i].cell_count;
    int status = make_room(joint->values, joint->features->count, cells);
    if (status == CT_OK)
        status = name_attributes(joint);
    for (size_t i = 0; i < joint->count; i++)
        for (size_t c = 0; status == CT_OK && c < joint->maps[i].cell_count; c++)
            status = add_case(joint, i, c);
    if (status != CT_OK)
        return ct_fail(joint->error, CT_E_MEMORY, "out of memory");
    if (joint->cases.count == 0)
        return ct_fail(joint->error, CT_E_INPUT, "no allowed method was measured");
    sort_values(joint->values, joint->features->count);
    return CT_OK;
}

/* By class: the method of this collective; without an algorithm if it has none or may not choose it. */
static struct ct_method *methods_of(const struct joint *joint, size_t place)
{
    const struct ct_map *map = &joint->maps[place];
    const struct ct_c45_words *classes = &joint->names.classes;
    struct ct_method *methods = ct_allocate(classes->count, sizeof *methods), method;
    for (size_t c = 0; methods && c < classes->count; c++) {
        if (ct_method_parse(classes->words[c], map->collective, NULL, &method) != CT_OK)
            continue;
        size_t index = ct_map_find_method(map, &method);
        if (index != SIZE_MAX && joint->allowed[place][index])
            methods[c] = method;
    }
    return methods;
}

/* The tree of one collective, out of the tree of all. */
static int cut_tree(const struct joint *joint, size_t place, const struct ct_c45_node *root,
                    struct ct_decision_tree *ret_tree)
{
    const struct ct_map *map = &joint->maps[place];
    const bool *allowed = joint->allowed[place];
    size_t best = ct_map_best_method(map, NULL, map->cell_count, allowed), doubtful;
    if (best == SIZE_MAX)
        return ct_fail(joint->error, CT_E_INPUT, "no allowed method of %s was measured in any cell",
                       ct_collectives[map->collective].name);
    struct ct_method *methods = methods_of(joint, place);
    if (!methods)
        return ct_fail(joint->error, CT_E_MEMORY, "out of memory");
    struct ct_c45_meaning meaning = {.collective = map->collective,
                                     .set = &joint->features->set,
                                     .numbers = joint->features->numbers,
                                     .methods = methods,
                                     .classes = joint->names.classes.count,
                                     .usual = map->methods[best],
                                     .values = joint->values,
                                     .has_constant = true,
                                     .constant = joint->features->count,
                                     .constant_value = place + 1};
    int status = ct_c45_decide(root, &meaning, joint->error, &doubtful, ret_tree);
    if (status == CT_OK && ct_learn_fill_fallback(ret_tree, map, allowed) != CT_OK)
        status = ct_fail(joint->error, CT_E_MEMORY, "out of memory");
    free(methods);
    return status;
}

static int learn_joint(const struct ct_map *maps, size_t count, const struct ct_learn_settings *settings,
                       struct ct_error *error, struct ct_decision_tree *const *ret_trees)
{
    assert(count <= CT_COLLECTIVES);
    struct joint joint = {.features = &settings->features,
                          .error = error,
                          .maps = maps,
                          .count = count,
                          .cases.complete = true};
    const struct ct_c45_options options = c45_options_of(settings);
    struct ct_decision_tree trees[CT_COLLECTIVES] = {0};
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = ct_learn_allowed(&maps[i], settings->exclude, error, &joint.allowed[i]);
    if (status == CT_OK)
        status = add_cases(&joint);
    if (status == CT_OK)
        status = ct_c45_learn(&joint.names, &joint.cases, &options, &pool, error, &root);
    for (size_t i = 0; status == CT_OK && i < count; i++)
        if (ret_trees[i])
            status = cut_tree(&joint, i, root, &trees[i]);
    for (size_t i = 0; i < count; i++) {
        if (status == CT_OK && ret_trees[i])
            *ret_trees[i] = trees[i];
        else
            ct_tree_free(&trees[i]);
        free(joint.allowed[i]);
    }
    free_values(joint.values, joint.features->count);
    ct_c45_pool_free(&pool);
    ct_c45_cases_free(&joint.cases);
    ct_c45_names_free(&joint.names);
    return status;
}

static const struct ct_option options[] = {
    {"min-cases", 0, "M", CT_OPTION_WHOLE, offsetof(struct settings, min_cases), .least = 1,
     .most = CT_C45_LEAST_MAX, .usual = "2", .text = "require M cases in at least two branches of a test"},
    {"confidence", 0, "PERCENT", CT_OPTION_NUMBER, offsetof(struct settings, confidence), .least = 0.001,
     .most = 100, .usual = "25",
     .text = "set the confidence factor CF of C4.5's pruning: smaller values prune more. It is not a "
             "confidence level"},
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
    .learn_joint = learn_joint,
};
