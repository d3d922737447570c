/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_SAMPLES_SAME_CONDITIONS_H
#define CT_SAMPLES_SAME_CONDITIONS_H

#include "samples/run.h"

/* Were the runs made under the same conditions, so that their times may stand side by side? Backend,
 * launcher, time, sync, the way of messages within a node, and the properties machine.*, mpi.*, platform.*,
 * simulator.* and env.* must be equal in all, and what is computed beside calls in those whose calls are not
 * blocking; datatypes and operations where they are known. CT_OK; CT_E_INPUT with a line in `error`. */
int ct_runs_check_conditions(const struct ct_run *runs, size_t count, struct ct_error *error);

#endif
