/* SPDX-License-Identifier: BSD-3-Clause */
/* The quadtree learner against the square, or the cube, that it speaks of, written out point by point. */
#include "decision/tree/tree_depth.h"
#include "tests/learners/learner_fixture.h"
#include "tests/learners/map_fixture.h"

#include <stdio.h>
#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { METHODS = 4, AXES = 3 };

/* A map padded to 2^k points on every side by replicas. A square is a cube whose third side has one size. */
struct cube {
    const struct ct_map *map; /* its cells by the third, the communicator and the message size */
    size_t *values[AXES];     /* the third, communicator and message sizes that it has */
    size_t counts[AXES];
    size_t width; /* points on a side */
};

/* Which of n sizes stands at a point, and whether that is the first of its replicas. */
static size_t size_at(size_t point, size_t n, size_t width)
{
    return point * n / width;
}

static bool is_first(size_t point, size_t n, size_t width)
{
    return point == 0 || size_at(point - 1, n, width) != size_at(point, n, width);
}

static size_t first_point(size_t size, size_t n, size_t width)
{
    size_t point = 0;
    while (size_at(point, n, width) != size)
        point++;
    return point;
}

/* The best method at a point, SIZE_MAX where that is a replica, which does not vote. */
static size_t vote_at(const struct cube *cube, const size_t points[AXES])
{
    size_t cell = 0;
    for (size_t i = 0; i < AXES; i++) {
        if (!is_first(points[i], cube->counts[i], cube->width))
            return SIZE_MAX;
        cell = cell * cube->counts[i] + size_at(points[i], cube->counts[i], cube->width);
    }
    return cube->map->cells[cell].best;
}

/* The method of most points in a part of the cube; by convention, in a tie, that of the upper right corner
 * where it is in the tie, else the first. */
static size_t prevalent(const struct cube *cube, const size_t from[AXES], size_t width, size_t *ret_votes,
                        size_t *ret_points)
{
    size_t votes[METHODS] = {0}, points = 0, corner = 0, chosen = 0, at[AXES];
    for (at[0] = from[0]; at[0] < from[0] + width; at[0]++) {
        if (!is_first(at[0], cube->counts[0], cube->width))
            continue;
        for (at[1] = from[1]; at[1] < from[1] + width; at[1]++) {
            for (at[2] = from[2]; at[2] < from[2] + width; at[2]++) {
                size_t vote = vote_at(cube, at);
                if (vote == SIZE_MAX)
                    continue;
                corner = vote;
                votes[vote]++;
                points++;
            }
        }
    }
    for (size_t m = 1; m < METHODS; m++)
        chosen = votes[m] > votes[chosen] ? m : chosen;
    *ret_votes = votes[chosen];
    *ret_points = points;
    return votes[corner] == votes[chosen] ? corner : chosen;
}

struct options {
    size_t max_depth; /* SIZE_MAX: no bound */
    double threshold;
    enum ct_feature third;
    bool keep_equal;
};

/* What the tree says of one size of each side: goes down to it from the whole cube. */
static size_t decide(const struct cube *cube, const struct options *options, const size_t sizes[AXES])
{
    size_t from[AXES] = {0}, width = cube->width, votes, points;
    for (size_t depth = 0;; depth++) {
        size_t method = prevalent(cube, from, width, &votes, &points);
        if (100.0 * (double)votes >= options->threshold * (double)points || depth == options->max_depth)
            return method;
        width /= 2;
        for (size_t i = 0; i < AXES; i++)
            if (first_point(sizes[i], cube->counts[i], cube->width) >= from[i] + width)
                from[i] += width;
    }
}

/* The size of the data that answers for this one: itself or the next larger; beyond them the last. */
static size_t place_of(const size_t *sizes, size_t count, size_t size)
{
    size_t place = 0;
    while (place + 1 < count && sizes[place] < size)
        place++;
    return place;
}

static struct cube cube_of(const struct ct_map *map, enum ct_feature third)
{
    const enum ct_feature features[AXES] = {third, CT_FEATURE_COMM_SIZE, CT_FEATURE_MSG_BYTES};
    struct cube cube = {.map = map, .width = 1};
    for (size_t i = 0; i < AXES; i++) {
        if (i > 0 || third != CT_FEATURE_COMM_SIZE)
            assert_int_equal(ct_map_values(map, features[i], &cube.values[i], &cube.counts[i]), CT_OK);
        else
            cube.counts[i] = 1;
        while (cube.width < cube.counts[i])
            cube.width *= 2;
    }
    return cube;
}

static struct ct_decision_tree learn(const struct ct_map *map, const struct options *options)
{
    char words[100], depth[40] = "";
    if (options->max_depth != SIZE_MAX)
        snprintf(depth, sizeof depth, "max-depth=%zu", options->max_depth);
    snprintf(words, sizeof words, "%s threshold=%g third=%s %s", depth, options->threshold,
             options->third ? ct_feature_descriptors[options->third]->name : "none",
             options->keep_equal ? "no-merge" : "");
    return fixture_learn("quadtree", words, map, NULL);
}

/* A value at a size of the side, beside it or far out, and the place of the size that answers for it. */
static size_t draw(const struct cube *cube, size_t axis, unsigned *seed, size_t *ret_place)
{
    const size_t *values = cube->values[axis], count = cube->counts[axis];
    size_t near = values[fixture_random(seed, count)], beside = fixture_random(seed, 3);
    size_t any[] = {near + beside - 1, 0, SIZE_MAX};
    size_t value = any[fixture_random(seed, 20) / 9];
    *ret_place = place_of(values, count, value);
    return value;
}

static void compare(const struct ct_map *map, const struct options *options,
                    const struct ct_decision_tree *tree, unsigned *seed)
{
    struct cube cube = cube_of(map, options->third);
    for (size_t i = 0; i < 120; i++) {
        struct ct_features features = {{0}};
        size_t places[AXES] = {0};
        if (options->third)
            features.value[options->third] = draw(&cube, 0, seed, &places[0]);
        features.value[CT_FEATURE_COMM_SIZE] = draw(&cube, 1, seed, &places[1]);
        features.value[CT_FEATURE_MSG_BYTES] = draw(&cube, 2, seed, &places[2]);
        const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
        size_t method = ct_map_find_method(map, &tree->methods[leaf->method]);
        assert_int_equal(method, decide(&cube, options, places));
    }
    for (size_t i = 0; i < AXES; i++)
        free(cube.values[i]);
}

/* Makes the map one of `count` values of nodes or processes per node: so many copies of what it is. */
static void repeat(struct ct_map *map, enum ct_feature third, size_t count)
{
    size_t cells = map->cell_count;
    map->cells = realloc(map->cells, count * cells * sizeof *map->cells);
    assert_non_null(map->cells);
    for (size_t i = 0; i < count * cells; i++) {
        struct ct_cell *cell = &map->cells[i];
        if (i >= cells) {
            *cell = map->cells[i % cells];
            cell->methods = calloc(map->method_count, sizeof *cell->methods);
            cell->standings = calloc(map->method_count, sizeof *cell->standings);
        }
        cell->key.nodes = third == CT_FEATURE_NODES ? 1 + 3 * (i / cells) : 1;
        cell->key.ppn = third == CT_FEATURE_PPN ? 2 + i / cells : 1;
    }
    map->cell_count = count * cells;
}

/* Random maps of any shape, with patches as measured ones have, at any depth and threshold. */
static void paint(struct ct_map *map, unsigned *seed)
{
    size_t methods = 2 + fixture_random(seed, METHODS - 1), best = 0;
    for (size_t c = 0; c < map->cell_count; c++) {
        if (fixture_random(seed, 3) == 0)
            best = fixture_random(seed, methods);
        for (size_t m = 0; m < METHODS; m++)
            fixture_set(map, c, m, m == best ? 1 : 2);
    }
}

static void try_maps(enum ct_feature third, size_t maps)
{
    static const char *const comm_sizes[] = {"4", "2-5", "2-28/2", "3-50/7", "2-64*2"};
    static const char *const msg_sizes[] = {"8", "1-1M*4", "1-128*2", "1-37/3", "10,20"};
    static const double thresholds[] = {100, 90, 75, 50, 34, 1};
    unsigned seed = 7;
    for (size_t n = 0; n < maps; n++) {
        struct ct_map map;
        size_t comms = fixture_random(&seed, 5), sizes = fixture_random(&seed, 5);
        fixture_map(CT_COLLECTIVE_BCAST, comm_sizes[comms], msg_sizes[sizes],
                    "native,linear,binomial:,binary:", &map);
        if (third)
            repeat(&map, third, 1 + fixture_random(&seed, 6));
        paint(&map, &seed);
        struct options options = {.third = third, .max_depth = fixture_random(&seed, 6)};
        options.threshold = thresholds[fixture_random(&seed, 6)];
        if (options.max_depth == 5)
            options.max_depth = SIZE_MAX;
        struct ct_decision_tree merged = learn(&map, &options);
        options.keep_equal = true;
        struct ct_decision_tree whole = learn(&map, &options);
        compare(&map, &options, &merged, &seed);
        compare(&map, &options, &whole, &seed);
        assert_true(ct_tree_leaf_count(&merged) <= ct_tree_leaf_count(&whole));
        assert_true(ct_tree_depth(&whole) / (third ? 3 : 2) <= options.max_depth);
        ct_tree_free(&merged);
        ct_tree_free(&whole);
        ct_map_free(&map);
    }
}

static void test_against_the_square(void **state)
{
    (void)state;
    try_maps(CT_FEATURE_COMM_SIZE, 400);
}

static void test_against_the_cube(void **state)
{
    (void)state;
    try_maps(CT_FEATURE_NODES, 60);
    try_maps(CT_FEATURE_PPN, 60);
}

/* Without merging, a quadrant that was cut shows both tests of the message size, even where they decide the
 * same; a cut that parts no sizes still shows none. */
static void test_unmerged(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2-9", "1-128*2", "native,linear,binomial:,binary:", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        fixture_set(&map, c, (c % 8 >= 4) + 2 * (c == 63), 1);
    struct options options = {.max_depth = 1, .threshold = 100};
    struct ct_decision_tree tree = learn(&map, &options);
    assert_int_equal(ct_tree_leaf_count(&tree), 2);
    ct_tree_free(&tree);
    options.keep_equal = true;
    tree = learn(&map, &options);
    assert_int_equal(ct_tree_leaf_count(&tree), 4);
    ct_tree_free(&tree);
    options.max_depth = SIZE_MAX;
    tree = learn(&map, &options);
    assert_int_equal(ct_tree_leaf_count(&tree), 4 + 3 + 3);
    ct_tree_free(&tree);
    ct_map_free(&map);

    fixture_map(CT_COLLECTIVE_BARRIER, "2-9", "0", "native,linear,dissemination", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        fixture_set(&map, c, c % 2, 1);
    tree = learn(&map, &options);
    assert_int_equal(ct_tree_leaf_count(&tree), 8);
    ct_tree_free(&tree);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_the_square),
        cmocka_unit_test(test_against_the_cube),
        cmocka_unit_test(test_unmerged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
