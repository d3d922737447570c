/* SPDX-License-Identifier: BSD-3-Clause */
/* Predictions that are asked for again and again. */
#include "models/predict/predicted_times.h"
#include "models/predict/predictor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct ct_model machine(void)
{
    struct ct_model model = {0};
    static char name[] = "made up";
    model.name = name;
    model.gamma = 1e-9;
    model.links[CT_LINK_NETWORK].known[CT_MODEL_HOCKNEY] = true;
    model.links[CT_LINK_NETWORK].hockney = (struct ct_hockney){.alpha = 5e-5, .beta = 1e-8};
    model.links[CT_LINK_NODE].known[CT_MODEL_HOCKNEY] = true;
    model.links[CT_LINK_NODE].hockney = (struct ct_hockney){.alpha = 1e-6, .beta = 1e-10};
    return model;
}

static struct ct_prediction asked(const struct ct_model *model, enum ct_prediction_way way)
{
    return (struct ct_prediction){.model = model,
                                  .weights = {[CT_MODEL_HOCKNEY] = 1},
                                  .way = way,
                                  .segments = CT_SEGMENT_FROM_LIST,
                                  .ppn = 1,
                                  .most_messages = 1000};
}

static struct ct_method method(const char *spelling)
{
    struct ct_method parsed;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &parsed), CT_OK);
    return parsed;
}

static double at(struct ct_predicted_times *times, const char *spelling, size_t ranks, size_t msg_bytes)
{
    const struct ct_method asked_for = method(spelling);
    struct ct_error error = {""};
    double seconds = -1;
    assert_int_equal(ct_predicted_times_at(times, &asked_for, ranks, msg_bytes, &error, &seconds), CT_OK);
    assert_string_equal(error.text, "");
    return seconds;
}

/* In whatever order they are asked for, and again, times are those of a predictor of its own. */
static void test_same(void **state)
{
    (void)state;
    static const char *const spellings[] = {"bcast/linear", "bcast/binomial:seg=8K", "allgather/ring",
                                            "reduce/binomial"};
    static const size_t ranks[] = {5, 2, 16, 5, 7}, bytes[] = {64, 8, 100000, 64};
    const struct ct_model model = machine();
    for (int way = 0; way < CT_PREDICTION_WAYS; way++) {
        const struct ct_prediction prediction = asked(&model, (enum ct_prediction_way)way);
        struct ct_predicted_times *times;
        struct ct_predictor *predictor;
        assert_int_equal(ct_predicted_times_new(&prediction, &times), CT_OK);
        assert_int_equal(ct_predictor_new(&prediction, &predictor), CT_OK);
        for (size_t i = 0; i < 4 * 5 * 4 * 2; i++) {
            const char *spelling = spellings[i % 4];
            const struct ct_method asked_for = method(spelling);
            struct ct_predicted expected;
            assert_int_equal(ct_predictor_set_ranks(predictor, ranks[i / 4 % 5]), CT_OK);
            assert_int_equal(ct_predictor_method_seconds(predictor, &asked_for, bytes[i / 20 % 4],
                                                         CT_MODEL_HOCKNEY, NULL, &expected),
                             CT_OK);
            assert_true(expected.seconds > 0);
            assert_true(at(times, spelling, ranks[i / 4 % 5], bytes[i / 20 % 4]) == expected.seconds);
        }
        ct_predictor_free(predictor);
        ct_predicted_times_free(times);
    }
}

/* What is not known is not a number, and no error; formulas do not stand in for plans. */
static void test_unknown(void **state)
{
    (void)state;
    static const struct {
        const char *spelling;
        size_t ranks, msg_bytes;
        bool by_plans, by_formulas;
    } cases[] = {
        {"bcast/native", 8, 64, false, false},
        {"bcast/linear", 8, 64, true, true},
        {"bcast/linear", 1, 64, false, false},
        {"bcast/linear", 8, (size_t)1 << 45, false, false},
        {"bcast/linear", SIZE_MAX, SIZE_MAX, false, false},
        {"bcast/pipeline:seg=1K", 16, 1 << 20, false, true},  /* over a thousand messages */
        {"allgather/sparbit", 8, 64, true, false},            /* has no formula */
        {"allgather/neighbor_exchange", 7, 64, false, false}, /* even ones alone */
        {"allgatherv/ring", 8, 64, true, true},
        {"alltoallv/linear", 8, 64, false, false}, /* nobody knows its size */
    };
    const struct ct_model model = machine();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int way = 0; way < CT_PREDICTION_WAYS; way++) {
            const struct ct_prediction prediction = asked(&model, (enum ct_prediction_way)way);
            struct ct_predicted_times *times;
            assert_int_equal(ct_predicted_times_new(&prediction, &times), CT_OK);
            double seconds = at(times, cases[i].spelling, cases[i].ranks, cases[i].msg_bytes);
            bool expected = way == CT_PREDICTION_BY_PLANS ? cases[i].by_plans : cases[i].by_formulas;
            assert_int_equal(!isnan(seconds), expected);
            ct_predicted_times_free(times);
        }
}

/* Sparse calls have times on patterns alone, and each pattern its own. */
static void test_patterns(void **state)
{
    (void)state;
    static const char few[] = "moore:d=1,r=1", many[] = "moore:d=1,r=3",
                      linear[] = "neighbor_alltoall/linear";
    const struct ct_model model = machine();
    const struct ct_prediction prediction = asked(&model, CT_PREDICTION_BY_PLANS);
    struct ct_predicted_times *times;
    struct ct_error error = {""};
    struct ct_method sparse = method(linear);
    double seconds;
    assert_int_equal(ct_predicted_times_new(&prediction, &times), CT_OK);
    assert_true(isnan(at(times, linear, 8, 4096)));
    const double dense = at(times, "bcast/linear", 8, 4096);
    ct_predicted_times_set_pattern(times, few);
    const double of_few = at(times, linear, 8, 4096);
    assert_true(of_few > 0);
    assert_true(at(times, "bcast/linear", 8, 4096) == dense);
    ct_predicted_times_set_pattern(times, many);
    assert_true(at(times, linear, 8, 4096) > of_few);
    ct_predicted_times_set_pattern(times, few);
    assert_true(at(times, linear, 12, 4096) > 0);
    assert_true(at(times, linear, 8, 4096) == of_few);
    ct_predicted_times_set_pattern(times, "moore:d=0");
    assert_int_equal(ct_predicted_times_at(times, &sparse, 8, 64, &error, &seconds), CT_E_INPUT);
    assert_non_null(strstr(error.text, "expected d=NUMBER"));
    ct_predicted_times_free(times);
}

/* Blocks that vary differ as in measured calls: the longest ones decide how long a ring takes. */
static void test_blocks_that_vary(void **state)
{
    (void)state;
    const struct ct_model model = machine();
    const struct ct_prediction prediction = asked(&model, CT_PREDICTION_BY_PLANS);
    struct ct_predicted_times *times;
    assert_int_equal(ct_predicted_times_new(&prediction, &times), CT_OK);
    assert_true(at(times, "allgatherv/ring", 8, 4096) > 1.1 * at(times, "allgather/ring", 8, 4096));
    assert_true(at(times, "allgatherv/ring", 8, 4096) < 1.5 * at(times, "allgather/ring", 8, 4096));
    ct_predicted_times_free(times);
}

static void place(struct ct_predicted_times *times, size_t ppn, enum ct_node_channel channel)
{
    struct ct_error error = {""};
    if (ct_predicted_times_place(times, ppn, channel, "m.xml", &error) != CT_OK)
        fail_msg("%s", error.text);
}

/* Sizes go up to whole elements, nothing counts as something, and more ranks on a node are another machine.
 */
static void test_sizes_and_nodes(void **state)
{
    (void)state;
    const struct ct_model model = machine();
    const struct ct_prediction prediction = asked(&model, CT_PREDICTION_BY_PLANS);
    struct ct_predicted_times *times;
    assert_int_equal(ct_predicted_times_new(&prediction, &times), CT_OK);
    assert_true(at(times, "reduce/linear", 8, 9) == at(times, "reduce/linear", 8, 16));
    assert_true(at(times, "reduce/linear", 8, 17) > at(times, "reduce/linear", 8, 16));
    assert_true(at(times, "bcast/linear", 8, 9) < at(times, "bcast/linear", 8, 16));
    assert_true(at(times, "bcast/linear", 8, 0) == at(times, "bcast/linear", 8, 1));
    assert_true(at(times, "barrier/linear", 8, 0) > 0);
    double apart = at(times, "bcast/binomial", 8, 64);
    place(times, 8, CT_NODE_CHANNEL_MPI);
    assert_true(at(times, "bcast/binomial", 8, 64) < apart / 10);
    place(times, 1, CT_NODE_CHANNEL_MPI);
    assert_true(at(times, "bcast/binomial", 8, 64) == apart);
    ct_predicted_times_free(times);
}

/* The channel that is asked for counts, and a model without it is refused. The caller's model stays. */
static void test_channels(void **state)
{
    (void)state;
    struct ct_model model = machine();
    model.other_node = model.links[CT_LINK_NODE];
    model.other_node.hockney = (struct ct_hockney){.alpha = 1e-7};
    const struct ct_prediction prediction = asked(&model, CT_PREDICTION_BY_PLANS);
    struct ct_predicted_times *times;
    struct ct_error error = {""};
    assert_int_equal(ct_predicted_times_new(&prediction, &times), CT_OK);
    place(times, 8, CT_NODE_CHANNEL_MPI);
    assert_true(fabs(at(times, "bcast/linear", 2, 64) / (1e-6 + 64e-10) - 1) < 1e-9);
    place(times, 8, CT_NODE_CHANNEL_SHARED);
    assert_true(fabs(at(times, "bcast/linear", 2, 64) / 1e-7 - 1) < 1e-9);
    place(times, 8, CT_NODE_CHANNEL_MPI);
    assert_true(fabs(at(times, "bcast/linear", 2, 64) / (1e-6 + 64e-10) - 1) < 1e-9);
    ct_predicted_times_free(times);
    model.other_node = (struct ct_link){0};
    assert_int_equal(ct_predicted_times_new(&prediction, &times), CT_OK);
    place(times, 1, CT_NODE_CHANNEL_SHARED);
    assert_int_equal(ct_predicted_times_place(times, 8, CT_NODE_CHANNEL_SHARED, "m.xml", &error), CT_E_INPUT);
    assert_string_equal(error.text, "m.xml: no parameters for messages within a node through shared memory, "
                                    "only through MPI; measure them with colltune fit");
    ct_predicted_times_free(times);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_blocks_that_vary),
        cmocka_unit_test(test_sizes_and_nodes),
        cmocka_unit_test(test_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
