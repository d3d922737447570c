/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURROGATE_LEVELS_H
#define CT_LEARNERS_SURROGATE_LEVELS_H

#include "decision/map.h"

/* What the methods of each cell have in common: log(seconds) are a level of the cell, an effect of the
 * method, and a rest of least squares. Cells need not have measured the same methods. *ret_levels is by cell;
 * NAN where fewer than two allowed methods were measured, which tell nothing of how methods differ. CT_OK,
 * CT_E_MEMORY. */
int ct_surrogate_find_levels(const struct ct_map *map, const bool *allowed, double *ret_levels);

#endif
