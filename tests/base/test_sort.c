/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/random.h"
#include "base/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST = 3000 };

/* Keys that differ in the bytes of `mask`, in any order: equal keys must keep theirs. */
static void check_keyed(size_t count, uint64_t mask)
{
    static struct ct_keyed items[2 * MOST];
    uint64_t random = count + mask, sum = 0;
    for (size_t i = 0; i < count; i++) {
        items[i] = (struct ct_keyed){ct_random(&random) & mask, i};
        sum += items[i].key;
    }
    const struct ct_keyed *sorted = ct_sort_keyed(items, items + MOST, count);
    assert_true(sorted == items || sorted == items + MOST);
    for (size_t i = 0; i < count; i++) {
        sum -= sorted[i].key;
        if (i == 0)
            continue;
        assert_true(sorted[i - 1].key <= sorted[i].key);
        if (sorted[i - 1].key == sorted[i].key)
            assert_true(sorted[i - 1].value < sorted[i].value);
    }
    assert_true(sum == 0);
}

static void test_keyed(void **state)
{
    (void)state;
    static const uint64_t masks[] = {0, 3, 0xff, 0xff00, 0xffff, UINT64_C(0xff000000000000ff), UINT64_MAX};
    static const size_t counts[] = {0, 1, 2, 3, 23, 24, 25, 100, MOST};
    for (size_t m = 0; m < sizeof masks / sizeof masks[0]; m++)
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++)
            check_keyed(counts[c], masks[m]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_keyed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
