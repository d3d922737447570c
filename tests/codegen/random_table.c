/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/random_table.h"
#include "decision/table.h"
#include "decision/tree/tree_build.h"
#include "tests/learners/map_fixture.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Keywords and macros of C among the names, and every operator. */
static const char *const definitions[] = {
    "int=min(comm_size,nodes*3)-log2(msg_bytes+1)",
    "blocks=msg_bytes/8K",
    "linux=(total_bytes+4G)%(ppn*1000+7)",
    "share=total_bytes/(nodes-ppn)%nodes",
    "wide=max(comm_size*4294967296,msg_bytes*msg_bytes)",
    "odd=is_power_of_two(nodes)+2*(1-even)+log2(ppn)",
};

enum { OWN = sizeof definitions / sizeof definitions[0] };

static const char *const known[] = {"comm_size",   "msg_bytes", "nodes",       "ppn",
                                    "total_bytes", "even",      "power_of_two"};

enum { KNOWN = sizeof known / sizeof known[0] };

static const struct {
    enum ct_collective collective;
    size_t features; /* of `known` and then of `definitions`: the first so many */
    const char *methods[4];
} trees[] = {
    {CT_COLLECTIVE_BARRIER, 4, {"native", "linear", "dissemination", "tree"}},
    {CT_COLLECTIVE_BCAST, KNOWN + OWN, {"native", "binomial:seg=8K", "pipeline:seg=16K", "linear"}},
    {CT_COLLECTIVE_ALLGATHER, KNOWN, {"native", "ring", "bruck", "linear"}},
    {CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, KNOWN + OWN, {"native", "native", "native", "native"}},
    {CT_COLLECTIVE_SCATTER, 2, {"native", "linear", "binomial", "native"}},
};

/* Small numbers and large ones. */
static size_t random_threshold(unsigned *seed)
{
    size_t number = fixture_random(seed, 9), most = fixture_random(seed, 3) ? 5 : 40;
    return number << fixture_random(seed, most);
}

/* Tries a test; where the builder refuses all of some, a leaf. */
static void add_node(struct ct_tree_builder *builder, size_t t, unsigned *seed)
{
    for (int attempt = 0; builder->open_count < 6 && attempt < 4; attempt++) {
        size_t pick = fixture_random(seed, trees[t].features), feature = CT_FEATURES + pick - KNOWN;
        if (pick < KNOWN)
            assert_int_equal(ct_feature_find(&builder->tree.features, known[pick], NULL, &feature), CT_OK);
        if (ct_tree_builder_split(builder, feature, random_threshold(seed), NULL) == CT_OK)
            return;
    }
    struct ct_method method;
    const char *spelling = trees[t].methods[fixture_random(seed, 4)];
    assert_int_equal(ct_method_parse(spelling, trees[t].collective, NULL, &method), CT_OK);
    assert_int_equal(ct_tree_builder_leaf(builder, &method, NULL, NULL), CT_OK);
}

static void add_tree(struct ct_table *table, size_t t, unsigned *seed)
{
    struct ct_tree_builder builder;
    struct ct_decision_tree tree;
    struct ct_table_tree about = {.learner = strdup("chance"), .options = strdup("")};
    size_t number;
    ct_tree_builder_begin(&builder, trees[t].collective);
    for (size_t i = 0; i + KNOWN < trees[t].features; i++)
        assert_int_equal(ct_feature_define(&builder.tree.features, definitions[i], NULL, &number), CT_OK);
    while (!builder.whole)
        add_node(&builder, t, seed);
    assert_int_equal(ct_tree_builder_finish(&builder, NULL, &tree), CT_OK);
    ct_tree_builder_free(&builder);
    assert_int_equal(ct_table_append(table, &tree, &about), CT_OK);
}

void random_table(struct ct_table *ret_table)
{
    unsigned seed = 20;
    struct ct_table table;
    assert_int_equal(ct_table_begin(&table), CT_OK);
    table.runs = calloc(1, sizeof *table.runs);
    table.run_count = 1;
    char **const texts[] = {
        &table.runs->name,     &table.runs->tool_version,     &table.runs->created,
        &table.runs->launcher, &table.runs->samples_checksum, &table.runs->description_checksum};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        *texts[i] = strdup("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    table.runs->backend = strdup("simulated");
    for (size_t t = 0; t < sizeof trees / sizeof trees[0]; t++)
        add_tree(&table, t, &seed);
    *ret_table = table;
}
