/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_CONDITIONS_WHAT_H
#define CT_MEASURE_SWEEP_CONDITIONS_WHAT_H

#include "measure/sweep/making_conditions.h"

/* What a sweep measures. */

/* Chooses what is measured at the place, which is chosen already. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line;
 * CT_E_MEMORY. What was chosen before a failure stays in the conditions. */
int ct_conditions_choose_what(const struct ct_making_conditions *making);

#endif
