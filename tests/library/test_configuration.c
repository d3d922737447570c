/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/decide/configuration.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What is complained of if the environment has this variable, and the level of COLLTUNE_VERBOSE. */
static int complaint_of(const char *name, const char *value, char ret_complaint[1024])
{
    struct ct_configuration configuration;
    setenv(name, value, 1);
    ct_configuration_read(&configuration);
    const char *words = configuration.complaints.data;
    snprintf(ret_complaint, 1024, "%s", words ? words : "");
    int verbose = configuration.verbose;
    ct_text_free(&configuration.complaints);
    free(configuration.profile);
    unsetenv(name);
    return verbose;
}

static void right_names_are_silent(void **state)
{
    (void)state;
    char complaint[1024];
    static const char *const right[][2] = {{"COLLTUNE_BCAST", "binomial"},
                                           {"COLLTUNE_REDUCE_SCATTER_BLOCK", "native"},
                                           {"COLLTUNE_DISABLE", "1"},
                                           {"COLLTUNE_DISABLE", ""},
                                           {"COLLTUNE_PROFILE", "profile.csv"},
                                           {"COLLTUNE_DATA", "/somewhere"},
                                           {"COLLTUNE_CHECK", "1"},
                                           {"COLLTUNE_TRACE", "1"},
                                           {"COLLTUNE_ADAPT", "1"},
                                           {"COLLTUNE_ADAPT", "2"},
                                           {"COLLTUNE_ADAPT", "1,model"},
                                           {"COLLTUNE_ADAPT", ""},
                                           {"COLLTUNE_WAIT", "spin"},
                                           {"COLLTUNE_NODE", "shared"},
                                           {"COLLTUNE_NODE", "plain"},
                                           {"COLLTUNE_NODE", "mpi"},
                                           {"COLLTUNE_WAIT", "yield"},
                                           {"COLLTUNE_WAIT", ""},
                                           {"COLLTUN", "x"}};
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++) {
        assert_int_equal(complaint_of(right[i][0], right[i][1], complaint), 0);
        assert_string_equal(complaint, "");
    }
    assert_int_equal(complaint_of("COLLTUNE_VERBOSE", "2", complaint), 2);
    assert_string_equal(complaint, "");
}

static void wrong_names_and_values_are_reported(void **state)
{
    (void)state;
    char complaint[1024];
    complaint_of("COLLTUNE_BCASST", "linear", complaint);
    assert_string_equal(complaint,
                        "colltune: COLLTUNE_BCASST is ignored: there is no such variable; did you mean "
                        "COLLTUNE_BCAST?\n");
    complaint_of("COLLTUNE_THE_WEATHER_AND_MORE", "fine", complaint);
    assert_string_equal(complaint,
                        "colltune: COLLTUNE_THE_WEATHER_AND_MORE is ignored: there is no such variable\n");
    assert_int_equal(complaint_of("COLLTUNE_VERBOSE", "3", complaint), 0);
    assert_string_equal(complaint, "colltune: COLLTUNE_VERBOSE is ignored: expected 0, 1 or 2\n");
    complaint_of("COLLTUNE_WAITS", "spin", complaint);
    assert_string_equal(complaint,
                        "colltune: COLLTUNE_WAITS is ignored: there is no such variable; did you mean "
                        "COLLTUNE_WAIT?\n");
    complaint_of("COLLTUNE_NODE", "pigeons", complaint);
    assert_string_equal(complaint, "colltune: COLLTUNE_NODE is ignored: expected shared, plain or mpi\n");
    complaint_of("COLLTUNE_WAIT", "sleep", complaint);
    assert_string_equal(complaint, "colltune: COLLTUNE_WAIT is ignored: expected spin or yield\n");
    complaint_of("COLLTUNE_DISABLE", "yes", complaint);
    assert_string_equal(complaint, "colltune: COLLTUNE_DISABLE is ignored: expected 0 or 1\n");
    static const char *const wrong_adapt[] = {"3", "model", "1,", "1,models", "1 model"};
    for (size_t i = 0; i < sizeof wrong_adapt / sizeof wrong_adapt[0]; i++) {
        complaint_of("COLLTUNE_ADAPT", wrong_adapt[i], complaint);
        assert_string_equal(complaint,
                            "colltune: COLLTUNE_ADAPT is ignored: expected 0, 1, 2, \"1,model\" or "
                            "\"2,model\"\n");
    }
    complaint_of("COLLTUNE_LEARNED", "learned.csv", complaint);
    assert_string_equal(complaint,
                        "colltune: COLLTUNE_LEARNED is ignored: expected COLLTUNE_ADAPT to be set, "
                        "too\n");
    complaint_of("COLLTUNE_BCAST", "splitbin", complaint);
    assert_non_null(strstr(complaint, "colltune: COLLTUNE_BCAST is ignored: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_names_are_silent),
        cmocka_unit_test(wrong_names_and_values_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
