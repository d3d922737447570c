/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/map.h"
#include "decision/score.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct ct_decisions decisions_of(const char *trees)
{
    struct ct_text text = {0};
    struct ct_decisions decisions;
    struct ct_error error = {""};
    ct_text_append(&text, "colltune-table 2\n%s", trees);
    int status = ct_decisions_read_text(text.data, "t", &error, &decisions);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    ct_text_free(&text);
    return decisions;
}

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) < 1e-12))
        fail_msg("got %.17g, expected %.17g", value, expected);
}

/* Four cells, worked out by hand: penalties 0, 0, 1, 0.04 of the tree. */
static void test_numbers(void **state)
{
    (void)state;
    static const double times[4][3] = {{4, 1, 2}, {4, 2, 4}, {2, 4, 2}, {3, 1.04, 1}};
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "1,1K", "native,linear,binomial:", &map);
    for (size_t c = 0; c < 4; c++)
        for (size_t m = 0; m < 3; m++)
            fixture_set(&map, c, m, times[c][m]);
    struct ct_decisions decisions = decisions_of("collective bcast\nlinear\n");
    struct ct_score score;
    assert_int_equal(ct_score_tree(&decisions.trees[0], &map, NULL, &score), CT_OK);
    assert_int_equal(score.leaves, 1);
    assert_int_equal(score.depth.most, 0);
    assert_int_equal(score.tree.cells, 4);
    assert_int_equal(score.tree.unmeasured, 0);
    assert_near(score.tree.least, 0);
    assert_near(score.tree.mean, 1.04 / 4);
    assert_near(score.tree.median, 0.02);
    assert_near(score.tree.geometric_mean, pow(2 * 1.04, 0.25) - 1);
    assert_near(score.tree.percentile95, 0.04 + 0.85 * 0.96);
    assert_near(score.tree.most, 1);
    assert_near(score.tree.within, 0.75);
    assert_near(score.tree.best, 0.5);
    /* native: 3, 1, 0, 2 */
    assert_near(score.native.mean, 1.5);
    assert_near(score.native.least, 0);
    assert_near(score.native.best, 0.25);
    assert_near(score.single.best, 0.5);
    /* binomial: 1, 1, 0, 0 has the geometric mean 2^(1/2); linear 2.08^(1/4) is less */
    assert_string_equal(score.single_method.algorithm->name, "linear");
    assert_near(score.single.mean, score.tree.mean);
    assert_int_equal(score.speedup.cells, 4);
    assert_near(score.speedup.geometric_mean, pow(4 * 2 * 0.5 * (3 / 1.04), 0.25));
    assert_near(score.speedup.least, 0.5);
    assert_near(score.speedup.most, 4);
    /* 4, 2, 1/2, 3 / 1.04 */
    assert_near(score.speedup.mean, (6.5 + 3 / 1.04) / 4);
    assert_near(score.speedup.median, (2 + 3 / 1.04) / 2);
    assert_near(score.speedup.percentile95, 4 - 0.15 * (4 - 3 / 1.04));
    assert_near(score.speedup.within, 0.75);
    /* two communicator sizes of means 0 and 0.52: draws are either, or both */
    assert_near(score.tree_mean.low, 0);
    assert_near(score.tree_mean.high, 0.52);
    assert_int_equal(score.tree_mean.groups, 2);
    ct_decisions_free(&decisions);
    ct_map_free(&map);
}

/* A method chosen that was not measured in a cell, or is not in the map at all, is counted; so are cells
 * where nothing was measured. */
static void test_unmeasured(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8", "1", "linear,binomial:", &map);
    fixture_set(&map, 0, 0, 1);
    fixture_set(&map, 0, 1, 2);
    fixture_set(&map, 1, 1, 2);
    struct ct_decisions decisions = decisions_of("collective bcast\nlinear\n");
    struct ct_score score;
    assert_int_equal(ct_score_tree(&decisions.trees[0], &map, NULL, &score), CT_OK);
    assert_int_equal(score.tree.cells, 1);
    assert_int_equal(score.tree.unmeasured, 2);
    assert_int_equal(score.native.cells, 0);
    assert_int_equal(score.speedup.cells, 0);
    /* measured in two cells, linear in one only */
    assert_string_equal(score.single_method.algorithm->name, "binomial");
    assert_int_equal(score.single.cells, 2);
    assert_int_equal(score.single.unmeasured, 1);
    ct_decisions_free(&decisions);

    decisions = decisions_of("collective bcast\ncomm_size <= 2\n  linear\n  split_binary:seg=8K\n");
    assert_int_equal(ct_score_tree(&decisions.trees[0], &map, NULL, &score), CT_OK);
    assert_int_equal(score.tree.cells, 1);
    assert_int_equal(score.tree.unmeasured, 2);
    ct_decisions_free(&decisions);

    /* another collective's tree */
    decisions = decisions_of("collective barrier\nlinear\n");
    struct ct_error error = {""};
    assert_int_equal(ct_score_tree(&decisions.trees[0], &map, &error, &score), CT_E_INPUT);
    assert_non_null(strstr(error.text, "a tree of barrier"));
    ct_decisions_free(&decisions);
    ct_map_free(&map);
}

/* The best of a group: ties to the first, what is not allowed is passed over. */
static void test_group(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "1", "native,linear,binomial:", &map);
    assert_int_equal(ct_map_best_method(&map, NULL, 2, NULL), SIZE_MAX);
    for (size_t c = 0; c < 2; c++)
        for (size_t m = 0; m < 3; m++)
            fixture_set(&map, c, m, m == 0 ? 1 : 2);
    const bool others[] = {false, true, true}, none[] = {false, false, false};
    assert_int_equal(ct_map_best_method(&map, NULL, 2, NULL), 0);
    assert_int_equal(ct_map_best_method(&map, NULL, 2, others), 1);
    assert_int_equal(ct_map_best_method(&map, NULL, 2, none), SIZE_MAX);
    /* the fastest, but in one cell only */
    fixture_set(&map, 0, 2, 0.5);
    map.cells[1].methods[2].count = 0;
    assert_int_equal(ct_map_best_method(&map, NULL, 2, NULL), 0);
    assert_int_equal(ct_map_best_method(&map, NULL, 1, NULL), 2);
    ct_map_free(&map);
}

/* The interval of a mean: whole groups are drawn, so that cells which err alike do not make it narrower. */
static void test_bootstrap(void **state)
{
    (void)state;
    enum { GROUPS = 40, MEMBERS = 25, ALL = GROUPS * MEMBERS };
    double values[ALL], once[GROUPS];
    size_t groups[ALL], single[GROUPS];
    unsigned seed = 2;
    double mean = 0;
    for (size_t i = 0; i < ALL; i++) {
        if (i % MEMBERS == 0)
            once[i / MEMBERS] = (double)fixture_random(&seed, 1000);
        single[i / MEMBERS] = groups[i] = 7 * (i / MEMBERS);
        values[i] = once[i / MEMBERS];
        mean += values[i] / ALL;
    }
    struct ct_mean_interval clustered, of_groups, free_cells, none;
    assert_int_equal(ct_bootstrap_mean(values, groups, ALL, &clustered), CT_OK);
    assert_int_equal(ct_bootstrap_mean(once, single, GROUPS, &of_groups), CT_OK);
    assert_true(clustered.low < mean && mean < clustered.high && clustered.groups == GROUPS);
    assert_near(clustered.low, of_groups.low);
    assert_near(clustered.high, of_groups.high);
    /* some 1.96 standard errors to each side: of values spread evenly over 1000, 289 / sqrt(40) each */
    double width = clustered.high - clustered.low;
    assert_true(width > 140 && width < 220);
    for (size_t i = 0; i < ALL; i++)
        groups[i] = i;
    assert_int_equal(ct_bootstrap_mean(values, groups, ALL, &free_cells), CT_OK);
    assert_true(free_cells.high - free_cells.low < width / 3);
    /* what is not known does not count; one group says nothing */
    values[3] = NAN;
    assert_int_equal(ct_bootstrap_mean(values, groups, 4, &none), CT_OK);
    assert_int_equal(none.groups, 3);
    assert_int_equal(ct_bootstrap_mean(values, groups, 1, &none), CT_OK);
    assert_true(none.groups == 1 && none.low == 0 && none.high == 0);
    assert_int_equal(ct_bootstrap_mean(values, groups, 0, &none), CT_OK);
    assert_int_equal(none.groups, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_unmeasured),
        cmocka_unit_test(test_group),
        cmocka_unit_test(test_bootstrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
