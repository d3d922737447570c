/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/data_type.h"
#include "measure/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 70 };

static double fold(const struct ct_operation_description *about, size_t ranks, size_t position)
{
    double result = about->value(0, position);
    for (size_t rank = 1; rank < ranks; rank++)
        result = about->combine(result, about->value((int)rank, position));
    return result;
}

/* What must come out is what combining in the order of ranks gives. */
static void results_are_combinations(void **state)
{
    (void)state;
    for (int o = 0; o < CT_OPERATIONS; o++)
        for (size_t ranks = 1; ranks < RANKS; ranks++)
            for (size_t position = 0; position < 2 * CT_OPERATION_PERIOD; position += 7)
                assert_true(ct_operation_result((enum ct_operation)o, ranks, position) ==
                            fold(&ct_operations[o], ranks, position % CT_OPERATION_PERIOD));
}

/* The same with one rank left out, and with two ranks in the other order. */
static double fold_wrong(const struct ct_operation_description *about, int ranks, int out, int swapped,
                         size_t position)
{
    double result = 0;
    bool any = false;
    for (int rank = 0; rank < ranks; rank++) {
        int taken = rank == swapped ? rank + 1 : rank == swapped + 1 ? rank - 1 : rank;
        if (rank == out)
            continue;
        result = any ? about->combine(result, about->value(taken, position)) : about->value(taken, position);
        any = true;
    }
    return result;
}

/* A rank that is left out is seen at some position, but for the maximum, where few are; ranks in another
 * order are seen if the operation does not commute, and only then. */
static void mistakes_are_seen(void **state)
{
    enum { FEW = 9 };
    (void)state;
    for (int o = 0; o < CT_OPERATIONS; o++)
        for (int rank = 0; rank + 1 < FEW; rank++) {
            bool lacks = false, is_swapped = false;
            for (size_t position = 0; position < CT_OPERATION_PERIOD; position++) {
                const double right = ct_operation_result((enum ct_operation)o, FEW, position);
                lacks |= fold_wrong(&ct_operations[o], FEW, rank, -2, position) != right;
                is_swapped |= fold_wrong(&ct_operations[o], FEW, -1, rank, position) != right;
            }
            assert_true(lacks);
            assert_true(is_swapped == !ct_operations[o].commutes);
        }
}

static void results_do_not_depend_on_parentheses(void **state)
{
    (void)state;
    for (int o = 0; o < CT_OPERATIONS; o++)
        for (size_t position = 0; position < CT_OPERATION_PERIOD; position++) {
            const struct ct_operation_description *about = &ct_operations[o];
            double a = about->value(3, position), b = about->value(8, position),
                   c = about->value(1, position);
            assert_true(about->combine(about->combine(a, b), c) == about->combine(a, about->combine(b, c)));
        }
}

static void types_hold_their_bytes(void **state)
{
    (void)state;
    for (int t = 0; t < CT_DATA_TYPES; t++) {
        const struct ct_data_type_description *type = &ct_data_types[t];
        assert_int_equal(ct_data_type_find(type->name), t);
        for (size_t i = 0; i < type->bytes; i++)
            assert_true(type->places[i] < type->extent && (i == 0 || type->places[i] > type->places[i - 1]));
    }
    assert_int_equal(ct_data_type_find("vectro"), CT_DATA_TYPES);
    assert_int_equal(ct_operation_find("sums"), CT_OPERATIONS);
    assert_int_equal(ct_data_type_of(CT_COLLECTIVE_BCAST, CT_DATA_VECTOR, CT_OPERATION_SUM), CT_DATA_VECTOR);
    assert_int_equal(ct_data_type_of(CT_COLLECTIVE_REDUCE, CT_DATA_VECTOR, CT_OPERATION_SUM), CT_DATA_DOUBLE);
    assert_int_equal(ct_data_type_of(CT_COLLECTIVE_REDUCE, CT_DATA_INT, CT_OPERATION_SUM), CT_DATA_INT);
    assert_int_equal(ct_data_type_of(CT_COLLECTIVE_REDUCE, CT_DATA_INDEXED, CT_OPERATION_ORDERED),
                     CT_DATA_INDEXED);
    assert_int_equal(ct_data_type_of(CT_COLLECTIVE_REDUCE, CT_DATA_BYTE, CT_OPERATION_USER), CT_DATA_DOUBLE);
    assert_true(ct_data_type_divides(CT_COLLECTIVE_BCAST, CT_DATA_BYTE, CT_OPERATION_SUM, 7));
    assert_false(ct_data_type_divides(CT_COLLECTIVE_BCAST, CT_DATA_INDEXED, CT_OPERATION_SUM, 12));
    assert_true(ct_data_type_divides(CT_COLLECTIVE_REDUCE, CT_DATA_INT, CT_OPERATION_SUM, 12));
}

/* An int wraps around; a double lies where the type's bytes are, and nothing else is written. */
static void elements_hold_numbers(void **state)
{
    (void)state;
    for (int t = CT_DATA_INT; t < CT_DATA_TYPES; t++) {
        const struct ct_data_type_description *type = &ct_data_types[t];
        union {
            double aligned;
            unsigned char bytes[16];
        } element;
        memset(element.bytes, 0xAB, sizeof element.bytes);
        ct_data_type_set_number((enum ct_data_type)t, 4294967299.0, element.bytes);
        assert_true(ct_data_type_number((enum ct_data_type)t, element.bytes) ==
                    (t == CT_DATA_INT ? 3 : 4294967299.0));
        size_t kept = 0;
        for (size_t i = 0; i < type->extent; i++)
            kept += element.bytes[i] == 0xAB;
        assert_int_equal(kept, type->extent - type->bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_combinations), cmocka_unit_test(elements_hold_numbers),
        cmocka_unit_test(mistakes_are_seen),        cmocka_unit_test(results_do_not_depend_on_parentheses),
        cmocka_unit_test(types_hold_their_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
