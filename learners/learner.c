/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/learner.h"
#include "base/memory.h"
#include "decision/map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define LEARNER(name) extern const struct ct_learner ct_##name##_learner;
#include "learners/learners.def"
#undef LEARNER

const struct ct_learner *const ct_learners[] = {
#define LEARNER(name) &ct_##name##_learner,
#include "learners/learners.def"
#undef LEARNER
    NULL,
};

const struct ct_learner *ct_learner_find(const char *name)
{
    for (const struct ct_learner *const *learner = ct_learners; *learner; learner++)
        if (strcmp((*learner)->name, name) == 0)
            return *learner;
    return NULL;
}

/* Says which learners have the option. */
static int refuse(const struct ct_learner *learner, const char *name, struct ct_error *error)
{
    struct ct_text others = {0};
    for (const struct ct_learner *const *other = ct_learners; *other; other++)
        if (ct_option_find((*other)->options, name))
            ct_text_append(&others, "%s%s", others.length > 0 ? ", " : "", (*other)->name);
    int status =
        others.length == 0
            ? ct_fail(error, CT_E_INPUT, "--%s: not an option of any learner", name)
            : ct_fail(error, CT_E_INPUT, "--%s: not an option of the learner %s; expected the learner %s",
                      name, learner->name, others.data);
    ct_text_free(&others);
    return status;
}

static int read_words(struct ct_learn_settings *settings, const struct ct_learn_word *words, size_t count,
                      struct ct_error *error)
{
    const struct ct_learner *learner = settings->learner;
    for (size_t i = 0; i < count; i++) {
        const struct ct_option *option = ct_option_find(learner->options, words[i].name);
        if (!option)
            return refuse(learner, words[i].name, error);
        int status = ct_option_read(option, words[i].value, settings, error);
        if (status != CT_OK)
            return status;
    }
    int status = ct_learn_features_complete(&settings->features, error);
    return status == CT_OK && learner->prepare ? learner->prepare(settings, error) : status;
}

int ct_learn_settings_new(const struct ct_learner *learner, const struct ct_learn_word *words, size_t count,
                          const struct ct_watch *watch, struct ct_error *error,
                          struct ct_learn_settings **ret_settings)
{
    assert(learner->settings_size >= sizeof(struct ct_learn_settings));
    struct ct_learn_settings *settings = ct_allocate(1, learner->settings_size);
    if (!settings)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    settings->learner = learner;
    settings->watch = watch;
    ct_options_default(learner->options, settings);
    int status = read_words(settings, words, count, error);
    if (status == CT_OK)
        *ret_settings = settings;
    else
        ct_learn_settings_free(settings);
    assert(status != CT_OK || !settings->joint || learner->learn_joint);
    return status;
}

void ct_learn_settings_free(struct ct_learn_settings *settings)
{
    if (!settings)
        return;
    if (settings->learner->release)
        settings->learner->release(settings);
    ct_learn_features_free(&settings->features);
    free(settings);
}

void ct_learn_settings_spell(const struct ct_learn_settings *settings, struct ct_text *text)
{
    struct ct_text words = {0}; /* each after a space */
    ct_options_spell(settings->learner->options, settings, &words);
    ct_learn_features_spell(&settings->features, &words);
    if (settings->target)
        ct_text_append(&words, " for=%s", settings->target);
    ct_text_append(text, "%s", words.length > 0 ? words.data + 1 : "");
    text->failed |= words.failed;
    ct_text_free(&words);
}

/* --- which methods may be chosen --- */

/* An item that some collective has, if not this one, is well spelled. */
static int check_elsewhere(const char *item, struct ct_error *error)
{
    struct ct_method method;
    for (int i = 0; i < CT_COLLECTIVES; i++)
        if (ct_method_parse_any(item, (enum ct_collective)i, NULL, &method) == CT_OK)
            return CT_OK;
    if (strchr(item, '/'))
        return ct_method_parse_any(item, CT_COLLECTIVES, error, &method);
    return ct_fail(error, CT_E_INPUT, "'%s' is not a method of any collective (see colltune list)", item);
}

int ct_learn_allowed(const struct ct_map *map, const char *exclude, struct ct_error *error,
                     bool **ret_allowed)
{
    char **items = NULL;
    size_t count = 0;
    bool *allowed = ct_allocate(map->method_count, sizeof *allowed);
    if (!allowed)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    for (size_t m = 0; m < map->method_count; m++)
        allowed[m] = true;
    int status = exclude ? ct_words_split(exclude, error, &items, &count) : CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_method method;
        bool all = !strchr(items[i], ':');
        if (strcmp(items[i], ct_foreign_algorithms[map->collective].name) == 0) {
            for (size_t m = 0; m < map->method_count; m++)
                allowed[m] = allowed[m] && !ct_is_foreign(map->methods[m].algorithm);
            continue;
        }
        if (ct_method_parse_any(items[i], map->collective, NULL, &method) != CT_OK) {
            status = check_elsewhere(items[i], error);
            continue;
        }
        for (size_t m = 0; m < map->method_count; m++)
            if (all && !ct_is_foreign(method.algorithm) ? map->methods[m].algorithm == method.algorithm
                                                        : ct_method_equal(&map->methods[m], &method))
                allowed[m] = false;
    }
    ct_words_free(items, count);
    if (status != CT_OK) {
        free(allowed);
        return status;
    }
    *ret_allowed = allowed;
    return CT_OK;
}

int ct_learn_permitted(const struct ct_map *map, const struct ct_learn_settings *settings,
                       struct ct_error *error, bool **ret_allowed)
{
    bool *allowed;
    int status = ct_learn_allowed(map, settings->exclude, error, &allowed);
    if (status != CT_OK)
        return status;
    for (size_t m = 0; settings->target && m < map->method_count; m++)
        allowed[m] = allowed[m] && settings->target_has(settings->target_context, &map->methods[m]);
    *ret_allowed = allowed;
    return CT_OK;
}

/* --- parts of maps --- */

int ct_learn_split(const struct ct_map *map, const bool *keep, struct ct_map *ret_kept,
                   struct ct_map *ret_others)
{
    struct ct_cell *cells = ct_allocate(map->cell_count, sizeof *cells);
    size_t kept = 0, placed = 0;
    if (!cells)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++)
        if (keep[i])
            cells[kept++] = map->cells[i];
    placed = kept;
    for (size_t i = 0; i < map->cell_count; i++)
        if (!keep[i])
            cells[placed++] = map->cells[i];
    *ret_kept = *map;
    ret_kept->cells = cells;
    ret_kept->cell_count = kept;
    if (ret_others) {
        *ret_others = *map;
        ret_others->cells = cells + kept;
        ret_others->cell_count = map->cell_count - kept;
    }
    return CT_OK;
}

int ct_cell_groups_make(const size_t *group, size_t cell_count, size_t group_count,
                        struct ct_cell_groups *ret_groups)
{
    struct ct_cell_groups groups = {ct_allocate(group_count + 1, sizeof *groups.first),
                                    ct_allocate(cell_count, sizeof *groups.order)};
    if (!groups.first || !groups.order) {
        ct_cell_groups_free(&groups);
        return CT_E_MEMORY;
    }
    for (size_t i = 0; i < cell_count; i++) {
        assert(group[i] < group_count);
        groups.first[group[i]]++;
    }
    for (size_t g = 0; g < group_count; g++)
        groups.first[g + 1] += groups.first[g];
    for (size_t i = cell_count; i-- > 0;)
        groups.order[--groups.first[group[i]]] = i;
    *ret_groups = groups;
    return CT_OK;
}

void ct_cell_groups_free(struct ct_cell_groups *groups)
{
    free(groups->first);
    free(groups->order);
    *groups = (struct ct_cell_groups){0};
}

/* --- fallbacks --- */

/* By method of the map: does it always apply, and is it allowed? */
static bool *always_applying(const struct ct_map *map, const bool *allowed)
{
    bool *always = ct_allocate(map->method_count, sizeof *always);
    for (size_t m = 0; always && m < map->method_count; m++)
        always[m] = (!allowed || allowed[m]) && ct_method_constraints(&map->methods[m]) == 0;
    return always;
}

/* The cells by the node of the leaf that they lead to. Each cell is decided once, because few sizes may lead
 * to more leaves than there are cells. */
static int group_by_leaf(const struct ct_decision_tree *tree, const struct ct_map *map,
                         struct ct_cell_groups *ret_groups)
{
    size_t *leaves = ct_allocate(map->cell_count, sizeof *leaves);
    if (!leaves)
        return CT_E_MEMORY;
    for (size_t i = 0; i < map->cell_count; i++) {
        struct ct_features features = ct_key_features(&map->cells[i].key);
        leaves[i] = (size_t)(ct_tree_decide(tree, &features) - tree->nodes);
    }
    int status = ct_cell_groups_make(leaves, map->cell_count, tree->node_count, ret_groups);
    free(leaves);
    return status;
}

int ct_learn_best_leaves(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed)
{
    struct ct_cell_groups cells = {0};
    int status = group_by_leaf(tree, map, &cells);
    for (size_t i = 0; status == CT_OK && i < tree->node_count; i++) {
        struct ct_tree_node *node = &tree->nodes[i];
        size_t begin = cells.first[i], count = cells.first[i + 1] - begin, best = SIZE_MAX;
        if (node->feature == CT_LEAF && count > 0)
            best = ct_map_best_method(map, cells.order + begin, count, allowed);
        if (best != SIZE_MAX)
            status = ct_tree_add_method(tree, &map->methods[best], &node->method);
    }
    ct_cell_groups_free(&cells);
    return status;
}

int ct_learn_fill_fallback(struct ct_decision_tree *tree, const struct ct_map *map, const bool *allowed)
{
    struct ct_cell_groups cells = {0};
    bool *always = always_applying(map, allowed);
    int status = always ? group_by_leaf(tree, map, &cells) : CT_E_MEMORY;
    size_t overall = status == CT_OK ? ct_map_best_method(map, NULL, map->cell_count, always) : SIZE_MAX;
    for (size_t i = 0; status == CT_OK && i < tree->node_count; i++) {
        struct ct_tree_node *node = &tree->nodes[i];
        if (node->feature != CT_LEAF)
            continue;
        node->fallback = node->method;
        if (ct_method_constraints(&tree->methods[node->method]) == 0)
            continue;
        size_t begin = cells.first[i], count = cells.first[i + 1] - begin, best = SIZE_MAX;
        if (count > 0)
            best = ct_map_best_method(map, cells.order + begin, count, always);
        if (best == SIZE_MAX)
            best = overall;
        struct ct_method method;
        if (best == SIZE_MAX)
            status = ct_method_parse("native", map->collective, NULL, &method);
        else
            method = map->methods[best];
        if (status == CT_OK)
            status = ct_tree_add_method(tree, &method, &node->fallback);
    }
    free(always);
    ct_cell_groups_free(&cells);
    return status;
}

int ct_learn_finish(const struct ct_map *map, const bool *allowed, int status, struct ct_decision_tree *tree,
                    struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    if (status == CT_OK)
        status = ct_learn_fill_fallback(tree, map, allowed);
    if (status == CT_OK) {
        *ret_tree = *tree;
        return CT_OK;
    }
    ct_tree_free(tree);
    return ct_fail(error, status, "the tree of %s does not fit into memory",
                   ct_collectives[map->collective].name);
}
