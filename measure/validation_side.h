/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_VALIDATION_SIDE_H
#define CT_MEASURE_VALIDATION_SIDE_H

/* What the validation program (measure/benchmark/tuned_calls.c) and its supervisor agree on, beside
 * measure/job.h. */

/* What a call goes through: the method in the state of a validation job. */
enum ct_validation_side { CT_VALIDATION_TUNED, CT_VALIDATION_NATIVE, CT_VALIDATION_SIDES };

/* By enum, for messages. */
static const char *const ct_validation_sides[CT_VALIDATION_SIDES] = {"the tuned call", "the native call"};

/* Lines of the program's output that say what is wrong begin so. */
#define CT_VALIDATION_WRONG "colltune validation: "

#endif
