/* SPDX-License-Identifier: BSD-3-Clause */
/* The printed formulas that are not taken: they are what print says, they differ from ours, and are wrong. */
#include "models/formulas/segment.h"
#include "studies/formulas/printed_formulas.h"
#include "tests/models/formulas/formula_rules.h"
#include "tests/models/formulas/formula_texts.h"
#include "tests/models/formulas/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double rank_counts[] = {2, 3, 4, 5, 6, 7, 8, 12, 16, 31, 33, 64, 100, 1000, 131072};
static const double sizes[] = {1, 2, 7, 64, 1000, 1024, 1025, 8192, 65535, 65536, 786432, 2097152, 100000000};
enum { RANK_COUNTS = sizeof rank_counts / sizeof rank_counts[0], SIZES = sizeof sizes / sizeof sizes[0] };

static const struct ct_formula *found(const char *spelling)
{
    struct ct_method method;
    assert_int_equal(ct_method_parse(spelling, CT_COLLECTIVES, NULL, &method), CT_OK);
    return ct_formula_find(&method);
}

static void are_of_their_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRINTED_ROWS; i++) {
        assert_ptr_equal(found(printed_rows[i].method), ct_formula_at(i));
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
            const struct printed_formula *printed = &printed_rows[i].formulas[model];
            assert_true((printed->seconds != NULL) == (printed->erratum != 0));
            assert_true((printed->seconds != NULL) == (formula_texts[i].texts[model].taken != NULL));
        }
    }
}

/* Checks that it is what print says. Returns how far it is from ours, relative to that. */
static double check_text(size_t i, enum ct_communication_model model, const struct ct_formula_call *call)
{
    const struct ct_formula_terms x = ct_formula_terms_of(ct_formula_at(i), model, call);
    const char *text = formula_texts[i].texts[model].printed;
    double printed = printed_rows[i].formulas[model].seconds(&x);
    if (!(fabs(printed / formula_text_seconds(text, model, &x) - 1) < 1e-9))
        fail_msg("printed %s, P = %g, m = %g, m_s = %g", text, x.P, x.m, x.m_s);
    return fabs(printed / ct_formula_seconds(ct_formula_at(i), model, call) - 1);
}

static void are_what_print_says_and_differ_from_ours(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    for (size_t i = 0; i < PRINTED_ROWS; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
            double most = 0;
            for (int n = 0; n < RANK_COUNTS * SIZES && printed_rows[i].formulas[model].seconds; n++) {
                const struct ct_formula_call call =
                    call_on(&machine, rank_counts[n / SIZES], sizes[n % SIZES], 1024);
                most = fmax(most, check_text(i, model, &call));
            }
            if (printed_rows[i].formulas[model].seconds && most <= 1e-6)
                fail_msg("%s: erratum %d", printed_rows[i].method, printed_rows[i].formulas[model].erratum);
        }
}

/* Every formula that is not as printed is so for a reason that these rules see: what is printed breaks one.
 */
static void break_rules(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct machine machine;
    equal_machine(random, &machine);
    for (int i = 0; i < FORMULA_RULES; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++) {
            ct_formula_function *printed = printed_rows[i].formulas[model].seconds;
            if (printed && keeps_all_rules(printed, &formula_rules[i], model, &machine))
                fail_msg("%s, %s: print passes", formula_rules[i].method,
                         ct_communication_model_names[model]);
        }
    gsl_rng_free(random);
}

/* The best case of a row that has two is not above the other, and equal for two ranks. */
static void have_best_cases_that_are_the_best(void **state)
{
    (void)state;
    struct machine machine;
    int seen = 0;
    for (int which = 0; which < PUBLISHED_MACHINES; which++) {
        published_machine(which, &machine);
        for (size_t i = 0; i < PRINTED_ROWS; i++)
            for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
                for (int p = 0; p < RANK_COUNTS && printed_rows[i].formulas[model].least; p++) {
                    const struct ct_formula_call call = call_on(&machine, rank_counts[p], 0, 0);
                    struct ct_formula_terms x = ct_formula_terms_of(ct_formula_at(i), model, &call);
                    double least = printed_rows[i].formulas[model].least(&x);
                    double seconds = ct_formula_seconds(ct_formula_at(i), model, &call);
                    assert_true(x.P == 2 ? fabs(least / seconds - 1) < 1e-12 : least < seconds);
                    seen++;
                }
    }
    assert_int_equal(seen, 2 * RANK_COUNTS * PUBLISHED_MACHINES);
}

/* How much longer it takes with the printed segment size than with ours, at most. */
static double loss_in_print(const struct printed_optimum *optimum, const struct machine *machine)
{
    const struct ct_formula *formula = found(optimum->method);
    double loss = 0;
    for (int s = 1; s < SIZES; s++) {
        const struct ct_formula_call call = call_on(machine, 64, sizes[s], 0);
        struct ct_formula_terms x = ct_formula_terms_of(formula, optimum->model, &call);
        double printed = fmin(fmax(optimum->bytes(&x), 1), ct_formula_part(formula, 64, sizes[s]));
        double ours = smooth_seconds(formula, optimum->model, &call,
                                     ct_segment_optimal(formula, optimum->model, &call));
        loss = fmax(loss, smooth_seconds(formula, optimum->model, &call, printed) / ours);
    }
    return loss - 1;
}

static void optima_in_print_are_worse(void **state)
{
    (void)state;
    for (size_t i = 0; i < PRINTED_OPTIMA; i++) {
        double loss = 0;
        for (int which = 0; which < PUBLISHED_MACHINES; which++) {
            struct machine machine;
            published_machine(which, &machine);
            loss = fmax(loss, loss_in_print(&printed_optima[i], &machine));
        }
        if (loss < 1e-4)
            fail_msg("erratum %d: print is as good", printed_optima[i].erratum);
    }
}

/* Corollary 5.5: 2 (D - 2 + m / (2 m_s)) a exp(b m_s) + ... */
static void follow_an_exponential_gap(void **state)
{
    (void)state;
    for (double ranks = 3; ranks <= 5000; ranks *= 3)
        for (double per_byte = 1e-8; per_byte < 1e-3; per_byte *= 10) {
            double m = 786432, levels = ceil(log2(ranks + 1)) - 2;
            double best = segment_of_exponential_gap(ranks, m, per_byte);
            double at[3];
            for (int i = 0; i < 3; i++) {
                double m_s = best * (1 + 1e-4 * (i - 1));
                at[i] = (levels + m / (2 * m_s)) * exp(per_byte * m_s);
            }
            assert_true(at[1] < at[0] && at[1] < at[2]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_of_their_rows),
        cmocka_unit_test(are_what_print_says_and_differ_from_ours),
        cmocka_unit_test(break_rules),
        cmocka_unit_test(have_best_cases_that_are_the_best),
        cmocka_unit_test(optima_in_print_are_worse),
        cmocka_unit_test(follow_an_exponential_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
