/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes of jobs that run side by side. */
#include "base/file.h"
#include "base/random.h"
#include "measure/sweep/node_pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *folder, *path, *switches_path;

static int read_text(const char *text, struct ct_error *error, struct ct_node_pool *ret_pool)
{
    assert_int_equal(ct_file_write(path, text, strlen(text), NULL), CT_OK);
    return ct_node_pool_read(path, NULL, error, ret_pool);
}

/* Hosts on switches. */
static int read_texts(const char *hosts, const char *switches, struct ct_error *error,
                      struct ct_node_pool *ret_pool)
{
    assert_int_equal(ct_file_write(path, hosts, strlen(hosts), NULL), CT_OK);
    assert_int_equal(ct_file_write(switches_path, switches, strlen(switches), NULL), CT_OK);
    return ct_node_pool_read(path, switches_path, error, ret_pool);
}

static void expect_hosts(const struct ct_node_pool *pool, size_t owner, const char *expected)
{
    char *text, *other = ct_format("%s/owned", folder);
    size_t length;
    assert_non_null(other);
    assert_int_equal(ct_node_pool_write(pool, owner, other, NULL), CT_OK);
    assert_int_equal(ct_file_read(other, NULL, &text, &length), CT_OK);
    assert_string_equal(text, expected);
    free(text);
    free(other);
}

static void reads_hosts(void **state)
{
    (void)state;
    struct ct_node_pool pool;
    assert_int_equal(read_text("# a comment\nn1:4\n\n  n2 slots=4\nn3", NULL, &pool), CT_OK);
    assert_int_equal(pool.count, 3);
    assert_true(ct_node_pool_take(&pool, 7, 3));
    expect_hosts(&pool, 7, "n1:4\nn2 slots=4\nn3\n");
    ct_node_pool_free(&pool);
}

static void refuses_broken_files(void **state)
{
    (void)state;
    static const char *const broken[][2] = {{"", "expected a host a line"},
                                            {"# n1\n\n", "expected a host a line"},
                                            {"n1\nn2\nn1:2\n", "has the host n1 twice"},
                                            {"n1 slots=2\nn1\n", "has the host n1 twice"}};
    struct ct_node_pool pool;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        struct ct_error error = {""};
        assert_int_equal(read_text(broken[i][0], &error, &pool), CT_E_INPUT);
        assert_non_null(strstr(error.text, broken[i][1]));
    }
    struct ct_error error = {""};
    assert_int_equal(ct_node_pool_read("/nonexistent/hosts", NULL, &error, &pool), CT_E_SYSTEM);
}

/* The shortest row that is long enough, and any nodes where there is none. */
static void keeps_neighbours_together(void **state)
{
    (void)state;
    struct ct_node_pool pool;
    assert_int_equal(read_text("a\nb\nc\nd\ne\nf\ng\nh\n", NULL, &pool), CT_OK);
    assert_true(ct_node_pool_take(&pool, 1, 3));
    assert_true(ct_node_pool_take(&pool, 2, 1));
    assert_true(ct_node_pool_take(&pool, 3, 2));
    expect_hosts(&pool, 3, "e\nf\n");
    ct_node_pool_give_back(&pool, 1); /* a b c, and g h */
    assert_true(ct_node_pool_take(&pool, 4, 2));
    expect_hosts(&pool, 4, "g\nh\n");
    ct_node_pool_give_back(&pool, 2); /* a b c d */
    assert_false(ct_node_pool_take(&pool, 5, 5));
    assert_int_equal(pool.free, 4);
    ct_node_pool_give_back(&pool, 4); /* a b c d, and g h */
    assert_true(ct_node_pool_take(&pool, 5, 5));
    expect_hosts(&pool, 5, "a\nb\nc\nd\ng\n");
    ct_node_pool_free(&pool);
}

/* Hosts of the file take turns between the switches x (a c e), y (b d) and z (f g h i); x and y are below u.
 */
static const char turns[] = "a:2\nb:2\nc:2\nd:2\ne:2\nf:2\ng:2\nh:2\ni:2\n";
static const char three[] = "SwitchName=x Nodes=a,c,e\nSwitchName=y Nodes=b,d\nSwitchName=z Nodes=f,g,h,i\n"
                            "SwitchName=u Switches=x,y\n";

static void takes_one_switch_first(void **state)
{
    (void)state;
    struct ct_node_pool pool;
    assert_int_equal(read_texts(turns, three, NULL, &pool), CT_OK);
    assert_true(ct_node_pool_take(&pool, 1, 2)); /* y is the smallest that holds two */
    expect_hosts(&pool, 1, "b:2\nd:2\n");
    assert_true(ct_node_pool_take(&pool, 2, 2));
    expect_hosts(&pool, 2, "a:2\nc:2\n");
    assert_true(ct_node_pool_take(&pool, 3, 1)); /* what is left of x, before z is broken up */
    expect_hosts(&pool, 3, "e:2\n");
    ct_node_pool_give_back(&pool, 1);
    ct_node_pool_give_back(&pool, 2);
    assert_true(ct_node_pool_take(&pool, 4, 4)); /* z alone */
    expect_hosts(&pool, 4, "f:2\ng:2\nh:2\ni:2\n");
    assert_true(ct_node_pool_take(&pool, 5, 4)); /* u */
    expect_hosts(&pool, 5, "a:2\nb:2\nc:2\nd:2\n");
    for (size_t owner = 3; owner <= 5; owner++)
        ct_node_pool_give_back(&pool, owner);
    assert_true(ct_node_pool_take(&pool, 6, 6)); /* nothing joins z and u: all of u's five, and one of z */
    expect_hosts(&pool, 6, "a:2\nb:2\nc:2\nd:2\ne:2\nf:2\n");
    ct_node_pool_free(&pool);
}

static void refuses_a_host_without_switch(void **state)
{
    (void)state;
    struct ct_node_pool pool;
    struct ct_error error = {""};
    assert_int_equal(read_texts("a\nk:2\n", three, &error, &pool), CT_E_INPUT);
    assert_non_null(strstr(error.text, "switches: the host k is below none of the switches"));
    assert_int_equal(read_texts("a\n", "", &error, &pool), CT_E_INPUT);
}

/* Random jobs come and go: no node has two owners, and each owner has what it asked for. */
static void check_owners(struct ct_node_pool pool)
{
    enum { OWNERS = 6, STEPS = 20000 };
    uint64_t random = 1;
    size_t has[OWNERS + 1] = {0};
    for (int step = 0; step < STEPS; step++) {
        size_t owner = 1 + ct_random(&random) % OWNERS, used = 0;
        if (has[owner] > 0) {
            ct_node_pool_give_back(&pool, owner);
            has[owner] = 0;
        } else {
            size_t count = 1 + ct_random(&random) % pool.count;
            has[owner] = ct_node_pool_take(&pool, owner, count) ? count : 0;
            assert_true(has[owner] == count || pool.free < count);
        }
        for (size_t i = 1; i <= OWNERS; i++) {
            size_t owned = 0;
            for (size_t k = 0; k < pool.count; k++)
                owned += pool.owner[k] == i;
            assert_int_equal(owned, has[i]);
            used += owned;
        }
        assert_int_equal(pool.free + used, pool.count);
    }
    ct_node_pool_free(&pool);
}

static void gives_each_node_once(void **state)
{
    (void)state;
    struct ct_node_pool pool;
    assert_int_equal(read_text("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n", NULL, &pool), CT_OK);
    check_owners(pool);
    assert_int_equal(read_texts(turns, three, NULL, &pool), CT_OK);
    check_owners(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_hosts),
        cmocka_unit_test(refuses_broken_files),
        cmocka_unit_test(keeps_neighbours_together),
        cmocka_unit_test(takes_one_switch_first),
        cmocka_unit_test(refuses_a_host_without_switch),
        cmocka_unit_test(gives_each_node_once),
    };
    if (ct_folder_temporary(NULL, &folder) != CT_OK || !(path = ct_format("%s/hosts", folder)) ||
        !(switches_path = ct_format("%s/switches", folder)))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ct_remove_all(folder, NULL);
    free(folder);
    free(path);
    free(switches_path);
    return failed;
}
