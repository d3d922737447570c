/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/launcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const char *const command[] = {"./a b", "job", NULL};

/* The words of the expansion, each in brackets. */
static void expands(const char *launcher, const char *expected)
{
    char **argv, text[300] = "";
    assert_int_equal(ct_launcher_expand(launcher, 12, command, NULL, &argv), CT_OK);
    for (size_t i = 0, length = 0; argv[i]; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "[%s]", argv[i]);
    assert_string_equal(text, expected);
    ct_launcher_free(argv);
}

static void plain_commands_get_n(void **state)
{
    (void)state;
    expands("mpiexec", "[mpiexec][-n][12][./a b][job]");
    expands("  mpiexec -bind-to  core ", "[mpiexec][-bind-to][core][-n][12][./a b][job]");
}

static void templates_are_filled_in(void **state)
{
    (void)state;
    expands("srun -n {np} {cmd}", "[srun][-n][12][./a b][job]");
    expands("run --ranks={np} -- {cmd} last", "[run][--ranks=12][--][./a b][job][last]");
    expands("ssh host 'cd x; mpiexec -n {np} {cmd}'", "[ssh][host][cd x; mpiexec -n 12 ./a b job]");
    expands("a \"\" 'b\"c' d\"e f\"g {np} {cmd}", "[a][][b\"c][de fg][12][./a b][job]");
}

static void refuses(const char *launcher, const char *expected)
{
    struct ct_error error = {""};
    assert_int_equal(ct_launcher_check(launcher, &error), CT_E_INPUT);
    if (!strstr(error.text, expected))
        fail_msg("'%s' lacks '%s'", error.text, expected);
}

static void bad_templates_are_refused(void **state)
{
    (void)state;
    refuses("", "empty");
    refuses("  ", "empty");
    refuses("srun -n {np}", "{np} without {cmd}");
    refuses("srun {cmd}", "{cmd} without {np}");
    refuses("srun 'a {np} {cmd}", "not closed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_commands_get_n),
        cmocka_unit_test(templates_are_filled_in),
        cmocka_unit_test(bad_templates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
