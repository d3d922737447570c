/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/divided.h"
#include "base/memory.h"
#include "decision/map_divided.h"

#include <stdlib.h>

/* May trees test the feature? Yes, if it is listed or nobody listed features. Tuning files of other libraries
 * do not know how ranks are mapped. */
static bool is_listed(const struct ct_learn_settings *settings, enum ct_feature feature)
{
    const struct ct_learn_features *features = &settings->features;
    bool listed = features->usual && !(settings->target && feature == CT_FEATURE_BY);
    for (size_t i = 0; i < features->count; i++)
        listed |= features->numbers[i] == (size_t)feature;
    return listed;
}

/* Appends a tree; its root becomes the node that is added next. */
static int append(const struct ct_decision_tree *from, struct ct_error *error, struct ct_decision_tree *tree)
{
    const uint32_t begin = (uint32_t)tree->node_count;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < from->node_count; i++) {
        struct ct_tree_node node = from->nodes[i];
        uint32_t place;
        if (node.feature == CT_LEAF) {
            status = ct_tree_add_method(tree, &from->methods[node.method], &node.method);
            if (status == CT_OK)
                status = ct_tree_add_method(tree, &from->methods[node.fallback], &node.fallback);
        } else {
            size_t number;
            status = ct_feature_take(&tree->features, &from->features, (size_t)node.feature, error, &number);
            node.feature = (int16_t)(status == CT_OK ? number : 0);
            node.low += begin;
            node.high += begin;
        }
        if (status == CT_OK)
            status = ct_tree_add_node(tree, &node, &place);
    }
    return status;
}

/* One test of the feature for each value but the last: this one's tree below, the others above. */
static int join(const struct ct_decision_tree *parts, enum ct_feature feature, const size_t *values,
                size_t count, struct ct_error *error, struct ct_decision_tree *tree)
{
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_tree_node test = {.feature = (int16_t)feature, .threshold = values[i]};
        uint32_t place = 0;
        const bool is_last = i + 1 == count;
        if (!is_last)
            status = ct_tree_add_node(tree, &test, &place);
        if (status == CT_OK)
            status = append(&parts[i], error, tree);
        if (status == CT_OK && !is_last) {
            tree->nodes[place].low = place + 1;
            tree->nodes[place].high = (uint32_t)tree->node_count;
        }
    }
    if (status == CT_E_MEMORY || status == CT_E_LIMIT)
        ct_fail(error, status, "the tree of %s does not fit into memory",
                ct_collectives[tree->collective].name);
    return status;
}

/* What learning a map takes, but for the map. */
struct learning {
    const struct ct_learn_settings *settings;
    const bool *allowed;
    struct ct_error *error;
};

static int learn(const struct learning *learning, const struct ct_map *map, size_t next,
                 struct ct_decision_tree *ret_tree);

/* Learns the cells of each value, and joins their trees. */
static int learn_values(const struct learning *learning, const struct ct_map *map, size_t next,
                        const size_t *values, size_t count, struct ct_decision_tree *ret_tree)
{
    struct ct_decision_tree tree = {.collective = map->collective};
    struct ct_decision_tree *parts = ct_allocate(count, sizeof *parts);
    int status = parts ? CT_OK : ct_fail(learning->error, CT_E_MEMORY, "out of memory");
    for (size_t i = 0; status == CT_OK && i < count; i++) {
        struct ct_map part;
        status = ct_map_having(map, ct_map_dividing[next], values[i], &part);
        if (status != CT_OK) {
            ct_fail(learning->error, status, "out of memory");
            break;
        }
        status = learn(learning, &part, next + 1, &parts[i]);
        free(part.cells);
    }
    if (status == CT_OK)
        status = join(parts, ct_map_dividing[next], values, count, learning->error, &tree);
    for (size_t i = 0; parts && i < count; i++)
        ct_tree_free(&parts[i]);
    free(parts);
    if (status == CT_OK)
        *ret_tree = tree;
    else
        ct_tree_free(&tree);
    return status;
}

/* Divides the map by the features from number `next` on; the depth is theirs. */
static int learn(const struct learning *learning, const struct ct_map *map, size_t next,
                 struct ct_decision_tree *ret_tree)
{
    const struct ct_learn_settings *settings = learning->settings;
    size_t *values, count;
    while (next < CT_MAP_DIVIDING && !is_listed(settings, ct_map_dividing[next]))
        next++;
    if (next == CT_MAP_DIVIDING)
        return settings->learner->learn(map, settings, learning->allowed, learning->error, ret_tree);
    int status = ct_map_values(map, ct_map_dividing[next], &values, &count);
    if (status != CT_OK)
        return ct_fail(learning->error, status, "out of memory");
    status = count > 1 ? learn_values(learning, map, next, values, count, ret_tree)
                       : learn(learning, map, next + 1, ret_tree);
    free(values);
    return status;
}

int ct_learn_divided(const struct ct_map *map, const struct ct_learn_settings *settings, const bool *allowed,
                     struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    const struct learning learning = {settings, allowed, error};
    return learn(&learning, map, 0, ret_tree);
}
