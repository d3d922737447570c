/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/validation.h"
#include "tests/report/validation_form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER                                                                                               \
    "collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds,"                                    \
    "speed_up_low,speed_up_high,mode\n"
#define OVERLAPS                                                                                             \
    "collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds,"                                    \
    "speed_up_low,speed_up_high,mode,computation,tuned_completion,tuned_in_mpi,tuned_hidden,"                \
    "native_completion,native_in_mpi,native_hidden\n"

#define ROOTS                                                                                                \
    "collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds,"                                    \
    "speed_up_low,speed_up_high,mode,root\n"
#define PATTERNS                                                                                             \
    "collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds,"                                    \
    "speed_up_low,speed_up_high,mode,pattern\n"
#define PATTERNS_AND_OVERLAPS                                                                                \
    "collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds,"                                    \
    "speed_up_low,speed_up_high,mode,computation,tuned_completion,tuned_in_mpi,tuned_hidden,"                \
    "native_completion,native_in_mpi,native_hidden,pattern\n"

static void reads_and_sorts(void **state)
{
    (void)state;
    const char *text = HEADER "bcast,8,1024,\"chain:seg=8K,radix=4\",1.5e-4,0.003,19,21,blocking\n"
                              "barrier,4,0,dissemination,2e-6,1e-3,500,500,blocking\n"
                              "bcast,4,8,native,1,2,2,2.5,blocking\n";
    struct ct_validation validation;
    struct ct_error error = {""};
    assert_int_equal(ct_validation_parse(text, strlen(text), "v.csv", &error, &validation), CT_OK);
    assert_int_equal(validation.count, 3);
    assert_int_equal(validation.points[0].collective, CT_COLLECTIVE_BARRIER);
    assert_int_equal(validation.points[1].key.comm_size, 4);
    assert_true(validation.points[1].native == 2.0);
    assert_true(validation.points[1].low == 2.0 && validation.points[1].high == 2.5);
    char method[CT_METHOD_TEXT];
    assert_string_equal(ct_method_format(&validation.points[2].method, true, method),
                        "bcast/chain:seg=8K,radix=4");
    assert_true(validation.points[2].tuned == 1.5e-4);
    ct_validation_free(&validation);
}

/* What is written is read again. The points of a mode are those of it alone. */
static void modes_are_told_apart(void **state)
{
    (void)state;
    const char *text = OVERLAPS "bcast,8,1024,\"linear\",2,4,1.5,2.5,persistent,8,9,1,0.875,10,3,0.25\n"
                                "bcast,8,1024,\"native\",1,1,1,1,blocking,,,,,,,\n"
                                "barrier,8,0,\"linear\",2,4,2,2,persistent,8,9,1,0,10,3,1\n";
    struct ct_validation validation;
    struct ct_error error = {""};
    if (ct_validation_parse(text, strlen(text), "v.csv", &error, &validation) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(ct_validation_modes(&validation), 1U << CT_MODE_BLOCKING | 1U << CT_MODE_PERSISTENT);
    const struct ct_validation blocking = ct_validation_of_mode(&validation, CT_MODE_BLOCKING),
                               persistent = ct_validation_of_mode(&validation, CT_MODE_PERSISTENT);
    assert_int_equal(blocking.count, 1);
    assert_true(blocking.points[0].tuned_overlap.computation == 0);
    assert_int_equal(ct_validation_of_mode(&validation, CT_MODE_NONBLOCKING).count, 0);
    assert_int_equal(persistent.count, 2);
    assert_int_equal(persistent.points[0].collective, CT_COLLECTIVE_BARRIER);
    const struct ct_validation_point *bcast = &persistent.points[1];
    assert_true(bcast->tuned_overlap.completion == 9 && bcast->tuned_overlap.hidden == 0.875);
    assert_true(bcast->native_overlap.in_mpi == 3 && bcast->native_overlap.computation == 8);
    struct ct_text again = {0};
    const struct ct_validation_form form = form_of(&validation);
    ct_text_append(&again, "%s\n", ct_validation_header(form));
    ct_validation_append(bcast, "linear", form, &again);
    ct_validation_append(&blocking.points[0], "native", form, &again);
    ct_validation_append(&persistent.points[0], "linear", form, &again);
    assert_string_equal(again.data, text);
    ct_text_free(&again);
    ct_validation_free(&validation);
}

/* Points of one sparse collective with different patterns are different ones. What is written is read again,
 * with and without overlaps. */
static void patterns_are_told_apart(void **state)
{
    (void)state;
    const char *text = PATTERNS "neighbor_alltoall,8,8,\"linear\",2,4,2,2,blocking,\"moore:d=1,r=1\"\n"
                                "neighbor_alltoall,4,8,\"linear\",2,4,2,2,blocking,\"random:density=0.5\"\n"
                                "neighbor_alltoall,8,8,\"grid:dims=3\",2,1,0.5,0.5,blocking,"
                                "\"random:density=0.5\"\n"
                                "bcast,8,8,\"linear\",2,4,2,2,blocking,\n";
    struct ct_validation validation;
    struct ct_error error = {""};
    if (ct_validation_parse(text, strlen(text), "v.csv", &error, &validation) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(validation.count, 4);
    assert_null(validation.points[0].pattern);
    assert_string_equal(validation.points[1].pattern, "moore:d=1,r=1");
    assert_int_equal(validation.points[1].key.pattern, ct_pattern_id("moore:d=1,r=1"));
    assert_string_equal(validation.points[2].pattern, "random:density=0.5");
    assert_int_equal(validation.points[2].key.comm_size, 4);
    assert_ptr_equal(validation.points[3].pattern, validation.points[2].pattern);
    const struct ct_validation_form form = form_of(&validation);
    assert_true(form.patterns && !form.overlaps);
    struct ct_text again = {0};
    char method[CT_METHOD_TEXT];
    ct_text_append(&again, "%s\n", ct_validation_header(form));
    for (size_t i = 0; i < validation.count; i++) {
        const struct ct_validation_point *point = &validation.points[(i + 1) % validation.count];
        ct_validation_append(point, ct_method_format(&point->method, false, method), form, &again);
    }
    assert_string_equal(again.data, text);
    ct_text_free(&again);
    ct_validation_free(&validation);

    text = PATTERNS_AND_OVERLAPS
        "neighbor_alltoall,8,8,\"linear\",2,4,1.5,2.5,persistent,8,9,1,0.5,10,3,0.25,\"edges:0>1 \"\"\"\n";
    if (ct_validation_parse(text, strlen(text), "v.csv", &error, &validation) != CT_OK)
        fail_msg("%s", error.text);
    assert_string_equal(validation.points[0].pattern, "edges:0>1 \"");
    assert_true(validation.points[0].native_overlap.hidden == 0.25);
    struct ct_text both = {0};
    ct_text_append(&both, "%s\n", ct_validation_header(form_of(&validation)));
    ct_validation_append(&validation.points[0], "linear", form_of(&validation), &both);
    assert_string_equal(both.data, text);
    ct_text_free(&both);
    ct_validation_free(&validation);
}

/* Points with different roots are different ones; a file has roots only where one is not 0. */
static void roots_are_told_apart(void **state)
{
    (void)state;
    const char *text = ROOTS "bcast,8,8,\"linear\",2,4,2,2,blocking,0\n"
                             "bcast,4,8,\"linear\",2,4,2,2,blocking,3\n"
                             "bcast,8,8,\"linear\",2,4,2,2,blocking,3\n"
                             "allreduce,8,8,\"ring\",2,4,2,2,blocking,\n";
    struct ct_validation validation;
    struct ct_error error = {""};
    if (ct_validation_parse(text, strlen(text), "v.csv", &error, &validation) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(validation.count, 4);
    assert_int_equal(validation.points[0].key.root, 0);
    assert_int_equal(validation.points[1].key.comm_size, 4);
    assert_int_equal(validation.points[1].key.root, 3);
    const struct ct_validation_form form = form_of(&validation);
    assert_true(form.roots && !form.patterns && !form.overlaps);
    struct ct_text again = {0};
    ct_text_append(&again, "%s\n", ct_validation_header(form));
    for (size_t i = 0; i < validation.count; i++)
        ct_validation_append(&validation.points[i], i < 3 ? "linear" : "ring", form, &again);
    assert_string_equal(again.data, text);
    ct_text_free(&again);
    validation.count = 1;
    assert_false(form_of(&validation).roots);
    ct_validation_free(&validation);
}

static void assert_named(const struct ct_validation_point *point, const char *name, const char *remark)
{
    struct ct_text text = {0};
    ct_validation_name(point, &text);
    assert_false(text.failed);
    assert_string_equal(text.data, name);
    assert_string_equal(ct_validation_remark(point), remark);
    ct_text_free(&text);
}

static void points_have_names(void **state)
{
    (void)state;
    const char *text = PATTERNS "barrier,2,0,native,2,1.6,0.7,0.9,blocking,\n"
                                "scatter,4,8192,linear,2,1.6,0.7,0.9,blocking,\n"
                                "neighbor_alltoall,4,8,linear,2,1.6,0.7,0.9,blocking,\"moore:d=1,r=1\"\n";
    struct ct_validation validation;
    struct ct_error error = {""};
    assert_int_equal(ct_validation_parse(text, strlen(text), "v.csv", &error, &validation), CT_OK);
    assert_named(&validation.points[0], "barrier on 2 ranks", " (native through the library)");
    assert_named(&validation.points[1], "scatter of 8K bytes on 4 ranks", "");
    assert_named(&validation.points[2], "neighbor_alltoall of 8 bytes on 4 ranks with moore:d=1,r=1", "");
    ct_validation_free(&validation);
}

/* The whole interval must be below the limit; what may be noise does not count. */
static void slower_points_come_slowest_first(void **state)
{
    (void)state;
    const char *text = HEADER "bcast,2,8,native,2,1.6,0.7,0.9,blocking\n"
                              "bcast,2,16,native,2,1,0.4,1.1,blocking\n"
                              "bcast,2,32,native,2,1,0.4,0.6,blocking\n"
                              "bcast,2,64,native,2,3,1.4,1.6,blocking\n";
    struct ct_validation validation;
    struct ct_error error = {""};
    const struct ct_validation_point **slower;
    size_t count;
    assert_int_equal(ct_validation_parse(text, strlen(text), "v.csv", &error, &validation), CT_OK);
    assert_int_equal(ct_validation_slower(&validation, &slower, &count), CT_OK);
    assert_int_equal(count, 2);
    assert_int_equal(slower[0]->key.msg_bytes, 32);
    assert_int_equal(slower[1]->key.msg_bytes, 8);
    assert_true(ct_validation_speed_up(slower[0]) == 0.5);
    free(slower);
    ct_validation_free(&validation);
}

/* Each is wrong in one way; the error names the place and says what was expected. */
static const struct {
    const char *text;
    const char *place;
    const char *says;
} broken[] = {
    {"", "v.csv:1:", "header"},
    {"collective,comm_size\n", "v.csv:1:", "header"},
    {HEADER, "v.csv:1:", "no points"},
    {HEADER "bcast,8,1024,binomial,1e-4,blocking\n", "v.csv:2:", "6 fields: expected 9"},
    {HEADER "bcast,8,1024,binomial,1e-4,1e-3,7,blocking\n", "v.csv:2:", "8 fields: expected 9"},
    {HEADER "bcast,8,1024,chain:seg=8K,radix=4,1e-4,1e-3,9,11,blocking\n", "v.csv:2:", "10 fields"},
    {HEADER "bcast,8,1,native,1,1,1,1,blocking\n\nbcast,4,1,native,1,1,1,1,blocking\n",
     "v.csv:3:", "an empty line"},
    {HEADER "bcast,8,1,native,1,1,1,1,blocking\nbcast,4,1,nat", "v.csv:3:", "no end"},
    {HEADER "bcast,8,1,\"native,1,1,blocking\n", "v.csv:2:", "does not end in this line"},
    {HEADER "bcast,8,1,na\"tive,1,1,blocking\n", "v.csv:2:", "quotation mark"},
    {HEADER "broadcast,8,1,native,1,1,blocking\n", "v.csv:2:", "collective"},
    {HEADER "bcast,0,1,native,1,1,1,1,blocking\n", "v.csv:2:", "comm_size"},
    {HEADER "bcast,-1,1,native,1,1,1,1,blocking\n", "v.csv:2:", "comm_size"},
    {HEADER "bcast,99999999999999999999999,1,native,1,1,1,1,blocking\n", "v.csv:2:", "comm_size"},
    {HEADER "bcast,8,1K,native,1,1,1,1,blocking\n", "v.csv:2:", "msg_bytes"},
    {HEADER "bcast,8,,native,1,1,1,1,blocking\n", "v.csv:2:", "msg_bytes"},
    {HEADER "barrier,8,4,native,1,1,1,1,blocking\n", "v.csv:2:", "no message size"},
    {HEADER "bcast,8,1,nonsense,1,1,1,1,blocking\n", "v.csv:2:", "nonsense"},
    {HEADER "bcast,8,1,reduce/binomial,1,1,1,1,blocking\n", "v.csv:2:", "reduce/binomial"},
    {HEADER "bcast,8,1,native,0,1,1,1,blocking\n", "v.csv:2:", "tuned_seconds"},
    {HEADER "bcast,8,1,native,-1,1,1,1,blocking\n", "v.csv:2:", "tuned_seconds"},
    {HEADER "bcast,8,1,native,nan,1,1,1,blocking\n", "v.csv:2:", "tuned_seconds"},
    {HEADER "bcast,8,1,native,1,inf,1,1,blocking\n", "v.csv:2:", "native_seconds"},
    {HEADER "bcast,8,1,native,1,1e999,1,1,blocking\n", "v.csv:2:", "native_seconds"},
    {HEADER "bcast,8,1,native,1,0x1,1,1,blocking\n", "v.csv:2:", "native_seconds"},
    {HEADER "bcast,8,1,native,1, 1,1,1,blocking\n", "v.csv:2:", "native_seconds"},
    {HEADER "bcast,8,1,native,1,1,1,1,blocking\nbcast,8,1,binomial,1,1,1,1,blocking\n", "v.csv:", "twice"},
    {HEADER "bcast,8,1,native,1,1,1,1,\n", "v.csv:2:", "mode"},
    {HEADER "bcast,8,1,native,1,1,1,1,sometimes\n", "v.csv:2:", "mode"},
    {ROOTS "bcast,8,1,native,1,1,1,1,blocking,8\n", "v.csv:2:", "root"},
    {ROOTS "bcast,8,1,native,1,1,1,1,blocking,\n", "v.csv:2:", "root"},
    {ROOTS "allreduce,8,8,native,1,1,1,1,blocking,0\n", "v.csv:2:", "expected nothing for allreduce"},
    {ROOTS "bcast,8,1,native,1,1,1,1,blocking,7\nbcast,8,1,native,1,1,1,1,blocking,7\n",
     "v.csv:", "8 ranks, root 7, and 1 byte occurs twice"},
    {HEADER "bcast,8,1,native,1,1,1,1,persistent\n", "v.csv:2:", "no columns for overlaps"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,persistent\n", "v.csv:2:", "9 fields: expected 16"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,blocking,1,,,,,,\n", "v.csv:2:", "computation"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,blocking,,,,,,,0\n", "v.csv:2:", "native_hidden"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,persistent,,,,,,,\n", "v.csv:2:", "computation"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,persistent,1,0,1,0,1,1,0\n", "v.csv:2:", "tuned_completion"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,persistent,1,1,1,0,1,inf,0\n", "v.csv:2:", "native_in_mpi"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,persistent,1,1,1,-0.1,1,1,0\n", "v.csv:2:", "tuned_hidden"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,persistent,1,1,1,0,1,1,1.1\n", "v.csv:2:", "native_hidden"},
    {OVERLAPS "bcast,8,1,native,1,1,1,1,persistent,1,1,1,0,1,1,1\n"
              "bcast,8,1,native,1,1,1,1,persistent,1,1,1,0,1,1,1\n",
     "v.csv:", "persistent bcast with 8 ranks and 1 byte occurs twice"},
    {HEADER "bcast,8,1,native,1,1,1,1\r\n", "v.csv:2:", "carriage return"},
    {HEADER "neighbor_alltoall,8,1,native,1,1,1,1,blocking\n", "v.csv:2:", "a column for its pattern"},
    {PATTERNS "neighbor_alltoall,8,1,native,1,1,1,1,blocking,\n", "v.csv:2:", "expected a pattern"},
    {PATTERNS "bcast,8,1,native,1,1,1,1,blocking,moore\n", "v.csv:2:", "'moore': expected nothing for bcast"},
    {PATTERNS "neighbor_alltoall,8,1,native,1,1,1,1,blocking\n", "v.csv:2:", "9 fields: expected 10"},
    {PATTERNS "neighbor_alltoall,8,1,native,1,1,1,1,blocking,a\n"
              "neighbor_alltoall,8,1,linear,1,1,1,1,blocking,a\n",
     "v.csv:", "neighbor_alltoall, a with 8 ranks and 1 byte occurs twice"},
};

static void refuses_what_is_wrong(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct ct_validation validation = {.count = 77};
        struct ct_error error = {""};
        int status =
            ct_validation_parse(broken[i].text, strlen(broken[i].text), "v.csv", &error, &validation);
        if (status != CT_E_INPUT || !strstr(error.text, broken[i].says) ||
            strncmp(error.text, broken[i].place, strlen(broken[i].place)) != 0 || strchr(error.text, '\n'))
            fail_msg("case %zu gives %d and says: %s", i, status, error.text);
        assert_int_equal(validation.count, 77);
    }
}

static void refuses_long_fields(void **state)
{
    (void)state;
    char text[1000] = HEADER "bcast,8,1,";
    memset(text + strlen(text), 'x', 400);
    strcat(text, ",1,1,1,1,blocking\n");
    struct ct_validation validation;
    struct ct_error error = {""};
    assert_int_equal(ct_validation_parse(text, strlen(text), "v.csv", &error, &validation), CT_E_INPUT);
    assert_non_null(strstr(error.text, "v.csv:2: '"));
}

static void names_a_file_that_is_missing(void **state)
{
    (void)state;
    struct ct_validation validation;
    struct ct_error error = {""};
    assert_int_equal(ct_validation_read("/nonexistent/v.csv", &error, &validation), CT_E_SYSTEM);
    assert_non_null(strstr(error.text, "/nonexistent/v.csv"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_and_sorts),
        cmocka_unit_test(modes_are_told_apart),
        cmocka_unit_test(patterns_are_told_apart),
        cmocka_unit_test(roots_are_told_apart),
        cmocka_unit_test(points_have_names),
        cmocka_unit_test(slower_points_come_slowest_first),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(refuses_long_fields),
        cmocka_unit_test(names_a_file_that_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
