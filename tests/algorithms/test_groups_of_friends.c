/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/groups_of_friends.h"
#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { CANDIDATES = 7, WORDS = 2, GROUP_OTHERS_MOST = 3 };

static uint64_t sets[CANDIDATES][WORDS], active[WORDS];
static struct ct_friend_candidate candidates[CANDIDATES];

/* Sets of two words that overlap unevenly. */
static void make_sets(void)
{
    for (size_t c = 0; c < CANDIDATES; c++) {
        candidates[c] = (struct ct_friend_candidate){(int)(3 * c), sets[c]};
        sets[c][0] = UINT64_C(0x9e3779b97f4a7c15) * (c + 1) | (c % 2 ? 0xffff : 0);
        sets[c][1] = UINT64_C(0xbf58476d1ce4e5b9) * (c + 5) | 0xf0f0;
    }
    active[0] = ~UINT64_C(0xff);
    active[1] = 0xffffffff;
}

/* The weight of the group that is the bits of `members`. */
static size_t weigh(unsigned members)
{
    uint64_t common[WORDS];
    memcpy(common, active, sizeof common);
    for (size_t c = 0; c < CANDIDATES; c++)
        for (size_t w = 0; members >> c & 1 && w < WORDS; w++)
            common[w] &= sets[c][w];
    return ct_set_count(common, WORDS);
}

/* The bits of a group, the first candidate the highest, so that a greater number is an earlier group. */
static unsigned rank_of(const struct ct_friend_groups *groups, size_t group)
{
    unsigned rank = 0;
    for (size_t i = 0; i < groups->others; i++)
        rank |= 1u << (CANDIDATES - 1 - ct_friend_group(groups, group)[i]);
    return rank;
}

/* All groups are there, once, in order. */
static void test_order(void **state)
{
    (void)state;
    struct ct_friend_groups groups = {0};
    make_sets();
    for (size_t others = 1; others <= GROUP_OTHERS_MOST; others++) {
        for (size_t threshold = 0; threshold < 24; threshold++) {
            size_t expected = 0;
            for (unsigned members = 0; members < 1u << CANDIDATES; members++)
                expected += (size_t)__builtin_popcount(members) == others && weigh(members) > threshold;
            assert_int_equal(
                ct_friend_groups_find(&groups, candidates, CANDIDATES, active, WORDS, others, threshold),
                CT_OK);
            assert_int_equal(groups.count, expected);
            for (size_t i = 0; i < groups.count; i++) {
                size_t group = groups.order[i], before = i > 0 ? groups.order[i - 1] : group;
                unsigned members = 0;
                for (size_t k = 0; k < others; k++)
                    members |= 1u << ct_friend_group(&groups, group)[k];
                assert_int_equal(groups.weights[group], weigh(members));
                assert_true(groups.weights[group] > threshold);
                assert_true(groups.weights[before] >= groups.weights[group]);
                if (i > 0 && groups.weights[before] == groups.weights[group])
                    assert_true(rank_of(&groups, before) > rank_of(&groups, group));
            }
        }
    }
    ct_friend_groups_free(&groups);
}

/* Groups of a candidate that is gone are no longer left, and do not mark its friends. */
static void test_gone(void **state)
{
    (void)state;
    struct ct_friend_groups groups = {0};
    bool marks[CANDIDATES];
    make_sets();
    assert_int_equal(ct_friend_groups_find(&groups, candidates, 3, active, WORDS, 2, 0), CT_OK);
    assert_int_equal(groups.count, 3);
    ct_friend_groups_mark(&groups, marks);
    assert_true(marks[0] && marks[1] && marks[2]);
    groups.is_gone[1] = true;
    size_t left = 0;
    for (size_t i = 0; i < groups.count; i++)
        left += ct_friend_group_is_left(&groups, i);
    assert_int_equal(left, 1);
    ct_friend_groups_mark(&groups, marks);
    assert_true(marks[0] && !marks[1] && marks[2]);
    groups.is_gone[2] = true;
    ct_friend_groups_mark(&groups, marks);
    assert_true(!marks[0] && !marks[1] && !marks[2]);
    ct_friend_groups_free(&groups);
}

/* Too many groups are refused: 50 candidates have 2.1 million of five. */
static void test_limit(void **state)
{
    (void)state;
    enum { MANY = 50 };
    struct ct_friend_groups groups = {0};
    struct ct_friend_candidate many[MANY];
    uint64_t all = ~UINT64_C(0);
    for (int i = 0; i < MANY; i++)
        many[i] = (struct ct_friend_candidate){i, &all};
    assert_int_equal(ct_friend_groups_find(&groups, many, MANY, &all, 1, 5, 8), CT_E_LIMIT);
    assert_int_equal(ct_friend_groups_find(&groups, many, MANY, &all, 1, 3, 8), CT_OK);
    assert_int_equal(groups.count, 19600);
    ct_friend_groups_free(&groups);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_gone),
        cmocka_unit_test(test_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
