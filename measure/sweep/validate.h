/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_SWEEP_VALIDATE_H
#define CT_MEASURE_SWEEP_VALIDATE_H

#include "base/text.h"
#include "measure/backend/toolchain.h"

#include <signal.h>
#include <stdbool.h>

/* Calls each collective through a tuned library and natively, in turn and in one job (benchmark_validate.c).
 */
struct ct_validation_request {
    const struct ct_mpi *mpi;
    const char *library;  /* libcolltuned.a */
    const char *launcher; /* NULL: the MPI's own */
    const char *hostfile; /* for the launcher; NULL: where it likes */
    size_t ppn;           /* ranks on each node; 0: as the launcher likes */
    const char *simulate; /* platform; NULL runs on this machine */
    const char *collectives;
    const char *comm_sizes;
    const char *msg_sizes;
    double seconds;                    /* to spend on a point */
    double timeout;                    /* without a new point after which the job hangs */
    const volatile sig_atomic_t *stop; /* set where the user wants it to end; or NULL */
};

/* *ret_points is CSV with the columns collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds;
 * *ret_wrong what was found wrong, a line each, empty where all is right. CT_OK also then; CT_E_INPUT,
 * CT_E_SYSTEM with a line in `error` where the job did not come to its end; CT_E_STOPPED. Caller frees both
 * texts. */
int ct_validate(const struct ct_validation_request *request, struct ct_error *error,
                struct ct_text *ret_points, struct ct_text *ret_wrong);

#endif
