/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "base/memory.h"
#include "decision/score.h"
#include "samples/statistics/estimate.h"
#include "tests/samples/statistics/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *const spellings[] = {"native", "linear", "chain", "binary", "binomial", "pipeline"};
enum { METHODS = sizeof spellings / sizeof spellings[0], LAUNCHES_MAX = 8 };

/* A cell as a run with these launches would make it. */
static struct ct_cell cell_of(const struct noise_world *world, const struct noise_cell *noise)
{
    struct ct_cell cell = {.key = {.nodes = 4, .ppn = 1, .comm_size = 4},
                           .methods = ct_allocate(METHODS, sizeof *cell.methods),
                           .standings = ct_allocate(METHODS, sizeof *cell.standings),
                           .launch_count = METHODS * world->launches,
                           .launches = ct_allocate(METHODS * world->launches, sizeof *cell.launches)};
    assert_true(cell.methods && cell.standings && cell.launches);
    memcpy(cell.launches, noise->launches, cell.launch_count * sizeof *cell.launches);
    cell.best = 0;
    for (size_t m = 0; m < METHODS; m++) {
        cell.methods[m] = (struct ct_statistics){.count = world->launches * world->samples,
                                                 .median = noise->evidence[m].estimate,
                                                 .launches = world->launches,
                                                 .first_launch = m * world->launches};
        cell.best = cell.methods[m].median < cell.methods[cell.best].median ? m : cell.best;
    }
    return cell;
}

/* `cells` cells that differ in message size alone. */
static struct ct_map map_of(const struct noise_world *world, size_t cells, unsigned long seed)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed);
    struct ct_map map = {.collective = CT_COLLECTIVE_BCAST,
                         .methods = ct_allocate(METHODS, sizeof *map.methods),
                         .method_count = METHODS,
                         .cells = ct_allocate(cells, sizeof *map.cells),
                         .cell_count = cells};
    assert_true(map.methods && map.cells);
    for (size_t m = 0; m < METHODS; m++)
        assert_int_equal(ct_method_parse(spellings[m], CT_COLLECTIVE_BCAST, NULL, &map.methods[m]), CT_OK);
    for (size_t c = 0; c < cells; c++) {
        struct noise_cell noise = noise_draw(world, random);
        map.cells[c] = cell_of(world, &noise);
        map.cells[c].key.msg_bytes = c + 1;
        noise_free(&noise);
    }
    gsl_rng_free(random);
    return map;
}

static struct ct_decision_tree always(const char *spelling)
{
    struct ct_decision_tree tree = {.collective = CT_COLLECTIVE_BCAST};
    struct ct_method method;
    struct ct_tree_node leaf = {.feature = CT_LEAF};
    uint32_t node;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVE_BCAST, NULL, &method), CT_OK);
    assert_int_equal(ct_tree_add_method(&tree, &method, &leaf.method), CT_OK);
    leaf.fallback = leaf.method;
    assert_int_equal(ct_tree_add_node(&tree, &leaf, &node), CT_OK);
    return tree;
}

/* True times, what the launches do to them, and the true penalty of always taking linear, the second. */
static const struct {
    const char *name;
    double times[METHODS];
    double own;
    size_t launches;
    double penalty;
} cases[] = {
    {"all equal, two launches", {1, 1, 1, 1, 1, 1}, 0.1, 2, 0},
    {"all equal, three launches", {1, 1, 1, 1, 1, 1}, 0.1, 3, 0},
    {"all equal, eight launches", {1, 1, 1, 1, 1, 1}, 0.1, 8, 0},
    {"linear is best", {2, 1, 2, 2, 2, 2}, 0.05, 3, 0},
    {"linear takes 20 % more", {2, 1.2, 2, 1, 2, 2}, 0.05, 3, 0.2},
};

/* What always one method loses, on the geometric mean of many cells. Against the best of the same launches it
 * is too much wherever several are near the best; against the best of the others it is right. */
static void test_bias(void **state)
{
    (void)state;
    enum { CELLS = 2000 };
    struct ct_decision_tree tree = always("linear");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct noise_world world = {.times = cases[i].times,
                                          .methods = METHODS,
                                          .launches = cases[i].launches,
                                          .samples = 5,
                                          .common = 0.2,
                                          .own = cases[i].own,
                                          .within = 0.02};
        struct ct_map map = map_of(&world, CELLS, 11 + i);
        struct ct_score naive, crossed;
        assert_int_equal(ct_score_tree(&tree, &map, NULL, &naive), CT_OK);
        assert_int_equal(ct_score_cross_launches(&tree, &map, NULL, &crossed), CT_OK);
        print_message("%-26s truly %4.1f %%, naive %5.2f %%, crossed %5.2f %%\n", cases[i].name,
                      100 * cases[i].penalty, 100 * naive.tree.geometric_mean,
                      100 * crossed.tree.geometric_mean);
        /* four standard errors of a mean logarithm of CELLS ratios, each of two times at least */
        const double error = 4 * sqrt(2) * cases[i].own / sqrt(CELLS);
        assert_true(fabs(log1p(crossed.tree.geometric_mean) - log1p(cases[i].penalty)) < error);
        if (i < 3)
            assert_true(naive.tree.geometric_mean > 0.02);
        assert_int_equal(crossed.tree.cells, CELLS);
        ct_map_free(&map);
    }
    ct_tree_free(&tree);
}

/* By hand: two launches, of which each chooses for the other. */
static void test_by_hand(void **state)
{
    (void)state;
    static const double times[METHODS] = {1, 1, 1, 1, 1, 1};
    const struct noise_world world = {.times = times, .methods = METHODS, .launches = 2, .samples = 1};
    struct ct_map map = map_of(&world, 3, 1);
    static const double launches[METHODS][2] = {{6, 6}, {3, 5}, {2, 4}, {4, 2}, {9, 9}, {9, 9}};
    for (size_t m = 0; m < METHODS; m++) {
        for (size_t l = 0; l < 2; l++)
            map.cells[0].launches[2 * m + l].median = launches[m][l];
        map.cells[0].methods[m].median = (launches[m][0] + launches[m][1]) / 2;
    }
    /* in the second cell linear failed, in the third there is one launch */
    map.cells[1].methods[1] = (struct ct_statistics){0};
    for (size_t m = 0; m < METHODS; m++)
        map.cells[2].methods[m].launches = 1;
    map.cells[0].best = 2;
    struct ct_decision_tree tree = always("linear");
    struct ct_score score;
    assert_int_equal(ct_score_cross_launches(&tree, &map, NULL, &score), CT_OK);
    /* the first launch chooses chain: 5 / 4; the second binary: 3 / 4 */
    assert_int_equal(score.tree.cells, 1);
    assert_int_equal(score.tree.unmeasured, 2);
    assert_float_equal(score.tree.mean, sqrt(5.0 / 4 * 3 / 4) - 1, 1e-6);
    assert_int_equal(score.native.cells, 2);
    assert_float_equal(score.native.least, fmin(0, sqrt(6.0 / 4 * 6 / 4) - 1), 1e-6);
    assert_float_equal(score.native.most, sqrt(6.0 / 4 * 6 / 4) - 1, 1e-6);

    /* the launches agree on the one best method, or not */
    for (size_t l = 0; l < 2; l++)
        map.cells[0].launches[2 * 3 + l].median = 1;
    assert_int_equal(ct_score_cross_launches(&tree, &map, NULL, &score), CT_OK);
    assert_string_equal(score.single_method.algorithm->name, "binary");
    ct_tree_free(&tree);
    ct_map_free(&map);
}

/* One launch cannot choose for another. */
static void test_one_launch(void **state)
{
    (void)state;
    static const double times[METHODS] = {1, 1, 1, 1, 1, 1};
    const struct noise_world world = {.times = times, .methods = METHODS, .launches = 1, .samples = 9};
    struct ct_map map = map_of(&world, 2, 1);
    struct ct_decision_tree tree = always("native");
    struct ct_score score;
    struct ct_error error = {""};
    assert_int_equal(ct_score_cross_launches(&tree, &map, &error, &score), CT_E_ANSWER);
    assert_non_null(strstr(error.text, "--launches 2"));
    tree.collective = CT_COLLECTIVE_BARRIER;
    assert_int_equal(ct_score_cross_launches(&tree, &map, &error, &score), CT_E_INPUT);
    ct_tree_free(&tree);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bias),
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_one_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
