/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/tree_parts.h"
#include "base/memory.h"
#include "plan/call_mode.h"

#include <stdlib.h>

static const char *const yield_names[] = {"no", "yes", NULL};

/* Names of the values of a feature; NULL: they are numbers. */
static const char *const *const names_of[CT_FEATURES] = {
    [CT_FEATURE_YIELD] = yield_names, [CT_FEATURE_BY] = ct_mapped_names, [CT_FEATURE_MODE] = ct_mode_names};

static bool divides(int16_t feature)
{
    return feature >= 0 && feature < CT_FEATURES && feature != CT_FEATURE_COMM_SIZE &&
           feature != CT_FEATURE_MSG_BYTES;
}

/* The first node from this one on whose test the part's values do not settle. */
static uint32_t settle(const struct ct_decision_tree *tree, const struct ct_tree_part *part, uint32_t node)
{
    for (;;) {
        const struct ct_tree_node *at = &tree->nodes[node];
        if (!divides(at->feature))
            return node;
        if (part->most[at->feature] <= at->threshold)
            node = at->low;
        else if (part->least[at->feature] > at->threshold)
            node = at->high;
        else
            return node;
    }
}

/* Copies the nodes that calls of the part can reach; children stay behind their parents. */
static int prune(const struct ct_decision_tree *whole, struct ct_tree_part *part)
{
    const uint32_t root = settle(whole, part, 0);
    uint32_t *places = ct_allocate(whole->node_count, sizeof *places); /* 1 + new index; 0: not reached */
    struct ct_decision_tree tree = *whole;
    tree.nodes = ct_allocate(whole->node_count, sizeof *tree.nodes);
    tree.node_count = 0;
    if (!places || !tree.nodes) {
        free(places);
        free(tree.nodes);
        return CT_E_MEMORY;
    }
    places[root] = 1;
    for (uint32_t i = root; i < whole->node_count; i++) {
        if (places[i] == 0)
            continue;
        struct ct_tree_node node = whole->nodes[i];
        if (node.feature != CT_LEAF) {
            node.low = settle(whole, part, node.low);
            node.high = settle(whole, part, node.high);
            places[node.low] = places[node.high] = 1;
        }
        tree.nodes[tree.node_count++] = node;
        places[i] = (uint32_t)tree.node_count;
    }
    for (size_t i = 0; i < tree.node_count; i++) {
        struct ct_tree_node *node = &tree.nodes[i];
        if (node->feature == CT_LEAF)
            continue;
        node->low = places[node->low] - 1;
        node->high = places[node->high] - 1;
    }
    free(places);
    part->tree = tree;
    return CT_OK;
}

/* A test that still divides the part; NULL where there is none. */
static const struct ct_tree_node *find_division(const struct ct_decision_tree *tree)
{
    for (size_t i = 0; i < tree->node_count; i++)
        if (divides(tree->nodes[i].feature))
            return &tree->nodes[i];
    return NULL;
}

void ct_tree_parts_free(struct ct_tree_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(parts[i].tree.nodes);
    free(parts);
}

/* Puts the two halves of the part at `index` in its place. */
static int split(struct ct_tree_part *parts, size_t *count, size_t index, const struct ct_tree_node *division)
{
    const struct ct_tree_node test = *division;
    struct ct_tree_part halves[2] = {parts[index], parts[index]};
    halves[0].most[test.feature] = test.threshold;
    halves[1].least[test.feature] = test.threshold + 1;
    int status = prune(&parts[index].tree, &halves[0]);
    if (status != CT_OK)
        return status;
    status = prune(&parts[index].tree, &halves[1]);
    if (status != CT_OK) {
        free(halves[0].tree.nodes);
        return status;
    }
    free(parts[index].tree.nodes);
    for (size_t i = *count; i > index + 1; i--)
        parts[i] = parts[i - 1];
    parts[index] = halves[0];
    parts[index + 1] = halves[1];
    ++*count;
    return CT_OK;
}

int ct_tree_parts_make(const struct ct_decision_tree *tree, struct ct_error *error,
                       struct ct_tree_part **ret_parts, size_t *ret_count)
{
    struct ct_tree_part *parts = ct_allocate(CT_TREE_PARTS_MAX, sizeof *parts);
    size_t count = 0;
    if (!parts)
        return CT_E_MEMORY;
    for (int i = 0; i < CT_FEATURES; i++)
        parts[0].most[i] = SIZE_MAX;
    for (int i = 0; i < CT_FEATURES; i++)
        if (divides((int16_t)i))
            parts[0].most[i] = ct_feature_descriptors[i]->most;
    int status = prune(tree, &parts[0]);
    count += status == CT_OK;
    for (size_t i = 0; status == CT_OK && i < count;) {
        const struct ct_tree_node *division = find_division(&parts[i].tree);
        if (!division)
            i++;
        else if (count == CT_TREE_PARTS_MAX)
            status = ct_fail(error, CT_E_LIMIT,
                             "the tree of %s has more than %d parts; expected a table for c "
                             "or table",
                             ct_collectives[tree->collective].name, CT_TREE_PARTS_MAX);
        else
            status = split(parts, &count, i, division);
    }
    if (status != CT_OK) {
        ct_tree_parts_free(parts, count);
        return status;
    }
    *ret_parts = parts;
    *ret_count = count;
    return CT_OK;
}

static void write_names(const char *const *names, size_t least, size_t most, struct ct_text *text)
{
    const char *before = " ";
    for (size_t i = 0; names[i] && i <= most; i++) {
        if (i < least)
            continue;
        ct_text_append(text, "%s%s", before, names[i]);
        before = " or ";
    }
}

void ct_tree_part_write(const struct ct_tree_part *part, struct ct_text *text)
{
    for (int i = 0; i < CT_FEATURES; i++) {
        const struct ct_key_descriptor *descriptor = ct_feature_descriptors[i];
        const size_t least = part->least[i], most = part->most[i];
        if (!divides((int16_t)i) || (least == 0 && most == descriptor->most))
            continue;
        ct_text_append(text, ", %s", descriptor->name);
        if (names_of[i])
            write_names(names_of[i], least, most, text);
        else if (least == most)
            ct_text_append(text, " %zu", least);
        else if (least <= descriptor->least)
            ct_text_append(text, " up to %zu", most);
        else if (most == descriptor->most)
            ct_text_append(text, " %zu and more", least);
        else
            ct_text_append(text, " %zu to %zu", least, most);
    }
}
