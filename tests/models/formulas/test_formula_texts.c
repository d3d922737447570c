/* SPDX-License-Identifier: BSD-3-Clause */
/* All formulas, as printed and as taken, against the same as text, which muParser evaluates. */
#include "tests/models/formulas/formula_texts.h"
#include "tests/models/formulas/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <muParserDLL.h>

enum { MACHINES = 12, CALLS = 12 };

/* muParser's functions get no context. */
static const struct ct_plogp *curves;

static double gap_of(double bytes)
{
    return ct_curve_at(&curves->gap, bytes);
}

static double sending_of(double bytes)
{
    return ct_curve_at(&curves->send_overhead, bytes);
}

static double receiving_of(double bytes)
{
    return ct_curve_at(&curves->receive_overhead, bytes);
}

static double up(double first, double last, double bytes)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += gap_of(pow(2, k) * bytes);
    return sum;
}

static double down(double first, double last, double bytes)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += gap_of(bytes / pow(2, k));
    return sum;
}

static double over(double first, double last, double bytes, double more)
{
    double sum = 0;
    for (double k = first; k <= last; k++)
        sum += gap_of(pow(2, k) * bytes + more);
    return sum;
}

/* The least e with 2^e >= x. */
static double ceil_of_log2(double x)
{
    double exponent = 0;
    while (pow(2, exponent) < x)
        exponent++;
    return exponent;
}

struct letter {
    const char *name;
    double value;
};

static void define(muParserHandle_t parser, struct letter *letters, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mupDefineVar(parser, letters[i].name, &letters[i].value);
}

static double evaluate(const char *text, enum ct_communication_model model, const struct ct_formula_terms *x)
{
    double c = ceil_of_log2(x->P), two = pow(2, c) == x->P, f = two > 0 ? c : c - 1;
    struct letter letters[] = {{"P", x->P},
                               {"m", x->m},
                               {"ms", x->m_s},
                               {"ns", x->n_s},
                               {"y", x->gamma},
                               {"d", x->delta},
                               {"l", log2(x->P)},
                               {"c", c},
                               {"f", f},
                               {"Q", pow(2, f)},
                               {"two", two},
                               {"D", ceil_of_log2(x->P + 1)},
                               {"j", ceil_of_log2(x->P - pow(2, f) + 1)}};
    struct letter hockney[] = {{"a", x->alpha}, {"b", x->beta}};
    struct letter loggp[] = {{"L", x->L}, {"o", x->o}, {"g", x->g}, {"G", x->G}};
    struct letter plogp[] = {{"L", x->L}};
    muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
    mupDefineFun1(parser, "ceil", ceil, 0);
    define(parser, letters, sizeof letters / sizeof letters[0]);
    if (model == CT_MODEL_HOCKNEY)
        define(parser, hockney, 2);
    if (model == CT_MODEL_LOGGP)
        define(parser, loggp, 4);
    if (model == CT_MODEL_PLOGP) {
        curves = x->plogp;
        define(parser, plogp, 1);
        mupDefineFun1(parser, "g", gap_of, 0);
        mupDefineFun1(parser, "s", sending_of, 0);
        mupDefineFun1(parser, "r", receiving_of, 0);
        mupDefineFun3(parser, "up", up, 0);
        mupDefineFun3(parser, "down", down, 0);
        mupDefineFun4(parser, "over", over, 0);
    }
    mupSetExpr(parser, text);
    double value = mupEval(parser);
    if (mupError(parser))
        fail_msg("'%s': %s", text, mupGetErrorMsg(parser));
    mupRelease(parser);
    return value;
}

static bool says(const char *text, double (*seconds)(const struct ct_formula_terms *),
                 enum ct_communication_model model, const struct ct_formula_terms *x)
{
    return fabs(seconds(x) / evaluate(text, model, x) - 1) < 1e-9;
}

static void check_cell(const struct formula_text *text, const struct ct_formula *formula,
                       enum ct_communication_model model, const struct ct_formula_call *call)
{
    const struct ct_formula_cell *cell = &formula->cells[model];
    const struct ct_formula_terms x = ct_formula_terms_of(formula, model, call);
    assert_true((text->taken != NULL) == (cell->printed != NULL));
    if (!says(text->printed, cell->printed ? cell->printed : cell->seconds, model, &x))
        fail_msg("printed %s, P = %g, m = %g, m_s = %g", text->printed, x.P, x.m, x.m_s);
    if (text->taken && !says(text->taken, cell->seconds, model, &x))
        fail_msg("taken %s, P = %g, m = %g, m_s = %g", text->taken, x.P, x.m, x.m_s);
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
    assert_int_equal(ct_formula_count, FORMULA_TEXTS);
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
                check_cell(&formula_texts[i].texts[model], ct_formulas[i], model, &call);
    }
    gsl_rng_free(random);
}

static void are_of_their_methods(void **state)
{
    (void)state;
    for (int i = 0; i < FORMULA_TEXTS; i++) {
        struct ct_method method;
        assert_int_equal(ct_method_parse(formula_texts[i].method, CT_COLLECTIVES, NULL, &method), CT_OK);
        assert_ptr_equal(ct_formula_find(&method), ct_formulas[i]);
    }
}

/* The texts are read: another one is not the same. */
static void another_text_is_another_formula(void **state)
{
    (void)state;
    struct machine machine;
    published_machine(2, &machine);
    const struct ct_formula_call call = call_on(&machine, 64, 65536, 1024);
    const struct ct_formula_cell *cell = &ct_formulas[FORMULA_TEXTS - 1]->cells[CT_MODEL_LOGGP];
    const struct ct_formula_terms x =
        ct_formula_terms_of(ct_formulas[FORMULA_TEXTS - 1], CT_MODEL_LOGGP, &call);
    assert_true(says("c*(L+2*o+(m-1)*G+y*m)", cell->seconds, CT_MODEL_LOGGP, &x));
    assert_false(says("c*(L+2*o+(m-2)*G+y*m)", cell->seconds, CT_MODEL_LOGGP, &x));
    assert_false(says("c*(L+o+g+(m-1)*G+y*m)", cell->seconds, CT_MODEL_LOGGP, &x));
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
