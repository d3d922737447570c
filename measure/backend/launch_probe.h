/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_LAUNCH_PROBE_H
#define CT_MEASURE_BACKEND_LAUNCH_PROBE_H

#include "base/error.h"
#include "base/progress.h"

#include <stddef.h>

/* What happens when a launch command starts: our probe (measure/benchmark/preload_probe.c) is started in
 * place of the application. */

struct ct_launch_probe {
    const char *preload;          /* for LD_PRELOAD, before what is there already; NULL: leave it */
    double timeout;               /* seconds after which the launch is ended */
    const struct ct_watch *watch; /* may be NULL */
};

struct ct_launch_result {
    size_t ranks;   /* that answered */
    size_t worlds;  /* MPI_COMM_WORLDs that they were in */
    size_t reached; /* ranks whose LD_PRELOAD had `preload` */
    size_t tuned;   /* ranks that had loaded a libcolltuned */
    size_t crowded; /* ranks beyond the CPUs of the fullest host */
    size_t hosts;
    char *lost_host; /* of a rank that `preload` did not reach; NULL: it reached all */
    char *mpi;       /* the MPI library of the first rank; empty if it is not known */
    char *warning;   /* what the loader said of LD_PRELOAD; NULL: nothing */
};

/* Index of the application in the words of a launch command, which end with NULL: the first program after
 * the launcher that does not itself start another. 0 if there is none. */
size_t ct_launch_application(const char *const *words);

/* Starts the words to their end. CT_OK; CT_E_SYSTEM with a line in `error` where it cannot be started, takes
 * too long, or no rank answers; CT_E_STOPPED, CT_E_MEMORY. Caller frees with ct_launch_result_free(). */
int ct_launch_probe_run(const char *const *words, const struct ct_launch_probe *probe, struct ct_error *error,
                        struct ct_launch_result *ret_result);
void ct_launch_result_free(struct ct_launch_result *result);

#endif
