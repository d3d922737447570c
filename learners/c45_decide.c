/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/c45_decide.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Chains of tests repeat branches, so that a small tree could become a very large one. */
enum { NODES_MAX = 1000000 };

struct conversion {
    const struct ct_c45_meaning *meaning;
    struct ct_error *error;
    struct ct_decision_tree tree;
    size_t least[CT_FEATURES_MAX]; /* by feature of the tree: the range that the tests above allow */
    size_t most[CT_FEATURES_MAX];
    size_t doubtful;
};

/* --- thresholds --- */

enum { PRINTED = 32 };

/* As reports print numbers. */
static void print(float number, char text[PRINTED])
{
    snprintf(text, PRINTED, "%g", (double)number);
}

/* Takes the last value that is printed like `cut`. */
static int find_printed(struct conversion *conversion, const struct ct_c45_values *values, float cut,
                        size_t *ret_threshold)
{
    char wanted[PRINTED], have[PRINTED];
    size_t found = 0;
    print(cut, wanted);
    for (size_t i = 0; i < values->count; i++) {
        print((float)values->values[i], have);
        if (strcmp(have, wanted) != 0)
            continue;
        *ret_threshold = values->values[i];
        found++;
    }
    if (found == 0)
        return ct_fail(conversion->error, CT_E_INPUT,
                       "the threshold %s is no value of the data; expected the data of this report", wanted);
    conversion->doubtful += found > 1;
    return CT_OK;
}

static int threshold_of(struct conversion *conversion, const struct ct_c45_node *node, size_t *ret_threshold)
{
    const struct ct_c45_values *values = &conversion->meaning->values[node->attribute];
    const double most = 9e18, exact = 1e6; /* numbers below it have at most six digits */
    if (values->count > 0 && conversion->meaning->printed)
        return find_printed(conversion, values, node->cut, ret_threshold);
    if (values->count == 0) {
        if (!(node->cut >= 0 && (double)node->cut < most))
            return ct_fail(conversion->error, CT_E_INPUT, "threshold %g: expected a size", (double)node->cut);
        conversion->doubtful += conversion->meaning->printed && (double)node->cut >= exact;
        *ret_threshold = (size_t)node->cut;
        return CT_OK;
    }
    size_t low = 0, high = values->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if ((float)values->values[middle] <= node->cut)
            low = middle;
        else
            high = middle;
    }
    *ret_threshold = values->values[low];
    return CT_OK;
}

/* --- nodes --- */

static int add_node(struct conversion *conversion, const struct ct_tree_node *node, uint32_t *ret_place)
{
    if (conversion->tree.node_count == NODES_MAX)
        return ct_fail(conversion->error, CT_E_LIMIT, "the decision tree would have more than %d nodes",
                       NODES_MAX);
    int status = ct_tree_add_node(&conversion->tree, node, ret_place);
    return status == CT_OK ? status : ct_fail(conversion->error, status, "out of memory");
}

static int convert(struct conversion *conversion, const struct ct_c45_node *node, uint32_t *ret_place);

/* The method of a leaf. If its class is no method, the method of most of its other cases. */
static const struct ct_method *method_of(const struct ct_c45_meaning *meaning, const struct ct_c45_node *leaf)
{
    const struct ct_method *best = &meaning->methods[leaf->best];
    float most = 0;
    if (best->algorithm)
        return best;
    best = &meaning->usual;
    for (size_t c = 0; c < meaning->classes; c++) {
        if (!meaning->methods[c].algorithm || !(leaf->distribution[c] > most))
            continue;
        most = leaf->distribution[c];
        best = &meaning->methods[c];
    }
    return best;
}

static int convert_leaf(struct conversion *conversion, const struct ct_c45_node *node, uint32_t *ret_place)
{
    struct ct_tree_node leaf = {.feature = CT_LEAF};
    int status = ct_tree_add_method(&conversion->tree, method_of(conversion->meaning, node), &leaf.method);
    if (status != CT_OK)
        return ct_fail(conversion->error, status, "the decision tree has too many methods");
    leaf.fallback = leaf.method;
    return add_node(conversion, &leaf, ret_place);
}

/* Replaces a test by a leaf if both branches are the same leaf. */
static void join_leaves(struct ct_decision_tree *tree, uint32_t place)
{
    const struct ct_tree_node *low = &tree->nodes[tree->nodes[place].low];
    const struct ct_tree_node *high = &tree->nodes[tree->nodes[place].high];
    if (low->feature != CT_LEAF || high->feature != CT_LEAF || low->method != high->method)
        return;
    tree->nodes[place] = *low;
    tree->node_count = place + 1;
}

/* A branch, and the greatest value that takes it. */
struct step {
    size_t most;
    const struct ct_c45_node *branch;
};

/* Makes a chain of tests: the first branch up to its greatest value, then the rest. Tests whose outcome
 * follows from the tests above are left out. */
static int convert_steps(struct conversion *conversion, size_t feature, const struct step *steps,
                         size_t count, uint32_t *ret_place)
{
    size_t least = conversion->least[feature], most = conversion->most[feature];
    size_t limit = ct_feature_most(&conversion->tree.features, feature);
    while (count > 1 && steps->most < least) {
        steps++;
        count--;
    }
    if (count == 1 || steps->most >= most || steps->most >= limit)
        return convert(conversion, steps->branch, ret_place);
    const struct ct_tree_node test = {.feature = (int16_t)feature, .threshold = steps->most};
    uint32_t place = 0, low = 0, high = 0;
    int status = add_node(conversion, &test, &place);
    if (status != CT_OK)
        return status;
    conversion->most[feature] = steps->most;
    status = convert(conversion, steps->branch, &low);
    conversion->most[feature] = most;
    conversion->least[feature] = steps->most + 1;
    if (status == CT_OK)
        status = convert_steps(conversion, feature, steps + 1, count - 1, &high);
    conversion->least[feature] = least;
    if (status != CT_OK)
        return status;
    conversion->tree.nodes[place].low = low;
    conversion->tree.nodes[place].high = high;
    join_leaves(&conversion->tree, place);
    *ret_place = place;
    return CT_OK;
}

static int compare_steps(const void *a, const void *b)
{
    const struct step *left = a, *right = b;
    return CT_COMPARE(left->most, right->most);
}

/* The values of a discrete attribute, ascending; neighbours with the same branch are one step. *ret_count is
 * 0 if no value has a branch. */
static void fill_steps(const struct conversion *conversion, const struct ct_c45_node *node,
                       struct step *steps, size_t *ret_count)
{
    const struct ct_c45_values *values = &conversion->meaning->values[node->attribute];
    size_t count = 0, kept = 0;
    for (size_t v = 1; v <= node->value_count; v++) {
        size_t branch = node->test == CT_C45_VALUES ? v : node->branch_of[v];
        if (branch > 0)
            steps[count++] = (struct step){values->values[v - 1], node->branches[branch - 1]};
    }
    qsort(steps, count, sizeof *steps, compare_steps);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && steps[kept - 1].branch == steps[i].branch)
            kept--;
        steps[kept++] = steps[i];
    }
    *ret_count = kept;
}

static int convert_values(struct conversion *conversion, const struct ct_c45_node *node, size_t feature,
                          uint32_t *ret_place)
{
    struct step *steps = ct_allocate(node->value_count, sizeof *steps);
    size_t count;
    if (!steps)
        return ct_fail(conversion->error, CT_E_MEMORY, "out of memory");
    fill_steps(conversion, node, steps, &count);
    int status = count == 0 ? ct_fail(conversion->error, CT_E_INPUT, "a test without branches")
                            : convert_steps(conversion, feature, steps, count, ret_place);
    free(steps);
    return status;
}

/* The branch that a value of a discrete attribute takes; branch_count if it takes none. */
static size_t branch_of(const struct ct_c45_node *node, size_t value)
{
    if (node->test == CT_C45_VALUES)
        return value - 1;
    return node->branch_of[value] > 0 ? node->branch_of[value] - 1u : node->branch_count;
}

/* The recursion is at most as deep as the tree times the values of an attribute. */
static int convert(struct conversion *conversion, const struct ct_c45_node *node, uint32_t *ret_place)
{
    const struct ct_c45_meaning *meaning = conversion->meaning;
    size_t branch = 0;
    while (node->test != CT_C45_LEAF && meaning->has_constant && node->attribute == meaning->constant &&
           (branch = branch_of(node, meaning->constant_value)) < node->branch_count)
        node = node->branches[branch];
    /* a constant that no branch takes occurs in no case here */
    if (node->test == CT_C45_LEAF || (meaning->has_constant && node->attribute == meaning->constant))
        return convert_leaf(conversion, node, ret_place);
    size_t feature;
    int status = ct_feature_take(&conversion->tree.features, meaning->set, meaning->numbers[node->attribute],
                                 conversion->error, &feature);
    if (status != CT_OK)
        return status;
    if (node->test != CT_C45_THRESHOLD)
        return convert_values(conversion, node, feature, ret_place);
    struct step steps[2] = {{0, node->branches[0]}, {SIZE_MAX, node->branches[1]}};
    status = threshold_of(conversion, node, &steps[0].most);
    return status == CT_OK ? convert_steps(conversion, feature, steps, 2, ret_place) : status;
}

int ct_c45_decide(const struct ct_c45_node *root, const struct ct_c45_meaning *meaning,
                  struct ct_error *error, size_t *ret_doubtful, struct ct_decision_tree *ret_tree)
{
    struct conversion conversion = {
        .meaning = meaning, .error = error, .tree.collective = meaning->collective};
    uint32_t place;
    for (size_t i = 0; i < CT_FEATURES_MAX; i++)
        conversion.most[i] = SIZE_MAX;
    int status = convert(&conversion, root, &place);
    if (status != CT_OK) {
        ct_tree_free(&conversion.tree);
        return status;
    }
    *ret_doubtful = conversion.doubtful;
    *ret_tree = conversion.tree;
    return CT_OK;
}
