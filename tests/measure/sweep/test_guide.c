/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "measure/sweep/guide.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Spaces with known times: `time` says what a method takes at a point, whose row counts through all layers.
 */
typedef double (*timing)(size_t row, size_t column, size_t method);

static struct ct_guide_space make_layers(size_t layers, size_t rows, size_t columns, size_t methods)
{
    struct ct_guide_space space;
    assert_int_equal(ct_guide_space_make(layers, rows, columns, methods, &space), CT_OK);
    assert_int_equal(space.points, layers * rows * columns);
    memset(space.applies, 1, space.points * methods * sizeof *space.applies);
    space.kept[0] = true;
    return space;
}

static struct ct_guide_space make_space(size_t rows, size_t columns, size_t methods)
{
    return make_layers(1, rows, columns, methods);
}

static struct ct_guide_round next(const struct ct_guide_space *space, const struct ct_guide_rules *rules)
{
    struct ct_guide_round round;
    assert_int_equal(ct_guide_next(space, rules, &round), CT_OK);
    return round;
}

static void measure_point(struct ct_guide_space *space, const struct ct_guide_round *round, size_t point,
                          timing time)
{
    for (size_t m = 0; m < space->methods; m++) {
        size_t slot = point * space->methods + m;
        if (round->slots[slot])
            space->seconds[slot] = time(point / space->columns, point % space->columns, m);
    }
    space->measured[point] = true;
}

/* Measures one round; how many points. */
static size_t step(struct ct_guide_space *space, const struct ct_guide_rules *rules, timing time)
{
    struct ct_guide_round round = next(space, rules);
    size_t measured = 0;
    for (size_t p = 0; p < space->points; p++) {
        if (!round.points[p] || space->measured[p])
            continue;
        measure_point(space, &round, p, time);
        measured++;
    }
    assert_int_equal(measured, round.left);
    ct_guide_round_free(&round);
    return measured;
}

static size_t count(const bool *flags, size_t n)
{
    size_t set = 0;
    for (size_t i = 0; i < n; i++)
        set += flags[i];
    return set;
}

static size_t all_rounds(struct ct_guide_space *space, const struct ct_guide_rules *rules, timing time)
{
    size_t rounds = 0;
    while (step(space, rules, time) > 0)
        rounds++;
    return rounds;
}

static const struct ct_guide_rules plain = {
    .coarse = 3, .trust = 1, .margin = 0.05, .near = 1.5, .hopeless = 4, .others = 0};

static double one_wins(size_t row, size_t column, size_t method)
{
    (void)row;
    (void)column;
    return method == 1 ? 1 : 2;
}

/* Method 1 up to column 12, method 2 from there; the others far off. */
static double border_at_13(size_t row, size_t column, size_t method)
{
    (void)row;
    return method == 1 ? (column < 13 ? 1 : 3) : method == 2 ? (column < 13 ? 3 : 1) : 10;
}

/* Each point has its own best method. */
static double chaos(size_t row, size_t column, size_t method)
{
    return row * 13 + column == method ? 1 : 5;
}

static double all_fail(size_t row, size_t column, size_t method)
{
    (void)row;
    (void)column;
    (void)method;
    return 0;
}

/* The first round is the coarse grid with both ends and all methods; agreement ends it there. */
static void coarse_grid_is_enough_where_all_agree(void **state)
{
    (void)state;
    struct ct_guide_space space = make_space(9, 21, 4);
    struct ct_guide_round round = next(&space, &plain);
    assert_int_equal(round.number, 0);
    assert_int_equal(round.left, 9);
    assert_int_equal(count(round.slots, 9 * 21 * 4), 9 * 4);
    const size_t corners[] = {0, 20, 8 * 21, 8 * 21 + 20, 4 * 21 + 10};
    for (size_t i = 0; i < 5; i++)
        assert_true(round.points[corners[i]]);
    ct_guide_round_free(&round);
    assert_int_equal(all_rounds(&space, &plain, one_wins), 1);
    assert_int_equal(count(space.measured, 9 * 21), 9);
    ct_guide_space_free(&space);
}

/* Where neighbours disagree the border is followed down to next neighbours, with its two methods and the one
 * that is kept; nothing is refined elsewhere. */
static void a_border_is_found(void **state)
{
    (void)state;
    struct ct_guide_space space = make_space(9, 21, 6);
    all_rounds(&space, &plain, border_at_13);
    for (size_t row = 0; row < 9; row += 4) {
        assert_true(space.measured[row * 21 + 12] && space.measured[row * 21 + 13]);
        assert_true(space.seconds[(row * 21 + 12) * 6 + 1] > 0 && space.seconds[(row * 21 + 13) * 6 + 2] > 0);
        assert_true(space.seconds[(row * 21 + 12) * 6] > 0);
        assert_true(space.seconds[(row * 21 + 12) * 6 + 4] <= 0);
    }
    for (size_t column = 1; column < 10; column++)
        assert_false(space.measured[column]);
    assert_true(count(space.measured, 9 * 21) <= 9 + 3 * 4);
    ct_guide_space_free(&space);
}

/* No agreement anywhere: the whole grid in the end. */
static void chaos_is_measured_wholly(void **state)
{
    (void)state;
    struct ct_guide_space space = make_space(9, 13, 9 * 13);
    const struct ct_guide_rules rules = {.coarse = 3, .trust = 1, .margin = 0.05, .near = 9, .hopeless = 4};
    all_rounds(&space, &rules, chaos);
    assert_int_equal(count(space.measured, 9 * 13), 9 * 13);
    ct_guide_space_free(&space);
}

/* Boxes are not trusted beyond a width, whoever agrees; the others take turns. */
static void trust_has_a_width(void **state)
{
    (void)state;
    struct ct_guide_space space = make_space(17, 17, 8);
    struct ct_guide_rules rules = plain;
    rules.trust = 0.25;
    rules.others = 1;
    all_rounds(&space, &rules, one_wins);
    assert_int_equal(count(space.measured, 17 * 17), 25);
    bool tried[8] = {false};
    for (size_t p = 0; p < 17 * 17; p++)
        for (size_t m = 0; space.measured[p] && m < 8; m++)
            tried[m] |= space.seconds[p * 8 + m] > 0 && p / 17 % 8 != 0;
    assert_true(count(tried, 8) >= 5);
    ct_guide_space_free(&space);
}

/* Stopped anywhere within a round, and asked anew: the same round. */
static void an_interrupted_round_is_the_same(void **state)
{
    (void)state;
    struct ct_guide_space space = make_space(9, 21, 6);
    for (size_t rounds = 0;; rounds++) {
        struct ct_guide_round whole = next(&space, &ct_guide_standard);
        size_t left = whole.left;
        if (left == 0) {
            ct_guide_round_free(&whole);
            break;
        }
        for (size_t p = 0; p < 9 * 21; p++) {
            if (!whole.points[p] || space.measured[p])
                continue;
            struct ct_guide_round now = next(&space, &ct_guide_standard);
            assert_int_equal(now.number, whole.number);
            assert_int_equal(now.left, left--);
            assert_memory_equal(now.points, whole.points, 9 * 21 * sizeof *now.points);
            assert_memory_equal(now.slots, whole.slots, 9 * 21 * 6 * sizeof *now.slots);
            ct_guide_round_free(&now);
            measure_point(&space, &whole, p, border_at_13);
        }
        ct_guide_round_free(&whole);
        assert_true(rounds < 50);
    }
    ct_guide_space_free(&space);
}

/* What is predicted to be far off is not tried at first; what nothing is known of is. */
static void a_prior_prunes(void **state)
{
    (void)state;
    struct ct_guide_space space = make_space(3, 3, 4);
    for (size_t p = 0; p < 9; p++) {
        space.prior[p * 4 + 0] = 90;
        space.prior[p * 4 + 1] = 1;
        space.prior[p * 4 + 2] = 5;
    }
    struct ct_guide_round round = next(&space, &plain);
    for (size_t p = 0; p < 9; p++) {
        assert_true(round.slots[p * 4 + 0]); /* kept */
        assert_true(round.slots[p * 4 + 1]);
        assert_false(round.slots[p * 4 + 2]);
        assert_true(round.slots[p * 4 + 3]);
    }
    ct_guide_round_free(&round);
    ct_guide_space_free(&space);
}

/* A grid with a corner missing, as where buffers grow too large: its edge is followed, what is not there is
 * never asked for. Points where everything fails stop nothing. */
static void holes_and_failures_do_no_harm(void **state)
{
    (void)state;
    struct ct_guide_space space = make_space(9, 13, 4);
    for (size_t p = 0; p < 9 * 13; p++)
        if (p / 13 + p % 13 > 14)
            memset(space.applies + p * 4, 0, 4 * sizeof *space.applies);
    all_rounds(&space, &plain, one_wins);
    for (size_t p = 0; p < 9 * 13; p++)
        assert_false(space.measured[p] && p / 13 + p % 13 > 14);
    assert_true(space.measured[0]);
    ct_guide_space_free(&space);

    space = make_space(9, 13, 4);
    assert_int_equal(all_rounds(&space, &plain, all_fail), 1);
    ct_guide_space_free(&space);

    space = make_space(9, 13, 4);
    memset(space.applies, 0, 9 * 13 * 4 * sizeof *space.applies);
    assert_int_equal(all_rounds(&space, &plain, one_wins), 0);
    ct_guide_space_free(&space);
}

/* One size, or a method that applies at every other size alone. */
static void small_sides(void **state)
{
    (void)state;
    struct ct_guide_space space = make_space(1, 1, 3);
    assert_int_equal(all_rounds(&space, &ct_guide_standard, one_wins), 1);
    ct_guide_space_free(&space);

    space = make_space(12, 1, 3);
    for (size_t p = 1; p < 12; p += 2)
        space.applies[p * 3 + 1] = false;
    all_rounds(&space, &ct_guide_standard, one_wins);
    for (size_t p = 0; p < 12; p++)
        assert_true(!space.measured[p] || p % 2 == 1 || space.seconds[p * 3 + 1] > 0);
    ct_guide_space_free(&space);

    assert_int_equal(ct_guide_space_make(3, SIZE_MAX / 2, 3, 3, &space), CT_E_LIMIT);
}

enum { LAYERS = 5, ROWS = 9, COLUMNS = 21 };

/* Method 1 wins in the first layers, method 2 in the last one, both between them. */
static double border_of_layers(size_t row, size_t column, size_t method)
{
    const size_t layer = row / ROWS;
    (void)column;
    return method == 1 ? (layer < 4 ? 1 : 3) : method == 2 ? (layer < 2 ? 3 : 1) : 10;
}

static size_t measured_in(const struct ct_guide_space *space, size_t layer)
{
    return count(space->measured + layer * ROWS * COLUMNS, (size_t)ROWS * COLUMNS);
}

/* The first grid lies in the first and the last layer. Layers between them are measured where those disagree,
 * with the methods that are near the best there. */
static void layers_are_a_side(void **state)
{
    (void)state;
    struct ct_guide_space space = make_layers(LAYERS, ROWS, COLUMNS, 4);
    assert_int_equal(step(&space, &plain, one_wins), 2 * 9);
    assert_int_equal(measured_in(&space, 0), 9);
    assert_int_equal(measured_in(&space, LAYERS - 1), 9);
    assert_int_equal(all_rounds(&space, &plain, one_wins), 0);
    ct_guide_space_free(&space);

    space = make_layers(LAYERS, ROWS, COLUMNS, 4);
    all_rounds(&space, &plain, border_of_layers);
    const size_t expected[LAYERS] = {9, 0, 9, 0, 9}; /* the middle layer agrees with both ends */
    for (size_t layer = 0; layer < LAYERS; layer++)
        assert_int_equal(measured_in(&space, layer), expected[layer]);
    const size_t slot = 2 * ROWS * COLUMNS * 4;
    assert_true(space.seconds[slot + 1] > 0 && space.seconds[slot + 2] > 0 && space.seconds[slot + 3] <= 0);
    ct_guide_space_free(&space);
}

static size_t draw(unsigned *seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Whatever is measured: a round asks only for what applies and was not measured in a round before, always for
 * something in each point, and there is an end. */
static void any_space_comes_to_an_end(void **state)
{
    (void)state;
    unsigned seed = 11;
    for (int trial = 0; trial < 300; trial++) {
        size_t rows = 1 + draw(&seed, 20), columns = 1 + draw(&seed, 20), methods = 1 + draw(&seed, 6);
        struct ct_guide_space space = make_layers(1 + draw(&seed, 4), rows, columns, methods);
        space.kept[0] = draw(&seed, 2);
        for (size_t s = 0; s < space.points * methods; s++) {
            space.applies[s] = draw(&seed, 5) > 0;
            space.prior[s] = (double)draw(&seed, 10);
        }
        size_t rounds = 0, left = 1;
        for (; left > 0; rounds++) {
            struct ct_guide_round round = next(&space, &ct_guide_standard);
            left = round.left;
            for (size_t p = 0; p < space.points; p++) {
                assert_false(round.points[p] && space.measured[p]);
                assert_int_equal(round.points[p], count(round.slots + p * methods, methods) > 0);
                for (size_t m = 0; round.points[p] && m < methods; m++) {
                    size_t slot = p * methods + m;
                    assert_true(space.applies[slot] || !round.slots[slot]);
                    space.seconds[slot] = round.slots[slot] ? (double)draw(&seed, 9) : 0; /* 0: failed */
                }
                space.measured[p] |= round.points[p];
            }
            ct_guide_round_free(&round);
        }
        assert_true(rounds < 60);
        ct_guide_space_free(&space);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coarse_grid_is_enough_where_all_agree),
        cmocka_unit_test(a_border_is_found),
        cmocka_unit_test(chaos_is_measured_wholly),
        cmocka_unit_test(trust_has_a_width),
        cmocka_unit_test(an_interrupted_round_is_the_same),
        cmocka_unit_test(a_prior_prunes),
        cmocka_unit_test(holes_and_failures_do_no_harm),
        cmocka_unit_test(small_sides),
        cmocka_unit_test(layers_are_a_side),
        cmocka_unit_test(any_space_comes_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
