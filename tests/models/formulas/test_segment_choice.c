/* SPDX-License-Identifier: BSD-3-Clause */
/* The two ways to a segment size: whole bytes, whole numbers of segments. */
#include "models/formulas/segment.h"
#include "tests/models/formulas/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MACHINES = 12, BRUTE_BYTES = 700 };

static const struct ct_formula *found(const char *spelling)
{
    struct ct_method method;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method), CT_OK);
    return ct_formula_find(&method);
}

static struct ct_segment_choice choose(const struct ct_formula *formula, enum ct_communication_model model,
                                       const struct ct_formula_call *call, enum ct_segment_way way)
{
    struct ct_segment_choice choice;
    struct ct_error error;
    if (ct_segment_choose(formula, model, call, way, &error, &choice) != CT_OK)
        fail_msg("%s", error.text);
    struct ct_formula_call chosen = *call;
    chosen.segment = (double)choice.segment;
    assert_true(choice.seconds == ct_formula_seconds(formula, model, &chosen));
    return choice;
}

static double least_of_all(const struct ct_formula *formula, enum ct_communication_model model,
                           struct ct_formula_call call)
{
    double least = INFINITY;
    for (call.segment = 0; call.segment < call.bytes; call.segment++)
        least = fmin(least, ct_formula_seconds(formula, model, &call));
    return least;
}

static void searches_find_the_best_of_all_sizes(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int n = 0; n < MACHINES; n++) {
        struct machine machine;
        random_machine(random, &machine);
        for (size_t i = 0; i < FORMULAS; i++)
            for (int model = 0; model < CT_COMMUNICATION_MODELS && ct_formula_is_segmented(ct_formula_at(i));
                 model++) {
                double ranks = (double)(2 + gsl_rng_uniform_int(random, 40));
                double bytes = (double)(1 + gsl_rng_uniform_int(random, BRUTE_BYTES));
                const struct ct_formula_call call = call_on(&machine, ranks, bytes, 0);
                struct ct_segment_choice choice =
                    choose(ct_formula_at(i), model, &call, CT_SEGMENT_BY_SEARCH);
                assert_true(choice.seconds == least_of_all(ct_formula_at(i), model, call));
            }
    }
    gsl_rng_free(random);
}

/* A later regime may be faster or slower: the best of all sizes is found, by a search whatever was asked for.
 */
static void regimes_have_their_starts_tried(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t at_start = 0;
    for (int n = 0; n < MACHINES; n++) {
        struct machine machine, other;
        random_machine(random, &machine);
        random_machine(random, &other);
        struct ct_link regime = other.link;
        regime.from = (double)(1 + gsl_rng_uniform_int(random, BRUTE_BYTES / 2));
        machine.link.regimes = &regime;
        machine.link.regime_count = 1;
        for (size_t i = 0; i < FORMULAS; i++)
            for (int model = 0; model < CT_MODEL_PLOGP && ct_formula_is_segmented(ct_formula_at(i));
                 model++) {
                double ranks = (double)(2 + gsl_rng_uniform_int(random, 40));
                double bytes = (double)(1 + gsl_rng_uniform_int(random, BRUTE_BYTES));
                const struct ct_formula_call call = call_on(&machine, ranks, bytes, 0);
                const double least = least_of_all(ct_formula_at(i), model, call);
                for (int way = CT_SEGMENT_BY_FORMULA; way <= CT_SEGMENT_BY_SEARCH; way++) {
                    struct ct_segment_choice choice = choose(ct_formula_at(i), model, &call, way);
                    assert_true(choice.seconds == least);
                    at_start += (double)choice.segment == regime.from;
                }
            }
    }
    assert_true(at_start > 0);
    gsl_rng_free(random);
}

/* A formula knows no whole bytes: it may miss the best size by a byte, and what that costs. */
static void formulas_come_near_to_the_search(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int same = 0, all = 0;
    for (int n = 0; n < MACHINES; n++) {
        struct machine machine;
        random_machine(random, &machine);
        for (size_t i = 0; i < FORMULAS * CT_COMMUNICATION_MODELS; i++) {
            const struct ct_formula *formula = ct_formula_at(i / CT_COMMUNICATION_MODELS);
            enum ct_communication_model model = i % CT_COMMUNICATION_MODELS;
            if (!has_optimum(formula, model))
                continue;
            double ranks = (double)(2 + gsl_rng_uniform_int(random, 1000));
            double bytes = (double)(100000 + gsl_rng_uniform_int(random, 1 << 24));
            const struct ct_formula_call call = call_on(&machine, ranks, bytes, 0);
            struct ct_segment_choice quick = choose(formula, model, &call, CT_SEGMENT_BY_FORMULA);
            struct ct_segment_choice best = choose(formula, model, &call, CT_SEGMENT_BY_SEARCH);
            assert_true(best.seconds <= quick.seconds);
            double byte = quick.segment > 0 ? 1 / (double)quick.segment : 0;
            if (quick.seconds > best.seconds * (1.001 + byte))
                fail_msg("%s, %s: %zu takes %g s, %zu %g s", formula->algorithm,
                         ct_communication_model_names[model], quick.segment, quick.seconds, best.segment,
                         best.seconds);
            same += quick.seconds == best.seconds;
            all++;
        }
    }
    assert_true(same > all / 2);
    gsl_rng_free(random);
}

static void without_a_formula_there_is_a_search(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    const struct ct_formula_call call = call_on(&machine, 64, 786432, 0);
    const struct ct_formula *reduce = found("reduce/pipeline");
    assert_true(isnan(ct_segment_optimal(reduce, CT_MODEL_PLOGP, &call)));
    assert_int_equal(choose(reduce, CT_MODEL_PLOGP, &call, CT_SEGMENT_BY_FORMULA).segment,
                     choose(reduce, CT_MODEL_PLOGP, &call, CT_SEGMENT_BY_SEARCH).segment);
    assert_false(isnan(ct_segment_optimal(reduce, CT_MODEL_LOGGP, &call)));
}

/* Nothing to cut, or nothing to send. */
static void what_is_not_cut_is_left_as_it_is(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    struct ct_formula_call call = call_on(&machine, 64, 786432, 0);
    assert_int_equal(choose(found("allgather/ring"), CT_MODEL_LOGGP, &call, CT_SEGMENT_BY_SEARCH).segment, 0);
    call.segment = 1024;
    assert_int_equal(choose(found("gather/linear_sync"), CT_MODEL_LOGGP, &call, CT_SEGMENT_BY_SEARCH).segment,
                     1024);
    call = call_on(&machine, 1, 786432, 0);
    assert_int_equal(choose(found("bcast/binary"), CT_MODEL_LOGGP, &call, CT_SEGMENT_BY_SEARCH).segment, 0);
    call = call_on(&machine, 64, 0, 0);
    assert_int_equal(choose(found("bcast/binary"), CT_MODEL_LOGGP, &call, CT_SEGMENT_BY_FORMULA).segment, 0);
    call = call_on(&machine, 64, 1, 0);
    assert_int_equal(
        choose(found("bcast/split_binary"), CT_MODEL_PLOGP, &call, CT_SEGMENT_BY_FORMULA).segment, 0);
}

static void falling_curves_have_their_points_tried(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    struct ct_curve_point dip[] = {{0, 1e-4}, {1000, 2e-4}, {5003, 1e-5}, {5100, 1e-3}, {1 << 20, 1}};
    machine.link.plogp.gap = (struct ct_curve){dip, 5};
    const struct ct_formula_call call = call_on(&machine, 16, 65536, 0);
    assert_int_equal(choose(found("bcast/linear"), CT_MODEL_PLOGP, &call, CT_SEGMENT_BY_SEARCH).segment,
                     5003);
}

static void wrong_questions_are_refused(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    machine.link.known[CT_MODEL_PLOGP] = false;
    const struct ct_formula *bcast = found("bcast/pipeline");
    struct ct_formula_call call = call_on(&machine, 64, 786432, 0);
    struct ct_segment_choice choice = {.segment = 12345};
    struct ct_error error;
    assert_int_equal(ct_segment_choose(bcast, CT_MODEL_PLOGP, &call, CT_SEGMENT_BY_SEARCH, &error, &choice),
                     CT_E_INPUT);
    assert_non_null(strstr(error.text, "no parameters of plogp"));
    static const double wrong[] = {-1, 0.5, 1e300, NAN, INFINITY};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        call.bytes = wrong[i];
        assert_int_equal(
            ct_segment_choose(bcast, CT_MODEL_LOGGP, &call, CT_SEGMENT_BY_SEARCH, &error, &choice),
            CT_E_INPUT);
    }
    assert_int_equal(choice.segment, 12345);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_find_the_best_of_all_sizes),
        cmocka_unit_test(regimes_have_their_starts_tried),
        cmocka_unit_test(formulas_come_near_to_the_search),
        cmocka_unit_test(without_a_formula_there_is_a_search),
        cmocka_unit_test(what_is_not_cut_is_left_as_it_is),
        cmocka_unit_test(falling_curves_have_their_points_tried),
        cmocka_unit_test(wrong_questions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
