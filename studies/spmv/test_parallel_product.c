/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/routing.h"
#include "studies/spmv/parallel_product.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A symmetric matrix of a ship's structure with 162 rows, and numbers that are all different. */
struct fixture {
    struct ct_matrix matrix;
    double *x, *serial, *y;
};

static void begin(struct fixture *fixture)
{
    struct ct_error error = {{0}};
    if (ct_matrix_read(MATRIX, &error, &fixture->matrix) != CT_OK)
        fail_msg("%s", error.text);
    fixture->x = calloc(3 * fixture->matrix.rows, sizeof *fixture->x);
    assert_non_null(fixture->x);
    fixture->serial = fixture->x + fixture->matrix.rows;
    fixture->y = fixture->serial + fixture->matrix.rows;
    for (size_t i = 0; i < fixture->matrix.rows; i++)
        fixture->x[i] = 1.0 / (double)(i + 3);
    ct_product_serial(&fixture->matrix, fixture->x, fixture->serial);
}

static void end(struct fixture *fixture)
{
    free(fixture->x);
    ct_matrix_free(&fixture->matrix);
}

static bool is_equal(const struct fixture *fixture)
{
    return memcmp(fixture->y, fixture->serial, fixture->matrix.rows * sizeof *fixture->y) == 0;
}

/* All methods, to the last bit: each rank adds the same products in the same order. */
static void test_all_methods(void **state)
{
    (void)state;
    static const enum ct_collective collectives[] = {CT_COLLECTIVE_NEIGHBOR_ALLTOALLV,
                                                     CT_COLLECTIVE_NEIGHBOR_ALLTOALLW};
    static const char *const ways[] = {"rows", "entries", "metis"};
    static const int sizes[] = {1, 2, 7, 16, 31, 64, 162};
    struct fixture fixture;
    size_t carried = 0;
    begin(&fixture);
    for (size_t c = 0; c < 2; c++)
        for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++)
            for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
                struct ct_error error = {{0}};
                struct ct_row_parts parts;
                struct ct_product product;
                struct ct_method *methods;
                size_t count;
                if (ct_row_parts_make(&fixture.matrix, ways[w], sizes[s], &error, &parts) != CT_OK) {
                    assert_non_null(strstr(error.text, "built without METIS"));
                    continue;
                }
                assert_int_equal(ct_product_make(&fixture.matrix, &parts, &product), CT_OK);
                assert_int_equal(ct_methods_parse("all", collectives[c], &error, &methods, &count), CT_OK);
                for (size_t m = 0; m < count; m++) {
                    char text[CT_METHOD_TEXT];
                    struct ct_plan *plans;
                    if (!ct_has_plan(methods[m].algorithm))
                        continue;
                    memset(fixture.y, 0xff, fixture.matrix.rows * sizeof *fixture.y);
                    int status = ct_product_plan(&product, &methods[m], 4, &error, &plans);
                    if (status == CT_E_INPUT && strncmp(error.text, "needs ", 6) == 0)
                        continue;
                    if (status == CT_OK)
                        status = ct_product_carry(&product, plans, fixture.x, &error, fixture.y);
                    if (status != CT_OK || !is_equal(&fixture))
                        fail_msg("%s, %d parts, %s: %s", ct_method_format(&methods[m], true, text), sizes[s],
                                 ways[w], error.text);
                    ct_plans_free_all(plans, sizes[s]);
                    carried++;
                }
                free(methods);
                ct_product_free(&product);
                ct_row_parts_free(&parts);
            }
    print_message("%zu products\n", carried);
    assert_true(carried > 200);
    end(&fixture);
}

/* Plans that are spoiled: another block is sent, a message is not sent, and one is too short. */
static void test_wrong_plans(void **state)
{
    (void)state;
    static const char *const errors[] = {NULL, "waits for ever", "of which rank"};
    enum { PARTS = 4 };
    for (int flaw = 0; flaw < 3; flaw++) {
        struct fixture fixture;
        struct ct_error error = {{0}};
        struct ct_row_parts parts;
        struct ct_product product;
        struct ct_method method;
        struct ct_plan *plans;
        begin(&fixture);
        assert_int_equal(ct_row_parts_make(&fixture.matrix, "rows", PARTS, &error, &parts), CT_OK);
        assert_int_equal(ct_product_make(&fixture.matrix, &parts, &product), CT_OK);
        assert_int_equal(ct_method_parse("neighbor_alltoallv/linear", CT_COLLECTIVES, &error, &method),
                         CT_OK);
        assert_int_equal(ct_product_plan(&product, &method, 1, &error, &plans), CT_OK);
        struct ct_step *step = NULL; /* the shortest send; `other` is the longest block */
        size_t other = 0;
        for (size_t i = 0; i < plans[0].step_count; i++)
            if (plans[0].steps[i].kind == CT_STEP_SEND && (!step || plans[0].steps[i].n < step->n))
                step = &plans[0].steps[i];
        for (size_t i = 1; i < product.pattern.ranks[0].out_count; i++)
            if (product.pattern.ranks[0].out_lengths[i] > product.pattern.ranks[0].out_lengths[other])
                other = i;
        assert_non_null(step);
        if (flaw == 0)
            step->block = other;
        if (flaw == 1)
            step->kind = CT_STEP_WAIT;
        if (flaw == 2)
            step->n--;
        int status = ct_product_carry(&product, plans, fixture.x, &error, fixture.y);
        if (errors[flaw]) {
            assert_int_equal(status, CT_E_ANSWER);
            assert_non_null(strstr(error.text, errors[flaw]));
        } else {
            assert_int_equal(status, CT_OK);
            assert_false(is_equal(&fixture));
        }
        ct_plans_free_all(plans, PARTS);
        ct_product_free(&product);
        ct_row_parts_free(&parts);
        end(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_methods),
        cmocka_unit_test(test_wrong_plans),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
