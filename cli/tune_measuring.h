/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_TUNE_MEASURING_H
#define CT_CLI_TUNE_MEASURING_H

#include "cli/tune_steps.h"

/* How a tuning measures: a run for each mode of calls. The modes share the budget, of which a part is kept
 * for measuring again what the validation asks for. */

/* Measures calls of all modes, or goes on with their runs, and notes how long that took and what is kept.
 * Joins the runs, and removes what was made of them before they changed. CT_OK, or an error code with a line.
 */
int ct_tuning_measure(struct ct_tuning *tuning, struct ct_error *error);

/* Measures again what the last validation asks for, which is set aside: `again` cells of each mode, `all`
 * cells together. The rest likewise. */
int ct_tuning_measure_again(struct ct_tuning *tuning, const size_t again[CT_MODES], size_t all,
                            struct ct_error *error);

#endif
