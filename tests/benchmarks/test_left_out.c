/* SPDX-License-Identifier: BSD-3-Clause */
/* The best of ours, chosen on other launches than the one that scores it. */
#include "base/file.h"
#include "samples/run_folder.h"
#include "tests/benchmarks/left_out.h"
#include "tests/samples/run_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Two launches on 2 ranks: bcast of one byte, where each of our two is the best of one launch; of 1M, where
 * one of ours is wrong once and native is missing once; and a barrier. */
static const char rows[] = "0,barrier,native,1,2,2,0,0,,,0,4,ok\n"
                           "0,barrier,dissemination,1,2,2,0,0,,,0,1,ok\n"
                           "0,barrier,,1,2,2,,0,,,,,commit\n"
                           "0,bcast,native,1,2,2,0,1,byte,,0,10,ok\n"
                           "0,bcast,native,1,2,2,0,1,byte,,1,10,ok\n"
                           "0,bcast,binomial:seg=8K,1,2,2,0,1,byte,,0,4,ok\n"
                           "0,bcast,binomial:seg=8K,1,2,2,0,1,byte,,1,6,ok\n"
                           "0,bcast,\"chain:seg=1K,radix=4\",1,2,2,0,1,byte,,0,8,ok\n"
                           "0,bcast,,1,2,2,,1,,,,,commit\n"
                           "0,bcast,native,1,2,2,0,1048576,byte,,0,10,ok\n"
                           "0,bcast,binomial:seg=8K,1,2,2,0,1048576,byte,,0,,wrong\n"
                           "0,bcast,\"chain:seg=1K,radix=4\",1,2,2,0,1048576,byte,,0,20,ok\n"
                           "0,bcast,,1,2,2,,1048576,,,,,commit\n"
                           "0,bcast,native,1,4,4,0,8192,byte,,0,10,ok\n"
                           "0,bcast,,1,4,4,,8192,,,,,commit\n"
                           "1,barrier,native,1,2,2,0,0,,,0,4,ok\n"
                           "1,barrier,dissemination,1,2,2,0,0,,,0,2,ok\n"
                           "1,barrier,,1,2,2,,0,,,,,commit\n"
                           "1,bcast,native,1,2,2,0,1,byte,,0,20,ok\n"
                           "1,bcast,binomial:seg=8K,1,2,2,0,1,byte,,0,60,ok\n"
                           "1,bcast,\"chain:seg=1K,radix=4\",1,2,2,0,1,byte,,0,18,ok\n"
                           "1,bcast,,1,2,2,,1,,,,,commit\n"
                           "1,bcast,binomial:seg=8K,1,2,2,0,1048576,byte,,0,1,ok\n"
                           "1,bcast,\"chain:seg=1K,radix=4\",1,2,2,0,1048576,byte,,0,20,ok\n"
                           "1,bcast,,1,2,2,,1048576,,,,,commit\n";

static struct ct_run run;

static int read_run(void **state)
{
    char *folder = fixture_folder(), *path = fixture_run(folder, rows);
    struct ct_error error = {0};
    int status = ct_run_read(path, false, &error, &run);
    if (status != CT_OK)
        print_message("%s\n", error.text);
    ct_remove_all(folder, NULL);
    free(path);
    free(folder);
    (void)state;
    return status;
}

static int free_run(void **state)
{
    (void)state;
    ct_run_free(&run);
    return 0;
}

static size_t find(const char *spelling)
{
    struct ct_method method;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method), CT_OK);
    for (size_t i = 0; i < run.method_count; i++)
        if (ct_method_equal(&run.methods[i], &method))
            return i;
    fail();
    return SIZE_MAX;
}

static void test_sizes_and_medians(void **state)
{
    struct left_out left_out;
    (void)state;
    assert_int_equal(left_out_make(&run, CT_COLLECTIVE_BCAST, 2, &left_out), CT_OK);
    assert_int_equal(left_out.size_count, 2);
    assert_int_equal(left_out.msg_bytes[0], 1);
    assert_int_equal(left_out.msg_bytes[1], 1048576);
    assert_int_equal(left_out.launches, 2);
    assert_int_equal(left_out_native(&left_out), find("bcast/native"));
    assert_float_equal((float)left_out_median(&left_out, 0, 0, find("bcast/binomial:seg=8K")), 5.0F, 1e-6F);
    assert_float_equal((float)left_out_median(&left_out, 0, 1, find("bcast/native")), 20.0F, 1e-6F);
    /* what failed, and what was not measured */
    assert_true(isnan(left_out_median(&left_out, 1, 0, find("bcast/binomial:seg=8K"))));
    assert_true(isnan(left_out_median(&left_out, 1, 1, find("bcast/native"))));
    left_out_free(&left_out);
}

/* The launch that is scored has no say in what is chosen. */
static void test_choice_of_the_others(void **state)
{
    struct left_out left_out;
    (void)state;
    assert_int_equal(left_out_make(&run, CT_COLLECTIVE_BCAST, 2, &left_out), CT_OK);
    assert_int_equal(left_out_best(&left_out, 0, 0), find("bcast/chain:seg=1K,radix=4"));
    assert_float_equal((float)left_out_ratio(&left_out, 0, 0), 0.8F, 1e-6F);
    assert_int_equal(left_out_best(&left_out, 0, 1), find("bcast/binomial:seg=8K"));
    assert_float_equal((float)left_out_ratio(&left_out, 0, 1), 3.0F, 1e-6F);
    /* 0.8 x 0.9 against 0.5 x 3 */
    assert_int_equal(left_out_best(&left_out, 0, SIZE_MAX), find("bcast/chain:seg=1K,radix=4"));
    left_out_free(&left_out);
}

static void test_what_is_missing(void **state)
{
    struct left_out left_out;
    (void)state;
    assert_int_equal(left_out_make(&run, CT_COLLECTIVE_BCAST, 2, &left_out), CT_OK);
    /* native is missing in launch 1, so that it says nothing, and cannot be scored */
    assert_int_equal(left_out_best(&left_out, 1, 0), SIZE_MAX);
    assert_true(isnan(left_out_ratio(&left_out, 1, 0)));
    assert_int_equal(left_out_best(&left_out, 1, 1), find("bcast/chain:seg=1K,radix=4"));
    assert_true(isnan(left_out_ratio(&left_out, 1, 1)));
    left_out_free(&left_out);
    assert_int_equal(left_out_make(&run, CT_COLLECTIVE_SCAN, 2, &left_out), CT_OK);
    assert_int_equal(left_out.size_count, 0);
    left_out_free(&left_out);
}

static void test_without_message_size(void **state)
{
    struct left_out left_out;
    (void)state;
    assert_int_equal(left_out_make(&run, CT_COLLECTIVE_BARRIER, 2, &left_out), CT_OK);
    assert_int_equal(left_out.size_count, 1);
    assert_float_equal((float)left_out_ratio(&left_out, 0, 0), 0.25F, 1e-6F);
    assert_float_equal((float)left_out_ratio(&left_out, 0, 1), 0.5F, 1e-6F);
    left_out_free(&left_out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes_and_medians),
        cmocka_unit_test(test_choice_of_the_others),
        cmocka_unit_test(test_what_is_missing),
        cmocka_unit_test(test_without_message_size),
    };
    return cmocka_run_group_tests(tests, read_run, free_run);
}
