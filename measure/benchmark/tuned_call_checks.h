/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_TUNED_CALL_CHECKS_H
#define CT_MEASURE_BENCHMARK_TUNED_CALL_CHECKS_H

#include "measure/benchmark/tuned_call.h"

/* Finds the point's method by tuned calls, and checks their results and counters. False, after a report, if
 * something was wrong on any rank. */
bool ct_validation_check(struct ct_validation *validation, const struct ct_job_cell *cell,
                         struct ct_validated_point *point);

#endif
