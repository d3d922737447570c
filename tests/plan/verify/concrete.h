/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_TESTS_ALGORITHMS_CONCRETE_H
#define CT_TESTS_ALGORITHMS_CONCRETE_H

#include "plan/verify/verifier.h"

/* Carries out the plans of all ranks on numbers: a second opinion, which shares nothing with the verifier but
 * the description of the task. Reductions combine numbers whose order counts where the operation does not
 * commute, and floating ones beside them, whose sums tell expressions apart. Only for few ranks and units. */

struct concrete;

/* NULL without memory. */
struct concrete *concrete_new(void);
void concrete_free(struct concrete *concrete);

/* Makes ready for plans of this task, which is kept, with buffers as these have them. */
void concrete_prepare(struct concrete *concrete, const struct ct_task *task, const struct ct_plan *plans);

/* Do all ranks end with what the task says, whether messages move as early or as late as they may? Not so
 * where ranks stop, messages or requests are left over, a step is out of bounds, input or foreign parts of
 * the result are written, sums of an allreduce differ between ranks in a bit, or a rank leaves a barrier
 * before one that is late has entered. */
bool concrete_is_right(struct concrete *concrete, const struct ct_plan *plans);

#endif
