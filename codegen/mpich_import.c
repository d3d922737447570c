/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mpich_import.h"
#include "base/number.h"
#include "codegen/mapping.h"
#include "codegen/strict_json.h"
#include "decision/tree/tree_build.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { RELEASE = 4, ELEMENT_OF_REDUCTION = 8 };

struct importing {
    enum ct_collective collective;
    struct ct_method native;
    struct ct_tree_builder builder;
    struct ct_error *error;
    size_t unknown;
};

/* --- tests --- */

/* What a test of MPICH's is in our terms. */
struct test {
    enum { ALWAYS, NEVER, AT_MOST, ABOVE } kind;
    size_t feature; /* of the last two: its number in the tree */
    size_t threshold;
};

/* Tests of sizes and of the communicator, by the beginning of their keys: what holds if a feature is at most,
 * or above, a threshold. Other keys are in `settled`. */
static const struct {
    const char *key;
    const char *feature;
    size_t threshold; /* where no number follows the key */
    bool numbered;
    bool below; /* the number itself is out */
    bool above; /* holds above the threshold */
} tests[] = {
    {.key = "comm_size<=", .feature = "comm_size", .numbered = true},
    {.key = "comm_size<", .feature = "comm_size", .numbered = true, .below = true},
    {.key = "comm_size=pow2", .feature = "power_of_two", .above = true},
    {.key = "comm_hierarchy=parent", .feature = "ppn", .threshold = 1, .above = true},
    {.key = "is_node_consecutive=yes", .feature = "by", .threshold = CT_MAPPED_BY_SOCKET},
    {.key = "is_node_consecutive=no", .feature = "by", .threshold = CT_MAPPED_BY_SOCKET, .above = true},
    {.key = "avg_msg_size<=", .feature = "msg_bytes", .numbered = true},
    {.key = "avg_msg_size<", .feature = "msg_bytes", .numbered = true, .below = true},
    {.key = "total_msg_size<=", .feature = "total_bytes", .numbered = true},
    {.key = "total_msg_size<", .feature = "total_bytes", .numbered = true, .below = true},
};

/* What is the same for all calls that we look at. */
static const struct {
    const char *key;
    bool holds;
} settled[] = {
    {"comm_type=intra", true},       {"comm_type=inter", false},        {"is_commutative=yes", true},
    {"is_commutative=no", false},    {"is_op_built_in=yes", true},      {"is_op_built_in=no", false},
    {"is_sendbuf_inplace=no", true}, {"is_sendbuf_inplace=yes", false}, {"is_block_regular=yes", true},
    {"is_block_regular=no", false},  {"comm_hierarchy=any", true},      {"comm_size=any", true},
    {"avg_msg_size=any", true},      {"total_msg_size=any", true},      {"count=any", true},
};

/* Does MPICH count the elements of all ranks? */
static bool counts_all(enum ct_collective collective)
{
    return collective == CT_COLLECTIVE_ALLGATHERV || collective == CT_COLLECTIVE_REDUCE_SCATTER;
}

/* A test of the number of elements: `number` of them at most; NULL: less than the largest power of two up to
 * the ranks, which the logarithms say, rounded down. */
static int test_count(struct importing *importing, const char *number, struct test *ret_test)
{
    struct ct_feature_set *features = &importing->builder.tree.features;
    const size_t element = ct_collectives[importing->collective].reduces ? ELEMENT_OF_REDUCTION : 1;
    const char *bytes = counts_all(importing->collective) ? "total_bytes" : "msg_bytes";
    char definition[100];
    size_t most = 0;
    if (number) {
        ret_test->kind = AT_MOST;
        if (ct_whole_parse(number, INT_MAX, &most) != CT_OK)
            return CT_E_INPUT;
        ret_test->threshold = most * element + element - 1;
        return ct_feature_find(features, bytes, importing->error, &ret_test->feature);
    }
    ret_test->kind = ABOVE;
    ret_test->threshold = 0;
    if (ct_feature_find(features, "lacking", NULL, &ret_test->feature) == CT_OK)
        return CT_OK;
    snprintf(definition, sizeof definition, "lacking=log2(comm_size)-log2(%s/%zu)", bytes, element);
    return ct_feature_define(features, definition, importing->error, &ret_test->feature);
}

/* A test of the table; false if the key is none. `of_communicator`: so far all tests were of the
 * communicator; see ct_mpich_is_of_communicator(). */
static bool find_in_table(const char *key, bool of_communicator, struct test *ret_test,
                          const char **ret_feature)
{
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        const size_t length = strlen(tests[i].key);
        size_t number = tests[i].threshold;
        if (strncmp(tests[i].key, key, length) != 0 ||
            (tests[i].numbered ? ct_whole_parse(key + length, INT_MAX, &number) != CT_OK
                               : key[length] != '\0'))
            continue;
        const bool below = tests[i].below && (of_communicator || strcmp(tests[i].feature, "comm_size") != 0);
        ret_test->kind = tests[i].above ? ABOVE : below && number == 0 ? NEVER : AT_MOST;
        ret_test->threshold = below && number > 0 ? number - 1 : number;
        *ret_feature = tests[i].feature;
        return true;
    }
    return false;
}

static int find_test(struct importing *importing, const char *key, bool of_communicator,
                     struct test *ret_test)
{
    const char *feature = NULL;
    for (size_t i = 0; i < sizeof settled / sizeof settled[0]; i++)
        if (strcmp(settled[i].key, key) == 0) {
            *ret_test = (struct test){.kind = settled[i].holds ? ALWAYS : NEVER};
            return CT_OK;
        }
    if (strcmp(key, "count<pow2") == 0)
        return test_count(importing, NULL, ret_test);
    if (strncmp(key, "count<=", strlen("count<=")) == 0)
        return test_count(importing, key + strlen("count<="), ret_test);
    if (!find_in_table(key, of_communicator, ret_test, &feature))
        return ct_fail(importing->error, CT_E_INPUT, "\"%.40s\" is none of MPICH's tests", key);
    return ct_feature_find(&importing->builder.tree.features, feature, importing->error, &ret_test->feature);
}

/* What tests above say about it. */
static void settle(const struct importing *importing, struct test *test)
{
    const struct ct_tree_builder *builder = &importing->builder;
    if (test->kind != AT_MOST && test->kind != ABOVE)
        return;
    const bool is_above = test->kind == ABOVE;
    if (test->threshold >= builder->most[test->feature] ||
        test->threshold >= ct_feature_most(&builder->tree.features, test->feature))
        test->kind = is_above ? NEVER : ALWAYS;
    else if (test->threshold < builder->least[test->feature])
        test->kind = is_above ? ALWAYS : NEVER;
}

/* --- trees --- */

static int add_leaf(struct importing *importing, const char *algorithm)
{
    static const char before[] = "_intra_";
    const char *name = strstr(algorithm, before);
    const struct ct_mapping *row;
    struct ct_method method;
    const bool known = name && ct_mapping_method(&ct_mpich_mapping, RELEASE, importing->collective,
                                                 name + strlen(before), &method, &row);
    importing->unknown += !known;
    if (!known)
        method = importing->native;
    return ct_tree_builder_leaf(&importing->builder, &method,
                                ct_method_constraints(&method) ? &importing->native : NULL, importing->error);
}

/* The tests of an object from this one on. Objects are nested at most 30 deep, and a list is no longer than
 * its tests in the file. */
static int add_tests(struct importing *importing, struct lh_entry *entry, bool of_communicator)
{
    static const char algorithm[] = "algorithm=";
    for (;; entry = lh_entry_next(entry)) {
        const char *key = lh_entry_k(entry);
        struct test test;
        if (strncmp(key, algorithm, strlen(algorithm)) == 0)
            return add_leaf(importing, key + strlen(algorithm));
        of_communicator = of_communicator && ct_mpich_is_of_communicator(key);
        int status = find_test(importing, key, of_communicator, &test);
        if (status != CT_OK)
            return status;
        settle(importing, &test);
        struct lh_entry *next = lh_entry_next(entry),
                        *inside =
                            lh_table_head(json_object_get_object((struct json_object *)lh_entry_v(entry)));
        if (test.kind == ALWAYS || !next) /* a test of the last ones holds */
            return add_tests(importing, inside, of_communicator);
        if (test.kind == NEVER)
            continue;
        struct lh_entry *const branches[] = {test.kind == AT_MOST ? inside : next,
                                             test.kind == AT_MOST ? next : inside};
        status = ct_tree_builder_split(&importing->builder, test.feature, test.threshold, importing->error);
        for (int i = 0; status == CT_OK && i < 2; i++)
            status = add_tests(importing, branches[i], of_communicator);
        return status;
    }
}

static int import_collective(struct importing *importing, struct json_object *selections,
                             struct ct_decision_tree *ret_tree)
{
    ct_tree_builder_begin(&importing->builder, importing->collective);
    int status = ct_method_parse("native", importing->collective, importing->error, &importing->native);
    if (status == CT_OK)
        status = add_tests(importing, lh_table_head(json_object_get_object(selections)), true);
    if (status == CT_OK)
        status = ct_tree_builder_finish(&importing->builder, importing->error, ret_tree);
    ct_tree_builder_free(&importing->builder);
    return status;
}

int ct_mpich_import(struct json_object *file, const char *name, struct ct_error *error,
                    struct ct_imported_trees *ret_trees)
{
    struct ct_imported_trees trees = {.count = 0};
    int status = CT_OK;
    for (int c = 0; status == CT_OK && c < CT_DENSE_COLLECTIVES; c++) {
        struct importing importing = {.collective = (enum ct_collective)c, .error = error};
        char key[CT_JSON_KEY_TEXT], place[2 * CT_JSON_KEY_TEXT];
        snprintf(key, sizeof key, "collective=%s", ct_collectives[c].name);
        status = import_collective(&importing, json_object_object_get(file, key), &trees.trees[trees.count]);
        trees.count += status == CT_OK;
        trees.unknown += importing.unknown;
        snprintf(place, sizeof place, "%.100s: %s", name, ct_collectives[c].name);
        if (status == CT_E_MEMORY)
            ct_fail(error, status, "%s: out of memory", place);
        else if (status != CT_OK)
            ct_fail_in(error, status, place);
    }
    if (status == CT_OK)
        *ret_trees = trees;
    else
        ct_imported_trees_free(&trees);
    return status;
}
