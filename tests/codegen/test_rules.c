/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/rules.h"
#include "tests/codegen/tuning_tables.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TREES = 60, OWN = 12345 };

/* What the rules say, looked up without regard for order. */
static size_t choice_of(const struct ct_rules *rules, size_t comm_size, size_t bytes)
{
    const struct ct_rule_row *row = NULL;
    for (size_t i = 0; i < rules->row_count; i++)
        if (rules->rows[i].comm_size <= comm_size && (!row || rules->rows[i].comm_size > row->comm_size))
            row = &rules->rows[i];
    assert_non_null(row);
    const struct ct_rule *found = NULL;
    for (size_t i = 0; i < row->count; i++) {
        const struct ct_rule *rule = &rules->rules[row->first + i];
        if (rule->at_least <= bytes && (!found || rule->at_least > found->at_least))
            found = rule;
    }
    assert_non_null(found);
    return found->choice;
}

/* Every leaf a choice of its own, so that nothing can be merged by mistake unseen. */
static size_t *own_choices(const struct ct_decision_tree *tree)
{
    size_t *choices = calloc(tree->node_count, sizeof *choices);
    assert_non_null(choices);
    for (size_t i = 0; i < tree->node_count; i++)
        choices[i] = i;
    return choices;
}

static void check(const struct ct_decision_tree *tree, enum ct_size_meaning meaning, size_t comm_size,
                  const struct ct_rules *rules, const size_t *sizes, size_t size_count)
{
    for (size_t i = 0; i < size_count; i++) {
        size_t expected = (size_t)(leaf_at(tree, comm_size, sizes[i]) - tree->nodes);
        size_t scale = meaning == CT_SIZE_TIMES_RANKS ? comm_size : 1;
        assert_int_equal(choice_of(rules, comm_size, sizes[i] * scale), expected);
        /* what is no multiple of the ranks belongs to the size below it */
        assert_int_equal(choice_of(rules, comm_size, sizes[i] * scale + scale - 1), expected);
    }
}

/* Rules say what the tree says: the library's bytes being ours, everywhere; being ours times the ranks, up to
 * where every communicator has a row, and in the rows' own communicators beyond. */
static void test_as_tree(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int t = 0; t < TREES; t++) {
        struct ct_decision_tree tree = random_tree(CT_COLLECTIVE_BCAST, t % 2 ? 100 : 5000, &seed);
        size_t size_count, *sizes = sizes_of(&tree, &size_count), *choices = own_choices(&tree);
        for (int m = CT_SIZE_AS_OURS; m <= CT_SIZE_TIMES_RANKS; m++) {
            struct ct_rules rules;
            enum ct_size_meaning meaning = (enum ct_size_meaning)m;
            assert_int_equal(ct_rules_make(&tree, choices, OWN, meaning, LONG_MAX, NULL, &rules), CT_OK);
            for (size_t p = 1; p <= 5100; p += p < 140 ? 1 : 1 + random_below(&seed, 50))
                if (p <= rules.exact)
                    check(&tree, meaning, p, &rules, sizes, size_count);
            for (size_t i = 0; i < rules.row_count; i++)
                check(&tree, meaning, rules.rows[i].comm_size, &rules, sizes, size_count);
            assert_false(rules.sizes_lost);
            ct_rules_free(&rules);
        }
        free(choices);
        free(sizes);
        ct_tree_free(&tree);
    }
}

/* Without message sizes: what the tree says where it does not look at them, else the library's own. */
static void test_unseen(void **state)
{
    (void)state;
    unsigned seed = 2;
    bool lost = false, kept = false;
    for (int t = 0; t < TREES; t++) {
        struct ct_decision_tree tree = random_tree(CT_COLLECTIVE_SCAN, 60, &seed);
        size_t size_count, *sizes = sizes_of(&tree, &size_count), *choices = own_choices(&tree);
        struct ct_rules rules;
        assert_int_equal(ct_rules_make(&tree, choices, OWN, CT_SIZE_UNSEEN, LONG_MAX, NULL, &rules), CT_OK);
        bool differs = false;
        for (size_t p = 1; p < 70; p++) {
            size_t expected = (size_t)(leaf_at(&tree, p, 0) - tree.nodes);
            for (size_t i = 0; i < size_count; i++)
                if ((size_t)(leaf_at(&tree, p, sizes[i]) - tree.nodes) != expected)
                    expected = OWN;
            assert_int_equal(choice_of(&rules, p, 0), expected);
            differs = differs || expected == OWN;
            kept = kept || expected != OWN;
        }
        assert_int_equal(rules.sizes_lost, differs);
        lost = lost || differs;
        ct_rules_free(&rules);
        free(choices);
        free(sizes);
        ct_tree_free(&tree);
    }
    assert_true(lost && kept);
}

/* Rows that would say the same are one, and so are rules; sizes beyond the limit are not told apart. */
static void test_merged(void **state)
{
    (void)state;
    unsigned seed = 3;
    for (int t = 0; t < TREES; t++) {
        struct ct_decision_tree tree = random_tree(CT_COLLECTIVE_ALLGATHER, 40, &seed);
        size_t *choices = own_choices(&tree);
        enum { MOST = 100000 };
        struct ct_rules rules;
        for (size_t i = 0; i < tree.node_count; i++)
            choices[i] %= 3;
        assert_int_equal(ct_rules_make(&tree, choices, OWN, CT_SIZE_TIMES_RANKS, MOST, NULL, &rules), CT_OK);
        assert_int_equal(rules.rows[0].comm_size, 1);
        for (size_t r = 0; r < rules.row_count; r++) {
            const struct ct_rule_row *row = &rules.rows[r];
            assert_int_equal(rules.rules[row->first].at_least, 0);
            assert_true(r == 0 || row->comm_size > row[-1].comm_size);
            for (size_t i = 1; i < row->count; i++) {
                const struct ct_rule *rule = &rules.rules[row->first + i];
                assert_true(rule->at_least > rule[-1].at_least && rule->at_least <= MOST);
                assert_int_not_equal(rule->choice, rule[-1].choice);
            }
        }
        ct_rules_free(&rules);
        free(choices);
        ct_tree_free(&tree);
    }
}

/* Trees that test what the two sizes determine are asked like all others; those that test nodes, or what may
 * turn more than once, are refused. */
static void test_composites(void **state)
{
    (void)state;
    static const char source[] =
        "colltune-table 2\ncollective bcast\nfeature short=9K-min(9K,msg_bytes)\n"
        "total_bytes <= 100000\n  even <= 0\n    linear\n    binomial\n"
        "  short <= 1000\n    power_of_two <= 0\n      chain\n      knomial\n    binary\n";
    static const char *const refused[] = {
        "colltune-table 2\ncollective bcast\nnodes <= 4\n  linear\n  binomial\n",
        "colltune-table 2\ncollective bcast\nfeature part=msg_bytes%1000\npart <= 4\n  linear\n  binomial\n"};
    struct ct_table table = table_of(source);
    struct ct_decision_tree *tree = &table.decisions.trees[0];
    size_t *choices = own_choices(tree);
    for (int m = CT_SIZE_AS_OURS; m <= CT_SIZE_TIMES_RANKS; m++) {
        struct ct_rules rules;
        assert_int_equal(ct_rules_make(tree, choices, OWN, (enum ct_size_meaning)m, LONG_MAX, NULL, &rules),
                         CT_OK);
        for (size_t p = 1; p <= rules.exact && p < 140; p++) {
            const size_t sizes[] = {0,    1,    100000 / p, 100000 / p + 1, 9 * 1024 - 1001, 8215,
                                    8216, 8217, 9216,       100000,         100001};
            check(tree, (enum ct_size_meaning)m, p, &rules, sizes, sizeof sizes / sizeof sizes[0]);
        }
        ct_rules_free(&rules);
    }
    free(choices);
    ct_table_free(&table);
    for (size_t i = 0; i < 2; i++) {
        struct ct_error error = {""};
        struct ct_rules rules;
        const size_t none[3] = {0};
        table = table_of(refused[i]);
        assert_int_equal(
            ct_rules_make(&table.decisions.trees[0], none, OWN, CT_SIZE_AS_OURS, LONG_MAX, &error, &rules),
            CT_E_LIMIT);
        assert_non_null(strstr(error.text, i ? "part, which may rise and fall" : "nodes, which"));
        ct_table_free(&table);
    }
}

/* Sizes that the library cannot count are not told apart, which is said where it makes a difference. */
static void test_too_large(void **state)
{
    (void)state;
    struct ct_table table =
        table_of("colltune-table 2\ncollective bcast\nmsg_bytes <= 4G\n  linear\n  binomial\n");
    const struct ct_decision_tree *tree = &table.decisions.trees[0];
    size_t *choices = own_choices(tree);
    for (int differ = 0; differ < 2; differ++) {
        for (int small = 0; small < 2; small++) {
            struct ct_rules rules;
            choices[2] = differ ? 2 : choices[1];
            assert_int_equal(
                ct_rules_make(tree, choices, OWN, CT_SIZE_AS_OURS, small ? INT_MAX : LONG_MAX, NULL, &rules),
                CT_OK);
            assert_int_equal(rules.ends_lost, differ && small);
            assert_int_equal(rules.rule_count, differ && !small ? 2 : 1);
            ct_rules_free(&rules);
        }
    }
    free(choices);
    ct_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_as_tree),    cmocka_unit_test(test_unseen),    cmocka_unit_test(test_merged),
        cmocka_unit_test(test_composites), cmocka_unit_test(test_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
