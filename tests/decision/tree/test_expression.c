/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/tree/feature_set.h"
#include "tests/learners/map_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const struct ct_features call = {
    {[CT_FEATURE_COMM_SIZE] = 24, [CT_FEATURE_MSG_BYTES] = 100000, [CT_FEATURE_NODES] = 6, 4}};

static size_t value_of(const char *formula)
{
    struct ct_feature_set set = {0};
    struct ct_error error = {""};
    size_t number;
    char *definition = NULL;
    assert_true(asprintf(&definition, "x=%s", formula) > 0);
    int status = ct_feature_define(&set, definition, &error, &number);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    size_t value = ct_feature_value(&set, number, &call);
    ct_feature_set_free(&set);
    free(definition);
    return value;
}

/* What formulas mean, at their edges too. */
static void test_values(void **state)
{
    (void)state;
    static const struct {
        const char *formula;
        size_t value;
    } right[] = {
        {"7", 7},
        {"8K", 8192},
        {" ( comm_size ) ", 24},
        {"msg_bytes/8K", 12},
        {"2+3*4", 14},
        {"(2+3)*4", 20},
        {"20-3-4", 13},
        {"20-(3-4)", 20},
        {"3-4", 0},
        {"100/7/2", 7},
        {"100/(7/2)", 33},
        {"100%7*3", 6},
        {"100%(7*3)", 16},
        {"5/(comm_size-24)", 0},
        {"5%(comm_size-24)", 0},
        {"min(nodes,ppn)+max(nodes,ppn)", 10},
        {"log2(0)", 0},
        {"log2(1)", 0},
        {"log2(1023)", 9},
        {"log2(1024)", 10},
        {"log2(18446744073709551615)", 63},
        {"is_power_of_two(0)", 0},
        {"is_power_of_two(1)+is_power_of_two(2)+is_power_of_two(3)+is_power_of_two(4)", 3},
        {"18446744073709551615+1", SIZE_MAX},
        {"4294967296*4294967296", SIZE_MAX},
        {"4294967296*4294967295", 18446744069414584320u},
        {"0*18446744073709551615", 0},
        {"total_bytes", 2400000},
        {"total_bytes/nodes/ppn*even+power_of_two", 100000},
    };
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        if (value_of(right[i].formula) != right[i].value)
            fail_msg("%s: got %zu, expected %zu", right[i].formula, value_of(right[i].formula),
                     right[i].value);
}

/* What is no formula, or no name, is refused and says why. */
static void test_wrong(void **state)
{
    (void)state;
    static const struct {
        const char *definition, *what;
    } wrong[] = {
        {"", "expected NAME=FORMULA"},
        {"x", "expected NAME=FORMULA"},
        {"=1", "expected NAME=FORMULA"},
        {"X=1", "the name a letter"},
        {"1x=1", "the name a letter"},
        {"a b=1", "the name a letter"},
        {"abcdefghijklmnopqrstuvwxyz012345=1", "at most 31"},
        {"min=1", "min is a function"},
        {"is_power_of_two=1", "is a function"},
        {"nodes=1", "a feature nodes already"},
        {"total_bytes=1", "a feature total_bytes already"},
        {"there=1", "a feature there already"},
        {"x=", "ends too early: expected a number, a feature"},
        {"x=1+", "ends too early"},
        {"x=(1", "ends too early: expected an operator or ')'"},
        {"x=1)", "column 2: expected an operator or the end"},
        {"x=1 2", "column 3: expected an operator"},
        {"x=1=2", "column 2: expected an operator"},
        {"x=+1", "column 1: expected a number"},
        {"x=1++1", "column 3: expected a number"},
        {"x=2^3", "column 2: expected an operator"},
        {"x=1.5", "column 2: expected an operator"},
        {"x=8k", "a number as 8, 4K"},
        {"x=0x10", "a number as 8, 4K"},
        {"x=18446744073709551616", "a smaller number"},
        {"x=17179869184G", "a smaller number"},
        {"x=1/0", "divides by 0"},
        {"x=comm_size%0K", "divides by 0"},
        {"x=x", "unknown feature 'x'"},
        {"x=moon*2", "unknown feature 'moon'"},
        {"x=log2", "ends too early: expected '('"},
        {"x=log2 nodes", "expected '('"},
        {"x=log2(1,2)", "expected ')'"},
        {"x=min(1)", "expected ','"},
        {"x=max(1,2,3)", "expected ')'"},
        {"x=nodes(1)", "expected an operator"},
        {"x=comm_size\nx", "expected an operator"},
        {"x=comm_size\xc3\xa9", "expected an operator"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct ct_feature_set set = {0};
        struct ct_error error = {""};
        size_t number = 77;
        assert_int_equal(ct_feature_define(&set, "there=comm_size", NULL, &number), CT_OK);
        number = 77;
        assert_int_equal(ct_feature_define(&set, wrong[i].definition, &error, &number), CT_E_INPUT);
        assert_int_equal(number, 77);
        assert_int_equal(set.count, 1);
        if (!strstr(error.text, wrong[i].what))
            fail_msg("'%s': got '%s', expected '%s'", wrong[i].definition, error.text, wrong[i].what);
        ct_feature_set_free(&set);
    }
}

/* As long and as deep as is allowed, and one more. */
static void test_limits(void **state)
{
    (void)state;
    char text[400];
    struct ct_error error = {""};
    struct ct_feature_set set = {0};
    size_t number;
    for (int more = 0; more < 2; more++) {
        strcpy(text, "x=1+1");
        for (int i = 3; i < CT_TERMS_MAX - 1 + 2 * more; i += 2)
            strcat(text, "+1");
        assert_int_equal(ct_feature_define(&set, text, &error, &number), more ? CT_E_LIMIT : CT_OK);
        ct_feature_set_free(&set);
        snprintf(text, sizeof text, "x=%.*s1%.*s", 31 + more, "((((((((((((((((((((((((((((((((((((((((((",
                 31 + more, "))))))))))))))))))))))))))))))))))))))))))");
        assert_int_equal(ct_feature_define(&set, text, &error, &number), more ? CT_E_LIMIT : CT_OK);
        ct_feature_set_free(&set);
    }
    for (int i = 0; i <= CT_COMPOSITES_MAX; i++) {
        snprintf(text, sizeof text, "x%d=nodes", i);
        assert_int_equal(ct_feature_define(&set, text, &error, &number),
                         i < CT_COMPOSITES_MAX ? CT_OK : CT_E_LIMIT);
    }
    ct_feature_set_free(&set);
}

/* A random formula, and what it is worth by 128-bit arithmetic. */
static size_t random_formula(unsigned *seed, int depth, char *text)
{
    static const char operators[] = "+-*/%";
    const unsigned __int128 most = SIZE_MAX;
    char left[2000], right[2000];
    size_t kind = depth == 0 ? fixture_random(seed, 2) : fixture_random(seed, 10);
    if (kind == 0) {
        size_t number = fixture_random(seed, 9);
        number <<= 8 * fixture_random(seed, 8);
        sprintf(text, "%zu", number);
        return number;
    }
    if (kind == 1) {
        size_t feature = fixture_random(seed, CT_FEATURES);
        strcpy(text, ct_feature_descriptors[feature]->name);
        return call.value[feature];
    }
    unsigned __int128 a = random_formula(seed, depth - 1, left), value;
    if (kind == 2) {
        sprintf(text, "log2(%s)", left);
        return a > 1 ? (size_t)(63 - __builtin_clzll((unsigned long long)a)) : 0;
    }
    unsigned __int128 b = random_formula(seed, depth - 1, right);
    if (kind == 3) {
        sprintf(text, "max(%s, %s)", left, right);
        return (size_t)(a > b ? a : b);
    }
    char sign = operators[fixture_random(seed, 5)];
    if (b == 0 && strspn(right, "0") == strlen(right))
        sign = '+';
    sprintf(text, "(%s) %c (%s)", left, sign, right);
    value = sign == '+' ? a + b : sign == '*' ? a * b : 0;
    value = sign == '-' && a > b ? a - b : value;
    value = sign == '/' && b ? a / b : value;
    value = sign == '%' && b ? a % b : value;
    return (size_t)(value > most ? most : value);
}

/* Random formulas have the value that they should, and survive being written without their parentheses. */
static void test_random(void **state)
{
    (void)state;
    unsigned seed = 7;
    size_t tried = 0, shorter = 0;
    for (int i = 0; i < 20000; i++) {
        struct ct_feature_set set = {0}, again = {0};
        struct ct_text written = {0};
        char text[5000] = "x=";
        size_t value = random_formula(&seed, 4, text + 2), number;
        if (ct_feature_define(&set, text, NULL, &number) != CT_OK) {
            ct_feature_set_free(&set);
            continue; /* longer than is allowed */
        }
        tried++;
        if (ct_feature_value(&set, number, &call) != value)
            fail_msg("%s: got %zu, expected %zu", text, ct_feature_value(&set, number, &call), value);
        ct_feature_write(&set.composites[0], &written);
        shorter += written.length < strlen(text);
        assert_int_equal(ct_feature_define(&again, written.data, NULL, &number), CT_OK);
        assert_true(ct_expression_equal(&set.composites[0].expression, &again.composites[0].expression));
        ct_text_free(&written);
        ct_feature_set_free(&set);
        ct_feature_set_free(&again);
    }
    assert_true(tried > 15000 && shorter > 5000);
}

/* The composites that are known are what their names say. */
static void test_known(void **state)
{
    (void)state;
    struct ct_feature_set set = {0};
    size_t even, power, total;
    assert_int_equal(ct_feature_find(&set, "even", NULL, &even), CT_OK);
    assert_int_equal(ct_feature_find(&set, "power_of_two", NULL, &power), CT_OK);
    assert_int_equal(ct_feature_find(&set, "total_bytes", NULL, &total), CT_OK);
    for (size_t p = 1, next = 1; p < 5000; p++) {
        struct ct_features at = {{[CT_FEATURE_COMM_SIZE] = p, [CT_FEATURE_MSG_BYTES] = 3}};
        assert_int_equal(ct_feature_value(&set, even, &at), p % 2 == 0);
        assert_int_equal(ct_feature_value(&set, power, &at), p == next);
        assert_int_equal(ct_feature_value(&set, total, &at), 3 * p);
        next *= p == next ? 2 : 1;
    }
    struct ct_features large = {
        {[CT_FEATURE_COMM_SIZE] = 1u << 31, [CT_FEATURE_MSG_BYTES] = (size_t)1 << 40}};
    assert_true(ct_feature_value(&set, total, &large) == SIZE_MAX);
    assert_true(ct_feature_in_bytes(&set, total) && !ct_feature_in_bytes(&set, even));
    assert_true(ct_feature_uses(&set, total, CT_FEATURE_MSG_BYTES) &&
                !ct_feature_uses(&set, even, CT_FEATURE_MSG_BYTES));
    assert_int_equal(ct_feature_most(&set, power), 1);
    ct_feature_set_free(&set);
}

/* A feature moves into another set once; two of one name must be the same. */
static void test_take(void **state)
{
    (void)state;
    struct ct_feature_set from = {0}, set = {0}, other = {0};
    struct ct_error error = {""};
    size_t blocks, twice, number, again;
    assert_int_equal(ct_feature_define(&from, "blocks=msg_bytes/8K", NULL, &blocks), CT_OK);
    assert_int_equal(ct_feature_define(&from, "twice=2*blocks", NULL, &twice), CT_OK);
    assert_int_equal(ct_feature_take(&set, &from, twice, NULL, &number), CT_OK);
    assert_int_equal(number, CT_FEATURES);
    assert_string_equal(ct_feature_name(&set, number), "twice");
    assert_int_equal(ct_feature_value(&set, number, &call), 24);
    assert_int_equal(ct_feature_take(&set, &from, twice, NULL, &again), CT_OK);
    assert_int_equal(again, number);
    assert_int_equal(ct_feature_take(&set, &from, CT_FEATURE_PPN, NULL, &again), CT_OK);
    assert_int_equal(again, CT_FEATURE_PPN);
    assert_int_equal(ct_feature_define(&other, "twice=3*nodes", NULL, &number), CT_OK);
    assert_int_equal(ct_feature_take(&other, &from, twice, &error, &number), CT_E_INPUT);
    assert_non_null(strstr(error.text, "twice has two formulas"));
    struct ct_text text = {0};
    ct_feature_write(&set.composites[0], &text);
    assert_string_equal(text.data, "twice=2*(msg_bytes/8K)");
    ct_text_free(&text);
    ct_feature_set_free(&from);
    ct_feature_set_free(&set);
    ct_feature_set_free(&other);
}

/* Of a call: where nobody knows the nodes, each rank has its own; where they hold different numbers of ranks,
 * the fullest counts. */
static void test_call(void **state)
{
    (void)state;
    static const int labels[] = {7, 7, 3, 7, 3};
    struct ct_nodes nodes;
    struct ct_call of = {.size = 5, .count = 10, .unit_bytes = 4};
    struct ct_features alone = ct_call_features(CT_COLLECTIVE_ALLREDUCE, &of);
    assert_int_equal(alone.value[CT_FEATURE_COMM_SIZE], 5);
    assert_int_equal(alone.value[CT_FEATURE_MSG_BYTES], 40);
    assert_int_equal(alone.value[CT_FEATURE_NODES], 5);
    assert_int_equal(alone.value[CT_FEATURE_PPN], 1);
    assert_int_equal(ct_nodes_make(labels, 5, &nodes), CT_OK);
    of.nodes = &nodes;
    struct ct_features together = ct_call_features(CT_COLLECTIVE_BARRIER, &of);
    assert_int_equal(together.value[CT_FEATURE_MSG_BYTES], 0);
    assert_int_equal(together.value[CT_FEATURE_NODES], 2);
    assert_int_equal(together.value[CT_FEATURE_PPN], 3);
    ct_nodes_free(&nodes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values), cmocka_unit_test(test_wrong), cmocka_unit_test(test_limits),
        cmocka_unit_test(test_random), cmocka_unit_test(test_known), cmocka_unit_test(test_take),
        cmocka_unit_test(test_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
