/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_LEARNERS_C45_C45_ENGINE_H
#define CT_LEARNERS_C45_C45_ENGINE_H

#include "learners/c45/c45_state.h"

/* Makes room for the cases, in their given order, and sorts the numbers. `ordered`: the cases must come out
 * in the order of C4.5 Release 8 even if no sum depends on it. CT_OK, CT_E_MEMORY. Caller frees with
 * ct_c45_engine_free(), also after a failure. */
int ct_c45_engine_make(const struct ct_c45_names *names, const struct ct_c45_cases *cases,
                       const struct ct_c45_options *options, bool ordered, struct ct_c45_engine *engine);
void ct_c45_engine_free(struct ct_c45_engine *engine);

/* Gives every case its own weight again, which is 1 unless the cases have weights. */
void ct_c45_engine_reset(struct ct_c45_engine *engine);

/* Writes a line of error for a status of ct_c45_grow() or ct_c45_prune() and returns it. */
int ct_c45_fail(int status, struct ct_error *error);

#endif
