/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_GAINS_H
#define CT_CLI_GAINS_H

#include "base/text.h"
#include "measure/sweep/sweep_grid.h"
#include "report/validation.h"

/* Appends what a tuning has gained, in at most nine lines: the validated speed-ups by mode and number of
 * ranks (more than `cpus` ranks are oversubscribed; SIZE_MAX for a simulated machine), the slowest points,
 * and how much of the grid was measured. Points count as slower by CT_VALIDATION_SLOWER beyond their
 * confidence interval.
 */
void ct_gains_tell(const struct ct_validation *validation, const struct ct_sweep_grid *grid, size_t cpus,
                   struct ct_text *text);

#endif
