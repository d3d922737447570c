/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/file_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* What names say, whatever the source said before. */
static void test_facts(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *path, *methods, *method;
        enum ct_collective collective;
        struct ct_cell_key key;
    } cases[] = {
        {NULL, "a/bcast_chain_8.csv", NULL, "linear", CT_COLLECTIVE_REDUCE, {.comm_size = 2}},
        {"bcast_{method}_{comm_size}.csv",
         "a/bcast_chain_8.csv",
         NULL,
         "chain",
         CT_COLLECTIVE_REDUCE,
         {.comm_size = 8}},
        /* fields hold what parts them, too */
        {"{collective}_{method}_{comm_size}.csv",
         "bcast_split_binary_16.csv",
         NULL,
         "split_binary",
         CT_COLLECTIVE_BCAST,
         {.comm_size = 16}},
        {"{collective}_{method}.csv",
         "reduce_scatter_ring.csv",
         NULL,
         "ring",
         CT_COLLECTIVE_REDUCE_SCATTER,
         {.comm_size = 2}},
        /* folders, anything, words for methods */
        {"{by}/{comm_size}x{ppn}/*-a{method}-2024*.txt",
         "/data/socket/32x8/osu-a6-2024-1.txt",
         "6=binomial:seg=8K",
         "binomial:seg=8K",
         CT_COLLECTIVE_REDUCE,
         {.comm_size = 32, .ppn = 8, .by = CT_MAPPED_BY_SOCKET}},
        {"*{nodes}nodes", "run-12nodes", NULL, "linear", CT_COLLECTIVE_REDUCE, {.comm_size = 2, .nodes = 2}},
        {"{method}", "chain:seg=8K", NULL, "chain:seg=8K", CT_COLLECTIVE_REDUCE, {.comm_size = 2}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct ct_import_source source = {.path = cases[i].path,
                                                .pattern = cases[i].pattern,
                                                .methods = cases[i].methods,
                                                .method = "linear",
                                                .collective = CT_COLLECTIVE_REDUCE,
                                                .key = {.comm_size = 2}};
        struct ct_import_name name;
        struct ct_error error = {""};
        if (ct_import_name_read(&source, false, false, &error, &name) != CT_OK)
            fail_msg("case %zu: %s", i, error.text);
        assert_string_equal(name.source.method, cases[i].method);
        assert_int_equal(name.source.collective, cases[i].collective);
        assert_int_equal(ct_cell_key_compare(&name.source.key, &cases[i].key), 0);
        assert_ptr_equal(name.source.path, cases[i].path);
    }
}

static void test_flaws(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *path, *methods, *words;
        bool has_collective;
    } flaws[] = {
        {"bcast_{method}.csv", "reduce_chain.csv", NULL, "reduce_chain.csv: its name does not match"},
        {"{comm_size}.csv", "8x.csv", NULL, "does not match"},
        {"{comm_size}.csv", ".csv", NULL, "does not match"},
        {"{by}/{comm_size}.csv", "8.csv", NULL, "does not match"},
        {"{method}.csv", "a/.csv", NULL, "does not match"},
        {"{comm_size}.csv", "0.csv", NULL, "its name has comm_size=0: expected a whole number from 1"},
        {"{ppn}.csv", "99999999999.csv", NULL, "ppn=99999999999"},
        {"{by}.csv", "cache.csv", NULL, "by=cache: expected core, socket or node"},
        {"{collective}.csv", "bcst.csv", NULL, "does not match"},
        {"{collective}.txt", "bcast.txt", NULL, "expected * in the place of {collective}", true},
        {"{method}.csv", "7.csv", "6=binomial", "the method '7', which is not in --methods"},
        {"{ranks}.csv", "7.csv", NULL, "--file-name '{ranks}.csv': expected {collective}, {method}"},
        {"{ppn}{ppn}.csv", "7.csv", NULL, "expected each field once"},
        {"{ppn.csv", "7.csv", NULL, "expected a } behind the {"},
        {"*********", "7.csv", NULL, "too many fields"},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        const struct ct_import_source source = {.path = flaws[i].path,
                                                .pattern = flaws[i].pattern,
                                                .methods = flaws[i].methods,
                                                .collective = CT_COLLECTIVES};
        struct ct_import_name name;
        struct ct_error error = {""};
        int status = ct_import_name_read(&source, flaws[i].has_collective, false, &error, &name);
        if (status != CT_E_INPUT || !strstr(error.text, flaws[i].words))
            fail_msg("flaw %zu: expected '%s', got %d: '%s'", i, flaws[i].words, status, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_facts), cmocka_unit_test(test_flaws)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
