/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/cpu_model.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* The model in a file of this text. */
static const char *model_in(const char *text)
{
    static char model[CT_CPU_MODEL_TEXT];
    char path[64];
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0 && fflush(file) == 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(file));
    ct_cpu_model(path, model);
    fclose(file);
    return model;
}

static void names_are_read(void **state)
{
    (void)state;
    assert_string_equal(model_in("processor\t: 0\nmodel\t\t: 17\nmodel name\t: Some CPU: 1 \t \n"
                                 "model name\t: Other\n"),
                        "Some CPU: 1");
    assert_string_equal(model_in("model name\t: without a newline"), "without a newline");
    assert_string_equal(model_in("model name\t:  \nmodel name\t: Second\n"), "Second");
}

static void what_is_not_named_is_empty(void **state)
{
    char model[CT_CPU_MODEL_TEXT] = "old";
    (void)state;
    assert_string_equal(model_in(""), "");
    assert_string_equal(model_in("processor\t: 0\nCPU part\t: 0xd0c\nmodel name"), "");
    ct_cpu_model("/nonexistent", model);
    assert_string_equal(model, "");
}

static void long_names_are_cut(void **state)
{
    char text[1000] = "model name\t: ";
    (void)state;
    memset(text + strlen(text), 'x', 500);
    assert_int_equal(strlen(model_in(text)), CT_CPU_MODEL_TEXT - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_read),
        cmocka_unit_test(what_is_not_named_is_empty),
        cmocka_unit_test(long_names_are_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
