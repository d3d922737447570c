/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/routing.h"
#include "studies/neighborhoods/column_products.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 162, COLUMNS = 3 };

/* A symmetric matrix of a ship's structure with 162 rows, and numbers that are all different. */
struct fixture {
    struct ct_matrix matrix;
    double column[ROWS], serial[ROWS], parallel[ROWS];
};

static void begin(struct fixture *fixture)
{
    struct ct_error error = {{0}};
    if (ct_matrix_read(MATRIX, &error, &fixture->matrix) != CT_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fixture->matrix.rows, ROWS);
}

/* A column of B, and its product by one rank. */
static void begin_column(struct fixture *fixture, int number)
{
    const struct ct_matrix *matrix = &fixture->matrix;
    for (size_t row = 0; row < ROWS; row++)
        fixture->column[row] = 1.0 / (double)(row + 3 + (size_t)number * ROWS);
    for (size_t row = 0; row < ROWS; row++) {
        fixture->serial[row] = 0;
        for (size_t i = matrix->begins[row]; i < matrix->begins[row + 1]; i++)
            fixture->serial[row] += matrix->values[i] * fixture->column[matrix->column_of[i]];
    }
    memset(fixture->parallel, 0xff, sizeof fixture->parallel);
}

static bool is_equal(const struct fixture *fixture)
{
    return memcmp(fixture->parallel, fixture->serial, sizeof fixture->serial) == 0;
}

/* By one method, all columns with the same plans. False: it does not apply. */
static bool multiply(struct fixture *fixture, const struct ct_column_products *products,
                     const struct ct_method *method)
{
    char text[CT_METHOD_TEXT];
    struct ct_error error = {{0}};
    struct ct_plan *plans;
    int status = ct_column_products_plan(products, method, 4, &error, &plans);
    if (status == CT_E_INPUT && strncmp(error.text, "needs ", 6) == 0)
        return false;
    for (int number = 0; number < COLUMNS; number++) {
        begin_column(fixture, number);
        if (status == CT_OK)
            status = ct_column_products_carry(products, plans, fixture->column, &error, fixture->parallel);
        if (status != CT_OK || !is_equal(fixture))
            fail_msg("%s, %d parts: %s", ct_method_format(method, true, text), products->parts->parts,
                     error.text);
    }
    ct_plans_free_all(plans, products->parts->parts);
    return true;
}

/* All methods, to the last bit: each rank adds the same products in the same order. */
static void test_all_methods(void **state)
{
    (void)state;
    static const int sizes[] = {1, 2, 7, 16, 31, 64, ROWS};
    struct fixture fixture;
    size_t carried = 0;
    begin(&fixture);
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        struct ct_error error = {{0}};
        struct ct_row_parts parts;
        struct ct_column_products products;
        struct ct_method *methods;
        size_t count;
        assert_int_equal(ct_row_parts_make(&fixture.matrix, "rows", sizes[s], &error, &parts), CT_OK);
        assert_int_equal(ct_column_products_make(&fixture.matrix, &parts, &products), CT_OK);
        assert_int_equal(ct_methods_parse("all", CT_COLLECTIVE_NEIGHBOR_ALLGATHERV, &error, &methods, &count),
                         CT_OK);
        for (size_t m = 0; m < count; m++)
            carried += ct_has_plan(methods[m].algorithm) && multiply(&fixture, &products, &methods[m]);
        free(methods);
        ct_column_products_free(&products);
        ct_row_parts_free(&parts);
    }
    print_message("%zu products of %d columns\n", carried, COLUMNS);
    assert_true(carried > 60);
    ct_matrix_free(&fixture.matrix);
}

/* A plan in which one element is not sent. */
static void test_wrong_plan(void **state)
{
    (void)state;
    struct fixture fixture;
    struct ct_error error = {{0}};
    struct ct_row_parts parts;
    struct ct_column_products products;
    struct ct_method method;
    struct ct_plan *plans;
    size_t i = 0;
    begin(&fixture);
    begin_column(&fixture, 0);
    assert_int_equal(ct_row_parts_make(&fixture.matrix, "rows", 4, &error, &parts), CT_OK);
    assert_int_equal(ct_column_products_make(&fixture.matrix, &parts, &products), CT_OK);
    assert_int_equal(ct_method_parse("neighbor_allgatherv/linear", CT_COLLECTIVES, &error, &method), CT_OK);
    assert_int_equal(ct_column_products_plan(&products, &method, 1, &error, &plans), CT_OK);
    while (plans[0].steps[i].kind != CT_STEP_SEND)
        i++;
    plans[0].steps[i].n--;
    assert_int_equal(ct_column_products_carry(&products, plans, fixture.column, &error, fixture.parallel),
                     CT_E_ANSWER);
    ct_plans_free_all(plans, 4);
    ct_column_products_free(&products);
    ct_row_parts_free(&parts);
    ct_matrix_free(&fixture.matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_methods),
        cmocka_unit_test(test_wrong_plan),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
