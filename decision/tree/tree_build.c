/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/tree_build.h"
#include "base/memory.h"

#include <stdlib.h>

void ct_tree_builder_begin(struct ct_tree_builder *builder, enum ct_collective collective)
{
    *builder = (struct ct_tree_builder){.tree.collective = collective};
    for (int i = 0; i < CT_FEATURES_MAX; i++)
        builder->most[i] = SIZE_MAX;
}

/* Appends the node and makes it the branch that its parent waits for. */
static int add(struct ct_tree_builder *builder, const struct ct_tree_node *node, struct ct_error *error)
{
    if (builder->whole)
        return ct_fail(error, CT_E_INPUT, "the tree is whole already: no node expected");
    uint32_t index = 0;
    int status = ct_tree_add_node(&builder->tree, node, &index);
    if (status != CT_OK)
        return ct_fail(error, status, "the tree has too many nodes");
    if (builder->open_count > 0) {
        const struct ct_tree_open *open = &builder->open[builder->open_count - 1];
        struct ct_tree_node *above = &builder->tree.nodes[open->node];
        *(open->in_high ? &above->high : &above->low) = index;
    }
    return CT_OK;
}

int ct_tree_builder_split(struct ct_tree_builder *builder, size_t feature, size_t threshold,
                          struct ct_error *error)
{
    const struct ct_collective_description *collective = &ct_collectives[builder->tree.collective];
    const struct ct_feature_set *features = &builder->tree.features;
    const char *name = ct_feature_name(features, feature);
    size_t most = builder->most[feature], possible = ct_feature_most(features, feature);
    if (!collective->has_size && ct_feature_uses(features, feature, CT_FEATURE_MSG_BYTES))
        return ct_fail(error, CT_E_INPUT, "%s has no message size to test", collective->name);
    if (threshold < builder->least[feature])
        return ct_fail(
            error, CT_E_INPUT,
            "%s <= %zu cannot hold here: a test above it leaves %s >= %zu; expected a larger threshold", name,
            threshold, name, builder->least[feature]);
    if (threshold >= possible)
        return ct_fail(error, CT_E_INPUT, "%s <= %zu always holds: expected a smaller threshold", name,
                       threshold);
    if (threshold > CT_THRESHOLD_MAX)
        return ct_fail(error, CT_E_INPUT, "%s <= %zu: expected a threshold below 2^63", name, threshold);
    if (threshold >= most)
        return ct_fail(
            error, CT_E_INPUT,
            "%s <= %zu always holds here: a test above it leaves %s <= %zu; expected a smaller threshold",
            name, threshold, name, most);
    if (builder->open_count == CT_TREE_DEPTH_MAX)
        return ct_fail(error, CT_E_INPUT, "tests are nested more than %d deep", CT_TREE_DEPTH_MAX);

    int status =
        ct_grow(&builder->open, &builder->open_capacity, builder->open_count + 1, sizeof *builder->open);
    if (status != CT_OK)
        return ct_fail(error, status, "out of memory");
    uint32_t index = (uint32_t)builder->tree.node_count;
    status = add(builder, &(struct ct_tree_node){.feature = (int16_t)feature, .threshold = threshold}, error);
    if (status != CT_OK)
        return status;
    builder->open[builder->open_count++] =
        (struct ct_tree_open){.node = index, .least = builder->least[feature], .most = most};
    builder->most[feature] = threshold;
    return CT_OK;
}

/* A subtree is whole: on to the high branch of the test above it, or, where that was it, up. */
static void close_subtree(struct ct_tree_builder *builder)
{
    while (builder->open_count > 0) {
        struct ct_tree_open *open = &builder->open[builder->open_count - 1];
        const struct ct_tree_node *node = &builder->tree.nodes[open->node];
        builder->most[node->feature] = open->most;
        if (!open->in_high) {
            open->in_high = true;
            builder->least[node->feature] = node->threshold + 1;
            return;
        }
        builder->least[node->feature] = open->least;
        builder->open_count--;
    }
    builder->whole = true;
}

/* For error messages. */
static const char *first_constraint(const struct ct_method *method)
{
    for (const struct ct_constraint_description *each = ct_constraints; each->name; each++)
        if (ct_method_constraints(method) & each->constraint)
            return each->name;
    return "none";
}

static int check_leaf(const struct ct_method *method, const struct ct_method *fallback,
                      struct ct_error *error)
{
    const char *name = method->algorithm->name;
    bool always = ct_method_constraints(method) == 0;
    if (!always && !fallback)
        return ct_fail(error, CT_E_INPUT, "%s applies only with: %s; expected a fallback that always applies",
                       name, first_constraint(method));
    if (always && fallback)
        return ct_fail(error, CT_E_INPUT, "%s always applies: no fallback expected", name);
    if (fallback && ct_method_constraints(fallback))
        return ct_fail(error, CT_E_INPUT,
                       "fallback %s applies only with: %s; expected one that always applies",
                       fallback->algorithm->name, first_constraint(fallback));
    return CT_OK;
}

int ct_tree_builder_leaf(struct ct_tree_builder *builder, const struct ct_method *method,
                         const struct ct_method *fallback, struct ct_error *error)
{
    int status = check_leaf(method, fallback, error);
    if (status != CT_OK)
        return status;
    struct ct_tree_node node = {.feature = CT_LEAF};
    status = ct_tree_add_method(&builder->tree, method, &node.method);
    if (status == CT_OK)
        status = ct_tree_add_method(&builder->tree, fallback ? fallback : method, &node.fallback);
    if (status != CT_OK)
        return ct_fail(error, status, "the tree has too many methods");
    status = add(builder, &node, error);
    if (status == CT_OK)
        close_subtree(builder);
    return status;
}

int ct_tree_builder_finish(struct ct_tree_builder *builder, struct ct_error *error,
                           struct ct_decision_tree *ret_tree)
{
    if (!builder->whole && builder->open_count == 0)
        return ct_fail(error, CT_E_INPUT, "expected a test or a method");
    if (!builder->whole) {
        const struct ct_tree_open *open = &builder->open[builder->open_count - 1];
        const struct ct_tree_node *node = &builder->tree.nodes[open->node];
        return ct_fail(error, CT_E_INPUT, "expected the branch for %s %s %zu",
                       ct_feature_name(&builder->tree.features, (size_t)node->feature),
                       open->in_high ? ">" : "<=", node->threshold);
    }
    *ret_tree = builder->tree;
    builder->tree = (struct ct_decision_tree){.collective = builder->tree.collective};
    return CT_OK;
}

void ct_tree_builder_free(struct ct_tree_builder *builder)
{
    ct_tree_free(&builder->tree);
    free(builder->open);
    *builder = (struct ct_tree_builder){0};
}
