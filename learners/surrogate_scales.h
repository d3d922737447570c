/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_SURROGATE_SCALES_H
#define CT_LEARNERS_SURROGATE_SCALES_H

#include "learners/surrogate_values.h"

/* The time to learn grows with the cube of the number of cells: scales are found by some cells and methods,
 * at most so many. */
enum { CT_SURROGATE_SEARCH_CELLS = 160, CT_SURROGATE_SEARCH_METHODS = 6 };

/* Finds the scales of the processes, and keeps the base only if it is good for something. CT_OK, CT_E_MEMORY,
 * CT_E_LIMIT, CT_E_STOPPED. */
int ct_surrogate_find_scales(struct ct_surrogate *surrogate);

#endif
