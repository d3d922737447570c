/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/by_mapping.h"
#include "decision/map_mappings.h"

#include <stdlib.h>

bool ct_learns_by_mapping(const struct ct_map *map, const struct ct_learn_settings *settings)
{
    const struct ct_learn_features *features = &settings->features;
    bool occurs[CT_MAPPED_WAYS], is_listed = features->usual;
    for (size_t i = 0; i < features->count; i++)
        is_listed |= features->numbers[i] == CT_FEATURE_BY;
    return is_listed && ct_map_mappings(map, occurs) > 1;
}

/* The tree of the cells of one mapping. */
static int learn_one(const struct ct_map *map, enum ct_mapped_by mapping,
                     const struct ct_learn_settings *settings, const bool *allowed, struct ct_error *error,
                     struct ct_decision_tree *ret_tree)
{
    struct ct_map part;
    int status = ct_map_of_mapping(map, mapping, &part);
    if (status != CT_OK)
        return ct_fail(error, status, "out of memory");
    status = settings->learner->learn(&part, settings, allowed, error, ret_tree);
    free(part.cells);
    return status;
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

/* One test of `by` for each mapping but the last: this one's tree below, the others above. */
static int join(const struct ct_decision_tree parts[CT_MAPPED_WAYS], const bool occurs[CT_MAPPED_WAYS],
                size_t count, struct ct_error *error, struct ct_decision_tree *tree)
{
    int status = CT_OK;
    for (size_t i = 0, joined = 0; status == CT_OK && i < CT_MAPPED_WAYS; i++) {
        if (!occurs[i])
            continue;
        struct ct_tree_node test = {.feature = CT_FEATURE_BY, .threshold = i};
        uint32_t place = 0;
        const bool is_last = ++joined == count;
        if (!is_last)
            status = ct_tree_add_node(tree, &test, &place);
        if (status == CT_OK)
            status = append(&parts[i], error, tree);
        if (status == CT_OK && !is_last) {
            tree->nodes[place].low = place + 1;
            tree->nodes[place].high = (uint32_t)tree->node_count;
        }
    }
    return status;
}

int ct_learn_by_mapping(const struct ct_map *map, const struct ct_learn_settings *settings,
                        const bool *allowed, struct ct_error *error, struct ct_decision_tree *ret_tree)
{
    bool occurs[CT_MAPPED_WAYS];
    struct ct_decision_tree parts[CT_MAPPED_WAYS] = {0}, tree = {.collective = map->collective};
    const size_t count = ct_map_mappings(map, occurs);
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < CT_MAPPED_WAYS; i++)
        if (occurs[i])
            status = learn_one(map, (enum ct_mapped_by)i, settings, allowed, error, &parts[i]);
    if (status == CT_OK) {
        status = join(parts, occurs, count, error, &tree);
        if (status == CT_E_MEMORY || status == CT_E_LIMIT)
            ct_fail(error, status, "the tree of %s does not fit into memory",
                    ct_collectives[map->collective].name);
    }
    for (size_t i = 0; i < CT_MAPPED_WAYS; i++)
        ct_tree_free(&parts[i]);
    if (status == CT_OK)
        *ret_tree = tree;
    else
        ct_tree_free(&tree);
    return status;
}
