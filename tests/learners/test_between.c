/* SPDX-License-Identifier: BSD-3-Clause */
#include "learners/between.h"
#include "tests/learners/map_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Times between and beyond the measured sizes. */

static const double close_enough = 1e-9;

static struct ct_model machine(void)
{
    struct ct_model model = {0};
    static char name[] = "made up";
    model.name = name;
    model.links[CT_LINK_NETWORK].known[CT_MODEL_HOCKNEY] = true;
    model.links[CT_LINK_NETWORK].hockney = (struct ct_hockney){.alpha = 5e-5, .beta = 1e-8};
    return model;
}

static struct ct_predicted_times *prior_of(const struct ct_model *model)
{
    const struct ct_prediction prediction = {.model = model,
                                             .weights = {[CT_MODEL_HOCKNEY] = 1},
                                             .segments = CT_SEGMENT_FROM_LIST,
                                             .ppn = 1,
                                             .most_messages = 100000};
    struct ct_predicted_times *prior;
    assert_int_equal(ct_predicted_times_new(&prediction, &prior), CT_OK);
    return prior;
}

static double predicted(struct ct_predicted_times *prior, const struct ct_map *map, size_t method,
                        size_t comm_size, size_t msg_bytes)
{
    double seconds;
    assert_int_equal(
        ct_predicted_times_at(prior, &map->methods[method], comm_size, msg_bytes, NULL, &seconds), CT_OK);
    return seconds;
}

static struct ct_between between_of(const struct ct_map *map, const struct ct_learn_features *features,
                                    struct ct_predicted_times *prior)
{
    const struct ct_feature_columns columns = ct_feature_columns_of(map, features);
    struct ct_between between;
    assert_int_equal(ct_between_make(map, &columns, prior, NULL, &between), CT_OK);
    return between;
}

static double time_at(const struct ct_between *between, size_t method, size_t comm_size, size_t msg_bytes)
{
    const struct ct_features call = {{comm_size, msg_bytes, comm_size, 1}};
    double seconds[3];
    assert_int_equal(ct_between_times(between, &call, NULL, seconds), CT_OK);
    return seconds[method];
}

/* A machine that takes half as long again as the model says, and native twice the square root of the sizes.
 */
static struct ct_map measured(struct ct_predicted_times *prior)
{
    struct ct_map map;
    fixture_map(CT_COLLECTIVE_BCAST, "2,5,16,64", "8,1K,64K,1M", "native,linear,binomial:", &map);
    assert_int_equal(map.method_count, 3);
    for (size_t c = 0; c < map.cell_count; c++) {
        size_t comm_size = map.cells[c].key.comm_size, msg_bytes = map.cells[c].key.msg_bytes;
        fixture_set(&map, c, 0, 2e-6 * sqrt((double)comm_size * (double)msg_bytes));
        for (size_t m = 1; m < 3; m++)
            fixture_set(&map, c, m, 1.5 * predicted(prior, &map, m, comm_size, msg_bytes));
    }
    map.exact = true;
    return map;
}

/* Between and beyond, times go as the model says, but for the ratio; without one they are far off. A method
 * that the model does not know goes on as without. */
static void test_shape(void **state)
{
    (void)state;
    static const size_t comm_sizes[] = {2, 3, 16, 17, 33, 64, 100, 128},
                        sizes[] = {1, 8, 300, 20000, 2 << 20};
    const struct ct_model model = machine();
    struct ct_predicted_times *prior = prior_of(&model);
    struct ct_map map = measured(prior);
    struct ct_between with = between_of(&map, NULL, prior), without = between_of(&map, NULL, NULL);
    double worst = 0;
    for (size_t i = 0; i < sizeof comm_sizes / sizeof comm_sizes[0]; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
            for (size_t m = 1; m < 3; m++) {
                double truth = 1.5 * predicted(prior, &map, m, comm_sizes[i], sizes[k]);
                assert_float_equal(time_at(&with, m, comm_sizes[i], sizes[k]) / truth, 1, close_enough);
                worst = fmax(worst, fabs(log(time_at(&without, m, comm_sizes[i], sizes[k]) / truth)));
            }
            assert_true(time_at(&with, 0, comm_sizes[i], sizes[k]) ==
                        time_at(&without, 0, comm_sizes[i], sizes[k]));
        }
    assert_true(worst > 0.2);
    ct_between_free(&with);
    ct_between_free(&without);
    ct_map_free(&map);
    ct_predicted_times_free(prior);
}

/* What was measured counts where it was measured, however wrong the model; the ratio goes on beyond as it is
 * at the end, and lies on a line between two sizes. */
static void test_ratio(void **state)
{
    (void)state;
    const struct ct_model model = machine();
    struct ct_predicted_times *prior = prior_of(&model);
    struct ct_map map = measured(prior);
    for (size_t c = 0; c < map.cell_count; c++)
        fixture_set(&map, c, 1, map.cells[c].methods[1].median * (map.cells[c].key.comm_size > 16 ? 4 : 1));
    struct ct_between between = between_of(&map, NULL, prior);
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < 3; m++)
            assert_float_equal(time_at(&between, m, map.cells[c].key.comm_size, map.cells[c].key.msg_bytes) /
                                   map.cells[c].methods[m].median,
                               1, close_enough);
    assert_float_equal(time_at(&between, 1, 128, 1024) / predicted(prior, &map, 1, 128, 1024), 6,
                       close_enough);
    assert_float_equal(time_at(&between, 1, 32, 1024) / predicted(prior, &map, 1, 32, 1024), 3, close_enough);
    ct_between_free(&between);
    ct_map_free(&map);
    ct_predicted_times_free(prior);
}

/* Kinds: even communicators take half as long, and nothing is mixed between them, measured or computed. */
static void test_kinds(void **state)
{
    (void)state;
    struct ct_learn_features features = {0};
    struct ct_map map;
    assert_int_equal(ct_learn_features_list(&features, "comm_size,msg_bytes,even,total_bytes", NULL), CT_OK);
    fixture_map(CT_COLLECTIVE_BCAST, "3-6,13-17", "8,1K,64K", "native,linear,binomial:", &map);
    for (size_t c = 0; c < map.cell_count; c++)
        for (size_t m = 0; m < 3; m++)
            fixture_set(&map, c, m,
                        (double)map.cells[c].key.comm_size / (map.cells[c].key.comm_size % 2 ? 1 : 2));
    for (int exact = 0; exact < 2; exact++) {
        map.exact = exact;
        struct ct_between with = between_of(&map, &features, NULL), without = between_of(&map, NULL, NULL);
        assert_int_equal(with.apart.count, 1);
        assert_int_equal(with.count, 3);
        assert_int_equal(without.count, 1);
        for (size_t comm_size = 2; comm_size < 20; comm_size++)
            assert_float_equal(time_at(&with, 0, comm_size, 1024) * (comm_size % 2 ? 1 : 2), comm_size, 1e-6);
        assert_true(fabs(time_at(&without, 0, 9, 1024) - 9) > 1);
        ct_between_free(&with);
        ct_between_free(&without);
    }
    ct_learn_features_free(&features);
    ct_map_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shape),
        cmocka_unit_test(test_ratio),
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
