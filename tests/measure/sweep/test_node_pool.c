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

static char *folder, *path;

static int read_text(const char *text, struct ct_error *error, struct ct_node_pool *ret_pool)
{
    assert_int_equal(ct_file_write(path, text, strlen(text), NULL), CT_OK);
    return ct_node_pool_read(path, error, ret_pool);
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
    assert_int_equal(ct_node_pool_read("/nonexistent/hosts", &error, &pool), CT_E_SYSTEM);
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

/* Random jobs come and go: no node has two owners, and each owner has what it asked for. */
static void gives_each_node_once(void **state)
{
    (void)state;
    enum { OWNERS = 6, STEPS = 20000 };
    struct ct_node_pool pool;
    uint64_t random = 1;
    size_t has[OWNERS + 1] = {0};
    assert_int_equal(read_text("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\n", NULL, &pool), CT_OK);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_hosts),
        cmocka_unit_test(refuses_broken_files),
        cmocka_unit_test(keeps_neighbours_together),
        cmocka_unit_test(gives_each_node_once),
    };
    if (ct_folder_temporary(NULL, &folder) != CT_OK || !(path = ct_format("%s/hosts", folder)))
        return 1;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    ct_remove_all(folder, NULL);
    free(folder);
    free(path);
    return failed;
}
