/* SPDX-License-Identifier: BSD-3-Clause */
/* All formulas against the same as text, which muParser evaluates. */
#include "tests/models/formulas/formula_texts.h"
#include "tests/models/formulas/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MACHINES = 12, CALLS = 12 };

static bool says(const char *text, double (*seconds)(const struct ct_formula_terms *),
                 enum ct_communication_model model, const struct ct_formula_terms *x)
{
    return fabs(seconds(x) / formula_text_seconds(text, model, x) - 1) < 1e-9;
}

static void check_formula(const struct formula_text *text, const struct ct_formula *formula,
                          enum ct_communication_model model, const struct ct_formula_call *call)
{
    const struct ct_formula_terms x = ct_formula_terms_of(formula, model, call);
    const char *taken = text->taken ? text->taken : text->printed;
    if (!says(taken, formula->seconds[model], model, &x))
        fail_msg("%s, P = %g, m = %g, m_s = %g", taken, x.P, x.m, x.m_s);
}

/* Half of the numbers of ranks are powers of two or next to one; messages are of all orders of magnitude, in
 * segments and whole. */
static struct ct_formula_call some_call(gsl_rng *random, const struct machine *machine)
{
    double ranks = (double)(2 + gsl_rng_uniform_int(random, 3000));
    if (gsl_rng_uniform(random) < 0.5)
        ranks =
            ldexp(1, 2 + (int)gsl_rng_uniform_int(random, 10)) + (double)gsl_rng_uniform_int(random, 3) - 1;
    double bytes = floor(pow(2, 1 + 24 * gsl_rng_uniform(random)));
    double segment = gsl_rng_uniform(random) < 0.3 ? 0 : floor(pow(2, 20 * gsl_rng_uniform(random)));
    return call_on(machine, ranks, bytes, segment);
}

static void are_what_the_tables_say(void **state)
{
    (void)state;
    assert_null(ct_formula_at(FORMULA_TEXTS));
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int n = 0; n < MACHINES * CALLS; n++) {
        struct machine machine;
        if (n % MACHINES < PUBLISHED_MACHINES)
            published_machine(n % MACHINES, &machine);
        else
            random_machine(random, &machine);
        const struct ct_formula_call call = some_call(random, &machine);
        for (int i = 0; i < FORMULA_TEXTS; i++)
            for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
                check_formula(&formula_texts[i].texts[model], ct_formula_at((size_t)i), model, &call);
    }
    gsl_rng_free(random);
}

static void are_of_their_methods(void **state)
{
    (void)state;
    for (int i = 0; i < FORMULA_TEXTS; i++) {
        struct ct_method method;
        assert_int_equal(ct_method_parse(formula_texts[i].method, CT_COLLECTIVES, NULL, &method), CT_OK);
        assert_ptr_equal(ct_formula_find(&method), ct_formula_at((size_t)i));
    }
}

/* The texts are read: another one is not the same. */
static void another_text_is_another_formula(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    const struct ct_formula_call call = call_on(&machine, 64, 65536, 1024);
    const struct ct_formula *formula = ct_formula_at(FORMULA_TEXTS - 1);
    const struct ct_formula_terms x = ct_formula_terms_of(formula, CT_MODEL_LOGGP, &call);
    assert_true(says("c*(L+2*o+(m-1)*G+y*m)", formula->seconds[CT_MODEL_LOGGP], CT_MODEL_LOGGP, &x));
    assert_false(says("c*(L+2*o+(m-2)*G+y*m)", formula->seconds[CT_MODEL_LOGGP], CT_MODEL_LOGGP, &x));
    assert_false(says("c*(L+o+g+(m-1)*G+y*m)", formula->seconds[CT_MODEL_LOGGP], CT_MODEL_LOGGP, &x));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_of_their_methods),
        cmocka_unit_test(are_what_the_tables_say),
        cmocka_unit_test(another_text_is_another_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
