/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/checksum.h"
#include "base/data.h"
#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A fresh empty file; its name is freed by the caller. */
static char *fresh_file(void)
{
    char *name = ct_format("%s/colltune-test.XXXXXX", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
    int file = mkstemp(name);
    assert_true(file >= 0);
    close(file);
    return name;
}

/* The two test vectors of the standard, and a file longer than one block. */
static void test_checksum(void **state)
{
    (void)state;
    char *name = fresh_file(), sum[CT_CHECKSUM_TEXT], other[CT_CHECKSUM_TEXT];
    assert_int_equal(ct_file_checksum(name, NULL, sum), CT_OK);
    assert_string_equal(sum, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_int_equal(ct_file_write(name, "abc", 3, NULL), CT_OK);
    assert_int_equal(ct_file_checksum(name, NULL, sum), CT_OK);
    assert_string_equal(sum, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

    enum { LONG = 200000 };
    char *text = malloc(LONG);
    assert_non_null(text);
    memset(text, 'a', LONG);
    assert_int_equal(ct_file_write(name, text, LONG, NULL), CT_OK);
    assert_int_equal(ct_file_checksum(name, NULL, sum), CT_OK);
    text[LONG - 1] = 'b';
    assert_int_equal(ct_file_write(name, text, LONG, NULL), CT_OK);
    assert_int_equal(ct_file_checksum(name, NULL, other), CT_OK);
    assert_string_not_equal(sum, other);
    free(text);
    unlink(name);

    struct ct_error error = {""};
    assert_int_equal(ct_file_checksum(name, &error, sum), CT_E_SYSTEM);
    assert_non_null(strstr(error.text, name));
    assert_int_equal(ct_file_checksum("/", &error, sum), CT_E_SYSTEM);
    free(name);
}

/* Shipped files are found in the source tree, or where the environment says; a missing one is named. */
static void test_data(void **state)
{
    (void)state;
    struct ct_error error = {""};
    char *path;
    unsetenv("COLLTUNE_DATA");
    assert_int_equal(ct_data_path("samples/run.rng", &error, &path), CT_OK);
    free(path);
    assert_int_equal(ct_data_path("decision/no-such-file", &error, &path), CT_E_SYSTEM);
    assert_non_null(strstr(error.text, "no-such-file"));
    setenv("COLLTUNE_DATA", "/nowhere", 1);
    assert_int_equal(ct_data_path("samples/run.rng", &error, &path), CT_E_SYSTEM);
    assert_non_null(strstr(error.text, "/nowhere/samples/run.rng"));
    unsetenv("COLLTUNE_DATA");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
