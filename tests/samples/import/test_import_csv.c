/* SPDX-License-Identifier: BSD-3-Clause */
#include "samples/import/csv_map.h"
#include "tests/samples/import/import_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MAP    "comm_size=cores,msg_bytes=size,seconds=latency*us,method=algorithm"
#define HEADER "algorithm,cores,size,latency\n"

static const struct ct_import_request request = {.slowest = false};
static const struct ct_import_source plain = {.collective = CT_COLLECTIVE_BCAST,
                                              .map = MAP,
                                              .methods = "0=native,2=chain:seg=8K,radix=4,6=binomial,9=-"};

static void import(const struct ct_import_source *source, const char *text, struct ct_run *ret_run,
                   struct ct_import_summary *ret_summary)
{
    struct ct_error error = {""};
    if (fixture_import("csv", &request, source, text, &error, ret_summary, ret_run) != CT_OK)
        fail_msg("%s", error.text);
}

/* Columns in any order, numbers in any form, columns that nobody asked for, rows twice, and rows left out. */
static void test_good(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_import_summary summary;
    struct ct_import_source source = plain;
    source.map = MAP ",nodes=2";
    import(&source,
           "\xef\xbb\xbf" HEADER "0,4,1.0,5.24\r\n2, 4 ,8K,1e1\n\n\"6\",4,1,7\n9,4,1,1\n6,4,1,21\n6,3,1,2",
           &run, &summary);
    assert_true(fixture_seconds(&run, "bcast/native", 4, 1, 0) == 5.24e-6);
    assert_true(fixture_seconds(&run, "bcast/chain:seg=8K,radix=4", 4, 8192, 0) == 1e-5);
    assert_true(fixture_seconds(&run, "bcast/binomial", 4, 1, 0) == 7e-6);
    assert_true(fixture_seconds(&run, "bcast/binomial", 4, 1, 1) == 21e-6);
    assert_true(fixture_seconds(&run, "bcast/binomial", 3, 1, 0) == 2e-6);
    assert_int_equal(run.sample_count, 5);
    assert_int_equal(run.cell_count, 3);
    assert_int_equal(summary.repeated, 1);
    assert_int_equal(summary.disagreeing, 1);
    assert_true(summary.most_ratio == 21e-6 / 7e-6);
    assert_true(summary.least_seconds == 2e-6);
    for (size_t i = 0; i < run.sample_count; i++) {
        assert_int_equal(run.samples[i].key.nodes, 2);
        assert_int_equal(run.samples[i].key.ppn, 2);
    }
    ct_run_free(&run);
}

/* A column that names the collective, methods as we spell them, launches, roots and factors. */
static void test_columns(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_import_summary summary;
    const struct ct_import_source source = {
        .collective = CT_COLLECTIVES,
        .map = "collective=what,method=how,comm_size=p,launch=job,root=r,msg_bytes=n*8,seconds=t*1e-3"};
    import(
        &source,
        "what,how,p,job,r,n,t\nbcast,\"chain:seg=8K,radix=4\",32,0,31,1,0.5\nbarrier,native,32,2,0,0,0.25\n",
        &run, &summary);
    assert_true(fixture_seconds(&run, "bcast/chain:seg=8K,radix=4", 32, 8, 0) == 0.5 * 1e-3);
    assert_int_equal(run.samples[1].key.root + run.samples[0].key.root, 31);
    assert_int_equal(run.description.launches, 3);
    assert_int_equal(run.description.collective_count, 2);
    ct_run_free(&run);
}

/* Rows are selected by columns that no field names; totals of all ranks become blocks. */
static void test_selected(void **state)
{
    (void)state;
    static const char text[] = "lib,allocation,p,total,us\na,core,4,32,1\na,node,4,32,2\nb,core,4,32,3\n"
                               "b,socket,4,64,4\na,core,4,3,5\n";
    static const struct {
        const char *where;
        size_t count;
        double least;
    } cases[] = {{NULL, 4, 1e-6},
                 {"allocation=core", 2, 1e-6},
                 {"allocation=node,socket", 2, 2e-6},
                 {"allocation=core,socket,lib=b", 2, 3e-6},
                 {"lib=b,allocation=core,node", 1, 3e-6}};
    struct ct_import_source source = {.collective = CT_COLLECTIVE_ALLGATHER,
                                      .map = "comm_size=p,msg_bytes=total/ranks,seconds=us*us"};
    struct ct_error error = {""};
    struct ct_import_summary summary;
    struct ct_run run;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        source.where = cases[i].where;
        assert_int_equal(fixture_import("csv", &request, &source, text, &error, &summary, &run), CT_OK);
        assert_int_equal(run.sample_count, cases[i].count);
        assert_true(summary.least_seconds == cases[i].least);
        assert_int_equal(run.description.msg_sizes[run.description.msg_size_count - 1],
                         cases[i].least > 1.5e-6 && cases[i].count == 2 ? 16
                         : i == 0                                       ? 16
                                                                        : 8);
        ct_run_free(&run);
    }
    static const char *const wrong[][2] = {
        {"core", "--where 'core': expected COLUMN=VALUE"},
        {"where=core", "no column 'where', which --where names: there are lib"},
        {"allocation=elsewhere", "to import: skipped: rows that --where"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        source.where = wrong[i][0];
        assert_int_equal(fixture_import("csv", &request, &source, text, &error, &summary, &run), CT_E_INPUT);
        assert_non_null(strstr(error.text, wrong[i][1]));
    }
}

/* How ranks were mapped: each mapping has its launches and its cells. */
static void test_mapped(void **state)
{
    (void)state;
    struct ct_run run;
    struct ct_import_summary summary;
    const struct ct_import_source source = {.collective = CT_COLLECTIVE_BCAST,
                                            .map = "comm_size=p,msg_bytes=n,seconds=t*us,by=how,launch=job",
                                            .key = {.ppn = 2}};
    import(&source, "how,job,p,n,t\nnode,7,4,1,3\ncore,5,4,1,1\ncore,7,4,1,2\nunknown,0,4,1,4\n", &run,
           &summary);
    assert_int_equal(run.cell_count, 4);
    assert_string_equal(run.description.by, "unknown,core,core,node");
    static const double seconds[] = {4e-6, 1e-6, 2e-6, 3e-6};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(run.samples[i].launch, i);
        assert_true(run.samples[i].seconds == seconds[i]);
        assert_int_equal(run.samples[i].key.by, ct_run_mapping(&run.description, i));
    }
    ct_run_free(&run);

    /* nothing is known: launches keep their numbers */
    import(&(struct ct_import_source){.collective = CT_COLLECTIVE_BCAST,
                                      .map = "comm_size=p,msg_bytes=n,seconds=t*us,launch=job"},
           "how,job,p,n,t\nnode,7,4,1,3\n", &run, &summary);
    assert_null(run.description.by);
    assert_int_equal(run.samples[0].launch, 7);
    ct_run_free(&run);
}

/* Tables as people write them: each has the same samples, of `linear` and `binomial` on 4 and 8 ranks. */
static void test_forms(void **state)
{
    (void)state;
    static const struct {
        const char *map, *text;
    } forms[] = {
        {"comm_size=p,msg_bytes=n,method=m,seconds=t*us",
         "# by hand\n% twice\np;n;m;t\r\n4;1;linear;1,5\r\n# more\n4;1;binomial;2,5\r\n8;1;linear;3\r\n"
         "8;1;binomial;4,0\r\n"},
        {"comm_size=p,msg_bytes=n,method=m,seconds=t*us",
         "p\tn\tm\tt\n4\t1\tlinear\t1.5\n4\t1\tbinomial\t2.5\n4\t1\tchain\t\n8\t1\tlinear\t3\n"
         "8\t1\tbinomial\t4\n"},
        {"comm_size=p,msg_bytes=n,seconds={method}*us",
         "# a tool\n#p   n  linear      binomial\n4    1  1.50(0.10) 2.50(0.20)\n8    1  3.00(1e-1) "
         "4.00(0)\n"},
        {"comm_size=#p,msg_bytes=n,seconds={method}*us",
         "#p,n,linear,binomial\n4,1,1.5 +- 0.1,2.5\n8,1,3,4\n"},
        {"msg_bytes=n,method=m,seconds=np{comm_size}*us",
         "m,n,np4,np8,note\nlinear,1,1.5,3,x\nbinomial,1,2.5,4,y\nchain,1,NA,nan,\n"},
        {"method=#1,comm_size=#2,msg_bytes=1,seconds=#3*us",
         "linear 4 1.5 \nbinomial 4 2.5 \n  linear 8 3\nbinomial 8 4"},
        {"method=#1,comm_size=#2,msg_bytes=1,seconds=#3*us",
         "how,t,t\nlinear,4,1.5\nbinomial,4,2.5\nlinear,8,3\nbinomial,8,4"},
        {"method=m,comm_size=p,msg_bytes=1,seconds=t*us",
         "m,p,t, min, max\nlinear,4,1.5\nbinomial,4,2.5,1\nlinear,8,3,1,2\nbinomial,8,4\n"},
        {"comm_size=p,msg_bytes=n,method=m,seconds=t",
         "p,n,m,t\n4,1 B,linear,1.5 us\n4,1B,binomial,0.0025ms\n8,1,linear,3 \xc2\xb5s\n"
         "8,1 bytes,binomial,4000 ns (10)\n"},
        {"comm_size=p,msg_bytes=n,method=m,seconds=t*us",
         "p;n;m;t\n4;1;linear;1,5 us\n4;1;binomial;2,5\n8;1;linear;3us\n8;1;binomial;4 us\n"},
        {"method=#1,comm_size=#2,msg_bytes=1,seconds=#3",
         "linear 4 1.5us\nbinomial 4 2.5us\nlinear 8 3us\nbinomial 8 4us\n"},
        {"nodes=n,ppn=2,msg_bytes=1,seconds={method}*us", "n linear binomial\n2 1.5 2.5\n4 3 4\n"},
    };
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct ct_import_source source = {.collective = CT_COLLECTIVE_BCAST, .map = forms[i].map};
        struct ct_run run;
        struct ct_import_summary summary;
        import(&source, forms[i].text, &run, &summary);
        assert_int_equal(run.sample_count, 4);
        assert_true(fixture_seconds(&run, "bcast/linear", 4, 1, 0) == 1.5e-6);
        assert_true(fixture_seconds(&run, "bcast/binomial", 4, 1, 0) == 2.5e-6);
        assert_true(fixture_seconds(&run, "bcast/linear", 8, 1, 0) == 3e-6);
        assert_true(fixture_seconds(&run, "bcast/binomial", 8, 1, 0) == 4e-6);
        ct_run_free(&run);
    }
}

/* Sizes with units: K is 1024. */
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *size;
        size_t bytes;
    } sizes[] = {{"4 KiB", 4096},    {"4KB", 4096},       {"4 K", 4096}, {"0.5 KiB", 512},
                 {"2 MiB", 2097152}, {"1 G", 1073741824}, {"3 B", 3}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char text[100];
        struct ct_run run;
        struct ct_import_summary summary;
        snprintf(text, sizeof text, HEADER "6,4,%s,1\n", sizes[i].size);
        import(&plain, text, &run, &summary);
        assert_int_equal(run.samples[0].key.msg_bytes, sizes[i].bytes);
        ct_run_free(&run);
    }
}

static void test_flaws(void **state)
{
    (void)state;
    static const struct {
        const char *map, *methods, *text, *words;
        enum ct_collective collective;
    } flaws[] = {
        /* tables */
        {MAP, NULL, HEADER "native,4,1\n", "given:2: 3 fields: expected 4", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,5,\n", "given:2: 5 fields: expected 4", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,5\n\nnative,4,1,nun\n", "given:4: 'nun' in the column 'latency'",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,\n", "holds nothing to import: skipped: rows without a time (1 time)",
         CT_COLLECTIVE_BCAST},
        {MAP, "native=native,x=-", HEADER "native,4,1,\nx,4,1,2\nx,4,1,3\n",
         "skipped: x was to be left out, and others (3 times)", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,\"1,5\"\n", "given:2: '1,5' in the column 'latency'",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,1(x)\n", "given:2: '1(x)' in the column 'latency'",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,1 ms\n",
         "given:2: '1 ms' in the column 'latency': expected a number, such as 4, 4e0 or 8K, or with the unit "
         "s, ms, us or ns; --map may have no other factor for it",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,1 parsec\n", "given:2: '1 parsec' in", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1 Kbit,1\n",
         "given:2: '1 Kbit' in the column 'size': expected a number, such as 4, 4e0 or 8K, or with the unit "
         "B, "
         "KiB, MiB or GiB",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4 us,1,1\n",
         "given:2: '4 us' in the column 'cores': expected a number, such as 4, 4e0 or 8K",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,us\n", "given:2: 'us' in", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,0\n", "given:2: a time of 0 s", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,-1\n", "given:2: a time of -1e-06 s", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,1e15\n", "is its unit another one?", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,1e-9\n", "is its unit another one?", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4.5,1,1\n", "given:2: comm_size is 4.5: expected a whole number",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,0,1,1\n", "given:2: comm_size is 0", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4e9,1,1\n", "given:2: comm_size is 4e+09", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1e30,1\n", "given:2: msg_bytes is 1e+30", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,-1,1\n", "given:2: msg_bytes is -1", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "\"native,4,1,1\n", "given:2: a quoted field does not end", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "nat\"ive,4,1,1\n", "given:2: misplaced quotation mark", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "nativ,4,1,1\n", "given:2: unknown algorithm 'nativ'", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,1\n", "given:2: 1 byte: expected no message size",
         CT_COLLECTIVE_BARRIER},
        {MAP, NULL, "algorithm,cores,size\n", "given:1: no column 'latency', which the map names",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, "algorithm,cores,size,latency,latency\n", "given:1: the column 'latency' of the map",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER, "holds nothing to import", CT_COLLECTIVE_BCAST},
        {MAP, NULL, "", "holds nothing to import", CT_COLLECTIVE_BCAST},
        {MAP, "0=native", HEADER "1,4,1,1\n", "given:2: the method '1' is not in the list",
         CT_COLLECTIVE_BCAST},
        {MAP ",nodes=1,ppn=3", NULL, HEADER "native,4,1,1\n", "given:2: 1 node with 3 ranks",
         CT_COLLECTIVE_BCAST},
        {MAP ",nodes=8", NULL, HEADER "native,4,1,1\n", "given:2: 8 nodes for 4 ranks", CT_COLLECTIVE_BCAST},
        {MAP ",root=9", NULL, HEADER "native,4,1,1\n", "given:2: root 9: expected at most 3",
         CT_COLLECTIVE_BCAST},
        {"collective=algorithm," MAP, NULL, HEADER "native,4,1,1\n", "unknown collective 'native'",
         CT_COLLECTIVES},
        {MAP ",by=algorithm", NULL, HEADER "native,4,1,1\n",
         "'native' in the column 'algorithm': expected core, socket or node", CT_COLLECTIVE_BCAST},
        {"comm_size=p,msg_bytes=n,seconds={method}*us", NULL, "p n index linear\n4 1 1 2\n",
         "given:2: unknown algorithm 'index'", CT_COLLECTIVE_BCAST},
        {"comm_size=p,msg_bytes=n,seconds=t_{method}*us", NULL, "p n linear\n4 1 2\n",
         "given:1: no column whose name matches 't_{method}'", CT_COLLECTIVE_BCAST},
        {"comm_size=p,msg_bytes=n,seconds={what}*us", NULL, "p n linear\n4 1 2\n",
         "--map seconds= '{what}': expected {collective}", CT_COLLECTIVE_BCAST},
        {"method=p,msg_bytes=n,seconds={method}*us", NULL, "p n linear\n",
         "the map has method both in a column", CT_COLLECTIVE_BCAST},
        {"comm_size=#1,msg_bytes=#2,seconds=#3*us", NULL, "4 x\n", "no column '#3'", CT_COLLECTIVE_BCAST},
        {"comm_size=#1,msg_bytes=#2,seconds=#3*us", NULL, "4 1 2 w\nabc 1 2 w\n", "'abc' in the column '#1'",
         CT_COLLECTIVE_BCAST},
        /* maps */
        {"comm_size=cores", NULL, HEADER, "the map names no seconds", CT_COLLECTIVE_BCAST},
        {"seconds=1", NULL, HEADER, "the same seconds for all rows", CT_COLLECTIVE_BCAST},
        {"seconds=latency*min", NULL, HEADER, "expected behind the * a factor such as 1e-6",
         CT_COLLECTIVE_BCAST},
        {"seconds=latency*-1", NULL, HEADER, "expected behind the *", CT_COLLECTIVE_BCAST},
        {"seconds=latency,msg_bytes=size*us", NULL, HEADER, "expected behind the * a factor",
         CT_COLLECTIVE_BCAST},
        {"seconds=latency,seconds=size", NULL, HEADER, "seconds is given twice", CT_COLLECTIVE_BCAST},
        {"seconds=", NULL, HEADER, "expected a column's name", CT_COLLECTIVE_BCAST},
        {"time=latency", NULL, HEADER, "FIELD being one of collective, method", CT_COLLECTIVE_BCAST},
        {"seconds", NULL, HEADER, "expected FIELD=COLUMN", CT_COLLECTIVE_BCAST},
        {"seconds=latency,,", NULL, HEADER, "empty item", CT_COLLECTIVE_BCAST},
        {"seconds=latency,nodes=1x", NULL, HEADER, "'nodes=1x' in the map: expected a number",
         CT_COLLECTIVE_BCAST},
        {"seconds=latency,comm_size=4", NULL, HEADER "native,4,1,1\n", "the map names no msg_bytes",
         CT_COLLECTIVE_BCAST},
        {"seconds=latency,msg_bytes=size", NULL, HEADER "native,4,1,1\n", "the number of ranks",
         CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER, "expected a collective, as an option or in a column", CT_COLLECTIVES},
        {"collective=size," MAP, NULL, HEADER, "not both", CT_COLLECTIVE_BCAST},
        {NULL, NULL, HEADER, "--map is missing; expected FIELD=COLUMN", CT_COLLECTIVE_BCAST},
        /* cut files */
        {MAP, NULL, HEADER "native,4,1,1.25\nlinear,4,1,2.50\nbinomial,4,1,1.5",
         "given:4: the file ends here", CT_COLLECTIVE_BCAST},
        {MAP, NULL, HEADER "native,4,1,1.25\nlinear,4,1,12.50\nbinomial,4,1,1", "it may be cut",
         CT_COLLECTIVE_BCAST},
        {"seconds=us*us,comm_size=4,msg_bytes=1,method=m", NULL, "m,us,longest\nnative,12.5,13.0\nlinear,1",
         "it may be cut", CT_COLLECTIVE_BCAST},
        /* lists of methods */
        {MAP, "0=native,0=chain", HEADER, "'0' in the list of methods is given twice", CT_COLLECTIVE_BCAST},
        {MAP, "native", HEADER, "expected WORD=METHOD", CT_COLLECTIVE_BCAST},
        {MAP, "0=", HEADER, "expected WORD=METHOD", CT_COLLECTIVE_BCAST},
        {MAP, "0=native,", HEADER, "expected WORD=METHOD", CT_COLLECTIVE_BCAST},
        {MAP, "0=nativ", HEADER, "unknown algorithm 'nativ'", CT_COLLECTIVE_BCAST},
        {MAP, "0=chain:seg=8K,fans=4", HEADER, "unknown algorithm '4'", CT_COLLECTIVE_BCAST},
        {"seconds=latency,comm_size=4,msg_bytes=1", "0=native", HEADER, "where the map names their column",
         CT_COLLECTIVE_BCAST},
    };
    for (size_t i = 0; i < sizeof flaws / sizeof flaws[0]; i++) {
        struct ct_run run;
        struct ct_error error = {""};
        struct ct_import_summary summary;
        const struct ct_import_source source = {
            .map = flaws[i].map, .methods = flaws[i].methods, .collective = flaws[i].collective};
        int status = fixture_import("csv", &request, &source, flaws[i].text, &error, &summary, &run);
        if (status != CT_E_INPUT || !strstr(error.text, flaws[i].words))
            fail_msg("flaw %zu: expected '%s', got %d: '%s'", i, flaws[i].words, status, error.text);
    }
}

/* A table may end without a newline if nothing is missing that the rows before have. */
static void test_end(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEADER "0,4,1,1.25\n6,4,1,2.75",  HEADER "0,4,1,1.25\n2,4,1,1.5\n6,4,1,2.5",
        HEADER "0,4,1,100\n6,4,1,10",     HEADER "6,4,1,1.5",
        HEADER "0,4,1,1.25\n6,4,1,2.5\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct ct_run run;
        struct ct_import_summary summary;
        import(&plain, texts[i], &run, &summary);
        assert_int_equal(run.cell_count, 1);
        ct_run_free(&run);
    }
}

/* A comma goes on with a method's parameters, or begins the next word: what the algorithm knows decides. */
static void test_methods(void **state)
{
    (void)state;
    struct ct_csv_methods methods;
    assert_int_equal(ct_csv_methods_parse("a=bcast/chain:seg=8K,radix=4,seg=linear,5=binary:seg=1K,6=-",
                                          CT_COLLECTIVES, NULL, &methods),
                     CT_OK);
    assert_int_equal(methods.count, 3);
    assert_string_equal(ct_csv_methods_find(&methods, "a"), "bcast/chain:seg=8K,radix=4,seg=linear");
    assert_string_equal(ct_csv_methods_find(&methods, "5"), "binary:seg=1K");
    assert_string_equal(ct_csv_methods_find(&methods, "6"), "-");
    assert_null(ct_csv_methods_find(&methods, "7"));
    ct_csv_methods_free(&methods);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),     cmocka_unit_test(test_columns), cmocka_unit_test(test_mapped),
        cmocka_unit_test(test_selected), cmocka_unit_test(test_flaws),   cmocka_unit_test(test_methods),
        cmocka_unit_test(test_forms),    cmocka_unit_test(test_sizes),   cmocka_unit_test(test_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
