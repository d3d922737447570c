/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/models/formulas/formula_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct formula_ratios ratios_of(const struct ratio_subject *subject, const int *ranks)
{
    struct formula_ratios ratios = {0};
    struct ct_error error;
    if (formula_ratios(subject, ranks, &error, &ratios) != CT_OK)
        fail_msg("%s", error.text);
    assert_true(ratios.calls >= 30);
    return ratios;
}

const struct ct_formula *formula_of(const char *spelling)
{
    struct ct_method method;
    struct ct_error error;
    if (ct_method_parse(spelling, CT_COLLECTIVES, &error, &method) != CT_OK)
        fail_msg("%s", error.text);
    const struct ct_formula *formula = ct_formula_find(&method);
    assert_non_null(formula);
    return formula;
}
