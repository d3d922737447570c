/* SPDX-License-Identifier: BSD-3-Clause */
/* C from trees of 10,000 tests on a path, as a map and as tests in a list, decides as the trees do. */
#include "tests/codegen/deep_table.h"
#include "tests/learners/map_fixture.h"

/* The generated header. */
#include DECISIONS

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct colltune_choice decide(enum ct_collective collective, const struct ct_features *at)
{
    if (collective == CT_COLLECTIVE_BARRIER)
        return colltune_decide_barrier(at->value[CT_FEATURE_COMM_SIZE]);
    return collective == CT_COLLECTIVE_BCAST
               ? colltune_decide_bcast(at->value[CT_FEATURE_COMM_SIZE], at->value[CT_FEATURE_MSG_BYTES])
               : colltune_decide_allgather(at->value[CT_FEATURE_COMM_SIZE], at->value[CT_FEATURE_MSG_BYTES]);
}

static void test_deep(void **state)
{
    (void)state;
    static const enum ct_collective collectives[] = {CT_COLLECTIVE_BARRIER, CT_COLLECTIVE_BCAST,
                                                     CT_COLLECTIVE_ALLGATHER};
    struct ct_table table;
    deep_table(&table);
    unsigned seed = 9;
    size_t paths = 0;
    for (size_t i = 0; i < sizeof collectives / sizeof collectives[0]; i++) {
        const struct ct_decision_tree *tree = ct_decisions_find(&table.decisions, collectives[i]);
        const struct ct_tree_node *last = NULL;
        for (size_t n = 0; n < 3000; n++) {
            struct ct_features features = {{0}};
            features.value[CT_FEATURE_COMM_SIZE] = fixture_random(&seed, 31000);
            features.value[CT_FEATURE_MSG_BYTES] = fixture_random(&seed, 31000);
            const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
            char spelling[CT_METHOD_TEXT];
            assert_string_equal(colltune_method_name(decide(collectives[i], &features).method),
                                ct_method_format(&tree->methods[leaf->method], true, spelling));
            paths += leaf != last;
            last = leaf;
        }
    }
    assert_true(paths > 5000);
    ct_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_deep)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
