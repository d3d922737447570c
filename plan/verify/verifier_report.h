/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_REPORT_H
#define CT_PLAN_VERIFY_VERIFIER_REPORT_H

#include "plan/verify/verifier_state.h"

/* Records the flaw with one line: rank, round, step, and the formatted rest. Returns CT_E_ANSWER. `step` may
 * be NULL: then the round is the one that the rank is in. */
int ct_verifier_fail(struct ct_verifier *verifier, enum ct_flaw flaw, int rank, const struct ct_step *step,
                     const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The same for what an operation on cells found in `buffer` of `rank`. */
int ct_verifier_fault(struct ct_verifier *verifier, const struct ct_fault *fault, int rank,
                      const struct ct_step *step, unsigned buffer);
/* A flaw at a position at the end: names the last step that wrote it. */
int ct_verifier_fail_at(struct ct_verifier *verifier, enum ct_flaw flaw, int rank, unsigned buffer,
                        size_t position, const char *format, ...) __attribute__((format(printf, 6, 7)));
/* No rank can go on: which rank waits for which? */
int ct_verifier_stuck(struct ct_verifier *verifier);
/* The number of the step within its round. */
size_t ct_step_place(const struct ct_plan *plan, const struct ct_step *step);

#endif
