/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/backend_real.h"
#include "measure/backend/launcher.h"
#include "measure/backend/machine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int open_real(const struct ct_place_request *request, struct ct_error *error, struct ct_place *place)
{
    const char *hostfile = request->hostfile, *launcher = request->launcher;
    if (request->simulator_options)
        return ct_fail(error, CT_E_INPUT,
                       "--simulator-options: the machine is real; expected --simulate PLATFORM, too");
    if (hostfile && access(hostfile, R_OK) != 0)
        return ct_fail(error, CT_E_INPUT, "--hostfile %s: cannot be read", hostfile);
    int status = ct_mpi_find(request->mpi, request->cc, error, &place->mpi);
    if (status != CT_OK)
        return status;
    launcher = launcher ? launcher : place->mpi.launcher;
    if (!launcher)
        return ct_fail(error, CT_E_SYSTEM,
                       "no mpiexec for %s was found: install it, or name a launcher with --launcher",
                       place->mpi.name);
    place->name = strdup(launcher);
    place->launcher = strdup(launcher);
    place->hostfile = hostfile ? realpath(hostfile, NULL) : NULL;
    if (!place->name || !place->launcher || (hostfile && !place->hostfile))
        return CT_E_MEMORY;
    const struct ct_launch launch = {
        .np = 1, .hostfile = place->hostfile, .ppn = place->ppn, .mpi = place->mpi.name};
    return ct_launcher_check(launcher, &launch, error);
}

static int describe_real(const struct ct_place *place, struct ct_error *error,
                         struct ct_run_description *description)
{
    (void)place;
    (void)error;
    int status = ct_machine_describe(description);
    if (status == CT_OK)
        status = ct_machine_label(&description->sweep.machine);
    return status == CT_OK ? ct_run_add_property(description, "cache",
                                                 "warm: every repetition uses the same buffers, short ones "
                                                 "follow a call of the same method")
                           : status;
}

const struct ct_backend ct_backend_real = {.name = "real",
                                           .warmup = 1,
                                           .least_repetitions = 5,
                                           .most_repetitions = 500,
                                           .launches = 3,
                                           .timeout = 30,
                                           .open = open_real,
                                           .describe = describe_real};
