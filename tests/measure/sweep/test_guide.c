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

/* Planes with known times: `time` says what a method takes at a point. */
typedef double (*timing)(size_t row, size_t column, size_t method);

static struct ct_guide_plane make_plane(size_t rows, size_t columns, size_t methods)
{
    struct ct_guide_plane plane;
    assert_int_equal(ct_guide_plane_make(rows, columns, methods, &plane), CT_OK);
    memset(plane.applies, 1, rows * columns * methods * sizeof *plane.applies);
    plane.kept[0] = true;
    return plane;
}

static struct ct_guide_round next(const struct ct_guide_plane *plane, const struct ct_guide_rules *rules)
{
    struct ct_guide_round round;
    assert_int_equal(ct_guide_next(plane, rules, &round), CT_OK);
    return round;
}

static void measure_point(struct ct_guide_plane *plane, const struct ct_guide_round *round, size_t point,
                          timing time)
{
    for (size_t m = 0; m < plane->methods; m++) {
        size_t slot = point * plane->methods + m;
        if (round->slots[slot])
            plane->seconds[slot] = time(point / plane->columns, point % plane->columns, m);
    }
    plane->measured[point] = true;
}

/* Measures one round; how many points. */
static size_t step(struct ct_guide_plane *plane, const struct ct_guide_rules *rules, timing time)
{
    struct ct_guide_round round = next(plane, rules);
    size_t measured = 0;
    for (size_t p = 0; p < plane->rows * plane->columns; p++) {
        if (!round.points[p] || plane->measured[p])
            continue;
        measure_point(plane, &round, p, time);
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

static size_t all_rounds(struct ct_guide_plane *plane, const struct ct_guide_rules *rules, timing time)
{
    size_t rounds = 0;
    while (step(plane, rules, time) > 0)
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
    struct ct_guide_plane plane = make_plane(9, 21, 4);
    struct ct_guide_round round = next(&plane, &plain);
    assert_int_equal(round.number, 0);
    assert_int_equal(round.left, 9);
    assert_int_equal(count(round.slots, 9 * 21 * 4), 9 * 4);
    const size_t corners[] = {0, 20, 8 * 21, 8 * 21 + 20, 4 * 21 + 10};
    for (size_t i = 0; i < 5; i++)
        assert_true(round.points[corners[i]]);
    ct_guide_round_free(&round);
    assert_int_equal(all_rounds(&plane, &plain, one_wins), 1);
    assert_int_equal(count(plane.measured, 9 * 21), 9);
    ct_guide_plane_free(&plane);
}

/* Where neighbours disagree the border is followed down to next neighbours, with its two methods and the one
 * that is kept; nothing is refined elsewhere. */
static void a_border_is_found(void **state)
{
    (void)state;
    struct ct_guide_plane plane = make_plane(9, 21, 6);
    all_rounds(&plane, &plain, border_at_13);
    for (size_t row = 0; row < 9; row += 4) {
        assert_true(plane.measured[row * 21 + 12] && plane.measured[row * 21 + 13]);
        assert_true(plane.seconds[(row * 21 + 12) * 6 + 1] > 0 && plane.seconds[(row * 21 + 13) * 6 + 2] > 0);
        assert_true(plane.seconds[(row * 21 + 12) * 6] > 0);
        assert_true(plane.seconds[(row * 21 + 12) * 6 + 4] <= 0);
    }
    for (size_t column = 1; column < 10; column++)
        assert_false(plane.measured[column]);
    assert_true(count(plane.measured, 9 * 21) <= 9 + 3 * 4);
    ct_guide_plane_free(&plane);
}

/* No agreement anywhere: the whole grid in the end. */
static void chaos_is_measured_wholly(void **state)
{
    (void)state;
    struct ct_guide_plane plane = make_plane(9, 13, 9 * 13);
    const struct ct_guide_rules rules = {.coarse = 3, .trust = 1, .margin = 0.05, .near = 9, .hopeless = 4};
    all_rounds(&plane, &rules, chaos);
    assert_int_equal(count(plane.measured, 9 * 13), 9 * 13);
    ct_guide_plane_free(&plane);
}

/* Boxes are not trusted beyond a width, whoever agrees; the others take turns. */
static void trust_has_a_width(void **state)
{
    (void)state;
    struct ct_guide_plane plane = make_plane(17, 17, 8);
    struct ct_guide_rules rules = plain;
    rules.trust = 0.25;
    rules.others = 1;
    all_rounds(&plane, &rules, one_wins);
    assert_int_equal(count(plane.measured, 17 * 17), 25);
    bool tried[8] = {false};
    for (size_t p = 0; p < 17 * 17; p++)
        for (size_t m = 0; plane.measured[p] && m < 8; m++)
            tried[m] |= plane.seconds[p * 8 + m] > 0 && p / 17 % 8 != 0;
    assert_true(count(tried, 8) >= 5);
    ct_guide_plane_free(&plane);
}

/* Stopped anywhere within a round, and asked anew: the same round. */
static void an_interrupted_round_is_the_same(void **state)
{
    (void)state;
    struct ct_guide_plane plane = make_plane(9, 21, 6);
    for (size_t rounds = 0;; rounds++) {
        struct ct_guide_round whole = next(&plane, &ct_guide_standard);
        size_t left = whole.left;
        if (left == 0) {
            ct_guide_round_free(&whole);
            break;
        }
        for (size_t p = 0; p < 9 * 21; p++) {
            if (!whole.points[p] || plane.measured[p])
                continue;
            struct ct_guide_round now = next(&plane, &ct_guide_standard);
            assert_int_equal(now.number, whole.number);
            assert_int_equal(now.left, left--);
            assert_memory_equal(now.points, whole.points, 9 * 21 * sizeof *now.points);
            assert_memory_equal(now.slots, whole.slots, 9 * 21 * 6 * sizeof *now.slots);
            ct_guide_round_free(&now);
            measure_point(&plane, &whole, p, border_at_13);
        }
        ct_guide_round_free(&whole);
        assert_true(rounds < 50);
    }
    ct_guide_plane_free(&plane);
}

/* What is predicted to be far off is not tried at first; what nothing is known of is. */
static void a_prior_prunes(void **state)
{
    (void)state;
    struct ct_guide_plane plane = make_plane(3, 3, 4);
    for (size_t p = 0; p < 9; p++) {
        plane.prior[p * 4 + 0] = 90;
        plane.prior[p * 4 + 1] = 1;
        plane.prior[p * 4 + 2] = 5;
    }
    struct ct_guide_round round = next(&plane, &plain);
    for (size_t p = 0; p < 9; p++) {
        assert_true(round.slots[p * 4 + 0]); /* kept */
        assert_true(round.slots[p * 4 + 1]);
        assert_false(round.slots[p * 4 + 2]);
        assert_true(round.slots[p * 4 + 3]);
    }
    ct_guide_round_free(&round);
    ct_guide_plane_free(&plane);
}

/* A grid with a corner missing, as where buffers grow too large: its edge is followed, what is not there is
 * never asked for. Points where everything fails stop nothing. */
static void holes_and_failures_do_no_harm(void **state)
{
    (void)state;
    struct ct_guide_plane plane = make_plane(9, 13, 4);
    for (size_t p = 0; p < 9 * 13; p++)
        if (p / 13 + p % 13 > 14)
            memset(plane.applies + p * 4, 0, 4 * sizeof *plane.applies);
    all_rounds(&plane, &plain, one_wins);
    for (size_t p = 0; p < 9 * 13; p++)
        assert_false(plane.measured[p] && p / 13 + p % 13 > 14);
    assert_true(plane.measured[0]);
    ct_guide_plane_free(&plane);

    plane = make_plane(9, 13, 4);
    assert_int_equal(all_rounds(&plane, &plain, all_fail), 1);
    ct_guide_plane_free(&plane);

    plane = make_plane(9, 13, 4);
    memset(plane.applies, 0, 9 * 13 * 4 * sizeof *plane.applies);
    assert_int_equal(all_rounds(&plane, &plain, one_wins), 0);
    ct_guide_plane_free(&plane);
}

/* One size, or a method that applies at every other size alone. */
static void small_sides(void **state)
{
    (void)state;
    struct ct_guide_plane plane = make_plane(1, 1, 3);
    assert_int_equal(all_rounds(&plane, &ct_guide_standard, one_wins), 1);
    ct_guide_plane_free(&plane);

    plane = make_plane(12, 1, 3);
    for (size_t p = 1; p < 12; p += 2)
        plane.applies[p * 3 + 1] = false;
    all_rounds(&plane, &ct_guide_standard, one_wins);
    for (size_t p = 0; p < 12; p++)
        assert_true(!plane.measured[p] || p % 2 == 1 || plane.seconds[p * 3 + 1] > 0);
    ct_guide_plane_free(&plane);

    assert_int_equal(ct_guide_plane_make(SIZE_MAX / 2, 3, 3, &plane), CT_E_LIMIT);
}

static size_t draw(unsigned *seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

/* Whatever is measured: a round asks only for what applies and was not measured in a round before, always for
 * something in each point, and there is an end. */
static void any_plane_comes_to_an_end(void **state)
{
    (void)state;
    unsigned seed = 11;
    for (int trial = 0; trial < 300; trial++) {
        size_t rows = 1 + draw(&seed, 20), columns = 1 + draw(&seed, 20), methods = 1 + draw(&seed, 6);
        struct ct_guide_plane plane = make_plane(rows, columns, methods);
        plane.kept[0] = draw(&seed, 2);
        for (size_t s = 0; s < rows * columns * methods; s++) {
            plane.applies[s] = draw(&seed, 5) > 0;
            plane.prior[s] = (double)draw(&seed, 10);
        }
        size_t rounds = 0, left = 1;
        for (; left > 0; rounds++) {
            struct ct_guide_round round = next(&plane, &ct_guide_standard);
            left = round.left;
            for (size_t p = 0; p < rows * columns; p++) {
                assert_false(round.points[p] && plane.measured[p]);
                assert_int_equal(round.points[p], count(round.slots + p * methods, methods) > 0);
                for (size_t m = 0; round.points[p] && m < methods; m++) {
                    size_t slot = p * methods + m;
                    assert_true(plane.applies[slot] || !round.slots[slot]);
                    plane.seconds[slot] = round.slots[slot] ? (double)draw(&seed, 9) : 0; /* 0: failed */
                }
                plane.measured[p] |= round.points[p];
            }
            ct_guide_round_free(&round);
        }
        assert_true(rounds < 60);
        ct_guide_plane_free(&plane);
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
        cmocka_unit_test(any_plane_comes_to_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
