/* SPDX-License-Identifier: BSD-3-Clause */
#include "c45/c45_program.h"
#include "learners/c45/c45_engine.h"
#include "learners/c45/c45_grow.h"
#include "learners/c45/c45_order.h"
#include "learners/c45/c45_prune.h"
#include "tests/c45/plain_c45.h"
#include "tests/c45/random_cases.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* --- the sort, against the quicksort as it is described --- */

static void swap(uint32_t *order, size_t a, size_t b)
{
    uint32_t other = order[a];
    order[a] = order[b];
    order[b] = other;
}

/* first..last, both included */
static void sort_plainly(const float *numbers, uint32_t *order, long first, long last)
{
    if (first >= last)
        return;
    float pivot = numbers[order[last]];
    long middle = first;
    for (long i = first; i < last; i++)
        if (numbers[order[i]] <= pivot) {
            if (i != middle)
                swap(order, (size_t)middle, (size_t)i);
            middle++;
        }
    long low = middle - 1;
    for (long i = middle - 1; i >= first; i--)
        if (numbers[order[i]] == pivot) {
            if (i != low)
                swap(order, (size_t)low, (size_t)i);
            low--;
        }
    sort_plainly(numbers, order, first, low);
    swap(order, (size_t)middle, (size_t)last);
    sort_plainly(numbers, order, middle + 1, last);
}

enum shape { DRAWN, TIED, RISING, FALLING, SAWTOOTH, NEARLY, LATE, SHAPES };

static float number_of(enum shape shape, size_t i, size_t count, unsigned long long *seed)
{
    switch (shape) {
    case DRAWN:
        return (float)random_below(seed, 1000000);
    case TIED:
        return (float)random_below(seed, 4);
    case RISING:
        return (float)(i / 2);
    case FALLING:
        return (float)(count - i);
    case SAWTOOTH:
        return (float)(i % 7);
    case LATE: /* some of the least and greatest at the end */
        return (float)(random_below(seed, count - i) < 9 ? random_below(seed, 2) * count : i / 5 * 3 % count);
    default:
        return (float)(random_below(seed, 20) == 0 ? random_below(seed, count) : i);
    }
}

static void check_sort(float *numbers, size_t count, bool plainly)
{
    struct ct_c45_words one_class = {.count = 1};
    struct ct_c45_attribute attribute = {.kind = CT_C45_CONTINUOUS};
    const struct ct_c45_names names = {.classes = one_class, .attributes = &attribute, .attribute_count = 1};
    union ct_c45_column column = {.numbers = numbers};
    uint16_t *classes = calloc(count, sizeof *classes);
    const struct ct_c45_cases cases = {.count = count, .classes = classes, .columns = &column};
    struct ct_c45_engine engine;
    uint32_t *expected = calloc(count, sizeof *expected);
    assert_true(classes && expected);
    assert_int_equal(ct_c45_engine_make(&names, &cases, &ct_c45_standard, true, &engine), CT_OK);
    for (size_t i = 0; i < count; i++) {
        expected[i] = (uint32_t)(plainly ? i : count - 1 - i);
        engine.weights[i] = (float)i;
    }
    if (plainly)
        sort_plainly(numbers, expected, 0, (long)count - 1);
    ct_c45_sort(&engine, 0, 0, count);
    assert_memory_equal(engine.order, expected, count * sizeof *expected);
    for (size_t i = 0; i < count; i++) {
        assert_true(engine.weights[i] == (float)engine.order[i]);
        assert_true(engine.keys[i] == numbers[engine.order[i]]);
    }
    ct_c45_engine_free(&engine);
    free(classes);
    free(expected);
}

static void test_sort(void **state)
{
    unsigned long long seed = 7;
    enum { TRIALS = 60, FEW = 300, LONG_TRIALS = 12, MANY = 4000 };
    static float numbers[MANY];
    (void)state;
    for (int shape = 0; shape < SHAPES; shape++)
        for (size_t trial = 0; trial < TRIALS + LONG_TRIALS; trial++) {
            size_t count = 1 + random_below(&seed, trial < TRIALS ? FEW : MANY);
            for (size_t i = 0; i < count; i++)
                numbers[i] = number_of((enum shape)shape, i, count, &seed);
            check_sort(numbers, count, true);
        }
}

/* Falling numbers would take the plain quicksort as many steps as they are, squared. */
static void test_long_falls(void **state)
{
    enum { COUNT = 300000 };
    float *numbers = calloc(COUNT, sizeof *numbers);
    (void)state;
    assert_non_null(numbers);
    for (size_t i = 0; i < COUNT; i++)
        numbers[i] = (float)(COUNT - i);
    check_sort(numbers, COUNT, false);
    free(numbers);
}

/* --- columns sorted once, against the order of Release 8 --- */

/* The grown tree and the pruned one, as text. */
static void grow(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                 const struct ct_c45_options *options, bool ordered, struct ct_text *text)
{
    struct ct_c45_engine engine;
    struct ct_c45_pool pool = {0};
    struct ct_c45_node *root;
    bool changed;
    assert_int_equal(ct_c45_engine_make(names, cases, options, ordered, &engine), CT_OK);
    assert_true(ordered == !engine.columns);
    engine.pool = &pool;
    assert_int_equal(ct_c45_grow(&engine, cases->count, &root), CT_OK);
    ct_c45_print(names, root, text);
    assert_int_equal(ct_c45_prune(&engine, root, &changed), CT_OK);
    ct_c45_print(names, root, text);
    ct_text_append(text, "%.9g %.9g %d\n", (double)root->items, (double)root->errors, changed);
    ct_c45_pool_free(&pool);
    ct_c45_engine_free(&engine);
}

static void test_columns(void **state)
{
    unsigned long long seed = 11;
    enum { TRIALS = 150, MOST = 700 };
    (void)state;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct ct_c45_names names;
        struct ct_c45_cases cases;
        struct ct_text slow = {0}, fast = {0};
        random_cases(&seed, 1 + random_below(&seed, MOST), 0, &names, &cases);
        struct ct_c45_options options = ct_c45_standard;
        options.subsets = random_below(&seed, 3) == 0;
        options.gain_alone = random_below(&seed, 3) == 0;
        options.least = 1 + random_below(&seed, 9);
        options.confidence = 1 + (double)random_below(&seed, 99);
        grow(&names, &cases, &options, true, &slow);
        grow(&names, &cases, &options, false, &fast);
        assert_string_equal(slow.data, fast.data);
        ct_text_free(&slow);
        ct_text_free(&fast);
        ct_c45_cases_free(&cases);
        ct_c45_names_free(&names);
    }
}

/* --- all of it, against the description carried out step by step --- */

static void assert_same(const struct plain_node *plain, const struct ct_c45_node *node, bool pruned)
{
    assert_memory_equal(&plain->items, &node->items, sizeof node->items);
    assert_memory_equal(&plain->errors, &node->errors, sizeof node->errors);
    assert_int_equal(plain->best, node->best);
    assert_int_equal(plain->test, node->test);
    if (node->test == CT_C45_LEAF)
        return;
    assert_int_equal(plain->attribute, node->attribute);
    assert_true(node->test != CT_C45_THRESHOLD || plain->cut == node->cut);
    /* the last of the sets may have lost values that cannot occur, or all of them */
    bool has_sets = node->test == CT_C45_SUBSETS, lost = pruned && has_sets;
    assert_true(node->branch_count == plain->branch_count ||
                (lost && node->branch_count + 1 == plain->branch_count));
    for (size_t b = 0; b < node->branch_count; b++) {
        for (size_t v = 1; has_sets && v <= node->value_count; v++)
            assert_true(plain->sets[b][v] == (node->branch_of[v] == b + 1) ||
                        (lost && b + 1 == node->branch_count));
        assert_same(plain->branches[b], node->branches[b], pruned);
    }
}

static void test_plainly(void **state)
{
    unsigned long long seed = 17;
    enum { TRIALS = 200, MOST = 500 };
    (void)state;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct ct_c45_names names;
        struct ct_c45_cases cases;
        struct ct_c45_engine engine;
        struct ct_c45_pool pool = {0};
        struct plain_node *grown, *pruned;
        struct ct_c45_node *root;
        bool changed;
        random_cases(&seed, 1 + random_below(&seed, MOST), random_below(&seed, 40), &names, &cases);
        struct ct_c45_options options = ct_c45_standard;
        options.subsets = random_below(&seed, 2) == 0;
        options.gain_alone = random_below(&seed, 3) == 0;
        options.least = 1 + random_below(&seed, 6);
        options.confidence = 1 + (double)random_below(&seed, 99);
        plain_learn(&names, &cases, &options, &pool, &grown, &pruned);
        assert_int_equal(ct_c45_engine_make(&names, &cases, &options, false, &engine), CT_OK);
        engine.pool = &pool;
        assert_int_equal(ct_c45_grow(&engine, cases.count, &root), CT_OK);
        assert_same(grown, root, false);
        assert_int_equal(ct_c45_prune(&engine, root, &changed), CT_OK);
        assert_same(pruned, root, true);
        ct_c45_engine_free(&engine);
        ct_c45_pool_free(&pool);
        ct_c45_cases_free(&cases);
        ct_c45_names_free(&names);
    }
}

/* The order that equal numbers are left in decides no sum of whole weights, but would those of parts: some
 * report must change where cases come in another order, or the tests above prove little. */
static void test_order_matters(void **state)
{
    unsigned long long seed = 5;
    enum { TRIALS = 40, CASES = 400 };
    size_t different = 0;
    (void)state;
    for (size_t trial = 0; trial < TRIALS; trial++) {
        struct ct_c45_names names;
        struct ct_c45_cases cases;
        struct ct_text report = {0}, other = {0};
        random_cases(&seed, CASES, 30, &names, &cases);
        struct ct_c45_program program = {.stem = "x", .learn = ct_c45_standard};
        program.learn.confidence = 99;
        struct ct_error error = {""};
        assert_int_equal(ct_c45_report(&names, &cases, NULL, &program, &error, &report), CT_OK);
        for (size_t i = 0; i < CASES / 2; i++) {
            uint16_t class = cases.classes[i];
            cases.classes[i] = cases.classes[CASES - 1 - i];
            cases.classes[CASES - 1 - i] = class;
            for (size_t a = 0; a < names.attribute_count; a++) {
                size_t size =
                    names.attributes[a].kind == CT_C45_CONTINUOUS ? sizeof(float) : sizeof(uint16_t);
                char *low = (char *)cases.columns[a].numbers + i * size;
                char *high = (char *)cases.columns[a].numbers + (CASES - 1 - i) * size, kept[sizeof(float)];
                memcpy(kept, low, size);
                memcpy(low, high, size);
                memcpy(high, kept, size);
            }
        }
        assert_int_equal(ct_c45_report(&names, &cases, NULL, &program, &error, &other), CT_OK);
        different += strcmp(report.data, other.data) != 0;
        ct_text_free(&report);
        ct_text_free(&other);
        ct_c45_cases_free(&cases);
        ct_c45_names_free(&names);
    }
    assert_true(different > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),    cmocka_unit_test(test_long_falls),    cmocka_unit_test(test_columns),
        cmocka_unit_test(test_plainly), cmocka_unit_test(test_order_matters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
