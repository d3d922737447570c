/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_MODELS_FORMULA_CHECKS_H
#define CT_TESTS_MODELS_FORMULA_CHECKS_H

#include "tests/models/formulas/formula_ratios.h"

/* What a cmocka test of formulas needs; the test fails where there is no such thing. */

/* formula_ratios() over 30 calls at least. */
struct formula_ratios ratios_of(const struct ratio_subject *subject, const int *ranks);

/* The formula of the method that is spelled so. */
const struct ct_formula *formula_of(const char *spelling);

#endif
