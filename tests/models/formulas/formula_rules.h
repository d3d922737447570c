/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_MODELS_FORMULA_RULES_H
#define CT_TESTS_MODELS_FORMULA_RULES_H

#include "tests/models/formulas/machines.h"

/* What a formula must keep, as predicates: so that formulas can be put to them that must not. */

/* Of a call with two ranks, in one segment: `messages` of m times `share` bytes one after the other;
 * `reduced` and `copied`, times m, are combined and copied. */
struct formula_rule {
    const char *method;
    double messages, share, reduced, copied;
    const char *exempt[CT_COMMUNICATION_MODELS]; /* why it is otherwise; NULL where not */
};

enum { FORMULA_RULES = FORMULAS };
extern const struct formula_rule formula_rules[FORMULA_RULES];

/* The row that a rule is for. */
const struct ct_formula *formula_of(const struct formula_rule *rule);

/* Is it, on an equal machine with two ranks, what its messages cost? */
bool costs_its_messages(ct_formula_function *seconds, const struct formula_rule *rule,
                        enum ct_communication_model model, const struct machine *machine);

/* Is it, on an equal machine and with a power of two ranks, what the row's other formulas say, where models
 * are to agree? */
bool agrees(ct_formula_function *seconds, const struct formula_rule *rule, enum ct_communication_model model,
            const struct machine *machine);

/* Where only latency costs anything: does it count whole ones for any number of ranks, as many in LogGP as in
 * PLogP, and in Hockney where all are to agree? */
bool counts_whole_latencies(ct_formula_function *seconds, const struct formula_rule *rule,
                            enum ct_communication_model model);

/* Does a segment more cost a pipeline the same, however many ranks it has? */
bool flows(ct_formula_function *seconds, const struct formula_rule *rule, enum ct_communication_model model,
           const struct machine *machine);

/* All of these, but what its messages cost where the rule exempts it; a needless exemption is wrong, too. */
bool keeps_all_rules(ct_formula_function *seconds, const struct formula_rule *rule,
                     enum ct_communication_model model, const struct machine *machine);

#endif
