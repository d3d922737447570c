/* SPDX-License-Identifier: BSD-3-Clause */
#include "decision/score.h"
#include "learners/choosable.h"
#include "learners/follow_rules.h"
#include "learners/place.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* All learners follow the rules of choosable.h. */

static const char *const learners[] = {"surrogate", "interpolate", "penalty",
                                       "quadtree",  "c45",         "run_lengths"};
enum { LEARNERS = sizeof learners / sizeof learners[0], METHODS = 4 };

static size_t choice_at(const struct ct_decision_tree *tree, const struct ct_map *map, size_t ranks,
                        size_t bytes)
{
    struct ct_cell call = {.key = {.comm_size = (uint32_t)ranks, .msg_bytes = bytes}};
    ct_place_ranks(map, &call.key);
    return ct_score_choice(tree, map, &call);
}

/* In how many calls of the measured sizes the tree breaks a rule. */
static size_t count_broken(const struct ct_decision_tree *tree, const struct ct_map *map)
{
    static const bool allowed[METHODS] = {true, true, true, true};
    struct ct_choosable *choosable;
    bool may[METHODS];
    size_t *ranks, *bytes, rows, columns, broken = 0;
    assert_int_equal(ct_choosable_new(map, allowed, NULL, true, &choosable), CT_OK);
    assert_int_equal(ct_map_comm_sizes(map, &ranks, &rows), CT_OK);
    assert_int_equal(ct_map_msg_sizes(map, &bytes, &columns), CT_OK);
    for (size_t i = 0; i < rows * columns; i++) {
        struct ct_cell_key key = {.comm_size = (uint32_t)ranks[i / columns], .msg_bytes = bytes[i % columns]};
        ct_place_ranks(map, &key);
        ct_choosable_at(choosable, &key, may);
        broken += !may[choice_at(tree, map, ranks[i / columns], bytes[i % columns])];
    }
    ct_choosable_free(choosable);
    free(ranks);
    free(bytes);
    return broken;
}

/* A sweep of 90 s: native was measured once on 8 ranks, at the largest message, where it lost as everywhere
 * else; its few samples make it look good for smaller messages on 8 ranks. */
static void test_native_unmeasured(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_ALLREDUCE, "2,4,8", "8,1K,64K,1M",
                "native,recursive_doubling,ring,rabenseifner", &map);
    static const double seconds[][2] = {
        /* native and another, by message size; 8 ranks last */
        {1.3e-6, 1e-6}, {4e-6, 3e-6},    {4e-5, 3e-5}, {6e-4, 4e-4}, {2.7e-2, 1e-3}, {1.3e-1, 1.2e-3},
        {1.4e-1, 2e-3}, {1.35e-1, 9e-3}, {0, 0},       {0, 0},       {0, 0},         {1.32e-1, 3e-2},
    };
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < METHODS; m++)
            if (seconds[c][0] > 0)
                fixture_set(&map, c, m, m == 0 ? seconds[c][0] : seconds[c][1] * (1 + 0.2 * (double)(m - 1)));
    for (int l = 0; l < LEARNERS; l++) {
        struct ct_decision_tree tree = fixture_learn(learners[l], "", &map, NULL);
        for (size_t bytes = 8; bytes <= 64 << 10; bytes *= 2)
            assert_int_not_equal(choice_at(&tree, &map, 8, bytes), 0);
        assert_int_equal(count_broken(&tree, &map), 0);
        ct_tree_free(&tree);
    }
    ct_map_free(&map);
}

/* Holes and standings at random. */
static void test_random(void **state)
{
    (void)state;
    unsigned seed = 12;
    for (int round = 0; round < 12; round++) {
        struct ct_map map;
        fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "8,64,512,4K", "native,linear,binomial:,binary:", &map);
        for (size_t c = 0; c < map.cell_count; c++) {
            struct ct_cell *cell = &map.cells[c];
            if (c > 0 && fixture_random(&seed, 3) == 0)
                continue;
            for (size_t m = 0; m < METHODS; m++)
                if (c == 0 || fixture_random(&seed, 4) > 0)
                    fixture_set(&map, c, m, 1e-6 * (double)(50 + fixture_random(&seed, 100)));
            for (size_t m = 0; m < METHODS; m++)
                if (cell->methods[m].count > 0)
                    cell->standings[m] = m == cell->best                 ? CT_STANDING_BEST
                                         : fixture_random(&seed, 2) == 0 ? CT_STANDING_WORSE
                                                                         : CT_STANDING_UNDECIDED;
            for (size_t m = 0; m < METHODS; m++) /* enough samples to tell that native is faster */
                cell->methods[m].count *= round % 2 ? 5 : 1;
        }
        for (int l = 0; l < LEARNERS; l++) {
            struct ct_decision_tree tree = fixture_learn(learners[l], "", &map, NULL);
            assert_int_equal(count_broken(&tree, &map), 0);
            ct_tree_free(&tree);
        }
        ct_map_free(&map);
    }
}

/* A method that was not measured in a call, and was far from the best around it, may be chosen there only if
 * a model predicts its times; but not one that was measured and is significantly slower. */
static void test_predicted(void **state)
{
    (void)state;
    static const bool allowed[METHODS] = {true, true, true, true}, predicted[METHODS] = {[1] = true};
    struct ct_map map;
    struct ct_choosable *choosable;
    bool may[METHODS];
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8", "8,64", "native,linear,binomial:,binary:", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < METHODS; m++)
            if (c != 3 || m >= 2)
                fixture_set(&map, c, m, m < 2 ? 2 : 1);
    map.cells[4].standings[1] = CT_STANDING_WORSE;
    for (int known = 0; known < 2; known++) {
        assert_int_equal(ct_choosable_new(&map, allowed, known ? predicted : NULL, true, &choosable), CT_OK);
        ct_choosable_at(choosable, &map.cells[3].key, may);
        assert_true(!may[0] && may[1] == known && may[2] && may[3]);
        ct_choosable_at(choosable, &map.cells[4].key, may);
        assert_true(may[0] && !may[1] && may[2] && may[3]);
        ct_choosable_free(choosable);
    }
    ct_map_free(&map);
}

/* A method may not be chosen where native was faster in each launch, by enough samples. */
static void test_native_faster(void **state)
{
    (void)state;
    static const struct {
        double native[2], other[2]; /* seconds, by launch */
        size_t samples;
        bool exact, without_native, may;
        double spread; /* from the median to the least and to the most */
    } situations[] = {
        {{1, 1}, {1.02, 1.01}, 5, false, false, false},
        {{1, 1}, {1.02, 0.99}, 5, false, false, true}, /* the launches differ */
        {{1, 1}, {1.02, 1.01}, 5, false, false, false, 0.1},
        {{1, 1}, {1.02, 1.01}, 4, false, false, true, 0.1}, /* too few samples */
        {{1, 1}, {1.02, 1.01}, 4, false, false, false, 0},  /* enough, since all of native's are faster */
        {{1, 1}, {1.02, 1.01}, 2, false, false, true, 0},
        {{1, 1}, {1.02, 1.01}, 5, true, false, true}, /* computed */
        {{1, 1}, {1.02, 1.01}, 5, false, true, true}, /* native is excluded */
        {{1, 1}, {0.98, 0.99}, 5, false, false, true},
    };
    for (size_t i = 0; i < sizeof situations / sizeof situations[0]; i++) {
        bool allowed[METHODS] = {!situations[i].without_native, true, true, true}, may[METHODS];
        struct ct_launch_median launches[4] = {{0}};
        struct ct_choosable *choosable;
        struct ct_map map;
        fixture_map(CT_COLLECTIVE_BCAST, "2,4", "8,64", "native,linear,binomial:,binary:", &map);
        map.exact = situations[i].exact;
        for (size_t c = 0; c < map.cell_count; c++)
            for (size_t m = 0; m < METHODS; m++)
                fixture_set(&map, c, m, m < 2 ? 1 : 1.5);
        for (size_t m = 0; m < 2; m++) {
            const double *seconds = m ? situations[i].other : situations[i].native;
            for (uint32_t l = 0; l < 2; l++)
                launches[2 * m + l] = (struct ct_launch_median){.launch = l, .median = seconds[l]};
            fixture_set(&map, 1, m, (seconds[0] + seconds[1]) / 2);
            map.cells[1].methods[m].count = situations[i].samples;
            map.cells[1].methods[m].low -= situations[i].spread;
            map.cells[1].methods[m].high += situations[i].spread;
            map.cells[1].methods[m].launches = 2;
            map.cells[1].methods[m].first_launch = 2 * m;
        }
        map.cells[1].launches = launches;
        assert_int_equal(ct_choosable_new(&map, allowed, NULL, true, &choosable), CT_OK);
        ct_choosable_at(choosable, &map.cells[1].key, may);
        assert_int_equal(may[1], situations[i].may);
        assert_int_equal(may[0], allowed[0]);
        map.cells[1].launches = NULL;
        ct_choosable_free(choosable);
        ct_map_free(&map);
    }
}

/* Native alone may be chosen in a cell that says so, and in the calls that are nearest to it, unless it is
 * excluded. */
static void test_native_alone(void **state)
{
    (void)state;
    static const struct {
        bool without_native;
        size_t msg_bytes;
        bool native_alone;
    } situations[] = {{false, 64, true},   {false, 100, true},  {false, 60, true}, {false, 8, false},
                      {false, 512, false}, {false, 400, false}, {true, 64, false}};
    for (size_t i = 0; i < sizeof situations / sizeof situations[0]; i++) {
        bool allowed[METHODS] = {!situations[i].without_native, true, true, true}, may[METHODS];
        const struct ct_cell_key key = {.comm_size = 4, .msg_bytes = situations[i].msg_bytes};
        struct ct_choosable *choosable;
        struct ct_map map;
        fixture_map(CT_COLLECTIVE_BCAST, "4", "8,64,512", "native,linear,binomial:,binary:", &map);
        for (size_t c = 0; c < map.cell_count; c++)
            for (size_t m = 0; m < METHODS; m++)
                fixture_set(&map, c, m, m == 0 ? 2 : 1);
        map.cells[1].native_alone = true;
        assert_int_equal(ct_choosable_new(&map, allowed, NULL, true, &choosable), CT_OK);
        ct_choosable_at(choosable, &key, may);
        assert_int_equal(may[0], situations[i].native_alone);
        assert_int_equal(may[1], !situations[i].native_alone);
        ct_choosable_free(choosable);
        ct_map_free(&map);
    }
}

/* One cell for each communicator size, as collectives without a message size have: native is best on 4 ranks
 * alone, and hardly, by one launch. Around it linear gains. So linear is taken on 3 and 4 ranks by all
 * learners, except that exact ones keep native on 4. Where native is about the best around it, the launch is
 * believed. */
static void test_sizes_between(void **state)
{
    (void)state;
    enum { NATIVE, LINEAR, RANKS = 4, CELL = 1, SAMPLES = 64 };
    static const bool allowed[METHODS] = {true, true, true, true};
    for (int alike = 0; alike < 2; alike++) {
        struct ct_choosable *choosable;
        struct ct_map map;
        struct ct_launch_median launches[METHODS] = {{0}};
        bool may[METHODS];
        fixture_map(CT_COLLECTIVE_SCATTERV, "2,4,6,8", "0", "native,linear,window:reqs=4,window:reqs=16",
                    &map);
        map.margin = 0.05;
        for (size_t c = 0; c < map.cell_count; c++) {
            for (size_t m = 0; m < METHODS; m++) {
                double native = c == CELL ? 0.985 : alike ? 1.01 : 40;
                fixture_set(&map, c, m, 1e-6 * (m == NATIVE ? native : 1 + 0.001 * (double)m));
                map.cells[c].methods[m].count = SAMPLES;
            }
            for (size_t m = 0; m < METHODS; m++)
                map.cells[c].standings[m] = m == map.cells[c].best ? CT_STANDING_BEST : CT_STANDING_UNDECIDED;
        }
        for (size_t m = 0; m < METHODS; m++) {
            launches[m].median = map.cells[CELL].methods[m].median;
            map.cells[CELL].methods[m].launches = 1;
            map.cells[CELL].methods[m].first_launch = m;
        }
        map.cells[CELL].launches = launches;
        for (int cautious = 0; cautious < 2; cautious++) {
            assert_int_equal(ct_choosable_new(&map, allowed, NULL, cautious, &choosable), CT_OK);
            ct_choosable_at(choosable, &map.cells[CELL].key, may);
            assert_true(may[NATIVE] && may[LINEAR] == !alike);
            struct ct_cell_key between = map.cells[CELL].key;
            between.comm_size = RANKS - 1;
            ct_choosable_at(choosable, &between, may);
            assert_true(may[LINEAR] && may[NATIVE] == (alike || !cautious));
            ct_choosable_free(choosable);
        }
        for (int l = 0; l < LEARNERS && !alike; l++) {
            struct ct_decision_tree tree = fixture_learn(learners[l], "", &map, NULL);
            const bool is_exact =
                strcmp(learners[l], "quadtree") == 0 || strcmp(learners[l], "run_lengths") == 0;
            assert_int_not_equal(choice_at(&tree, &map, RANKS - 1, 0), NATIVE);
            assert_int_not_equal(choice_at(&tree, &map, RANKS + 1, 0), NATIVE);
            assert_int_equal(choice_at(&tree, &map, RANKS, 0) == NATIVE, is_exact);
            ct_tree_free(&tree);
        }
        map.cells[CELL].launches = NULL;
        ct_map_free(&map);
    }
}

/* A bad tree of one leaf is mended where it must be, and nowhere else; bounds of the user go before. */
static void test_mended(void **state)
{
    (void)state;
    static const struct ct_feature_set no_composites;
    const struct ct_feature_columns columns = {
        .set = &no_composites, .numbers = {CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES}, .count = 2};
    for (int spare = 0; spare < 2; spare++) {
        struct ct_map map;
        struct ct_decision_tree tree = {.collective = CT_COLLECTIVE_BCAST};
        struct ct_tree_node leaf = {.feature = CT_LEAF};
        uint32_t root;
        fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16", "8,64,512,4K", "native,linear,binomial:,binary:", &map);
        for (size_t c = 0; c < map.cell_count; c++)
            for (size_t m = 0; m < METHODS; m++)
                fixture_set(&map, c, m, 1e-5 * (1 + 0.01 * (double)m));
        struct ct_cell *lone = &map.cells[5];
        fixture_set(&map, 5, 0, 3e-5);
        fixture_set(&map, 5, 2, 0.9e-5);
        lone->standings[0] = CT_STANDING_WORSE;
        assert_int_equal(ct_tree_add_method(&tree, &map.methods[0], &leaf.method), CT_OK);
        leaf.fallback = leaf.method;
        assert_int_equal(ct_tree_add_node(&tree, &leaf, &root), CT_OK);
        assert_int_equal(count_broken(&tree, &map), 1);
        assert_int_equal(ct_follow_rules(&map, NULL, &columns, NULL, spare, &tree), CT_OK);
        assert_int_equal(count_broken(&tree, &map), spare);
        for (size_t c = 0; c < map.cell_count; c++) {
            const struct ct_cell_key *key = &map.cells[c].key;
            assert_int_equal(choice_at(&tree, &map, key->comm_size, key->msg_bytes),
                             c == 5 && !spare ? 2 : 0);
        }
        assert_true(ct_tree_leaf_count(&tree) <= 10); /* the calls around it have their own, of one method */
        ct_tree_free(&tree);
        if (!spare) {
            tree = fixture_learn("penalty", "max-leaves=1", &map, NULL);
            assert_int_equal(ct_tree_leaf_count(&tree), 1);
            ct_tree_free(&tree);
        }
        ct_map_free(&map);
    }
}

/* Between the measured sizes, a choice that is far from the best on one side is replaced by one that is near
 * it on both, unless a model predicts its times. */
static void test_between(void **state)
{
    (void)state;
    static const struct ct_feature_set no_composites;
    static const bool allowed[METHODS] = {true, true, true, true};
    static const size_t bytes[] = {8, 64, 512, 4096};
    enum { LINEAR = 1, BINOMIAL, RANKS = 8, SIZES = sizeof bytes / sizeof bytes[0], BROKEN = 6 };
    const struct ct_feature_columns columns = {
        .set = &no_composites, .numbers = {CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES}, .count = 2};
    for (int follows = 0; follows < 2; follows++) {
        struct ct_map map;
        struct ct_points points;
        struct ct_decision_tree tree = {.collective = CT_COLLECTIVE_BCAST};
        struct ct_tree_node leaf = {.feature = CT_LEAF};
        uint32_t root;
        fixture_map(CT_COLLECTIVE_BCAST, "2,8", "8,64,512,4K", "native,linear,binomial:,binary:", &map);
        map.margin = 0.05;
        for (size_t c = 0; c < map.cell_count; c++)
            for (size_t m = 0; m < METHODS; m++)
                fixture_set(&map, c, m, 1);
        fixture_set(&map, BROKEN, LINEAR, 3);
        map.cells[BROKEN].standings[LINEAR] = CT_STANDING_WORSE;
        assert_int_equal(map.cells[BROKEN].key.comm_size, RANKS);
        assert_int_equal(map.cells[BROKEN].key.msg_bytes, bytes[2]);
        /* on 3 to 6 ranks the others are slower than linear; on 7 they are, too, but hardly */
        assert_int_equal(ct_points_make_for(&map, allowed, (RANKS - 1) * SIZES, &columns, &points), CT_OK);
        for (size_t p = 0; p < points.count; p++) {
            const size_t ranks = 2 + p / SIZES;
            const struct ct_cell cell = {
                .key = {.comm_size = (uint32_t)ranks, .msg_bytes = bytes[p % SIZES]}};
            const double other = ranks == 2 || ranks == RANKS ? 1 : ranks == RANKS - 1 ? 1.02 : 1.5;
            const double times[METHODS] = {other, 1, other, other};
            ct_point_values(&points, p)[0] = ranks;
            ct_point_values(&points, p)[1] = bytes[p % SIZES];
            ct_points_set(&points, p, &map, &cell, times);
        }
        points.predicted = follows ? calloc(METHODS, sizeof *points.predicted) : NULL;
        if (follows)
            points.predicted[LINEAR] = true;
        assert_int_equal(ct_tree_add_method(&tree, &map.methods[LINEAR], &leaf.method), CT_OK);
        leaf.fallback = leaf.method;
        assert_int_equal(ct_tree_add_node(&tree, &leaf, &root), CT_OK);
        assert_int_equal(ct_follow_rules(&map, NULL, &columns, &points, false, &tree), CT_OK);
        assert_int_equal(count_broken(&tree, &map), 0);
        for (size_t ranks = 2; ranks <= RANKS; ranks++) {
            assert_int_equal(choice_at(&tree, &map, ranks, bytes[1]), LINEAR);
            assert_int_equal(choice_at(&tree, &map, ranks, bytes[2]) == LINEAR,
                             ranks == 2 || (follows && ranks < RANKS));
        }
        ct_points_free(&points);
        ct_tree_free(&tree);
        ct_map_free(&map);
    }
}

/* Two ranks have CPUs of their own, and native is the fastest; eight share them, and native is hopeless. The
 * largest messages were measured on the two ranks alone, the smallest on the eight alone. */
static void test_shared_cpus(void **state)
{
    (void)state;
    enum { NATIVE, LINEAR, HOPELESS = 4, CELLS = 6 };
    static const bool allowed[METHODS] = {true, true, true, true};
    for (int yields = 0; yields < 2; yields++) {
        struct ct_map map;
        struct ct_choosable *choosable;
        bool may[METHODS];
        fixture_map(CT_COLLECTIVE_BCAST, "2,8", "8,4K,256K", "native,linear,binomial:,binary:", &map);
        assert_int_equal(map.cell_count, CELLS);
        for (size_t c = 0; c < CELLS; c++) {
            bool shares = map.cells[c].key.comm_size > 2;
            map.cells[c].key.yield = shares && yields;
            for (size_t m = 0; c != 0 && c != CELLS - 1 && m < METHODS; m++)
                fixture_set(&map, c, m, m != NATIVE ? 1e-5 : shares ? 1e-2 : 5e-6);
        }
        assert_int_equal(ct_choosable_new(&map, allowed, NULL, true, &choosable), CT_OK);
        const struct ct_cell_key own = {.comm_size = 2, .ppn = 2, .nodes = 1, .msg_bytes = 8},
                                 shared = {.comm_size = 8, .ppn = 8, .nodes = 1, .msg_bytes = 256 << 10},
                                 more = {.comm_size = 9, .ppn = 8, .nodes = 1, .msg_bytes = 256 << 10},
                                 between = {.comm_size = 4, .ppn = 2, .nodes = 1, .msg_bytes = 4 << 10};
        ct_choosable_at(choosable, &own, may);
        assert_true(may[NATIVE]);
        assert_int_equal(may[LINEAR], !yields);
        ct_choosable_at(choosable, &between, may);
        assert_true(may[NATIVE] && may[LINEAR]);
        ct_choosable_at(choosable, &shared, may);
        assert_int_equal(may[NATIVE], !yields);
        assert_true(may[LINEAR]);
        ct_choosable_at(choosable, &more, may);
        assert_int_equal(may[NATIVE], !yields);
        ct_choosable_at(choosable, &map.cells[HOPELESS].key, may);
        assert_int_equal(may[NATIVE], !yields);
        ct_choosable_free(choosable);
        for (int l = 0; yields && l < LEARNERS; l++) {
            struct ct_decision_tree tree = fixture_learn(learners[l], "", &map, NULL);
            assert_int_not_equal(choice_at(&tree, &map, 8, 256 << 10), NATIVE);
            assert_int_equal(choice_at(&tree, &map, 2, 8), NATIVE);
            ct_tree_free(&tree);
        }
        ct_map_free(&map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_native_unmeasured),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_predicted),
        cmocka_unit_test(test_native_faster),
        cmocka_unit_test(test_native_alone),
        cmocka_unit_test(test_sizes_between),
        cmocka_unit_test(test_mended),
        cmocka_unit_test(test_between),
        cmocka_unit_test(test_shared_cpus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
