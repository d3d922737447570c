/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"
#include "tests/codegen/tuning_tables.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TABLES = 12, RANKS = 40 };

/* The text between the quotes of a collective's variable; NULL where there is none. */
static const char *setting_of(const char *text, enum ct_collective collective)
{
    char name[64];
    size_t length = (size_t)snprintf(name, sizeof name, "\nexport I_MPI_ADJUST_");
    for (const char *at = ct_collectives[collective].name; *at; at++)
        name[length++] = (char)toupper((unsigned char)*at);
    snprintf(name + length, sizeof name - length, "=\"");
    const char *found = strstr(text, name);
    return found ? found + strlen(name) : NULL;
}

/* The number for these sizes in "1:0-4095@2-7;3:..."; 0 where no condition holds. No two may. */
static int number_for(const char *setting, size_t ranks, size_t bytes)
{
    int found = 0;
    while (setting && *setting != '"') {
        int number, taken;
        size_t least, most, from, to;
        assert_int_equal(sscanf(setting, "%d:%zu-%zu@%zu-%zu%n", &number, &least, &most, &from, &to, &taken),
                         5);
        if (least <= bytes && bytes <= most && from <= ranks && ranks <= to) {
            assert_int_equal(found, 0);
            found = number;
        }
        setting += taken + (setting[taken] == ';');
    }
    return found;
}

static int expected(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf)
{
    const size_t candidates[] = {leaf->method, leaf->fallback};
    struct ct_theirs theirs;
    for (size_t i = 0; i < 2; i++) {
        const struct ct_method *method = &tree->methods[candidates[i]];
        if (ct_is_native(method->algorithm))
            return 0;
        if (ct_mapping_find(&ct_intel_mapping, 0, method, &theirs))
            return theirs.mapping->number;
    }
    return 0;
}

/* A random table's decisions are those of the settings. */
static void test_decides(void **state)
{
    (void)state;
    unsigned seed = 5;
    size_t decided = 0;
    for (int t = 0; t < TABLES; t++) {
        struct ct_table table = random_table(RANKS, &seed);
        struct ct_text text = generated("intel", &table, &(struct ct_generator_options){0}, NULL);
        for (size_t i = 0; i < table.decisions.tree_count; i++) {
            const struct ct_decision_tree *tree = &table.decisions.trees[i];
            const char *setting = setting_of(text.data, tree->collective);
            size_t count, *sizes = sizes_of(tree, &count);
            bool total = tree->collective == CT_COLLECTIVE_ALLGATHERV ||
                         tree->collective == CT_COLLECTIVE_REDUCE_SCATTER;
            for (size_t p = 1; ct_intel_mapping.collectives[tree->collective].known && p < RANKS + 3; p++) {
                for (size_t s = 0; s < count; s++) {
                    int number = expected(tree, leaf_at(tree, p, sizes[s]));
                    assert_int_equal(number_for(setting, p, total ? p * sizes[s] : sizes[s]), number);
                    decided += number != 0;
                }
            }
            free(sizes);
        }
        ct_text_free(&text);
        ct_table_free(&table);
    }
    assert_true(decided > 10000);
}

/* A tree that alternates at so many sizes, as a chain of tests. */
static struct ct_table table_of_stripes(size_t stripes)
{
    struct ct_text source = {0};
    ct_text_append(&source, "colltune-table 2\ncollective reduce_scatter\n");
    for (size_t i = 1; i <= stripes; i++)
        ct_text_append(&source, "%*smsg_bytes <= %zu\n%*s%s\n", (int)(2 * i - 2), "", 16 * i, (int)(2 * i),
                       "", i % 2 ? "recursive_halving fallback native" : "pairwise fallback native");
    ct_text_append(&source, "%*srecursive_doubling\n", (int)(2 * stripes), "");
    struct ct_table table = table_of(source.data);
    ct_text_free(&source);
    return table;
}

/* A variable that no program could be started with is left out, and this is said. */
static void test_long_setting(void **state)
{
    (void)state;
    for (size_t stripes = 2; stripes <= 32; stripes *= 16) {
        struct ct_table table = table_of_stripes(stripes);
        struct ct_text notes = {0},
                       text = generated("intel", &table, &(struct ct_generator_options){0}, &notes);
        const char *setting = setting_of(text.data, CT_COLLECTIVE_REDUCE_SCATTER);
        assert_true((setting != NULL) == (stripes == 2));
        assert_true(!setting || strcspn(setting, "\"") < 128 * 1024 - 32);
        assert_true((strstr(notes.data, "more than a variable holds") != NULL) == (stripes == 32));
        ct_text_free(&notes);
        ct_text_free(&text);
        ct_table_free(&table);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decides),
        cmocka_unit_test(test_long_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
