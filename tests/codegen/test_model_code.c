/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated decision functions that ask a model: they choose what the library's own formulas find best. */
#include "algorithms/method.h"
#include "codegen/model_choice.h"
#include "codegen/model_code.h"
#include "models/formulas/formula.h"
#include "models/model_file.h"
#include "models/predict/vote.h"
#include "tests/codegen/model_decisions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_METHODS = 100 };

/* As meson.build has them generated. */
static const struct {
    enum ct_collective collective;
    double weights[CT_COMMUNICATION_MODELS];
    decide *decide;
} generated[] = {
    {CT_COLLECTIVE_BARRIER, {[CT_MODEL_LOGGP] = 1}, colltune_model_decide_barrier},
    {CT_COLLECTIVE_BCAST, {[CT_MODEL_PLOGP] = 1}, colltune_model_decide_bcast},
    {CT_COLLECTIVE_GATHER, {[CT_MODEL_HOCKNEY] = 1}, colltune_model_decide_gather},
    {CT_COLLECTIVE_ALLGATHER, {1, 2, 2}, colltune_model_decide_allgather},
    {CT_COLLECTIVE_REDUCE, {1, 1, 1}, colltune_model_decide_reduce},
    {CT_COLLECTIVE_ALLREDUCE, {[CT_MODEL_PLOGP] = 1}, colltune_model_decide_allreduce},
    {CT_COLLECTIVE_ALLGATHERV, {[CT_MODEL_PLOGP] = 1}, colltune_model_decide_allgatherv},
    {CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, {[CT_MODEL_LOGGP] = 1}, colltune_model_decide_reduce_scatter_block},
    {CT_COLLECTIVE_REDUCE_SCATTER, {1, 2, 2}, colltune_model_decide_reduce_scatter},
    {CT_COLLECTIVE_SCAN, {[CT_MODEL_HOCKNEY] = 1}, colltune_model_decide_scan},
    {CT_COLLECTIVE_ALLTOALL, {1, 2, 2}, colltune_model_decide_alltoall}};

/* The method of the collective, with standard parameters, that has the formula's time, if any. */
static bool find_method(const struct ct_formula *formula, enum ct_collective collective,
                        struct ct_method *ret_method)
{
    return ct_algorithm_find(collective, formula->algorithm) &&
           ct_method_parse(formula->algorithm, collective, NULL, ret_method) == CT_OK &&
           ct_formula_find(ret_method) == formula;
}

/* All methods that apply to a call, and their times by each model. */
struct trial {
    size_t count;
    struct {
        const struct ct_formula *formula;
        size_t segment;
        size_t number; /* among all methods of the collective */
    } methods[MOST_METHODS];
    double seconds[CT_COMMUNICATION_MODELS][MOST_METHODS];
};

static void add(struct trial *trial, const struct ct_formula *formula, struct ct_formula_call call,
                size_t number)
{
    assert_true(trial->count < MOST_METHODS);
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        trial->seconds[kind][trial->count] =
            ct_formula_seconds(formula, (enum ct_communication_model)kind, &call);
    trial->methods[trial->count].formula = formula;
    trial->methods[trial->count].number = number;
    trial->methods[trial->count++].segment = (size_t)call.segment;
}

/* Returns how many methods the algorithm is. */
static size_t add_algorithm(struct trial *trial, const struct ct_formula *formula,
                            const struct ct_method *method, struct ct_formula_call call, bool applies,
                            size_t number)
{
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    bool has_segments = false;
    for (int p = 0; p < ct_parameter_count(descriptor); p++)
        has_segments |= ct_is_segment_size(descriptor->parameters[p]);
    has_segments &= formula->cut != CT_CUT_NOTHING;
    const size_t count = has_segments ? CT_MODEL_CHOICE_SEGMENTS : 1;
    for (size_t s = 0; applies && s < count; s++) {
        call.segment = has_segments ? ct_model_choice_segments[s] : ct_formula_segment(method);
        if (s == 0 || call.segment < call.bytes)
            add(trial, formula, call, number + s);
    }
    return count;
}

static struct colltune_model_choice expected(const struct ct_model *model, size_t g, size_t ranks,
                                             size_t bytes, bool commutes)
{
    static struct trial trial;
    const struct ct_call call = {.size = (int)ranks, .commutative = commutes};
    const struct ct_formula_call asked = {.link = &model->links[CT_LINK_NETWORK],
                                          .gamma = model->gamma,
                                          .delta = model->delta,
                                          .ranks = (double)ranks,
                                          .bytes = (double)bytes};
    const double *times[CT_COMMUNICATION_MODELS];
    const struct ct_formula *formula;
    size_t number = 0, best = 0;
    trial.count = 0;
    for (size_t i = 0; (formula = ct_formula_at(i)); i++) {
        struct ct_method method;
        if (find_method(formula, generated[g].collective, &method))
            number += add_algorithm(
                &trial, formula, &method, asked,
                ct_constraints_hold(method.algorithm->descriptor->constraints, &call, NULL), number);
    }
    if (trial.count == 0)
        return (struct colltune_model_choice){NULL, 0, INFINITY, 0};
    for (int kind = 0; kind < CT_COMMUNICATION_MODELS; kind++)
        times[kind] = trial.seconds[kind];
    const double *followed = times[ct_vote(times, generated[g].weights, trial.count)];
    for (size_t m = 1; m < trial.count; m++)
        best = followed[m] < followed[best] ? m : best;
    return (struct colltune_model_choice){trial.methods[best].formula->algorithm, trial.methods[best].segment,
                                          followed[best], trial.methods[best].number};
}

static void compare(const struct ct_model *model, size_t g, size_t ranks, size_t bytes, bool commutes,
                    size_t *segmented)
{
    struct colltune_model_choice told = generated[g].decide(ranks, bytes, commutes);
    struct colltune_model_choice want = expected(model, g, ranks, bytes, commutes);
    if (!want.algorithm) { /* both methods of reduce_scatter_block want an operation that commutes */
        assert_null(told.algorithm);
        assert_false(commutes);
        return;
    }
    assert_string_equal(told.algorithm, want.algorithm);
    assert_int_equal(told.segment, want.segment);
    assert_int_equal(told.method, want.method);
    assert_true(fabs(told.seconds - want.seconds) <= 1e-12 * want.seconds);
    *segmented += told.segment > 0;
}

static void test_chooses_as_the_library(void **state)
{
    static const size_t sizes[] = {0, 1, 7, 8, 511, 512, 513, 4096, 5102, 65535, 1 << 20, 40000000};
    struct ct_model model;
    size_t segmented = 0;
    (void)state;
    assert_int_equal(ct_model_read(SHIPPED_MODEL, NULL, &model), CT_OK);
    for (size_t g = 0; g < sizeof generated / sizeof generated[0]; g++)
        for (size_t ranks = 1; ranks < 5000; ranks += 1 + ranks / 7)
            for (size_t b = 0; b < sizeof sizes / sizeof sizes[0]; b++) {
                compare(&model, g, ranks, sizes[b], true, &segmented);
                compare(&model, g, ranks, sizes[b], false, &segmented);
            }
    assert_true(segmented > 100); /* or there was little to compare */
    assert_string_not_equal(colltune_model_decide_bcast(64, 1, true).algorithm,
                            colltune_model_decide_bcast(64, 1 << 20, true).algorithm);
    ct_model_free(&model);
}

/* Writes the code of one model; returns the status. */
static int write_by(const struct ct_model *model, const char *file, enum ct_communication_model kind,
                    enum ct_collective collective, struct ct_error *error, struct ct_text *text)
{
    struct ct_model_origin origin = {.model = model, .file = file, .checksum = "0"};
    origin.weights[kind] = 1;
    return ct_model_code_write(&origin, collective, error, text);
}

/* What has no formula, and what the model does not know, is said; a comment stays one. */
static void test_refuses(void **state)
{
    struct ct_model model;
    struct ct_error error = {""};
    struct ct_text text = {0};
    (void)state;
    assert_int_equal(ct_model_read(SHIPPED_MODEL, NULL, &model), CT_OK);
    assert_int_equal(write_by(&model, "m.xml", CT_MODEL_LOGGP, CT_COLLECTIVE_EXSCAN, &error, &text),
                     CT_E_INPUT);
    assert_string_equal(error.text, "exscan has no closed formulas");
    assert_false(ct_model_decides(CT_COLLECTIVE_EXSCAN));
    assert_true(ct_model_decides(CT_COLLECTIVE_BCAST));
    model.links[CT_LINK_NETWORK].known[CT_MODEL_LOGGP] = false;
    assert_int_equal(write_by(&model, "m.xml", CT_MODEL_LOGGP, CT_COLLECTIVE_BCAST, &error, &text),
                     CT_E_INPUT);
    assert_string_equal(error.text, "m.xml: no LogGP parameters; measure them with colltune fit");
    /* Each voter must have its parameters. */
    const struct ct_model_origin voters = {
        .model = &model, .file = "m.xml", .checksum = "0", .weights = {1, 1, 1}};
    assert_int_equal(ct_model_code_write(&voters, CT_COLLECTIVE_BCAST, &error, &text), CT_E_INPUT);
    assert_int_equal(write_by(&model, "m*/x", CT_MODEL_HOCKNEY, CT_COLLECTIVE_BCAST, &error, &text), CT_OK);
    assert_null(strstr(text.data, "m*/x"));
    ct_text_free(&text);

    /* Formulas in C know one set of parameters, or PLogP's curves. */
    model.links[CT_LINK_NETWORK].regimes = calloc(1, sizeof(struct ct_link));
    model.links[CT_LINK_NETWORK].regimes[0].from = 49;
    model.links[CT_LINK_NETWORK].regime_count = 1;
    assert_int_equal(write_by(&model, "m.xml", CT_MODEL_HOCKNEY, CT_COLLECTIVE_BCAST, &error, &text),
                     CT_E_INPUT);
    assert_non_null(strstr(error.text, "differ between message sizes; expected --cost-model plogp"));
    assert_int_equal(write_by(&model, "m.xml", CT_MODEL_PLOGP, CT_COLLECTIVE_BCAST, &error, &text), CT_OK);
    ct_text_free(&text);
    ct_model_free(&model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chooses_as_the_library),
        cmocka_unit_test(test_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
