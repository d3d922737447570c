/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "decision/score.h"
#include "learners/choosable.h"
#include "learners/place.h"
#include "learners/surrogate.h"
#include "models/predict/predicted_times.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool *all_methods(const struct ct_map *map)
{
    bool *allowed = ct_allocate(map->method_count, sizeof *allowed);
    assert_non_null(allowed);
    for (size_t m = 0; m < map->method_count; m++)
        allowed[m] = true;
    return allowed;
}

static struct ct_surrogate *learn(const struct ct_map *map, const bool *allowed, bool no_plans)
{
    const struct ct_surrogate_options options = {.no_plans = no_plans, .calls = 1000};
    struct ct_error error = {""};
    struct ct_surrogate *surrogate;
    assert_int_equal(ct_surrogate_new(map, allowed, &options, &error, &surrogate), CT_OK);
    return surrogate;
}

static struct ct_cell_key key_of(size_t ranks, size_t bytes)
{
    return (struct ct_cell_key){
        .nodes = 1, .ppn = (uint32_t)ranks, .comm_size = (uint32_t)ranks, .msg_bytes = bytes};
}

static size_t cell_of(const struct ct_map *map, size_t ranks, size_t bytes)
{
    const struct ct_cell *cell = ct_map_find_cell(map, ranks, bytes);
    assert_non_null(cell);
    return (size_t)(cell - map->cells);
}

/* The method of the map that a tree takes in a call. */
static size_t choice_of(const struct ct_decision_tree *tree, const struct ct_map *map, size_t ranks,
                        size_t bytes)
{
    const struct ct_cell call = {.key = key_of(ranks, bytes)};
    return ct_score_choice(tree, map, &call);
}

static size_t learned_choice(const struct ct_map *map, size_t ranks, size_t bytes)
{
    struct ct_decision_tree tree = fixture_learn("surrogate", "", map, NULL);
    size_t choice = choice_of(&tree, map, ranks, bytes);
    ct_tree_free(&tree);
    return choice;
}

static bool may_choose(const struct ct_map *map, size_t method, size_t ranks, size_t bytes)
{
    bool *allowed = all_methods(map), *may = all_methods(map);
    const struct ct_cell_key key = key_of(ranks, bytes);
    struct ct_choosable *choosable;
    assert_int_equal(ct_choosable_new(map, allowed, NULL, true, &choosable), CT_OK);
    ct_choosable_at(choosable, &key, may);
    bool result = may[method];
    ct_choosable_free(choosable);
    free(allowed);
    free(may);
    return result;
}

/* --- rules --- */

enum { NATIVE, OTHER };

/* On 8 ranks only the largest message was measured. Native wins on 2 ranks, and on 4 and 8 it takes so many
 * times as long as the other. */
static void make_hole(double times_as_long, struct ct_map *map)
{
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8", "8,64,512,4K,32K,256K", "native,binomial:", map);
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_cell_key *key = &map->cells[c].key;
        double seconds = 1e-6 * (double)key->comm_size + 1e-9 * (double)key->msg_bytes;
        if (key->comm_size == 8 && key->msg_bytes < 256 << 10)
            continue;
        fixture_set(map, c, OTHER, seconds);
        fixture_set(map, c, NATIVE, seconds * (key->comm_size == 2 ? 0.5 : times_as_long));
    }
}

/* A method that lost in all measured cells around is not chosen between them, native is no exception. */
static void test_unmeasured(void **state)
{
    (void)state;
    struct ct_map map;
    make_hole(1.5, &map);
    assert_false(may_choose(&map, NATIVE, 8, 8));
    assert_true(may_choose(&map, OTHER, 8, 8));
    assert_true(may_choose(&map, NATIVE, 2, 8));
    assert_int_equal(learned_choice(&map, 8, 8), OTHER);
    assert_int_equal(learned_choice(&map, 2, 8), NATIVE);
    ct_map_free(&map);
    /* near the best around, it may be chosen, and is where it is faster */
    make_hole(1.05, &map);
    assert_true(may_choose(&map, NATIVE, 8, 8));
    for (size_t c = 0; c < map.cell_count; c++)
        if (map.cells[c].methods[NATIVE].count > 0)
            fixture_set(&map, c, NATIVE, 0.95 * map.cells[c].methods[OTHER].median);
    assert_int_equal(learned_choice(&map, 8, 8), NATIVE);
    /* but not where it failed */
    map.cells[cell_of(&map, 8, 8)].methods[NATIVE].failed = true;
    assert_false(may_choose(&map, NATIVE, 8, 8));
    ct_map_free(&map);
}

/* A cell in which one method alone was measured does not count. */
static void test_alone(void **state)
{
    (void)state;
    struct ct_map map;
    make_hole(1.5, &map);
    size_t alone = cell_of(&map, 8, 64);
    fixture_set(&map, alone, NATIVE, 1e-5);
    assert_false(may_choose(&map, NATIVE, 8, 64));
    assert_false(may_choose(&map, NATIVE, 8, 8));
    fixture_set(&map, alone, OTHER, 2e-5);
    assert_true(may_choose(&map, NATIVE, 8, 64));
    assert_true(may_choose(&map, NATIVE, 8, 8));
    ct_map_free(&map);
}

/* A gain in one cell of many. */
static void make_lone_winner(enum ct_standing of_loser, struct ct_map *map)
{
    fixture_map(CT_COLLECTIVE_BCAST, "2,3,4,5,6,7,8,9,10", "1,2,4,8,16,32,64,128,256,512",
                "linear,binomial:", map);
    unsigned seed = 3;
    for (size_t c = 0; c < map->cell_count; c++) {
        double noise = 1 + (double)fixture_random(&seed, 100) / 400;
        fixture_set(map, c, 0, 1e-5);
        fixture_set(map, c, 1, 1.2e-5 * noise);
        map->cells[c].standings[1] = CT_STANDING_UNDECIDED;
        map->cells[c].standings[0] = CT_STANDING_BEST;
    }
    struct ct_cell *lone = &map->cells[cell_of(map, 6, 16)];
    fixture_set(map, cell_of(map, 6, 16), 1, 0.8e-5);
    lone->standings[1] = CT_STANDING_BEST;
    lone->standings[0] = of_loser;
}

/* A significant gain in a measured cell survives smoothing and pruning; one that is not does not. */
static void test_significant(void **state)
{
    (void)state;
    struct ct_map map;
    make_lone_winner(CT_STANDING_WORSE, &map);
    assert_int_equal(learned_choice(&map, 6, 16), 1);
    assert_int_equal(learned_choice(&map, 9, 16), 0);
    ct_map_free(&map);
    make_lone_winner(CT_STANDING_UNDECIDED, &map);
    assert_int_equal(learned_choice(&map, 6, 16), 0);
    ct_map_free(&map);
}

/* A method that applies to even sizes alone, and one that was measured on powers of two alone. */
static void test_some_sizes(void **state)
{
    (void)state;
    struct ct_map map;
    enum { RING, EVEN };
    fixture_map(CT_COLLECTIVE_ALLGATHER, "2,4,5,8,9,16", "8,64,512,4K", "ring,neighbor_exchange", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        size_t ranks = map.cells[c].key.comm_size;
        fixture_set(&map, c, RING, 1e-6 * (double)ranks);
        if (ct_score_applies(&map.methods[EVEN], &map.cells[c]))
            fixture_set(&map, c, EVEN, 0.5e-6 * (double)ranks);
    }
    assert_int_equal(learned_choice(&map, 8, 64), EVEN);
    assert_int_equal(learned_choice(&map, 10, 64), EVEN);
    assert_int_equal(learned_choice(&map, 9, 64), RING);
    assert_int_equal(learned_choice(&map, 7, 64), RING);
    assert_false(may_choose(&map, EVEN, 7, 64));
    ct_map_free(&map);
    enum { BRUCK, OTHER_RING };
    for (int is_near = 0; is_near < 2; is_near++) {
        fixture_map(CT_COLLECTIVE_ALLGATHER, "2,4,6,8,12,16", "8,64,512,4K", "ring,bruck:", &map);
        for (size_t c = 0; c < map.cell_count; c++) {
            size_t ranks = map.cells[c].key.comm_size;
            fixture_set(&map, c, OTHER_RING, 1e-6 * (double)ranks);
            if ((ranks & (ranks - 1)) == 0)
                fixture_set(&map, c, BRUCK, (is_near ? 1.05e-6 : 1.3e-6) * (double)ranks);
        }
        assert_int_equal(may_choose(&map, BRUCK, 12, 64), is_near);
        assert_int_equal(learned_choice(&map, 12, 64), OTHER_RING);
        ct_map_free(&map);
    }
}

/* --- estimates --- */

/* Times that plans predict on powers of two; others between are what is asked for. */
static double evaluate(struct ct_predicted_times *times, const struct ct_map *map, size_t method,
                       const struct ct_cell_key *key)
{
    double seconds;
    assert_int_equal(
        ct_predicted_times_at(times, &map->methods[method], key->comm_size, key->msg_bytes, NULL, &seconds),
        CT_OK);
    return seconds;
}

/* What the estimates are off, on average, in sizes that were not measured. */
static double off_between(const struct ct_map *map, struct ct_predicted_times *times, bool no_plans)
{
    static const size_t ranks[] = {3, 5, 9, 17, 24};
    double means[8], deviations[8], sum = 0, count = 0;
    bool *allowed = all_methods(map);
    struct ct_surrogate *surrogate = learn(map, allowed, no_plans);
    assert_int_equal(ct_surrogate_follows_plans(surrogate), !no_plans);
    for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++)
        for (size_t bytes = 96; bytes < 1 << 19; bytes *= 8) {
            const struct ct_cell_key key = key_of(ranks[i], bytes);
            assert_int_equal(ct_surrogate_at(surrogate, &key, means, deviations), CT_OK);
            for (size_t m = 0; m < map->method_count; m++, count++)
                sum += fabs(means[m] - log(evaluate(times, map, m, &key)));
        }
    ct_surrogate_free(surrogate);
    free(allowed);
    return sum / count;
}

/* Where times follow the methods' plans, the steps between powers of two are found. */
static void test_plans(void **state)
{
    (void)state;
    struct ct_map map;
    struct ct_model model = {.gamma = 1e-10};
    struct ct_predicted_times *times;
    model.links[CT_LINK_NETWORK].known[CT_MODEL_LOGGP] = true;
    model.links[CT_LINK_NETWORK].loggp = (struct ct_loggp){3e-5, 4e-6, 4e-6, 2e-9};
    const struct ct_prediction prediction = {.model = &model,
                                             .weights[CT_MODEL_LOGGP] = 1,
                                             .segments = CT_SEGMENT_FROM_LIST,
                                             .ppn = 1,
                                             .most_messages = 1 << 16};
    assert_int_equal(ct_predicted_times_new(&prediction, &times), CT_OK);
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16,32", "64,512,4K,32K,256K",
                "linear,binomial:,binary:seg=8K,pipeline:seg=8K", &map);
    map.exact = true;
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < map.method_count; m++)
            fixture_set(&map, c, m, evaluate(times, &map, m, &map.cells[c].key));
    double with = off_between(&map, times, false), without = off_between(&map, times, true);
    assert_true(with < 0.5 * without);
    /* they are not followed where they tell nothing */
    unsigned seed = 4;
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < map.method_count; m++)
            fixture_set(&map, c, m, 1e-5 * (1 + (double)fixture_random(&seed, 100)));
    bool *allowed = all_methods(&map);
    struct ct_surrogate *surrogate = learn(&map, allowed, false);
    assert_false(ct_surrogate_follows_plans(surrogate));
    ct_surrogate_free(surrogate);
    free(allowed);
    ct_predicted_times_free(times);
    ct_map_free(&map);
}

/* Cells differ at random by what all methods have in common, and a method lacks half of them. How much it
 * differs from the others is told by the cells that it has. */
static void test_common_levels(void **state)
{
    (void)state;
    const double effects[] = {0, 0.1, 0.2};
    struct ct_map map;
    unsigned seed = 7;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "8,64,512,4K,32K,256K", "native,linear,binomial:", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        const double level = -10 + (double)fixture_random(&seed, 1000) / 500;
        for (size_t m = 0; m < map.method_count; m++)
            if (m < 2 || c % 2 == 0)
                fixture_set(&map, c, m, exp(level + effects[m]));
    }
    bool *allowed = all_methods(&map);
    struct ct_surrogate *surrogate = learn(&map, allowed, true);
    double means[3], deviations[3], most = 0;
    for (size_t c = 1; c < map.cell_count; c += 2) {
        assert_int_equal(ct_surrogate_at(surrogate, &map.cells[c].key, means, deviations), CT_OK);
        most = fmax(most, fabs(means[2] - means[1] - 0.1));
    }
    /* 0.18 if methods are smoothed by themselves */
    assert_true(most < 0.12);
    ct_surrogate_free(surrogate);
    free(allowed);
    ct_map_free(&map);
}

/* More cells than one process takes. */
static void test_boxes(void **state)
{
    (void)state;
    struct ct_map map;
    double means[2], deviations[2];
    fixture_map(CT_COLLECTIVE_BCAST, "2-40", "8,64,512,4K,32K,256K,2M,16M", "linear,binomial:", &map);
    for (size_t c = 0; c < map.cell_count; c++) {
        const struct ct_cell_key *key = &map.cells[c].key;
        fixture_set(&map, c, 0, 1e-6 * (double)key->comm_size + 1e-9 * (double)key->msg_bytes);
        fixture_set(&map, c, 1, 2e-6 * log2((double)key->comm_size) + 3e-9 * (double)key->msg_bytes);
    }
    map.exact = true;
    bool *allowed = all_methods(&map);
    struct ct_surrogate *surrogate = learn(&map, allowed, true);
    for (size_t c = 0; c < map.cell_count; c++) {
        assert_int_equal(ct_surrogate_at(surrogate, &map.cells[c].key, means, deviations), CT_OK);
        for (size_t m = 0; m < 2; m++)
            assert_true(fabs(means[m] - log(map.cells[c].methods[m].median)) < 0.05);
    }
    ct_surrogate_free(surrogate);
    free(allowed);
    ct_map_free(&map);
}

/* --- the learner --- */

/* Few cells, few methods, few samples. */
static void test_degenerate(void **state)
{
    (void)state;
    static const char *const sizes[][2] = {{"4", "64"}, {"4", "1,64,4K"}, {"2,4,8", "64"}, {"2,4", "1,2"}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (int exact = 0; exact < 2; exact++) {
            struct ct_map map;
            fixture_map(CT_COLLECTIVE_BCAST, sizes[i][0], sizes[i][1], "linear,binomial:", &map);
            map.exact = exact;
            /* of one sample in all; then of everything, all equal */
            fixture_set(&map, 0, 1, 1e-5);
            assert_int_equal(learned_choice(&map, 4, 64), 1);
            for (size_t c = 0; c < map.cell_count; c++)
                for (size_t m = 0; m < 2; m++)
                    fixture_set(&map, c, m, 1e-5);
            assert_true(learned_choice(&map, 4, 64) < 2);
            for (size_t c = 0; c < map.cell_count; c++)
                fixture_set(&map, c, 0, 0.5e-5);
            assert_int_equal(learned_choice(&map, 4, 64), 0);
            ct_map_free(&map);
        }
    /* a cell twice */
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "4", "64,65", "linear,binomial:", &map);
    map.cells[1].key = map.cells[0].key;
    for (size_t c = 0; c < 2; c++) {
        fixture_set(&map, c, 0, 2e-5);
        fixture_set(&map, c, 1, 1e-5);
    }
    assert_int_equal(learned_choice(&map, 4, 64), 1);
    ct_map_free(&map);
}

/* Nothing measured, and a user who stops. */
static void test_refused(void **state)
{
    (void)state;
    struct ct_error error = {""};
    struct ct_map map;
    const volatile sig_atomic_t stop = 1;
    const struct ct_surrogate_options options = {.stop = &stop};
    struct ct_surrogate *surrogate = NULL;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4", "1,64", "linear,binomial:", &map);
    assert_int_equal(fixture_learn_fail("surrogate", "", &map, NULL, &error), CT_E_INPUT);
    assert_string_equal(error.text, "no allowed method of bcast was measured in any cell");
    for (size_t c = 0; c < map.cell_count; c++)
        fixture_set(&map, c, 0, 1e-5);
    const bool allowed[] = {false, true};
    assert_int_equal(fixture_learn_fail("surrogate", "", &map, allowed, &error), CT_E_INPUT);
    assert_int_equal(ct_surrogate_new(&map, (bool[]){true, true}, &options, &error, &surrogate),
                     CT_E_STOPPED);
    assert_null(surrogate);
    ct_map_free(&map);
}

/* The same map gives the same tree. */
static void test_determinism(void **state)
{
    (void)state;
    struct ct_map map;
    unsigned seed = 8;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "8,64,512,4K", "native,linear,binomial:", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < map.method_count; m++)
            fixture_set(&map, c, m, 1e-5 * (1 + (double)fixture_random(&seed, 100) / 50));
    struct ct_decision_tree a = fixture_learn("surrogate", "", &map, NULL);
    struct ct_decision_tree b = fixture_learn("surrogate", "", &map, NULL);
    assert_int_equal(a.node_count, b.node_count);
    assert_true(a.node_count > 1);
    for (size_t i = 0; i < a.node_count; i++) {
        assert_int_equal(a.nodes[i].feature, b.nodes[i].feature);
        assert_int_equal(a.nodes[i].threshold, b.nodes[i].threshold);
        assert_int_equal(a.nodes[i].method, b.nodes[i].method);
    }
    ct_tree_free(&a);
    ct_tree_free(&b);
    ct_map_free(&map);
}

/* Ranks lie on nodes in several ways, and the best method depends on it: the tree tests it by itself. */
static void test_layouts(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "4,5,8,9,16,17", "8,64,512", "linear,binomial:", &map);
    assert_false(ct_map_has_layouts(&map));
    for (size_t c = 0; c < map.cell_count; c++) {
        struct ct_cell_key *key = &map.cells[c].key;
        bool is_thin = key->comm_size % 2; /* every second size: as the one before, one rank on each node */
        key->comm_size -= is_thin;
        key->ppn = is_thin ? 1 : 4;
        key->nodes = key->comm_size / key->ppn;
        fixture_set(&map, c, 0, is_thin ? 1e-5 : 3e-5);
        fixture_set(&map, c, 1, is_thin ? 3e-5 : 1e-5);
    }
    assert_true(ct_map_has_layouts(&map));
    struct ct_decision_tree tree = fixture_learn("surrogate", "", &map, NULL);
    for (size_t c = 0; c < map.cell_count; c++)
        assert_int_equal(ct_score_choice(&tree, &map, &map.cells[c]), map.cells[c].best);
    ct_tree_free(&tree);
    /* not if the user lists other features */
    tree = fixture_learn("surrogate", "features=comm_size", &map, NULL);
    for (size_t i = 0; i < tree.node_count; i++)
        assert_true(tree.nodes[i].feature <= 0);
    ct_tree_free(&tree);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unmeasured),  cmocka_unit_test(test_alone),
        cmocka_unit_test(test_significant), cmocka_unit_test(test_some_sizes),
        cmocka_unit_test(test_plans),       cmocka_unit_test(test_common_levels),
        cmocka_unit_test(test_boxes),       cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_refused),     cmocka_unit_test(test_determinism),
        cmocka_unit_test(test_layouts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
