/* SPDX-License-Identifier: BSD-3-Clause */
/* Times of methods in calls: by plans, by formulas; segment sizes chosen for each cell. */
#include "models/evaluate/evaluate.h"
#include "models/predict/candidates.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 16, BYTES = 1 << 20 };

static struct ct_model machine(void)
{
    struct ct_model model = {0};
    static char name[] = "made up";
    model.name = name;
    model.gamma = 1e-9;
    model.links[CT_LINK_NETWORK].known[CT_MODEL_HOCKNEY] = true;
    model.links[CT_LINK_NETWORK].hockney = (struct ct_hockney){.alpha = 5e-5, .beta = 1e-8};
    model.links[CT_LINK_NETWORK].known[CT_MODEL_LOGGP] = true;
    model.links[CT_LINK_NETWORK].loggp =
        (struct ct_loggp){.latency = 3e-5, .overhead = 5e-6, .gap = 1e-5, .gap_per_byte = 1e-8};
    return model;
}

static struct ct_prediction asked(const struct ct_model *model, enum ct_prediction_way way, size_t messages)
{
    return (struct ct_prediction){.model = model,
                                  .weights = {[CT_MODEL_HOCKNEY] = 1},
                                  .way = way,
                                  .segments = CT_SEGMENT_FROM_LIST,
                                  .ppn = 1,
                                  .most_messages = messages};
}

static struct ct_method method(const char *spelling)
{
    struct ct_method parsed;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &parsed), CT_OK);
    return parsed;
}

static struct ct_predicted predict(const struct ct_prediction *prediction, const char *spelling,
                                   bool is_beyond)
{
    const struct ct_method asked_for = method(spelling);
    struct ct_predictor *predictor;
    struct ct_predicted predicted;
    assert_int_equal(ct_predictor_new(prediction, &predictor), CT_OK);
    assert_int_equal(ct_predictor_set_ranks(predictor, RANKS), CT_OK);
    const struct ct_call call = ct_predictor_call(predictor, asked_for.algorithm->collective, BYTES);
    assert_int_equal(ct_predictor_seconds(predictor, &asked_for, &call, BYTES, CT_MODEL_HOCKNEY, is_beyond,
                                          NULL, &predicted),
                     CT_OK);
    ct_predictor_free(predictor);
    return predicted;
}

/* A binomial tree takes lg P steps under Hockney, told by plans and by the formula. */
static void test_ways_agree(void **state)
{
    (void)state;
    const struct ct_model model = machine();
    const struct ct_prediction by_plans = asked(&model, CT_PREDICTION_BY_PLANS, 1000);
    const struct ct_prediction by_formulas = asked(&model, CT_PREDICTION_BY_FORMULAS, 1000);
    const double expected = 4 * (5e-5 + 1e-8 * BYTES);
    const struct ct_predicted plans = predict(&by_plans, "bcast/binomial", false);
    const struct ct_predicted formula = predict(&by_formulas, "bcast/binomial", false);
    assert_true(fabs(plans.seconds / expected - 1) < 1e-9);
    assert_true(fabs(formula.seconds / expected - 1) < 1e-9);
    assert_false(plans.by_formula);
    assert_true(formula.by_formula);
    assert_false(formula.beyond);
}

/* Where plans take too much the formula stands in, if there is one. */
static void test_formula_stands_in(void **state)
{
    (void)state;
    const struct ct_model model = machine();
    const struct ct_prediction prediction = asked(&model, CT_PREDICTION_BY_PLANS, 3);
    const struct ct_prediction enough = asked(&model, CT_PREDICTION_BY_PLANS, 1000);
    const struct ct_predicted with = predict(&prediction, "bcast/binomial", false);
    assert_true(with.beyond && with.by_formula && with.seconds > 0);
    const struct ct_predicted told = predict(&enough, "bcast/binomial", true);
    assert_true(told.beyond && told.by_formula && told.seconds == with.seconds);
    const struct ct_predicted without = predict(&prediction, "bcast/knomial:radix=3", false);
    assert_true(without.beyond && !without.by_formula && isnan(without.seconds));
}

/* A model in which nothing takes time tells nothing. */
static void test_no_time_is_refused(void **state)
{
    (void)state;
    struct ct_model model = machine();
    model.links[CT_LINK_NETWORK].hockney = (struct ct_hockney){0};
    const struct ct_prediction prediction = asked(&model, CT_PREDICTION_BY_FORMULAS, 0);
    const struct ct_method binomial = method("bcast/binomial");
    struct ct_predictor *predictor;
    struct ct_predicted predicted;
    struct ct_error error = {""};
    assert_int_equal(ct_predictor_new(&prediction, &predictor), CT_OK);
    assert_int_equal(ct_predictor_set_ranks(predictor, RANKS), CT_OK);
    const struct ct_call call = ct_predictor_call(predictor, CT_COLLECTIVE_BCAST, BYTES);
    assert_int_equal(
        ct_predictor_seconds(predictor, &binomial, &call, BYTES, CT_MODEL_HOCKNEY, false, &error, &predicted),
        CT_E_INPUT);
    assert_non_null(strstr(error.text, "every method takes 0 s"));
    ct_predictor_free(predictor);
}

/* Each cell has each algorithm once for each model asked, with the segments that segment.h chooses. */
static void test_segments_are_chosen(void **state)
{
    (void)state;
    const struct ct_model model = machine();
    struct ct_prediction prediction = asked(&model, CT_PREDICTION_BY_PLANS, 1000);
    prediction.segments = CT_SEGMENT_BY_SEARCH;
    prediction.weights[CT_MODEL_LOGGP] = 1;
    const struct ct_method methods[] = {method("bcast/pipeline"), method("bcast/pipeline:seg=1K"),
                                        method("bcast/knomial:radix=3,seg=8K"), method("bcast/linear"),
                                        method("reduce/binomial")};
    struct ct_candidates candidates;
    struct ct_predictor *predictor;
    assert_int_equal(ct_candidates_make(methods, 5, &prediction, &candidates), CT_OK);
    assert_int_equal(candidates.source_count, 4); /* both pipelines are one */
    assert_int_equal(ct_predictor_new(&prediction, &predictor), CT_OK);
    assert_int_equal(ct_predictor_set_ranks(predictor, RANKS), CT_OK);
    const struct ct_call call = ct_predictor_call(predictor, CT_COLLECTIVE_BCAST, BYTES);
    assert_int_equal(
        ct_candidates_of_cell(&candidates, &prediction, predictor, CT_COLLECTIVE_BCAST, &call, BYTES, NULL),
        CT_OK);
    assert_int_equal(candidates.count, 4);
    for (int kind = CT_MODEL_HOCKNEY; kind <= CT_MODEL_LOGGP; kind++) {
        const struct ct_formula *formula = ct_formula_find(&methods[0]);
        const struct ct_formula_call asked_for =
            ct_predictor_formula_call(predictor, (enum ct_communication_model)kind, &methods[0], BYTES);
        struct ct_segment_choice choice;
        assert_int_equal(ct_segment_choose(formula, (enum ct_communication_model)kind, &asked_for,
                                           CT_SEGMENT_BY_SEARCH, NULL, &choice),
                         CT_OK);
        assert_true(choice.segment > 0);
        assert_int_equal(*ct_method_segment(&candidates.in_cell[kind].method), choice.segment);
    }
    assert_true(ct_method_equal(&candidates.in_cell[2].method, &methods[2])); /* no formula: as it was */
    assert_true(ct_method_equal(&candidates.in_cell[3].method, &methods[3]));
    ct_predictor_free(predictor);
    ct_candidates_free(&candidates);
}

/* A chain of four ranks, two on each node: a message within a node, one between nodes, one within a node. */
static double chain_seconds(const struct ct_model *model, enum ct_communication_model kind, size_t ranks,
                            size_t ppn, enum ct_prediction_way way, size_t bytes)
{
    struct ct_prediction prediction = asked(model, way, 1000);
    const struct ct_method chain = method("bcast/pipeline:seg=0");
    struct ct_predictor *predictor;
    struct ct_predicted predicted;
    prediction.ppn = ppn;
    assert_int_equal(ct_predictor_new(&prediction, &predictor), CT_OK);
    assert_int_equal(ct_predictor_set_ranks(predictor, ranks), CT_OK);
    const struct ct_call call = ct_predictor_call(predictor, CT_COLLECTIVE_BCAST, bytes);
    assert_int_equal(ct_predictor_seconds(predictor, &chain, &call, bytes, kind, false, NULL, &predicted),
                     CT_OK);
    ct_predictor_free(predictor);
    return predicted.seconds;
}

/* Worked out by hand, for each channel and each regime. */
static void test_channels_within_a_node(void **state)
{
    (void)state;
    static const bool known[] = {true, true, false};
    struct ct_link regimes[] = {
        {.known = {true, true}, .from = 49, .hockney = {0.25, 1}, .loggp = {2, 0.5, 1, 1}},
        {.known = {true, true}, .from = 1000, .hockney = {8, 0.5}, .loggp = {10, 1, 2, 0.25}}};
    static char name[] = "by hand";
    struct ct_model model = {
        .name = name,
        .links = {{.hockney = {100, 10}, .loggp = {50, 5, 5, 4}},
                  {.hockney = {0.5, 0}, .loggp = {0.5, 0.25, 1, 0}, .regimes = regimes, .regime_count = 2}},
        .node_channel = CT_NODE_CHANNEL_SHARED,
        .other_node = {.hockney = {20, 2}, .loggp = {10, 3, 3, 2}}};
    struct ct_link *links[] = {&model.links[0], &model.links[1], &model.other_node};
    for (size_t i = 0; i < 3; i++)
        memcpy(links[i]->known, known, sizeof known);
    /* twice within a node, once between nodes; LogGP: L + 2 o + (m - 1) G */
    static const struct {
        size_t bytes;
        double within[CT_NODE_CHANNELS][2], between[2];
    } cases[] = {
        {8, {{20 + 16, 16 + 14}, {0.5, 1}}, {180, 60 + 28}},
        {48, {{20 + 96, 16 + 94}, {0.5, 1}}, {580, 60 + 188}},
        {49, {{20 + 98, 16 + 96}, {0.25 + 49, 3 + 48}}, {590, 60 + 192}},
        {999, {{20 + 1998, 16 + 1996}, {0.25 + 999, 3 + 998}}, {10090, 60 + 3992}},
        {1000, {{20 + 2000, 16 + 1998}, {8 + 500, 12 + 0.25 * 999}}, {10100, 60 + 3996}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int channel = CT_NODE_CHANNELS; channel-- > 0;) {
            const size_t bytes = cases[i].bytes;
            assert_int_equal(ct_model_use_channel(&model, (enum ct_node_channel)channel, "m.xml", NULL),
                             CT_OK);
            for (int kind = 0; kind < CT_MODEL_PLOGP; kind++) {
                const double within = cases[i].within[channel][kind], between = cases[i].between[kind];
                const enum ct_communication_model by = (enum ct_communication_model)kind;
                const double two_nodes = chain_seconds(&model, by, 4, 2, CT_PREDICTION_BY_PLANS, bytes);
                assert_true(fabs(two_nodes - (2 * within + between)) < 1e-9);
                const double apart = chain_seconds(&model, by, 4, 1, CT_PREDICTION_BY_PLANS, bytes);
                assert_true(fabs(apart - 3 * between) < 1e-9);
                const double one_node = chain_seconds(&model, by, 4, 4, CT_PREDICTION_BY_FORMULAS, bytes);
                assert_true(fabs(one_node - 3 * within) < 1e-9);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_channels_within_a_node), cmocka_unit_test(test_ways_agree),
        cmocka_unit_test(test_formula_stands_in),      cmocka_unit_test(test_no_time_is_refused),
        cmocka_unit_test(test_segments_are_chosen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
