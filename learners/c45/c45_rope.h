/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_ROPE_H
#define CT_LEARNERS_C45_C45_ROPE_H

#include "learners/c45/c45_engine.h"

/* The sort of c45_sort.c in n log^2 n whatever the order: as the quicksort moves numbers whole runs at a
 * time, a range is held as a rope, a balanced tree over its places, whose runs are cut out and put together
 * in log n. So pivots that part little cost little. Slower where pivots are good.
 *
 * Sorts engine->keys from..to - 1, and the cases with them. CT_OK; CT_E_MEMORY, and nothing has moved. */
int ct_c45_rope_sort(struct ct_c45_engine *engine, size_t from, size_t to);

#endif
