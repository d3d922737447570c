/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_LOST_CELLS_H
#define CT_CLI_LOST_CELLS_H

#include "decision/table.h"
#include "measure/sweep/validate.h"
#include "samples/run.h"

/* The cells of a run in which native was measured faster than the method that the table chooses, beyond what
 * a validation calls slower. Too few samples to convince a learner may be right nevertheless: they are
 * validated first. CT_OK; as ct_map_make(); CT_E_MEMORY. Caller frees *ret_cells, whose patterns are the
 * run's. */
int ct_lost_cells_find(const struct ct_table *table, const struct ct_run *run, struct ct_error *error,
                       struct ct_validation_cell **ret_cells, size_t *ret_count);

#endif
