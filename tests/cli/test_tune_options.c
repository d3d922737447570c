/* SPDX-License-Identifier: BSD-3-Clause */
/* That the options of tune are those of its steps: each once, under a key of its own, handed on to all that
 * take it but to none that keeps it. */
#include "cli/tune_options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct argp_option own[] = {{"output", 'o', "DIR", 0, "of tune", 0}, {0}};

static const struct argp_option bakes[] = {{"output", 'o', "RUN", 0, "of bake", 0},
                                           {NULL, 0, NULL, 0, "How hot:", 1},
                                           {"heat", 'h', "N", 0, "degrees of bake", 1},
                                           {"timeout", 0x100, "TIME", 0, "of bake", 1},
                                           {0}};

static const struct argp_option cuts[] = {{"heat", 0x100, "N", 0, "degrees of cut", 0},
                                          {"half", 'h', NULL, 0, "only half", 0},
                                          {"out", 0x101, NULL, 0, "outwards", 0},
                                          {"timeout", 0x102, "TIME", 0, "another of cut", 0},
                                          {0}};

static const struct ct_command bake = {"bake", "", NULL, bakes}, cut = {"cut", "", NULL, cuts};

static const struct ct_tune_step steps[] = {{&bake, NULL, " output ", NULL, {NULL}},
                                            {&cut, "Cutting:", " timeout ", NULL, {NULL}}};

static const struct argp_option *find(const struct argp_option *options, const char *name)
{
    const struct argp_option *found = NULL;
    for (; options->name || options->key || options->doc; options++)
        if (options->name && strcmp(options->name, name) == 0) {
            assert_null(found); /* each once */
            found = options;
        }
    return found;
}

static void an_option_stands_once_as_the_first_has_it(void **state)
{
    (void)state;
    struct argp_option *options;
    assert_int_equal(ct_tune_options_make(own, steps, 2, &options), CT_OK);
    assert_string_equal(find(options, "output")->doc, "of tune");
    assert_string_equal(find(options, "heat")->doc, "degrees of bake");
    assert_string_equal(find(options, "timeout")->doc, "of bake");
    assert_non_null(find(options, "out"));
    free(options);
}

static void keys_are_of_one_option(void **state)
{
    (void)state;
    struct argp_option *options;
    assert_int_equal(ct_tune_options_make(own, steps, 2, &options), CT_OK);
    assert_int_equal(find(options, "heat")->key, 'h');
    assert_int_not_equal(find(options, "half")->key, 'h');
    for (const struct argp_option *option = options; option->name || option->key || option->doc; option++)
        if (option->name)
            assert_ptr_equal(ct_tune_option_find(options, option->key), option);
    assert_null(ct_tune_option_find(options, 'z'));
    free(options);
}

static void headings_stand_before_what_they_head(void **state)
{
    (void)state;
    struct argp_option *options;
    assert_int_equal(ct_tune_options_make(own, steps, 2, &options), CT_OK);
    const struct argp_option *half = find(options, "half");
    assert_null(half[-1].name);
    assert_string_equal(half[-1].doc, "Cutting:");
    assert_int_equal(half[-1].group, half->group);
    assert_true(find(options, "heat")->group < half->group);
    assert_true(find(options, "output")->group < find(options, "heat")->group);
    free(options);
}

static void what_is_kept_is_not_handed_on(void **state)
{
    (void)state;
    assert_true(ct_tune_step_takes(&steps[0], "heat"));
    assert_true(ct_tune_step_takes(&steps[1], "heat"));
    assert_true(ct_tune_step_takes(&steps[0], "timeout"));
    assert_false(ct_tune_step_takes(&steps[1], "timeout"));
    assert_false(ct_tune_step_takes(&steps[0], "output"));
    assert_false(ct_tune_step_takes(&steps[0], "half"));
    /* a part of a name that is kept is another name */
    assert_true(ct_tune_step_takes(&steps[1], "out"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_option_stands_once_as_the_first_has_it),
        cmocka_unit_test(keys_are_of_one_option),
        cmocka_unit_test(headings_stand_before_what_they_head),
        cmocka_unit_test(what_is_kept_is_not_handed_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
