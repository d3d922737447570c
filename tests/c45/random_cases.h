/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_C45_RANDOM_CASES_H
#define CT_TESTS_C45_RANDOM_CASES_H

#include "learners/c45/c45.h"

/* Random numbers below a bound; the same from the same seed. */
size_t random_below(unsigned long long *seed, size_t below);

/* Names and cases of all kinds of attributes, of which `missing` percent are unknown. Free both. */
void random_cases(unsigned long long *seed, size_t count, size_t missing, struct ct_c45_names *ret_names,
                  struct ct_c45_cases *ret_cases);

#endif
