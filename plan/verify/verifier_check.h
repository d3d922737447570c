/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_CHECK_H
#define CT_PLAN_VERIFY_VERIFIER_CHECK_H

#include "plan/verify/verifier_state.h"

/* Is the step well-formed? Finds the positions of its slices. */
int ct_check_message(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t *ret_begin,
                     size_t *ret_operand);
int ct_check_local(struct ct_verifier *verifier, int rank, const struct ct_step *step, size_t *ret_from,
                   size_t *ret_to);
/* Are all results complete and correct, and is everything stored used? */
int ct_check_results(struct ct_verifier *verifier);

#endif
