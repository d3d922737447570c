/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BACKEND_JOB_PLACE_H
#define CT_MEASURE_BACKEND_JOB_PLACE_H

#include "base/process.h"
#include "measure/backend/platform.h"
#include "measure/backend/toolchain.h"
#include "samples/run.h"

/* What the user asks for; NULL and 0 stand for the default. */
struct ct_place_request {
    const char *simulate;          /* platform; NULL: this machine */
    const char *simulator_options; /* further words for smpirun, quoted as in a launcher */
    const char *mpi;
    const char *cc;
    const char *launcher; /* see measure/backend/launcher.h */
    const char *hostfile; /* handed to the launcher */
    size_t ppn;           /* ranks on each node */
};

struct ct_backend;

/* A place with everything that is needed to start jobs there. */
struct ct_place {
    const struct ct_backend *backend;
    struct ct_mpi mpi;
    char *name;     /* for people and run.xml: the launcher, or the platform */
    char *launcher; /* starts the ranks */
    char *hostfile; /* absolute path; or NULL */
    char *simulator_options;
    size_t ppn;                  /* 0: as the launcher likes; simulated: 1 */
    struct ct_platform platform; /* simulated */
    char *node_platform;   /* simulated: charges messages within a host as the channel through shared memory
                              (node_platform.h); NULL: as those between hosts, over the host's own link */
    const char *routes_to; /* simulated: jobs write the network to this file, and do nothing else
                              (platform_routes.h); NULL: usual jobs */
    size_t route_hosts;    /* of so many hosts at most */
};

struct ct_backend {
    const char *name; /* as in run.xml */
    /* Times repeat exactly: one launch and one repetition are enough, no budget or racing is needed, and jobs
     * may run side by side. A job then measures one collective at one communicator size, else a launch. */
    bool exact;
    size_t warmup, least_repetitions, most_repetitions, launches; /* defaults */
    double timeout;   /* default: seconds without a sign of life after which a job hangs */
    const char *sync; /* how repetitions start, for run.xml; NULL: the synchronisation mode decides */
    /* Checks the request and fills in what depends on the backend; `place` holds its MPI already. */
    int (*open)(const struct ct_place_request *request, struct ct_error *error, struct ct_place *place);
    /* Adds the machine to the description: properties for people, and what a resumed sweep compares. */
    int (*describe)(const struct ct_place *place, struct ct_error *error,
                    struct ct_run_description *description);
    /* Starts `ranks` ranks of a command; NULL: by the launcher alone. */
    int (*start)(const struct ct_place *place, size_t ranks, const char *const *command, const char *log,
                 struct ct_error *error, struct ct_process *ret_process);
};

#endif
