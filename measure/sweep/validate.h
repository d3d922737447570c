/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_VALIDATE_H
#define CT_MEASURE_SWEEP_VALIDATE_H

#include "algorithms/method.h"
#include "base/progress.h"
#include "measure/backend/backend.h"
#include "measure/sync.h"
#include "plan/cell_key.h"
#include "plan/overlap.h"

/* Calls each collective through a tuned library and natively, in turn and in one job for each mode
 * (measure/benchmark/tuned_calls.c). A point in which a call hangs or ends the job is left out, and the job
 * is started again with the rest; a collective is given up in a mode when that has happened to three of its
 * points.
 *
 * The simulator's MPI has no neighborhood collectives: there `linear` is called instead of native. */

struct ct_validation_cell {
    enum ct_collective collective;
    struct ct_cell_key key; /* comm_size, msg_bytes, mode, root and pattern; the others are 0 */
    const char *pattern;    /* of a sparse collective: its text; else NULL. Not owned */
    struct ct_method
        known; /* if the library chooses this one, the point is not timed; algorithm NULL: none */
};

/* What was measured at a point. */
struct ct_validation_result {
    const struct ct_validation_cell *cell;
    const char *method; /* that the library chose; without its collective. NULL: the known one, and the point
                           was not timed */
    double tuned;       /* seconds: the medians */
    double native;
    double low; /* 95 % confidence interval of the speed-up */
    double high;
    struct ct_overlap tuned_overlap; /* medians; all 0 where calls are blocking */
    struct ct_overlap native_overlap;
};

struct ct_validation_request {
    struct ct_place_request place;
    const char *prefix;  /* of the library; files of the job go there if that is possible */
    const char *library; /* libcolltuned.a in it */
    const struct ct_validation_cell *cells; /* the points, in the order in which they are measured */
    size_t cell_count;                      /* at least 1 */
    enum ct_sync sync;
    double compute; /* seconds of computation beside calls that are not blocking, below the timeout; 0: as
                       long as native's call takes */
    size_t tests;   /* of MPI_Test meanwhile, at most CT_JOB_TESTS_MOST */
    double seconds; /* to spend on a point */
    double budget;  /* for all points together, after compiling; the rest is left out; 0: no limit */
    double timeout; /* seconds after which a call hangs; 0: the default of the place */
    void (*result)(void *context, const struct ct_validation_result *result); /* called for each point */
    void *context;
};

struct ct_validation_summary {
    size_t measured;
    size_t known;    /* whose method is the known one */
    size_t wrong;    /* points: the notices say what was wrong */
    size_t left_out; /* because a call hung or ended the job */
    size_t skipped;  /* because the budget was used up */
};

/* CT_OK also if results were wrong; CT_E_INPUT, CT_E_SYSTEM with a line in `error`; CT_E_STOPPED,
 * CT_E_MEMORY. */
int ct_validate(const struct ct_validation_request *request, const struct ct_watch *watch,
                struct ct_error *error, struct ct_validation_summary *ret_summary);

#endif
