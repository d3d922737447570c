/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_CLI_LAUNCH_FINDINGS_H
#define CT_CLI_LAUNCH_FINDINGS_H

#include "base/progress.h"
#include "cli/findings.h"
#include "measure/backend/toolchain.h"

/* Does preloading take effect in a launch command? */

struct ct_launch_request {
    const char *library; /* folder that `colltune build` made; NULL: none is preloaded */
    const char *mpi;     /* NULL: that of the library, else of the application */
    const char *cc;
    double timeout; /* seconds for a launch */
};

/* Both end a launch when the watch is stopped. */

/* Starts two ranks with the MPI's own launcher. */
void ct_start_findings(const struct ct_mpi *mpi, double timeout, const struct ct_watch *watch,
                       struct ct_findings *findings);

/* Examines the application in the words, which end with NULL, and starts our probe in its place. */
void ct_launch_findings(const char *const *words, const struct ct_launch_request *request,
                        const struct ct_watch *watch, struct ct_findings *findings);

#endif
