/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_VALIDATE_H
#define CT_MEASURE_SWEEP_VALIDATE_H

#include "base/text.h"
#include "measure/backend/backend.h"

#include <signal.h>

/* Calls each collective through a tuned library and natively, in turn and in one job
 * (measure/benchmark/tuned_calls.c). */
struct ct_validation_request {
    struct ct_place_request place;
    const char *library; /* libcolltuned.a */
    const char *collectives;
    const char *comm_sizes;
    const char *msg_sizes;
    double seconds;                    /* to spend on a point */
    double timeout;                    /* seconds without a new point after which the job hangs */
    const volatile sig_atomic_t *stop; /* set when the user wants the job to end; or NULL */
};

/* *ret_points is CSV with the columns collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds;
 * *ret_wrong lists wrong results, a line each. CT_OK also if there are some; CT_E_INPUT, CT_E_SYSTEM with a
 * line in `error` if the job did not come to its end; CT_E_STOPPED, CT_E_MEMORY. Caller frees both texts. */
int ct_validate(const struct ct_validation_request *request, struct ct_error *error,
                struct ct_text *ret_points, struct ct_text *ret_wrong);

#endif
