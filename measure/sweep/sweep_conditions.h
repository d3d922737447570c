/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_CONDITIONS_H
#define CT_MEASURE_SWEEP_SWEEP_CONDITIONS_H

#include "measure/sweep/making_conditions.h"
#include "measure/sweep/sweep_grid.h"

/* Makes the conditions under which a sweep measures from what a user asks of it. */

/* Checks the request and fills in everything that it leaves open. `before` describes the run to be resumed,
 * whose conditions must be the same, or is NULL. Compiles nothing. CT_OK; CT_E_INPUT, CT_E_SYSTEM with a line
 * in `error`; CT_E_MEMORY. Caller frees with ct_sweep_conditions_free(). */
int ct_sweep_conditions_make(const struct ct_sweep_request *request, const struct ct_run_description *before,
                             struct ct_error *error, struct ct_sweep_conditions *ret_conditions);
void ct_sweep_conditions_free(struct ct_sweep_conditions *conditions);

/* What the batches of a sweep under these conditions are. */
struct ct_sweep_division ct_sweep_conditions_division(const struct ct_sweep_conditions *conditions);
/* The jobs that run at a time, on average, if all nodes are in use and each method takes as long. */
double ct_sweep_conditions_at_a_time(const struct ct_sweep_conditions *conditions,
                                     const struct ct_sweep_grid *grid);

/* The part of the above that chooses how the sweep saves time: which cells it measures, whether methods race,
 * and the budget. `exact`: times repeat exactly; `method_seconds`: what each method may take in each cell.
 * The choices go into *state, whose strings the caller frees also on failure. Errors as above. */
int ct_sweep_choose_saving(const struct ct_sweep_request *request, const struct ct_sweep_state *before,
                           bool exact, double method_seconds, struct ct_error *error,
                           struct ct_sweep_state *state);

#endif
