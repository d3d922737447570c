/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/codegen/golden_file.h"
#include "base/file.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

char *golden_text(const char *name, size_t *ret_length)
{
    struct ct_error error = {""};
    char *path = ct_format("%s/%s", GOLDEN_FOLDER, name), *text = NULL;
    assert_non_null(path);
    ct_file_read(path, &error, &text, ret_length);
    assert_string_equal(error.text, "");
    free(path);
    return text;
}

struct ct_table golden_table(void)
{
    size_t length;
    char *text = golden_text("decisions.xml", &length);
    struct ct_table table;
    struct ct_error error = {""};
    int status = ct_table_parse(text, length, "decisions.xml", &error, &table);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    free(text);
    return table;
}
