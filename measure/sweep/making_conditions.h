/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_MAKING_CONDITIONS_H
#define CT_MEASURE_SWEEP_MAKING_CONDITIONS_H

#include "base/error.h"
#include "measure/backend/job_place.h"
#include "measure/data_type.h"
#include "measure/operation.h"
#include "measure/sweep/node_pool.h"
#include "measure/sweep/placements.h"
#include "measure/sweep/sweep_request.h"
#include "measure/sync.h"
#include "samples/run.h"

/* The conditions under which a sweep measures. */
struct ct_sweep_conditions {
    struct ct_run_description description; /* of the run, with the state of the sweep */
    struct ct_place place;
    struct ct_placements placements; /* of communicators, if there are several numbers of ranks on a node */
    struct ct_node_pool nodes;       /* those of jobs that run side by side; empty: a job has all */
    enum ct_sync sync;
    enum ct_data_type datatype;
    enum ct_operation operation;
    size_t *roots; /* of collectives that have one */
    size_t root_count;
    char *program; /* NULL: to be compiled */
    double timeout;
};

/* What they are made from. */
struct ct_making_conditions {
    const struct ct_sweep_request *request;
    const struct ct_run_description *before; /* of the run to be resumed; NULL: a new one */
    struct ct_sweep_conditions *conditions;
    struct ct_run_description *description; /* of the conditions */
    struct ct_error *error;
};

#endif
