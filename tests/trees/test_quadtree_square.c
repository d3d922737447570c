/* SPDX-License-Identifier: BSD-3-Clause */
/* The quadtree learner against the square that it speaks of, written out point by point. */
#include "learners/learner.h"
#include "tests/trees/map_fixture.h"

#include <stdlib.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { METHODS = 4 };

/* A map padded to 2^k x 2^k points by replicas. */
struct square {
    const struct ct_map *map;
    size_t rows, columns; /* sizes that the map has */
    size_t width;         /* points on a side */
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

static size_t best_at(const struct square *square, size_t y, size_t x)
{
    size_t row = size_at(y, square->rows, square->width);
    return square->map->cells[row * square->columns + size_at(x, square->columns, square->width)].best;
}

/* The method of most points in a quadrant; by convention, in a tie, that of the upper right corner where it
 * is in the tie, else the first. A replica does not vote. */
static size_t prevalent(const struct square *square, size_t top, size_t left, size_t width, size_t *ret_votes,
                        size_t *ret_points)
{
    size_t votes[METHODS] = {0}, points = 0, corner = 0, chosen = 0;
    for (size_t y = top; y < top + width; y++) {
        for (size_t x = left; x < left + width; x++) {
            if (!is_first(y, square->rows, square->width) || !is_first(x, square->columns, square->width))
                continue;
            corner = best_at(square, y, x);
            votes[corner]++;
            points++;
        }
    }
    for (size_t m = 1; m < METHODS; m++)
        chosen = votes[m] > votes[chosen] ? m : chosen;
    *ret_votes = votes[chosen];
    *ret_points = points;
    return votes[corner] == votes[chosen] ? corner : chosen;
}

/* What the quadtree says of one size of each side: goes down to it from the whole square. */
static size_t decide(const struct square *square, const struct ct_learn_options *options, size_t row,
                     size_t column)
{
    size_t y = first_point(row, square->rows, square->width);
    size_t x = first_point(column, square->columns, square->width);
    size_t top = 0, left = 0, width = square->width, votes, points;
    for (size_t depth = 0;; depth++) {
        size_t method = prevalent(square, top, left, width, &votes, &points);
        if (100.0 * (double)votes >= options->threshold * (double)points || depth == options->max_depth)
            return method;
        width /= 2;
        top += y >= top + width ? width : 0;
        left += x >= left + width ? width : 0;
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

static struct ct_decision_tree learn(const struct ct_map *map, const struct ct_learn_options *options)
{
    struct ct_decision_tree tree;
    struct ct_error error = {""};
    int status = ct_learner_find("quadtree")->learn(map, options, NULL, &error, &tree);
    assert_string_equal(error.text, "");
    assert_int_equal(status, CT_OK);
    return tree;
}

/* At every size of the data, beside it, between two, and far out. */
static void compare(const struct ct_map *map, const struct ct_learn_options *options,
                    const struct ct_decision_tree *tree)
{
    struct square square = {.map = map, .width = 1};
    size_t *comms, *sizes;
    assert_int_equal(ct_map_comm_sizes(map, &comms, &square.rows), CT_OK);
    assert_int_equal(ct_map_msg_sizes(map, &sizes, &square.columns), CT_OK);
    while (square.width < square.rows || square.width < square.columns)
        square.width *= 2;
    static const size_t far[] = {0, SIZE_MAX};
    for (size_t i = 0; i < 3 * square.rows + 2; i++) {
        size_t comm = i < 2 ? far[i] : comms[(i - 2) / 3] + (i - 2) % 3 - 1;
        for (size_t j = 0; j < 3 * square.columns + 2; j++) {
            size_t size = j < 2 ? far[j] : sizes[(j - 2) / 3] + (j - 2) % 3 - 1;
            size_t expected = decide(&square, options, place_of(comms, square.rows, comm),
                                     place_of(sizes, square.columns, size));
            struct ct_features features = {{[CT_COMM_SIZE] = comm, [CT_MSG_BYTES] = size}};
            const struct ct_tree_node *leaf = ct_tree_decide(tree, &features);
            assert_int_equal(ct_map_find_method(map, &tree->methods[leaf->method]), expected);
        }
    }
    free(comms);
    free(sizes);
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

static void test_against_the_square(void **state)
{
    (void)state;
    static const char *const comm_sizes[] = {"4", "2-5", "2-28/2", "3-50/7", "2-64*2"};
    static const char *const msg_sizes[] = {"8", "1-1M*4", "1-128*2", "1-37/3", "10,20"};
    static const double thresholds[] = {100, 90, 75, 50, 34, 1};
    unsigned seed = 7;
    for (size_t n = 0; n < 400; n++) {
        struct ct_map map;
        fixture_map(CT_BCAST, comm_sizes[fixture_random(&seed, 5)], msg_sizes[fixture_random(&seed, 5)],
                    "native,linear,binomial:,binary:", &map);
        paint(&map, &seed);
        struct ct_learn_options options = {.max_depth = fixture_random(&seed, 6),
                                           .threshold = thresholds[fixture_random(&seed, 6)]};
        if (options.max_depth == 5)
            options.max_depth = SIZE_MAX;
        struct ct_decision_tree merged = learn(&map, &options);
        options.keep_equal = true;
        struct ct_decision_tree whole = learn(&map, &options);
        compare(&map, &options, &merged);
        compare(&map, &options, &whole);
        assert_true(ct_tree_leaf_count(&merged) <= ct_tree_leaf_count(&whole));
        assert_true(ct_tree_depth(&whole) / 2 <= options.max_depth);
        ct_tree_free(&merged);
        ct_tree_free(&whole);
        ct_map_free(&map);
    }
}

/* Without merging, a quadrant that was cut shows both tests of the message size, even where they decide the
 * same; a cut that parts no sizes still shows none. */
static void test_unmerged(void **state)
{
    (void)state;
    struct ct_map map;
    fixture_map(CT_BCAST, "2-9", "1-128*2", "native,linear,binomial:,binary:", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        fixture_set(&map, c, (c % 8 >= 4) + 2 * (c == 63), 1);
    struct ct_learn_options options = {.max_depth = 1, .threshold = 100};
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

    fixture_map(CT_BARRIER, "2-9", "0", "native,linear,dissemination", &map);
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
        cmocka_unit_test(test_unmerged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
