/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "measure/sweep/host_names.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void splits_lists(void **state)
{
    (void)state;
    static const char *const lists[][2] = {
        {"n1", "n1"},
        {"n1,login.site", "n1 login.site"},
        {"n[1-3]", "n1 n2 n3"},
        {"n[08-10,2],m", "n08 n09 n10 n2 m"},
        {"r[1-2]n[01-02]x", "r1n01x r1n02x r2n01x r2n02x"},
        {"[7-8]", "7 8"},
        {"n[99-101]", "n99 n100 n101"},
        {"n[000-1]", "n000 n001"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        char **names;
        size_t count;
        struct ct_text text = {0};
        assert_int_equal(ct_host_names_split(lists[i][0], NULL, &names, &count), CT_OK);
        for (size_t k = 0; k < count; k++)
            ct_text_append(&text, "%s%s", k ? " " : "", names[k]);
        assert_string_equal(text.data, lists[i][1]);
        ct_text_free(&text);
        ct_words_free(names, count);
    }
}

static void refuses_broken_lists(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        int status;
        const char *words;
    } broken[] = {
        {"", CT_E_INPUT, "a name of a host is missing"},
        {"a,,b", CT_E_INPUT, "a name of a host is missing"},
        {"a,", CT_E_INPUT, "a name of a host is missing"},
        {"a b", CT_E_INPUT, "expected names without blanks"},
        {"n[1-2", CT_E_INPUT, "expected ranges such as [1-4,6]"},
        {"n[]", CT_E_INPUT, "expected ranges such as [1-4,6]"},
        {"n[1,]", CT_E_INPUT, "expected ranges such as [1-4,6]"},
        {"n[x]", CT_E_INPUT, "expected ranges such as [1-4,6]"},
        {"n[3-1]", CT_E_INPUT, "expected ranges such as [1-4,6]"},
        {"n[1-2-3]", CT_E_INPUT, "expected ranges such as [1-4,6]"},
        {"n[1234567890]", CT_E_INPUT, "expected ranges such as [1-4,6]"},
        {"n[[1]]", CT_E_INPUT, "expected ranges such as [1-4,6]"},
        {"n1]", CT_E_INPUT, "expected names such as n[1-4,6]"},
        {"n[1]2]", CT_E_INPUT, "expected names such as n[1-4,6]"},
        {"n[0-999999999]", CT_E_LIMIT, "at most 1000000 names"},
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct ct_error error = {""};
        char **names = NULL;
        size_t count = 0;
        assert_int_equal(ct_host_names_split(broken[i].list, &error, &names, &count), broken[i].status);
        assert_non_null(strstr(error.text, broken[i].words));
        assert_null(names);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splits_lists),
        cmocka_unit_test(refuses_broken_lists),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
