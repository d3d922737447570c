/* SPDX-License-Identifier: BSD-3-Clause */
#include "codegen/mapping.h"
#include "codegen/ompi_rules.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct ct_library_mapping *const libraries[] = {&ct_ompi_mapping, &ct_mpich_mapping,
                                                             &ct_intel_mapping};

static void assert_parameter(const char *name, const struct ct_descriptor *descriptor)
{
    int found = name == NULL;
    for (int i = 0; name && i < ct_parameter_count(descriptor); i++)
        found += strcmp(descriptor->parameters[i]->name, name) == 0;
    assert_int_equal(found, 1);
}

/* Every method is the registry's, with parameters that it has, of a collective that the library's files know.
 */
static void test_names(void **state)
{
    (void)state;
    for (size_t l = 0; l < sizeof libraries / sizeof libraries[0]; l++) {
        for (size_t i = 0; i < libraries[l]->row_count; i++) {
            const struct ct_mapping *row = &libraries[l]->rows[i];
            struct ct_error error = {""};
            struct ct_method method;
            ct_method_parse(row->method, CT_COLLECTIVES, &error, &method);
            assert_string_equal(error.text, "");
            assert_false(ct_is_native(method.algorithm));
            assert_true(libraries[l]->collectives[method.algorithm->collective].known);
            assert_parameter(row->segment, method.algorithm->descriptor);
            assert_parameter(row->fanout, method.algorithm->descriptor);
            assert_parameter(row->requests, method.algorithm->descriptor);
            assert_true(*row->theirs);
        }
    }
}

/* Sizes are told apart only where our collective has one, and of those that the files know. */
static void test_sizes(void **state)
{
    (void)state;
    for (size_t l = 0; l < sizeof libraries / sizeof libraries[0]; l++)
        for (int c = 0; c < CT_COLLECTIVES; c++)
            if (libraries[l]->collectives[c].size != CT_SIZE_UNSEEN)
                assert_true(ct_collectives[c].has_size && libraries[l]->collectives[c].known);
}

/* Names and numbers lead to methods that are written as the same algorithm, with the library's defaults. */
static void test_words(void **state)
{
    (void)state;
    enum { RELEASE = 4 };
    const struct ct_library_mapping *ompi = &ct_ompi_mapping;
    for (size_t i = 0; i < ompi->row_count; i++) {
        const struct ct_mapping *row = &ompi->rows[i], *by_name = NULL, *by_number = NULL;
        struct ct_method ours, named, numbered;
        struct ct_theirs theirs;
        char number[16];
        assert_int_equal(ct_method_parse(row->method, CT_COLLECTIVES, NULL, &ours), CT_OK);
        if (row->since > RELEASE)
            continue;
        snprintf(number, sizeof number, "%d", row->number);
        const enum ct_collective collective = ours.algorithm->collective;
        assert_true(ct_mapping_method(ompi, RELEASE, collective, row->theirs, &named, &by_name));
        assert_true(ct_mapping_method(ompi, RELEASE, collective, number, &numbered, &by_number));
        assert_true(ct_method_equal(&named, &numbered) && by_name == by_number);
        assert_true(ct_mapping_find(ompi, RELEASE, &named, &theirs));
        assert_int_equal(theirs.mapping->number, row->number);
        assert_true(theirs.fanout == 0 || theirs.fanout == ompi->fanout);
    }
    const struct ct_mapping *row;
    struct ct_method method;
    char text[CT_METHOD_TEXT];
    assert_true(ct_mapping_method(ompi, RELEASE, CT_COLLECTIVE_BCAST, "2", &method, &row));
    assert_string_equal(ct_method_format(&method, true, text), "bcast/chain:radix=4");
    assert_true(ct_mapping_method(ompi, RELEASE, CT_COLLECTIVE_BCAST, "0", &method, &row));
    assert_true(ct_is_native(method.algorithm) && !row);
    static const char *const none[] = {"", "00", "10", "-1", "2 ", "Chain", "two_proc", "8"};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(ct_mapping_method(ompi, RELEASE, CT_COLLECTIVE_REDUCE, none[i], &method, &row));
}

/* Open MPI has the numbers in the releases from which on they are said to be. */
static void test_ompi_numbers(void **state)
{
    (void)state;
    for (size_t i = 0; i < ct_ompi_mapping.row_count; i++) {
        const struct ct_mapping *row = &ct_ompi_mapping.rows[i];
        struct ct_method method;
        assert_int_equal(ct_method_parse(row->method, CT_COLLECTIVES, NULL, &method), CT_OK);
        assert_true(row->number > 0 && ct_ompi_number(method.algorithm->collective) >= 0);
        assert_true(
            ct_ompi_has(method.algorithm->collective, (size_t)row->number, row->since ? row->since : 4));
    }
}

static bool finds(const struct ct_library_mapping *library, int release, const char *spelling,
                  struct ct_theirs *ret_theirs)
{
    struct ct_method method;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method), CT_OK);
    return ct_mapping_find(library, release, &method, ret_theirs);
}

/* Parameters go out as numbers, must be as described, or are the library's to choose. */
static void test_parameters(void **state)
{
    (void)state;
    struct ct_theirs theirs;
    assert_true(finds(&ct_ompi_mapping, 4, "bcast/chain:seg=8K,radix=3", &theirs));
    assert_int_equal(theirs.mapping->number, 2);
    assert_int_equal(theirs.segment, 8192);
    assert_int_equal(theirs.fanout, 3);
    assert_true(finds(&ct_ompi_mapping, 4, "bcast/knomial:seg=1K,radix=4", &theirs));
    assert_int_equal(theirs.segment, 1024);
    assert_false(finds(&ct_ompi_mapping, 4, "bcast/knomial:radix=8", &theirs));
    assert_false(finds(&ct_ompi_mapping, 4, "bcast/in_order_binary", &theirs));
    assert_true(finds(&ct_ompi_mapping, 4, "allreduce/reduce_bcast:reduce=linear,bcast=linear", &theirs));
    assert_int_equal(theirs.mapping->number, 1);
    assert_true(finds(&ct_ompi_mapping, 4, "allreduce/reduce_bcast:seg=8K,reduce=chain", &theirs));
    assert_int_equal(theirs.mapping->number, 2);
    assert_int_equal(theirs.segment, 0);
    assert_false(finds(&ct_ompi_mapping, 4, "allgather/bruck:radix=4", &theirs));
    assert_false(finds(&ct_ompi_mapping, 4, "allgather/sparbit", &theirs));
    assert_true(finds(&ct_ompi_mapping, 6, "allgather/bruck:radix=4", &theirs));
    assert_int_equal(theirs.fanout, 4);
    assert_true(finds(&ct_ompi_mapping, 6, "alltoall/linear_sync:reqs=2", &theirs));
    assert_int_equal(theirs.requests, 2);
    assert_false(finds(&ct_mpich_mapping, 0, "bcast/binomial:seg=8K", &theirs));
    assert_true(finds(&ct_mpich_mapping, 0, "bcast/knomial:radix=2", &theirs));
    assert_string_equal(theirs.mapping->theirs, "binomial");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),        cmocka_unit_test(test_words),      cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_ompi_numbers), cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
