/* SPDX-License-Identifier: BSD-3-Clause */
/* Generated decision functions that ask a model: they choose what the library's own formulas find best. */
#include "algorithms/method.h"
#include "codegen/model_choice.h"
#include "codegen/model_code.h"
#include "models/formulas/segment.h"
#include "models/model_file.h"
#include "tests/codegen/model_decisions.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    enum ct_collective collective;
    enum ct_communication_model kind;
    decide *decide;
} generated[] = {
    {CT_COLLECTIVE_BARRIER, CT_MODEL_LOGGP, colltune_model_decide_barrier},
    {CT_COLLECTIVE_BCAST, CT_MODEL_PLOGP, colltune_model_decide_bcast},
    {CT_COLLECTIVE_GATHER, CT_MODEL_HOCKNEY, colltune_model_decide_gather},
    {CT_COLLECTIVE_ALLGATHER, CT_MODEL_LOGGP, colltune_model_decide_allgather},
    {CT_COLLECTIVE_REDUCE, CT_MODEL_PLOGP, colltune_model_decide_reduce},
    {CT_COLLECTIVE_ALLREDUCE, CT_MODEL_PLOGP, colltune_model_decide_allreduce},
    {CT_COLLECTIVE_ALLGATHERV, CT_MODEL_PLOGP, colltune_model_decide_allgatherv},
    {CT_COLLECTIVE_REDUCE_SCATTER_BLOCK, CT_MODEL_LOGGP, colltune_model_decide_reduce_scatter_block},
    {CT_COLLECTIVE_SCAN, CT_MODEL_HOCKNEY, colltune_model_decide_scan},
    {CT_COLLECTIVE_ALLTOALL, CT_MODEL_PLOGP, colltune_model_decide_alltoall}};

/* The best time of a method by the library; its own segment size if it tries none. */
static struct ct_segment_choice best_of(const struct ct_formula *formula, const struct ct_method *method,
                                        enum ct_communication_model kind, struct ct_formula_call call)
{
    const struct ct_descriptor *descriptor = method->algorithm->descriptor;
    size_t segments[CT_MODEL_CHOICE_SEGMENTS];
    bool has_segments = false;
    for (int p = 0; p < ct_parameter_count(descriptor); p++)
        has_segments |= ct_is_segment_size(descriptor->parameters[p]);
    for (int s = 0; s < CT_MODEL_CHOICE_SEGMENTS; s++)
        segments[s] = (size_t)ct_model_choice_segments[s];
    call.segment = ct_formula_segment(method);
    struct ct_segment_choice choice = {.segment = (size_t)call.segment,
                                       .seconds = ct_formula_seconds(formula, kind, &call)};
    if (has_segments && formula->cut != CT_CUT_NOTHING)
        assert_int_equal(ct_segment_choose(formula, kind, &call, CT_SEGMENT_FROM_LIST, segments,
                                           CT_MODEL_CHOICE_SEGMENTS, NULL, &choice),
                         CT_OK);
    return choice;
}

/* The method of the collective, with standard parameters, that has the formula's time, if any. */
static bool find_method(const struct ct_formula *formula, enum ct_collective collective,
                        struct ct_method *ret_method)
{
    return ct_algorithm_find(collective, formula->algorithm) &&
           ct_method_parse(formula->algorithm, collective, NULL, ret_method) == CT_OK &&
           ct_formula_find(ret_method) == formula;
}

static struct colltune_model_choice expected(const struct ct_model *model, size_t g, size_t ranks,
                                             size_t bytes, bool commutes)
{
    struct colltune_model_choice best = {NULL, 0, INFINITY};
    const struct ct_call call = {.size = (int)ranks, .commutative = commutes};
    const struct ct_formula_call asked = {.link = &model->links[CT_LINK_NETWORK],
                                          .gamma = model->gamma,
                                          .delta = model->delta,
                                          .ranks = (double)ranks,
                                          .bytes = (double)bytes};
    const struct ct_formula *formula;
    for (size_t i = 0; (formula = ct_formula_at(i)); i++) {
        struct ct_method method;
        if (!find_method(formula, generated[g].collective, &method) ||
            !ct_constraints_hold(method.algorithm->descriptor->constraints, &call, NULL))
            continue;
        struct ct_segment_choice choice = best_of(formula, &method, generated[g].kind, asked);
        if (choice.seconds < best.seconds)
            best = (struct colltune_model_choice){formula->algorithm, choice.segment, choice.seconds};
    }
    return best;
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

/* What has no formula, and what the model does not know, is said; a comment stays one. */
static void test_refuses(void **state)
{
    struct ct_model model;
    struct ct_error error = {""};
    struct ct_text text = {0};
    (void)state;
    assert_int_equal(ct_model_read(SHIPPED_MODEL, NULL, &model), CT_OK);
    assert_int_equal(
        ct_model_code_write(&model, "m.xml", "0", CT_MODEL_LOGGP, CT_COLLECTIVE_EXSCAN, &error, &text),
        CT_E_INPUT);
    assert_string_equal(error.text, "exscan has no closed formulas");
    model.links[CT_LINK_NETWORK].known[CT_MODEL_LOGGP] = false;
    assert_int_equal(
        ct_model_code_write(&model, "m.xml", "0", CT_MODEL_LOGGP, CT_COLLECTIVE_BCAST, &error, &text),
        CT_E_INPUT);
    assert_string_equal(error.text, "m.xml: no LogGP parameters; measure them with colltune fit");
    assert_int_equal(
        ct_model_code_write(&model, "m*/x", "0", CT_MODEL_HOCKNEY, CT_COLLECTIVE_BCAST, &error, &text),
        CT_OK);
    assert_null(strstr(text.data, "m*/x"));
    ct_text_free(&text);

    /* Formulas in C know one set of parameters, or PLogP's curves. */
    model.links[CT_LINK_NETWORK].regimes = calloc(1, sizeof(struct ct_link));
    model.links[CT_LINK_NETWORK].regimes[0].from = 49;
    model.links[CT_LINK_NETWORK].regime_count = 1;
    assert_int_equal(
        ct_model_code_write(&model, "m.xml", "0", CT_MODEL_HOCKNEY, CT_COLLECTIVE_BCAST, &error, &text),
        CT_E_INPUT);
    assert_non_null(strstr(error.text, "differ between message sizes; expected --cost-model plogp"));
    assert_int_equal(
        ct_model_code_write(&model, "m.xml", "0", CT_MODEL_PLOGP, CT_COLLECTIVE_BCAST, &error, &text), CT_OK);
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
