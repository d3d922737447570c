/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_TUNED_CALL_TIMES_H
#define CT_MEASURE_BENCHMARK_TUNED_CALL_TIMES_H

#include "measure/benchmark/tuned_call.h"

/* Times tuned and native calls of a point, for so many seconds as far as its calls are no longer, and reports
 * them. False, without a report, if calls are so long that they would take half of what is left of the
 * budget and another point was timed. The same on all ranks of the group. */
bool ct_validation_time(struct ct_validation *validation, const struct ct_validated_point *point,
                        double seconds);

#endif
