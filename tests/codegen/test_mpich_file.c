/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "codegen/mapping.h"
#include "tests/codegen/mpich_decide.h"
#include "tests/codegen/tuning_tables.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { TABLES = 12, RANKS = 40, NAME_TEXT = 128 };

/* A release's own selections: small ones that look at all that matters, for each collective. */
static struct ct_text base_text(void)
{
    struct ct_text text = {0};
    ct_text_append(&text, "{");
    for (int c = 0; c < CT_COLLECTIVES; c++) {
        const char *name = ct_collectives[c].name;
        ct_text_append(
            &text,
            "\"collective=%s\": {\"comm_type=intra\": {\n"
            "  \"comm_size<8\": {\"algorithm=MPIR_own_small_%s\": {}},\n"
            "  \"comm_size=pow2\": {\"algorithm=MPIR_own_power_%s\": {\"k=4\": {}}},\n"
            "  \"comm_size=any\": {\"comm_hierarchy=parent\": {\"algorithm=MPIR_own_nodes_%s\": {}},\n"
            "                     \"comm_hierarchy=any\": {\"algorithm=MPIR_own_%s\": {}}}},\n"
            "\"comm_type=inter\": {\"algorithm=MPIR_own_inter_%s\": {}}},\n",
            name, name, name, name, name, name);
    }
    ct_text_append(&text, "\"collective=ibcast\": {\"algorithm=MPIR_own_ibcast\": {}}}\n");
    return text;
}

static char *base_file(void)
{
    struct ct_text text = base_text();
    char *folder, *path;
    assert_int_equal(ct_folder_temporary(NULL, &folder), CT_OK);
    assert_non_null(path = ct_format("%s/base.json", folder));
    assert_int_equal(ct_file_create(path, text.data, text.length, NULL), CT_OK);
    ct_text_free(&text);
    free(folder);
    return path;
}

static void remove_file(char *path)
{
    *strrchr(path, '/') = '\0';
    assert_int_equal(ct_remove_all(path, NULL), CT_OK);
    free(path);
}

/* What MPICH counts of a call with our message size; told here anew. */
static void count_bytes(enum ct_collective collective, size_t ranks, size_t bytes, struct ct_mpich_call *call)
{
    call->average_bytes = call->total_bytes = SIZE_MAX;
    if (collective == CT_COLLECTIVE_BCAST || collective == CT_COLLECTIVE_REDUCE ||
        collective == CT_COLLECTIVE_ALLREDUCE || collective == CT_COLLECTIVE_ALLTOALL)
        call->average_bytes = bytes;
    if (collective == CT_COLLECTIVE_ALLGATHER || collective == CT_COLLECTIVE_ALLGATHERV ||
        collective == CT_COLLECTIVE_REDUCE_SCATTER || collective == CT_COLLECTIVE_REDUCE_SCATTER_BLOCK)
        call->total_bytes = bytes * ranks;
    call->elements = bytes / 4;
}

static struct ct_mpich_call random_call(enum ct_collective collective, size_t ranks, size_t bytes,
                                        unsigned *seed)
{
    struct ct_mpich_call call = {
        .collective = ct_collectives[collective].name,
        .comm_size = ranks,
        .has_nodes = random_below(seed, 2),
        .nodes_in_order = random_below(seed, 2),
        .commutative = random_below(seed, 2),
        .built_in = random_below(seed, 2),
        .in_place = random_below(seed, 2),
        .equal_blocks = random_below(seed, 2),
    };
    count_bytes(collective, ranks, bytes, &call);
    return call;
}

static bool all_hold(unsigned needs, const struct ct_mpich_call *call)
{
    bool power = (call->comm_size & (call->comm_size - 1)) == 0;
    size_t largest = 1;
    while (largest * 2 <= call->comm_size)
        largest *= 2;
    return (!(needs & CT_NEED_COMMUTATIVE) || call->commutative) &&
           (!(needs & CT_NEED_BUILT_IN) || call->built_in) &&
           (!(needs & CT_NEED_ELEMENTS) || call->elements >= largest) &&
           (!(needs & CT_NEED_POWER_OF_TWO) || power) && (!(needs & CT_NEED_HIERARCHY) || call->has_nodes) &&
           (!(needs & CT_NEED_SEND_BUFFER) || !call->in_place) &&
           (!(needs & CT_NEED_EQUAL_BLOCKS) || call->equal_blocks);
}

/* The name that should be chosen; that of the base where it is NULL. */
static const char *expected(const struct ct_decision_tree *tree, const struct ct_tree_node *leaf,
                            const struct ct_mpich_call *call, char name[NAME_TEXT])
{
    const size_t candidates[] = {leaf->method, leaf->fallback};
    struct ct_theirs theirs;
    for (size_t i = 0; i < 2; i++) {
        const struct ct_method *method = &tree->methods[candidates[i]];
        if (ct_is_native(method->algorithm))
            return NULL;
        if (!ct_mapping_find(&ct_mpich_mapping, 0, method, &theirs) ||
            (i == 1 && theirs.mapping->needs != 0) || !all_hold(theirs.mapping->needs, call))
            continue;
        snprintf(name, NAME_TEXT, "MPIR_%c%s_intra_%s", toupper((unsigned char)*call->collective),
                 call->collective + 1, theirs.mapping->theirs);
        return name;
    }
    return NULL;
}

/* Counts the calls whose choice is not the base's. */
static size_t check_tree(const struct ct_decision_tree *tree, struct json_object *file,
                         struct json_object *base, unsigned *seed)
{
    size_t size_count, *sizes = sizes_of(tree, &size_count), changed = 0;
    for (size_t p = 1; p < RANKS + 3; p++) {
        for (size_t i = 0; i < size_count; i++) {
            char name[NAME_TEXT];
            struct ct_mpich_call call = random_call(tree->collective, p, sizes[i], seed);
            const char *found = expected(tree, leaf_at(tree, p, sizes[i]), &call, name);
            changed += found != NULL;
            assert_string_equal(ct_mpich_decide(file, &call), found ? found : ct_mpich_decide(base, &call));
            call.intercommunicator = true;
            assert_string_equal(ct_mpich_decide(file, &call), ct_mpich_decide(base, &call));
        }
    }
    free(sizes);
    return changed;
}

/* Of these MPICH tells no sizes apart, or has one algorithm alone. */
static bool is_settled_by_ranks(enum ct_collective collective)
{
    return collective == CT_COLLECTIVE_SCATTER || collective == CT_COLLECTIVE_GATHER ||
           collective == CT_COLLECTIVE_SCAN || collective == CT_COLLECTIVE_EXSCAN ||
           collective == CT_COLLECTIVE_SCATTERV || collective == CT_COLLECTIVE_GATHERV;
}

/* A random table's decisions are those of the file, as MPICH would read it; what it says nothing about stays
 * as the release has it. */
static void test_decides(void **state)
{
    (void)state;
    unsigned seed = 11;
    char *path = base_file();
    const struct ct_generator_options options = {.base = path};
    struct json_object *base;
    assert_int_equal(ct_mpich_base(path, NULL, &base), CT_OK);
    for (int t = 0; t < TABLES; t++) {
        struct ct_table table = random_table(RANKS, &seed);
        struct ct_text text = generated("mpich", &table, &options, NULL);
        struct ct_error error = {""};
        struct json_object *file = NULL;
        size_t changed = 0;
        ct_mpich_read(text.data, text.length, "f", &error, &file);
        assert_string_equal(error.text, "");
        assert_int_not_equal(text.length % 4096, 0);
        for (size_t i = 0; i < table.decisions.tree_count; i++)
            if (!is_settled_by_ranks(table.decisions.trees[i].collective))
                changed += check_tree(&table.decisions.trees[i], file, base, &seed);
        assert_true(changed > 300);
        const struct ct_mpich_call ibcast = {.collective = "ibcast", .comm_size = 5};
        assert_string_equal(ct_mpich_decide(file, &ibcast), "MPIR_own_ibcast");
        json_object_put(file);
        ct_text_free(&text);
        ct_table_free(&table);
    }
    json_object_put(base);
    remove_file(path);
}

/* Beneath a test on the message size `comm_size<8` would be `comm_size<=8`; it is written so that it is not.
 */
static void test_below(void **state)
{
    (void)state;
    char *path = base_file();
    const struct ct_generator_options options = {.base = path};
    struct ct_table table = table_of(
        "colltune-table 2\ncollective bcast\nmsg_bytes <= 100\n  native\n  scatter_allgather_ring\n");
    struct ct_text text = generated("mpich", &table, &options, NULL);
    struct json_object *file;
    assert_int_equal(ct_mpich_read(text.data, text.length, "f", NULL, &file), CT_OK);
    struct ct_mpich_call call = {.collective = "bcast", .comm_size = 8, .average_bytes = 100};
    assert_string_equal(ct_mpich_decide(file, &call), "MPIR_own_power_bcast");
    call.comm_size = 7;
    assert_string_equal(ct_mpich_decide(file, &call), "MPIR_own_small_bcast");
    call.average_bytes = 101;
    assert_string_equal(ct_mpich_decide(file, &call), "MPIR_Bcast_intra_scatter_ring_allgather");
    assert_non_null(strstr(text.data, "\"k=4\": {}"));
    json_object_put(file);
    ct_text_free(&text);
    ct_table_free(&table);
    remove_file(path);
}

/* Settings hold for all sizes; what depends on them is said. */
static void test_settings(void **state)
{
    (void)state;
    struct ct_table table = table_of("colltune-table 2\n"
                                     "collective bcast\nscatter_allgather_ring\n"
                                     "collective allgather\ncomm_size <= 4\n  ring\n  bruck\n"
                                     "collective reduce_scatter\nrecursive_doubling\n");
    struct ct_text notes = {0};
    struct ct_text text = generated("mpich-cvar", &table, &(struct ct_generator_options){0}, &notes);
    assert_non_null(strstr(text.data, "\nexport MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather\n"));
    assert_null(strstr(text.data, "export MPIR_CVAR_ALLGATHER"));
    assert_null(strstr(text.data, "export MPIR_CVAR_REDUCE_SCATTER"));
    assert_non_null(strstr(notes.data, "allgather: a setting holds for all sizes"));
    assert_non_null(strstr(notes.data, "reduce_scatter: MPICH does not check"));
    ct_text_free(&notes);
    ct_text_free(&text);
    ct_table_free(&table);
}

/* The good base with one piece replaced. */
static void assert_refused(const char *piece, const char *by, const char *expected_words)
{
    struct ct_text good = base_text(), bad = {0};
    char *at = strstr(good.data, piece);
    struct ct_error error = {""};
    struct json_object *tree = NULL;
    assert_non_null(at);
    ct_text_append(&bad, "%.*s%s%s", (int)(at - good.data), good.data, by, at + strlen(piece));
    assert_int_equal(ct_mpich_read(bad.data, bad.length, "f", &error, &tree), CT_E_INPUT);
    if (!strstr(error.text, expected_words))
        fail_msg("'%s' does not say '%s'", error.text, expected_words);
    ct_text_free(&good);
    ct_text_free(&bad);
}

static void test_bad_base(void **state)
{
    (void)state;
    assert_refused("}\n", "", "too early");
    assert_refused("collective=scan", "collective=scam", "\"collective=scan\" is missing");
    assert_refused("\"collective=scan", "\"scan", "expected \"collective=...\"");
    assert_refused("comm_size<8", "comm_size>8", "unknown test");
    assert_refused("comm_size<8", "comm_size<8x", "unknown test");
    assert_refused("comm_size<8", "count<=8", "does not know this value");
    assert_refused("\"comm_hierarchy=any\": {\"algorithm=MPIR_own_bcast\": {}}", "\"comm_size<2\": {}",
                   "expected a test or an algorithm");
    assert_refused("comm_hierarchy=any", "comm_hierarchy=parent", "a test is missing that always holds");
    assert_refused("comm_size=pow2", "comm_hierarchy=any", "never reached");
    assert_refused("algorithm=MPIR_own_bcast", "algorithm=memcpy", "expected an algorithm MPIR_");
    assert_refused("{\"algorithm=MPIR_own_bcast\": {}}", "7", "expected an object");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decides),
        cmocka_unit_test(test_below),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_bad_base),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
