/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/keep_native.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Native is kept where nothing is surely better, and not where something is: on samples that vary. */

enum { LEARNERS = 3 };

static const char *const by_loss[LEARNERS] = {"penalty", "interpolate", "surrogate"};
/* So many runs: the surrogate takes long. */
static const unsigned seeds[LEARNERS] = {10, 10, FEWER_CASES ? 1 : 4};

enum {
    METHODS = 3,
    COMM_SIZES = 8,
    MSG_SIZES = 7,
    LAUNCHES = 3,
    REPETITIONS = 9,
    SAMPLES = COMM_SIZES * MSG_SIZES * METHODS * LAUNCHES * REPETITIONS
};

static const size_t comm_sizes[COMM_SIZES] = {2, 3, 4, 6, 8, 12, 16, 24};
static const size_t msg_sizes[MSG_SIZES] = {8, 64, 512, 2048, 8192, 65536, 524288};

/* How long native takes, as a multiple of the others, in a call. */
typedef double truth(size_t comm_size, size_t msg_bytes);

struct made {
    struct ct_run run;
    struct ct_method methods[METHODS];
    struct ct_sample samples[SAMPLES];
};

/* Times within 15 % of the truth, and launches within 2 % of one another. */
static struct made *make_run(unsigned seed, truth *native)
{
    unsigned short random[] = {(unsigned short)seed, 330, 14};
    static const char *const names[METHODS] = {"native", "linear", "binomial:"};
    static char folder[] = "made", backend[] = "real";
    struct made *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->run = (struct ct_run){.folder = folder,
                                .description = {.backend = backend},
                                .methods = made->methods,
                                .method_count = METHODS,
                                .samples = made->samples,
                                .sample_count = SAMPLES};
    for (int m = 0; m < METHODS; m++)
        assert_int_equal(ct_method_parse(names[m], CT_COLLECTIVE_BCAST, NULL, &made->methods[m]), CT_OK);
    double launch = 1;
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t of_cell = i / REPETITIONS, cell = of_cell / LAUNCHES / METHODS;
        size_t comm_size = comm_sizes[cell / MSG_SIZES], msg_bytes = msg_sizes[cell % MSG_SIZES];
        size_t method = of_cell / LAUNCHES % METHODS;
        if (i % REPETITIONS == 0)
            launch = 0.98 + 0.04 * erand48(random);
        made->samples[i] = (struct ct_sample){
            .launch = (uint32_t)(of_cell % LAUNCHES),
            .method = (uint32_t)method,
            .key = {.nodes = (uint32_t)comm_size,
                    .ppn = 1,
                    .comm_size = (uint32_t)comm_size,
                    .msg_bytes = msg_bytes},
            .rep = (uint32_t)(i % REPETITIONS),
            .seconds = 1e-6 * (double)comm_size * (10 + sqrt((double)msg_bytes)) * launch *
                       (0.85 + 0.3 * erand48(random)) * (method == 0 ? native(comm_size, msg_bytes) : 1)};
    }
    return made;
}

static double equal(size_t comm_size, size_t msg_bytes)
{
    (void)comm_size;
    (void)msg_bytes;
    return 1;
}

static double slow(size_t comm_size, size_t msg_bytes)
{
    return 1.2 * equal(comm_size, msg_bytes);
}

static struct ct_decision_tree learn_with(const char *learner, const struct ct_map *map, bool keep_native,
                                          size_t max_leaves)
{
    char words[100];
    snprintf(words, sizeof words, max_leaves > 0 ? "%s max-leaves=%zu" : "%s",
             keep_native ? "keep-native" : "", max_leaves);
    return fixture_learn(learner, words, map, NULL);
}

/* In how many cells native is chosen. */
static size_t count_native(const struct ct_map *map, const char *learner, bool keep_native, size_t max_leaves)
{
    struct ct_decision_tree tree = learn_with(learner, map, keep_native, max_leaves);
    size_t count = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        const struct ct_features call = ct_key_features(&map->cells[c].key);
        count += ct_is_native(tree.methods[ct_tree_decide(&tree, &call)->method].algorithm);
    }
    ct_tree_free(&tree);
    return count;
}

/* Over all seeds; learner is a number in by_loss. */
static size_t count_over_seeds(truth *native, int learner, bool keep_native, size_t max_leaves)
{
    size_t count = 0;
    for (unsigned seed = 1; seed <= seeds[learner]; seed++) {
        struct made *made = make_run(seed, native);
        struct ct_map map;
        assert_int_equal(ct_map_make(&made->run, CT_COLLECTIVE_BCAST, NULL, &map), CT_OK);
        count += count_native(&map, by_loss[learner], keep_native, max_leaves);
        ct_map_free(&map);
        free(made);
    }
    return count;
}

static size_t cells_over_seeds(int learner)
{
    return COMM_SIZES * MSG_SIZES * seeds[learner];
}

/* Methods that are as good as native, but for the noise of some cells, are never taken in its place: not in
 * trees of many leaves, nor in one leaf for all cells. Without the option chance has its say now and then. */
static void test_within_noise(void **state)
{
    (void)state;
    for (int l = 0; l < LEARNERS; l++) {
        const size_t cells = cells_over_seeds(l);
        assert_int_equal(count_over_seeds(equal, l, true, 0), cells);
        assert_int_equal(count_over_seeds(equal, l, true, 1), cells);
        size_t without = count_over_seeds(equal, l, false, 0);
        /* A surrogate's estimates differ by more than the 2 % that native is given: it keeps some 60 %. */
        size_t least = strcmp(by_loss[l], "surrogate") == 0 ? cells / 2 : cells / 10 * 8;
        assert_true(without < cells && without >= least);
    }
}

/* Where native takes a fifth longer, it is not kept, though that is sure in half of the cells alone: pooled
 * in a leaf it is sure. In trees of many leaves those of few cells stay unsure. */
static void test_surely_better(void **state)
{
    (void)state;
    for (int l = 0; l < LEARNERS; l++) {
        assert_int_equal(count_over_seeds(slow, l, true, 1), 0);
        assert_true(count_over_seeds(slow, l, true, 0) < cells_over_seeds(l) / 5);
        assert_int_equal(count_over_seeds(slow, l, false, 0), 0);
    }
}

/* Without the option, too: cells in which native is surely as good as the best one keep it, one by one and
 * together; those in which it is surely worse do not. */
static void test_standings(void **state)
{
    (void)state;
    struct ct_map map;
    unsigned seed = 21;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16,32", "1,8,64,512,4K,32K", "native,linear", &map);
    for (int worse = 0; worse < 2; worse++) {
        for (size_t c = 0; c < map.cell_count; c++) {
            fixture_set(&map, c, 0, worse ? 1.2 : 1.04);
            fixture_set(&map, c, 1, 0.98 + 0.04 * (double)fixture_random(&seed, 1000) / 1000);
            map.cells[c].standings[0] = worse ? CT_STANDING_WORSE : CT_STANDING_EQUIVALENT;
            map.cells[c].standings[1] = CT_STANDING_BEST;
        }
        assert_int_equal(count_native(&map, "penalty", false, 0), worse ? 0 : map.cell_count);
        for (int l = 0; l < LEARNERS; l++)
            assert_true(!worse || count_native(&map, by_loss[l], true, 0) == 0);
    }
    ct_map_free(&map);
}

/* Where native hangs it is not kept, however good it is elsewhere. */
static void test_native_fails(void **state)
{
    (void)state;
    for (int l = 0; l < LEARNERS; l++) {
        struct made *made = make_run(1, equal);
        struct ct_map map;
        for (size_t i = 0; i < SAMPLES; i++)
            if (made->samples[i].method == 0 && made->samples[i].key.comm_size >= 12)
                made->samples[i].status = CT_SAMPLE_HUNG;
        assert_int_equal(ct_map_make(&made->run, CT_COLLECTIVE_BCAST, NULL, &map), CT_OK);
        struct ct_decision_tree tree = learn_with(by_loss[l], &map, true, 0);
        for (size_t c = 0; c < map.cell_count; c++) {
            const struct ct_features call = ct_key_features(&map.cells[c].key);
            bool native = ct_is_native(tree.methods[ct_tree_decide(&tree, &call)->method].algorithm);
            assert_int_equal(map.cells[c].methods[0].failed, call.value[CT_FEATURE_COMM_SIZE] >= 12);
            assert_false(native && map.cells[c].methods[0].failed);
        }
        ct_tree_free(&tree);
        ct_map_free(&map);
        free(made);
    }
}

/* By hand: communicators up to 4 lead to one leaf, others by message size to two, all of which have linear.
 */
struct by_hand {
    struct ct_map map;
    struct ct_loss_node nodes[5];
    struct ct_loss_tree tree;
};

static void make_by_hand(struct by_hand *made)
{
    *made = (struct by_hand){
        .nodes = {{.feature = 0, .threshold = 4, .low = 1, .high = 2},
                  {.feature = CT_LEAF, .is_leaf = true, .method = 1},
                  {.feature = 1, .threshold = 100, .low = 3, .high = 4},
                  {.feature = CT_LEAF, .is_leaf = true, .method = 1},
                  {.feature = CT_LEAF, .is_leaf = true, .method = 1}},
    };
    made->tree = (struct ct_loss_tree){.nodes = made->nodes, .count = 5};
    fixture_map(CT_COLLECTIVE_BCAST, "2,8", "1,2,3,4,5,6,7,8", "native,linear", &made->map);
    made->map.margin = CT_MARGIN;
}

/* Which leaves are left to linear: a bit for each, the first the lowest. */
static int leaves_of_linear(struct by_hand *made)
{
    static const struct ct_feature_set no_composites;
    const struct ct_feature_columns columns = {
        .set = &no_composites, .numbers = {CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES}, .count = 2};
    static const bool allowed[] = {true, true};
    made->nodes[1].method = made->nodes[3].method = made->nodes[4].method = 1;
    struct ct_kept_native kept;
    assert_int_equal(ct_loss_tree_keep_native(&made->tree, &made->map, &columns, allowed, 0, &kept), CT_OK);
    return (int)(made->nodes[1].method + 2 * made->nodes[3].method + 4 * made->nodes[4].method);
}

static void test_by_hand(void **state)
{
    (void)state;
    struct by_hand made;
    make_by_hand(&made);
    struct ct_cell *small = made.map.cells, *large = made.map.cells + 8;
    assert_int_equal(small[7].key.comm_size, 2);
    assert_int_equal(large[0].key.comm_size, 8);
    /* nothing was measured, or native was not: nothing is sure */
    assert_int_equal(leaves_of_linear(&made), 0);
    for (size_t c = 0; c < 16; c++)
        fixture_set(&made.map, c, 1, 1);
    assert_int_equal(leaves_of_linear(&made), 0);
    /* but where it failed it is not kept */
    large[3].methods[0].failed = true;
    assert_int_equal(leaves_of_linear(&made), 1 + 2 + 4); /* leaves without cells go by the node above */
    large[3].methods[0].failed = false;
    /* one cell is one witness, however sure it is; two neighbours with a sample each are enough */
    fixture_set(&made.map, 0, 0, 3);
    small[0].standings[0] = CT_STANDING_WORSE;
    assert_int_equal(leaves_of_linear(&made), 0);
    fixture_set(&made.map, 1, 0, 1.5);
    small[0].standings[0] = small[1].standings[0] = CT_STANDING_UNDECIDED;
    assert_int_equal(leaves_of_linear(&made), 1 + 2 + 4); /* the others by the node above them */
    /* unless one of them gains too little */
    fixture_set(&made.map, 1, 0, 1.04);
    assert_int_equal(leaves_of_linear(&made), 0);
    /* or two launches of one cell, if both say so */
    small[1].methods[0].count = 0;
    struct ct_launch_median launches[] = {{0, 1, 3}, {1, 1, 2}, {0, 1, 1}, {1, 1, 1}};
    small[0].launches = launches;
    small[0].methods[0].launches = small[0].methods[1].launches = 2;
    small[0].methods[1].first_launch = 2;
    assert_int_equal(leaves_of_linear(&made), 1 + 2 + 4);
    launches[1].median = 1;
    assert_int_equal(leaves_of_linear(&made), 0);
    small[0].launches = NULL;
    small[0].methods[0].launches = small[0].methods[1].launches = 0;
    /* of several cells all say so, or by far the most; where they say this and that, it is not sure */
    for (size_t c = 0; c < 8; c++) {
        fixture_set(&made.map, c, 0, 1.2 + 0.01 * (double)c);
        fixture_set(&made.map, 8 + c, 0, c % 2 ? 1.3 : 0.8);
        small[c].standings[0] = CT_STANDING_UNDECIDED;
        large[c].standings[0] = c % 2 ? CT_STANDING_WORSE : CT_STANDING_BEST;
    }
    assert_int_equal(leaves_of_linear(&made), 1);
    /* Two cells are sure and say much more than the others, so that the mean is not sure. */
    for (size_t c = 0; c < 8; c++) {
        fixture_set(&made.map, c, 0, c < 2 ? 30 : 1.01);
        small[c].standings[0] = c < 2 ? CT_STANDING_WORSE : CT_STANDING_UNDECIDED;
    }
    assert_int_equal(leaves_of_linear(&made), 1);
    fixture_set(&made.map, 7, 0, 0.99); /* within the margin */
    assert_int_equal(leaves_of_linear(&made), 1);
    fixture_set(&made.map, 7, 0, 0.94);
    assert_int_equal(leaves_of_linear(&made), 0);
    fixture_set(&made.map, 7, 0, 1);
    small[1].standings[0] = CT_STANDING_UNDECIDED;
    assert_int_equal(leaves_of_linear(&made), 0);
    /* no cell has more than 100 bytes: the leaf goes by all large communicators */
    for (size_t c = 0; c < 8; c++) {
        fixture_set(&made.map, c, 0, 1.2 + 0.01 * (double)c);
        fixture_set(&made.map, 8 + c, 0, 1.3 + 0.01 * (double)c);
    }
    assert_int_equal(leaves_of_linear(&made), 1 + 2 + 4);
    for (size_t c = 0; c < 16; c++)
        fixture_set(&made.map, c, 0, 0.9);
    assert_int_equal(leaves_of_linear(&made), 0);
    made.map.exact = true; /* who has chosen linear knows why */
    assert_int_equal(leaves_of_linear(&made), 1 + 2 + 4);
    ct_map_free(&made.map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_within_noise), cmocka_unit_test(test_surely_better),
        cmocka_unit_test(test_standings),    cmocka_unit_test(test_native_fails),
        cmocka_unit_test(test_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
