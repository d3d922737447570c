/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_AGAIN_H
#define CT_MEASURE_SWEEP_SWEEP_AGAIN_H

#include "measure/sweep/sweep_journal.h"

/* Measuring some cells again, because a validation (measure/sweep/validate.h) has found a tuned library slow
 * there. That adds two job launches to the run, behind all others: the first holds what the validation has
 * measured at each of its points, a sample of the method that the library chose and one of native, so that
 * every learner sees it; the second measures the cells again, with native, the method chosen, and all methods
 * that were near the best there. */

/* The first of the two launches that are added to a run of this description. */
uint32_t ct_sweep_again_launch(const struct ct_run_description *description);

/* Makes `grid`, which has one launch, that of the second one: wanted are the cells that the request names. If
 * the grid is exact, or no launch has measured a cell yet, with all methods. CT_OK; CT_E_INPUT with a line in
 * `error` if no cell is wanted; CT_E_MEMORY. */
int ct_sweep_again_mark(const struct ct_sweep_request *request, const struct ct_run *run,
                        struct ct_sweep_grid *grid, struct ct_error *error);

/* Adds the first launch to the run; the journal is open. Points with a communicator size or a method that the
 * run does not have are passed over. Errors as of ct_sweep_journal_add(). */
int ct_sweep_again_add_times(const struct ct_sweep_request *request, const struct ct_run *run,
                             struct ct_sweep_journal *journal, struct ct_error *error);

#endif
