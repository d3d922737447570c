/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas against the models' cost of one message, and against each other, on machines on which the three
 * models say the same of a message. There g = o, so that the tables' ways to write a step, L + o + g,
 * o + max{g, L + o} and L + 2o, agree. */
#include "tests/models/formulas/formula_rules.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MACHINES = 50 };

typedef bool predicate(ct_formula_function *seconds, const struct formula_rule *rule,
                       enum ct_communication_model model, const struct machine *machine);

/* All formulas on many machines. */
static void hold(void (*make)(gsl_rng *, struct machine *), predicate *holds)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int n = 0; n < MACHINES; n++) {
        struct machine machine;
        make(random, &machine);
        for (int i = 0; i < FORMULA_RULES; i++)
            for (int model = 0; model < CT_COMMUNICATION_MODELS; model++)
                if (!holds(ct_formula_at((size_t)i)->seconds[model], &formula_rules[i], model, &machine))
                    fail_msg("%s, %s", formula_rules[i].method, ct_communication_model_names[model]);
    }
    gsl_rng_free(random);
}

static void have_each_a_rule(void **state)
{
    (void)state;
    for (int i = 0; i < FORMULA_RULES; i++)
        assert_ptr_equal(formula_of(&formula_rules[i]), ct_formula_at((size_t)i));
}

/* An exemption that is none is wrong, too. */
static bool costs_its_messages_or_is_exempt(ct_formula_function *seconds, const struct formula_rule *rule,
                                            enum ct_communication_model model, const struct machine *machine)
{
    return costs_its_messages(seconds, rule, model, machine) == !rule->exempt[model];
}

static void cost_their_messages_between_two_ranks(void **state)
{
    (void)state;
    hold(equal_machine, costs_its_messages_or_is_exempt);
}

static void agree_where_models_do(void **state)
{
    (void)state;
    hold(equal_machine, agrees);
}

static void flow_where_they_are_pipelines(void **state)
{
    (void)state;
    hold(random_machine, flows);
}

static void keep_all_rules(void **state)
{
    (void)state;
    hold(equal_machine, keeps_all_rules);
}

/* Flaws such as a slip of the pen makes. */
static double without_latency(const struct ct_formula_terms *x)
{
    return 2 * x->o + (x->m - 1) * x->G;
}

static double without_the_last_byte(const struct ct_formula_terms *x)
{
    return x->L + 2 * x->o + (x->m - 2) * x->G;
}

static double combining_twice(const struct ct_formula_terms *x)
{
    return x->L + 2 * x->o + (x->m - 1) * x->G + 2 * x->gamma * x->m;
}

static double right(const struct ct_formula_terms *x)
{
    return x->L + 2 * x->o + (x->m - 1) * x->G + x->gamma * x->m;
}

static void a_slip_is_seen(void **state)
{
    (void)state;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct machine machine;
    equal_machine(random, &machine);
    const struct formula_rule *scan = &formula_rules[FORMULA_RULES - 1];
    assert_true(costs_its_messages(right, scan, CT_MODEL_LOGGP, &machine));
    assert_false(costs_its_messages(without_latency, scan, CT_MODEL_LOGGP, &machine));
    assert_false(costs_its_messages(without_the_last_byte, scan, CT_MODEL_LOGGP, &machine));
    assert_false(costs_its_messages(combining_twice, scan, CT_MODEL_LOGGP, &machine));
    gsl_rng_free(random);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(have_each_a_rule),      cmocka_unit_test(cost_their_messages_between_two_ranks),
        cmocka_unit_test(agree_where_models_do), cmocka_unit_test(flow_where_they_are_pipelines),
        cmocka_unit_test(keep_all_rules),        cmocka_unit_test(a_slip_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
