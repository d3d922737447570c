/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_VERIFY_VERIFIER_LOCATE_H
#define CT_PLAN_VERIFY_VERIFIER_LOCATE_H

#include "plan/verify/verifier_state.h"

/* Position of the slice that the step writes (`written`) or else reads, in *ret_buffer; of a receive that
 * reduces, the operand that this rank has. False where it has none or is out of bounds. */
bool ct_step_locate(const struct ct_verifier *verifier, int rank, const struct ct_step *step, bool written,
                    unsigned *ret_buffer, size_t *ret_begin);

#endif
