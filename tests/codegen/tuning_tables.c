/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/tuning_tables.h"
#include "decision/tree/tree_build.h"
#include "tests/codegen/find_generator.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { SPLITS = 12, BYTES = 4 << 20 };

size_t random_below(unsigned *seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

struct growing {
    struct ct_tree_builder builder;
    struct ct_method *methods;
    size_t method_count;
    size_t splits; /* that may still come */
    unsigned *seed;
};

static void grow_leaf(struct growing *growing)
{
    const struct ct_method *method = &growing->methods[random_below(growing->seed, growing->method_count)];
    const struct ct_method *fallback = NULL;
    for (size_t i = 0; ct_method_constraints(method) && !fallback; i++) {
        fallback = &growing->methods[random_below(growing->seed, growing->method_count)];
        if (ct_method_constraints(fallback))
            fallback = NULL;
    }
    assert_int_equal(ct_tree_builder_leaf(&growing->builder, method, fallback, NULL), CT_OK);
}

/* A subtree for sizes within these bounds, both included; a depth of SPLITS at most. */
static void grow(struct growing *growing, const size_t least[CT_FEATURES], const size_t most[CT_FEATURES])
{
    bool sized = ct_collectives[growing->builder.tree.collective].has_size;
    int feature = sized && random_below(growing->seed, 3) ? CT_FEATURE_MSG_BYTES : CT_FEATURE_COMM_SIZE;
    if (growing->splits == 0 || least[feature] >= most[feature] || random_below(growing->seed, 6) == 0) {
        grow_leaf(growing);
        return;
    }
    growing->splits--;
    size_t threshold = least[feature] + random_below(growing->seed, most[feature] - least[feature]);
    size_t low[CT_FEATURES], high[CT_FEATURES];
    for (int i = 0; i < CT_FEATURES; i++) {
        low[i] = i == feature ? threshold : most[i];
        high[i] = i == feature ? threshold + 1 : least[i];
    }
    assert_int_equal(ct_tree_builder_split(&growing->builder, (enum ct_feature)feature, threshold, NULL),
                     CT_OK);
    grow(growing, least, low);
    grow(growing, high, most);
}

struct ct_decision_tree random_tree(enum ct_collective collective, size_t ranks, unsigned *seed)
{
    struct growing growing = {.splits = SPLITS, .seed = seed};
    const size_t least[CT_FEATURES] = {[CT_FEATURE_COMM_SIZE] = 1};
    const size_t most[CT_FEATURES] = {[CT_FEATURE_COMM_SIZE] = ranks, [CT_FEATURE_MSG_BYTES] = BYTES};
    struct ct_decision_tree tree;
    assert_int_equal(ct_methods_parse("all", collective, NULL, &growing.methods, &growing.method_count),
                     CT_OK);
    ct_tree_builder_begin(&growing.builder, collective);
    grow(&growing, least, most);
    assert_int_equal(ct_tree_builder_finish(&growing.builder, NULL, &tree), CT_OK);
    ct_tree_builder_free(&growing.builder);
    free(growing.methods);
    return tree;
}

/* Where the trees come from: nowhere that matters. */
static void add_provenance(struct ct_table *table)
{
    static const char *const words[] = {"run", "0.1.0", "2026-01-01T00:00:00Z", "real", "mpiexec", "0", "1"};
    table->trees = calloc(table->decisions.tree_count, sizeof *table->trees);
    table->runs = calloc(1, sizeof *table->runs);
    assert_true(table->trees && table->runs);
    struct ct_table_run *run = &table->runs[table->run_count++];
    char **const fields[] = {&run->name,
                             &run->tool_version,
                             &run->created,
                             &run->backend,
                             &run->launcher,
                             &run->samples_checksum,
                             &run->description_checksum};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        assert_non_null(*fields[i] = strdup(words[i]));
    for (size_t i = 0; i < table->decisions.tree_count; i++) {
        table->trees[i].learner = strdup("random");
        table->trees[i].options = strdup("");
    }
}

struct ct_table random_table(size_t ranks, unsigned *seed)
{
    struct ct_table table;
    assert_int_equal(ct_table_begin(&table), CT_OK);
    table.decisions.trees = calloc(CT_COLLECTIVES, sizeof *table.decisions.trees);
    assert_non_null(table.decisions.trees);
    for (int c = 0; c < CT_DENSE_COLLECTIVES; c++)
        table.decisions.trees[table.decisions.tree_count++] = random_tree((enum ct_collective)c, ranks, seed);
    add_provenance(&table);
    return table;
}

struct ct_table table_of(const char *source)
{
    struct ct_table table;
    struct ct_error error = {""};
    assert_int_equal(ct_table_begin(&table), CT_OK);
    ct_decisions_read_text(source, "source", &error, &table.decisions);
    assert_string_equal(error.text, "");
    add_provenance(&table);
    return table;
}

const struct ct_tree_node *leaf_at(const struct ct_decision_tree *tree, size_t comm_size, size_t msg_bytes)
{
    return ct_tree_decide(
        tree,
        &(struct ct_features){{[CT_FEATURE_COMM_SIZE] = comm_size, [CT_FEATURE_MSG_BYTES] = msg_bytes}});
}

size_t *sizes_of(const struct ct_decision_tree *tree, size_t *ret_count)
{
    size_t *sizes = calloc(2 * tree->node_count + 3, sizeof *sizes), count = 0;
    assert_non_null(sizes);
    sizes[count++] = 0;
    sizes[count++] = 1;
    sizes[count++] = (size_t)1 << 24;
    for (size_t i = 0; i < tree->node_count; i++) {
        if (tree->nodes[i].feature == CT_FEATURE_MSG_BYTES) {
            sizes[count++] = tree->nodes[i].threshold;
            sizes[count++] = tree->nodes[i].threshold + 1;
        }
    }
    *ret_count = count;
    return sizes;
}

struct ct_text generated(const char *format, const struct ct_table *table,
                         const struct ct_generator_options *options, struct ct_text *notes)
{
    struct ct_text text = {0}, own = {0};
    struct ct_error error = {""};
    int status = find_generator(format)->generate(table, options, &error, &text, notes ? notes : &own);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    ct_text_free(&own);
    return text;
}
