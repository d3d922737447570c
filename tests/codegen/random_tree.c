/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/random_tree.h"
#include "decision/tree/tree_build.h"
#include "tests/learners/map_fixture.h"

#include <stdint.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { CLOSE = 40, TRIES = 8, BITS = 64, HALF_WORD = 16 };

static size_t any_size(unsigned *seed)
{
    size_t size = 0;
    for (size_t i = 0; i < BITS / HALF_WORD; i++)
        size = size << HALF_WORD | fixture_random(seed, (size_t)1 << HALF_WORD);
    return size >> fixture_random(seed, BITS);
}

static void parse(enum ct_collective collective, const char *spelling, struct ct_method *ret_method)
{
    assert_int_equal(ct_method_parse(spelling, collective, NULL, ret_method), CT_OK);
}

/* Some methods need a next best, some do not. */
static void add_leaf(struct ct_tree_builder *builder, unsigned *seed)
{
    static const char *const spellings[CT_COLLECTIVES][4] = {
        [CT_COLLECTIVE_BARRIER] = {"native", "linear", "dissemination", "recursive_doubling"},
        [CT_COLLECTIVE_BCAST] = {"native", "linear", "binomial:seg=8K", "chain:radix=4"},
        [CT_COLLECTIVE_ALLREDUCE] = {"native", "ring", "recursive_doubling", "reduce_bcast"},
    };
    enum ct_collective collective = builder->tree.collective;
    struct ct_method method, fallback;
    parse(collective, spellings[collective][fixture_random(seed, 4)], &method);
    parse(collective, spellings[collective][3 * fixture_random(seed, 2)], &fallback);
    bool always = ct_method_constraints(&method) == 0;
    assert_int_equal(ct_tree_builder_leaf(builder, &method, always ? NULL : &fallback, NULL), CT_OK);
}

/* Adds a test that the tests above leave open; false where this try found none. */
static bool add_test(struct ct_tree_builder *builder, unsigned *seed)
{
    static const char *const features[] = {"comm_size", "msg_bytes", "total_bytes", "even", "nodes", "ppn"};
    size_t feature, threshold = any_size(seed),
                    number = fixture_random(seed, fixture_random(seed, 2) ? 2 : 6);
    assert_int_equal(ct_feature_find(&builder->tree.features, features[number], NULL, &feature), CT_OK);
    if (fixture_random(seed, 3) > 0)
        threshold = fixture_random(seed, CLOSE);
    else if (fixture_random(seed, 2) > 0)
        threshold = builder->least[feature] + fixture_random(seed, CLOSE);
    return ct_tree_builder_split(builder, feature, threshold, NULL) == CT_OK;
}

struct ct_decision_tree random_tree(enum ct_collective collective, size_t leaves, unsigned *seed)
{
    struct ct_tree_builder builder;
    struct ct_decision_tree tree;
    size_t tests = leaves - 1;
    ct_tree_builder_begin(&builder, collective);
    while (!builder.whole) {
        size_t tries =
            tests > 0 && (builder.open_count == 0 || fixture_random(seed, 5 + tests / 8) > 0) ? TRIES : 0;
        while (tries > 0 && !add_test(&builder, seed))
            tries--;
        if (tries > 0)
            tests--;
        else
            add_leaf(&builder, seed);
    }
    assert_int_equal(ct_tree_builder_finish(&builder, NULL, &tree), CT_OK);
    ct_tree_builder_free(&builder);
    return tree;
}

struct ct_decision_tree deep_tree(enum ct_collective collective, enum ct_feature one, enum ct_feature other,
                                  size_t depth, bool in_low)
{
    struct ct_tree_builder builder;
    struct ct_decision_tree tree;
    struct ct_method methods[2];
    parse(collective, "native", &methods[0]);
    parse(collective, "linear", &methods[1]);
    ct_tree_builder_begin(&builder, collective);
    for (size_t i = 0; i < depth; i++) {
        size_t threshold = in_low ? 3 * (depth - i) : 3 * i;
        assert_int_equal(ct_tree_builder_split(&builder, i % 2 ? other : one, threshold, NULL), CT_OK);
        if (!in_low)
            assert_int_equal(ct_tree_builder_leaf(&builder, &methods[i % 2], NULL, NULL), CT_OK);
    }
    for (size_t i = 0; !builder.whole; i++)
        assert_int_equal(ct_tree_builder_leaf(&builder, &methods[i % 2], NULL, NULL), CT_OK);
    assert_int_equal(ct_tree_builder_finish(&builder, NULL, &tree), CT_OK);
    ct_tree_builder_free(&builder);
    return tree;
}

struct ct_features random_call(const struct ct_decision_tree *tree, unsigned *seed)
{
    struct ct_features features;
    for (size_t i = 0; i < CT_FEATURES; i++) {
        const struct ct_tree_node *node = &tree->nodes[fixture_random(seed, tree->node_count)];
        size_t kind = fixture_random(seed, 3);
        features.value[i] = kind == 0   ? node->threshold + fixture_random(seed, 3) - 1
                            : kind == 1 ? fixture_random(seed, CLOSE)
                                        : any_size(seed);
    }
    return features;
}
