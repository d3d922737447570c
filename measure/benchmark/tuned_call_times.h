/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_TUNED_CALL_TIMES_H
#define CT_MEASURE_BENCHMARK_TUNED_CALL_TIMES_H

#include "measure/benchmark/tuned_call.h"

/* Times tuned and native calls of a point, for at most so many seconds, and reports them. */
void ct_validation_time(struct ct_validation *validation, const struct ct_validated_point *point,
                        double seconds);

#endif
