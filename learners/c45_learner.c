/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45_learner.h"
#include "base/memory.h"
#include "base/sort.h"
#include "learners/c45_decide.h"
#include "learners/c45_map.h"
#include "learners/c45_together.h"

#include <stdlib.h>

/* Exact values of the attributes: C4.5 itself has them in single precision. */
static int collect_values(const struct ct_c45_map *c45, struct ct_c45_values *values)
{
    const struct ct_feature_matrix *features = &c45->features;
    for (size_t a = 0; a < features->count; a++) {
        values[a].values = ct_allocate(c45->cases.count, sizeof *values[a].values);
        if (!values[a].values)
            return CT_E_MEMORY;
        for (size_t i = 0; i < c45->cases.count; i++)
            values[a].values[i] = features->values[c45->cells[i] * features->count + a];
        values[a].count = c45->cases.count;
        qsort(values[a].values, values[a].count, sizeof *values[a].values, ct_compare_sizes);
    }
    return CT_OK;
}

static int decide(const struct ct_c45_map *c45, enum ct_collective collective, const struct ct_c45_node *root,
                  struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    struct ct_c45_values values[CT_FEATURES_MAX] = {0};
    struct ct_c45_meaning meaning = {.collective = collective,
                                     .set = c45->features.set,
                                     .numbers = c45->features.numbers,
                                     .methods = c45->methods,
                                     .values = values};
    size_t doubtful;
    int status = collect_values(c45, values);
    if (status == CT_OK)
        status = ct_c45_decide(root, &meaning, error, &doubtful, ret_tree);
    else
        ct_fail(error, status, "out of memory");
    for (size_t a = 0; a < c45->features.count; a++)
        free(values[a].values);
    return status;
}

struct settings {
    struct ct_learn_settings common;
    size_t min_cases;
    double confidence; /* in percent */
};

struct ct_c45_options ct_c45_learn_options(const struct ct_learn_settings *common)
{
    const struct settings *settings = (const struct settings *)common;
    struct ct_c45_options c45_options = ct_c45_standard;
    c45_options.least = settings->min_cases;
    c45_options.confidence = settings->confidence;
    return c45_options;
}

static int learn_c45(const struct ct_map *map, const struct ct_learn_settings *settings, const bool *allowed,
                     struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    const struct ct_c45_options c45_options = ct_c45_learn_options(settings);
    struct ct_c45_map c45;
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    struct ct_decision_tree tree = {.collective = map->collective};
    int status = ct_c45_map_make(map, &settings->features, allowed, error, &c45);
    if (status != CT_OK)
        return status;
    status = ct_c45_learn(&c45.names, &c45.cases, &c45_options, &pool, error, &root);
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

static const struct ct_option options[] = {
    {"min-cases", 0, "M", CT_OPTION_WHOLE, offsetof(struct settings, min_cases), .least = 1,
     .most = CT_C45_LEAST_MAX, .usual = "2", .text = "two branches of a test have at least M cells"},
    {"confidence", 0, "PERCENT", CT_OPTION_NUMBER, offsetof(struct settings, confidence), .least = 0.001,
     .most = 100, .usual = "25",
     .text = "C4.5's pruning confidence factor CF in percent: smaller values prune more. It is not a "
             "confidence level"},
    {"joint", 0, NULL, CT_OPTION_FLAG, offsetof(struct ct_learn_settings, joint),
     .text = "learn all collectives that have a message size in one tree, with the collective as an "
             "attribute"},
    CT_LEARN_EXCLUDE_OPTION,
    CT_LEARN_FEATURE_OPTIONS,
    {0},
};

const struct ct_learner ct_c45_learner = {
    .name = "c45",
    .text = "C4.5: tests by gain ratio, pruned by pessimistic errors",
    .options = options,
    .settings_size = sizeof(struct settings),
    .learn = learn_c45,
    .learn_joint = ct_c45_learn_joint,
};
