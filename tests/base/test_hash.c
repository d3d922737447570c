/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/hash.h"
#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MANY = 5000 };

static void test_many(void **state)
{
    (void)state;
    struct ct_hash_table table = {0};
    uint64_t seed = 1, keys[MANY];
    assert_true(ct_hash_find(&table, 1, NULL, NULL) == SIZE_MAX);
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < MANY; i++) {
            keys[i] = round == 0 ? i : ct_random(&seed);
            assert_true(ct_hash_find(&table, keys[i], NULL, NULL) == SIZE_MAX);
            assert_int_equal(ct_hash_add(&table, keys[i], i), CT_OK);
        }
        for (size_t i = 0; i < MANY; i++)
            assert_int_equal(ct_hash_find(&table, keys[i], NULL, NULL), i);
        ct_hash_clear(&table);
        assert_true(ct_hash_find(&table, keys[0], NULL, NULL) == SIZE_MAX);
    }
    ct_hash_free(&table);
}

static const char *const words[] = {"one", "two", "three"};

static bool is_word(const void *sought, size_t index)
{
    return strcmp(sought, words[index]) == 0;
}

/* Elements of one key are told apart by comparing them. */
static void test_equal(void **state)
{
    (void)state;
    struct ct_hash_table table = {0};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(ct_hash_add(&table, 7, i), CT_OK);
    assert_int_equal(ct_hash_find(&table, 7, is_word, "three"), 2);
    assert_true(ct_hash_find(&table, 7, is_word, "four") == SIZE_MAX);
    assert_true(ct_hash_find(&table, 8, is_word, "one") == SIZE_MAX);
    ct_hash_free(&table);
}

static void test_shuffle(void **state)
{
    (void)state;
    size_t order[MANY], sum = 0, moved = 0;
    uint64_t seed = 3;
    for (size_t i = 0; i < MANY; i++)
        order[i] = i;
    ct_shuffle(order, MANY, sizeof order[0], &seed);
    for (size_t i = 0; i < MANY; i++) {
        sum += order[i];
        moved += order[i] != i;
    }
    assert_int_equal(sum, (size_t)MANY * (MANY - 1) / 2);
    assert_true(moved > MANY - 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_many), cmocka_unit_test(test_equal),
                                       cmocka_unit_test(test_shuffle)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
