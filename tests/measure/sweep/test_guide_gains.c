/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"
#include "measure/sweep/guide_gains.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* Bcast by three methods and native, of which five communicator sizes and three of nine message sizes are
 * measured. Linear and binomial cross near 4 KiB; the chain is far off everywhere. */

enum { ROWS = 5, COLUMNS = 9, METHODS = 4, POINTS = ROWS * COLUMNS };
enum { NATIVE, LINEAR, CHAIN, BINOMIAL };

struct scene {
    struct ct_map map;
    struct ct_guide_space space;
    struct ct_cell_key keys[POINTS];
    size_t places[METHODS];
    double costs[POINTS * METHODS];
};

static const size_t ranks[ROWS] = {2, 4, 8, 16, 32};

static size_t bytes_of(size_t column)
{
    return (size_t)8 << (2 * column);
}

static void make_scene(struct scene *scene)
{
    unsigned seed = 6;
    fixture_map(CT_COLLECTIVE_BCAST, "2,4,8,16,32", "8,2K,512K",
                "native,linear,chain:,binomial:", &scene->map);
    scene->map.exact = true;
    assert_int_equal(scene->map.method_count, METHODS);
    assert_int_equal(ct_guide_space_make(1, ROWS, COLUMNS, METHODS, &scene->space), CT_OK);
    scene->space.kept[NATIVE] = true;
    for (size_t m = 0; m < METHODS; m++)
        scene->places[m] = m;
    for (size_t p = 0; p < POINTS; p++) {
        scene->keys[p] = (struct ct_cell_key){.comm_size = (uint32_t)ranks[p / COLUMNS],
                                              .msg_bytes = bytes_of(p % COLUMNS)};
        scene->space.measured[p] = p % COLUMNS % 4 == 0;
        for (size_t m = 0; m < METHODS; m++) {
            scene->space.applies[p * METHODS + m] = true;
            scene->costs[p * METHODS + m] = 1;
        }
    }
    for (size_t c = 0; c < scene->map.cell_count; c++) {
        double size = log2((double)scene->map.cells[c].key.msg_bytes);
        double rough[METHODS];
        for (size_t m = 0; m < METHODS; m++)
            rough[m] = 1 + (double)fixture_random(&seed, 100) / 200;
        fixture_set(&scene->map, c, NATIVE, 5e-6 * rough[NATIVE] * exp(size / 2));
        fixture_set(&scene->map, c, LINEAR, 1e-6 * rough[LINEAR] * exp(size / 2 + (size - 12) / 9));
        fixture_set(&scene->map, c, CHAIN, 9e-5 * rough[CHAIN] * exp(size / 2));
        fixture_set(&scene->map, c, BINOMIAL, 1e-6 * rough[BINOMIAL] * exp(size / 2 - (size - 12) / 9));
    }
}

static void scene_free(struct scene *scene)
{
    ct_map_free(&scene->map);
    ct_guide_space_free(&scene->space);
}

static struct ct_guide_offers offer(const struct scene *scene)
{
    struct ct_guide_offers offers;
    struct ct_error error = {""};
    assert_int_equal(ct_guide_offers_make(&scene->map, &scene->space, &ct_guide_standard, scene->keys,
                                          scene->places, scene->costs, NULL, &error, &offers),
                     CT_OK);
    return offers;
}

static size_t best_point(const struct ct_guide_offers *offers)
{
    size_t best = 0;
    for (size_t p = 1; p < POINTS; p++)
        best = offers->value[p] > offers->value[best] ? p : best;
    return best;
}

/* The best cell lies where the two methods cross, with both of them and what is kept. */
static void the_crossing_is_worth_most(void **state)
{
    (void)state;
    struct scene scene;
    make_scene(&scene);
    struct ct_guide_offers offers = offer(&scene);
    size_t best = best_point(&offers);
    assert_true(offers.value[best] > 0);
    assert_in_range(best % COLUMNS, 2, 6);
    assert_true(offers.slots[best * METHODS + NATIVE] && offers.slots[best * METHODS + LINEAR] &&
                offers.slots[best * METHODS + BINOMIAL]);
    for (size_t p = 0; p < POINTS; p++)
        assert_false(scene.space.measured[p] && offers.value[p] > 0);
    ct_guide_offers_free(&offers);
    scene_free(&scene);
}

/* What costs a hundred times as much comes later. */
static void costs_count(void **state)
{
    (void)state;
    struct scene scene;
    make_scene(&scene);
    struct ct_guide_offers offers = offer(&scene);
    size_t first = best_point(&offers);
    for (size_t m = 0; m < METHODS; m++)
        scene.costs[first * METHODS + m] = 100;
    ct_guide_offers_free(&offers);
    offers = offer(&scene);
    assert_int_not_equal(best_point(&offers), first);
    ct_guide_offers_free(&offers);
    scene_free(&scene);
}

/* Points of a round lie apart, and no more are taken than there is room for. */
static void a_round_is_spread(void **state)
{
    (void)state;
    struct scene scene;
    make_scene(&scene);
    struct ct_guide_offers offers[2] = {offer(&scene), {0}}; /* the second has nothing to offer */
    for (size_t p = 0; p < POINTS; p++)
        offers[0].value[p] = scene.space.measured[p] ? 0 : 1 + (double)(p * 7 % POINTS);
    size_t taken = ct_guide_take(offers, 2, SIZE_MAX);
    assert_true(taken >= 2);
    for (size_t a = 0; a < POINTS; a++)
        for (size_t b = a + 1; b < POINTS; b++)
            if (offers[0].points[a] && offers[0].points[b])
                assert_true(b / COLUMNS - a / COLUMNS > 2 || a % COLUMNS > b % COLUMNS + 2 ||
                            b % COLUMNS > a % COLUMNS + 2);
    ct_guide_offers_free(&offers[0]);
    offers[0] = offer(&scene);
    assert_int_equal(ct_guide_take(offers, 2, 1), 1);
    assert_int_equal(ct_guide_take(offers, 2, 0), 0);
    ct_guide_offers_free(&offers[0]);
    scene_free(&scene);
}

/* A method of which nothing is known is tried in one cell, before all others; not if it has failed, or is
 * predicted to be hopeless. */
static void an_unknown_method_is_tried_once(void **state)
{
    (void)state;
    for (int reason = 0; reason < 3; reason++) {
        struct scene scene;
        make_scene(&scene);
        for (size_t c = 0; c < scene.map.cell_count; c++)
            scene.map.cells[c].methods[CHAIN] = (struct ct_statistics){.failed = reason == 1};
        for (size_t p = 0; p < POINTS && reason == 2; p++) {
            scene.space.prior[p * METHODS + LINEAR] = 1;
            scene.space.prior[p * METHODS + CHAIN] = 50;
        }
        struct ct_guide_offers offers = offer(&scene);
        size_t certain = 0;
        for (size_t p = 0; p < POINTS; p++)
            certain += isinf(offers.value[p]) && offers.slots[p * METHODS + CHAIN];
        assert_int_equal(certain, reason == 0);
        ct_guide_offers_free(&offers);
        scene_free(&scene);
    }
}

/* Where one method wins everywhere by far, nothing is worth it. */
static void certainty_ends_it(void **state)
{
    (void)state;
    struct scene scene;
    make_scene(&scene);
    for (size_t c = 0; c < scene.map.cell_count; c++)
        for (size_t m = 0; m < METHODS; m++)
            fixture_set(&scene.map, c, m, m == LINEAR ? 1e-6 : 1e-3);
    struct ct_guide_offers offers = offer(&scene);
    assert_int_equal(ct_guide_take(&offers, 1, SIZE_MAX), 0);
    ct_guide_offers_free(&offers);
    scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crossing_is_worth_most), cmocka_unit_test(costs_count),
        cmocka_unit_test(a_round_is_spread),          cmocka_unit_test(an_unknown_method_is_tried_once),
        cmocka_unit_test(certainty_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
