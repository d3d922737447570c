/* SPDX-License-Identifier: BSD-3-Clause */
/* All 105 formulas against the evaluation of plans: each is what its row says (against_plans). */
#include "tests/models/formulas/formula_checks.h"
#include "tests/models/formulas/machines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check_class(const struct ct_formula *formula, enum ct_communication_model model,
                        enum ratio_group group)
{
    const struct ratio_subject subject = {
        .formula = formula, .model = model, .seconds = formula->seconds[model]};
    const struct formula_ratios ratios = ratios_of(&subject, ratio_ranks[group]);
    const char *expected = ct_formula_class(formula, model, group == RATIO_POWERS_OF_TWO ? 4 : 3);
    if (strcmp(class_of_ratios(&ratios), expected) != 0)
        fail_msg("%s/%s, %s, %s: ratios from %.12g to %.12g, expected: %s", formula->collective,
                 formula->algorithm, ct_communication_model_names[model],
                 group == RATIO_POWERS_OF_TWO ? "powers of two" : "other P", ratios.least, ratios.most,
                 expected);
}

static void are_of_their_classes(void **state)
{
    (void)state;
    size_t checked = 0;
    for (size_t i = 0; i < FORMULAS; i++)
        for (int model = 0; model < CT_COMMUNICATION_MODELS; model++, checked++)
            for (int group = 0; group < RATIO_GROUPS; group++)
                check_class(ct_formula_at(i), model, group);
    assert_int_equal(checked, 105);
}

static double one_latency_more(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (x->alpha + x->beta * x->m) + x->alpha;
}

static double one_byte_less(const struct ct_formula_terms *x)
{
    return (x->P - 1) * (x->alpha + x->beta * x->m) - x->beta;
}

static double now_more_now_less(const struct ct_formula_terms *x)
{
    return x->m > 1024 ? one_latency_more(x) : one_byte_less(x);
}

/* The true one is (P - 1) (alpha + beta m). */
static void a_slip_makes_another_class(void **state)
{
    (void)state;
    struct ratio_subject subject = {.formula = formula_of("scatter/linear"), .model = CT_MODEL_HOCKNEY};
    const struct {
        ct_formula_function *seconds;
        const char *expected;
    } slips[] = {{one_latency_more, "upper bound"},
                 {one_byte_less, "lower bound"},
                 {now_more_now_less, "inconsistent"}};
    for (size_t i = 0; i < sizeof slips / sizeof slips[0]; i++) {
        subject.seconds = slips[i].seconds;
        const struct formula_ratios ratios = ratios_of(&subject, ratio_ranks[RATIO_POWERS_OF_TWO]);
        assert_string_equal(class_of_ratios(&ratios), slips[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_of_their_classes),
        cmocka_unit_test(a_slip_makes_another_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
