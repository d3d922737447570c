/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_SWEEP_GUIDE_H
#define CT_MEASURE_SWEEP_SWEEP_GUIDE_H

#include "measure/sweep/sweep_grid.h"

#include <signal.h>

/* Chooses cells and methods of a guided sweep's next round, by measure/sweep/guide.h, for all collectives
 * together. A round depends on the samples of the rounds before it alone, which are read again from the file:
 * a resumed sweep measures the same cells as one that was not interrupted. The rounds together are the first
 * launch. The other launches then repeat its cells with the methods that were near the best there. */

/* Marks what the next round wants in the grid. `folder` is the run so far, NULL before there is one; `prior`
 * may be without samples. `stop` becomes nonzero if the user wants to stop; or NULL. *ret_any is false when
 * nothing is left to measure; *ret_to_come is how many slots later rounds will want, approximately. CT_OK;
 * CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_STOPPED, CT_E_MEMORY, CT_E_LIMIT. */
int ct_sweep_guide(const struct ct_run_description *description, const char *folder,
                   const struct ct_run *prior, const volatile sig_atomic_t *stop, struct ct_sweep_grid *grid,
                   struct ct_error *error, bool *ret_any, size_t *ret_to_come);

#endif
