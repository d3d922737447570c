/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_OUTCOMES_H
#define CT_CLI_OUTCOMES_H

#include "plan/verify/verifier_cases.h"

/* What `colltune verify` found out. */

/* About one algorithm. */
struct ct_outcome {
    struct ct_cases_totals totals;
    double seconds;
    struct ct_case_failure *failure; /* the one of the fewest ranks; NULL: none */
};

void ct_outcome_add(struct ct_outcome *outcome, const struct ct_cases_totals *totals, double seconds);

/* Prints a table of all and what could not be verified, with the command that shows it. Returns whether
 * nothing failed. */
bool ct_outcomes_print(const struct ct_algorithm *const *algorithms, const struct ct_outcome *outcomes,
                       size_t count, bool csv);

#endif
