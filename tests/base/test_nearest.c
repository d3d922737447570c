/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/nearest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const names[] = {"measure", "map", "learn", "export-c45"};

static const char *near(const char *word)
{
    const char *found = ct_nearest(word, names, sizeof names / sizeof names[0]);
    return found ? found : "none";
}

static void misspelt_words_are_found(void **state)
{
    (void)state;
    assert_string_equal(near("mesure"), "measure");   /* a letter is missing */
    assert_string_equal(near("mmeasure"), "measure"); /* one is too many */
    assert_string_equal(near("leurn"), "learn");      /* another */
    assert_string_equal(near("laern"), "learn");      /* two are swapped, which counts once */
    assert_string_equal(near("exportc45"), "export-c45");
    assert_string_equal(near("learn"), "learn");
}

static void others_are_not(void **state)
{
    (void)state;
    char longest[300];
    memset(longest, 'm', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    assert_string_equal(near(""), "none");
    assert_string_equal(near("m"), "none");
    assert_string_equal(near("build"), "none");
    assert_string_equal(near("lanre"), "none"); /* two swaps of five letters */
    assert_string_equal(near(longest), "none");
    assert_null(ct_nearest("map", names, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misspelt_words_are_found),
        cmocka_unit_test(others_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
