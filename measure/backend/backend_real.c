/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/backend_real.h"
#include "base/file.h"
#include "measure/backend/launcher.h"
#include "measure/backend/machine.h"

#include <stdlib.h>
#include <string.h>

/* Launchers start all ranks here if no host is named. */
static int check_hostfile(const char *path, struct ct_error *error)
{
    char *text = NULL;
    size_t length;
    bool names_host = false;
    struct ct_error why = {""};
    int status = ct_file_read(path, &why, &text, &length);
    if (status == CT_E_MEMORY)
        return status;
    if (status != CT_OK)
        return ct_fail(error, CT_E_INPUT, "--hostfile %s", why.text);
    for (const char *line = text; *line && !names_host; line += strcspn(line, "\n"), line += *line == '\n') {
        const char first = line[strspn(line, " \t\r")];
        names_host = first && first != '\n' && first != '#';
    }
    free(text);
    return names_host
               ? CT_OK
               : ct_fail(error, CT_E_INPUT, "--hostfile %s: names no host; expected one in each line", path);
}

static int open_real(const struct ct_place_request *request, struct ct_error *error, struct ct_place *place)
{
    const char *hostfile = request->hostfile;
    if (request->simulator_options)
        return ct_fail(error, CT_E_INPUT,
                       "--simulator-options: the machine is real; expected --simulate PLATFORM, too");
    int status = hostfile ? check_hostfile(hostfile, error) : CT_OK;
    if (status != CT_OK)
        return status;
    status = ct_mpi_find(request->mpi, request->cc, error, &place->mpi);
    if (status != CT_OK)
        return status;
    if (!request->launcher && !place->mpi.launcher)
        return ct_fail(error, CT_E_SYSTEM,
                       "no mpiexec for %s was found: install it, or name a launcher with --launcher",
                       place->mpi.name);
    place->launcher = request->launcher ? strdup(request->launcher) : ct_launcher_of(place->mpi.launcher);
    place->name = place->launcher ? strdup(place->launcher) : NULL;
    place->hostfile = hostfile ? realpath(hostfile, NULL) : NULL;
    if (!place->name || !place->launcher || (hostfile && !place->hostfile))
        return CT_E_MEMORY;
    const struct ct_launch launch = {
        .np = 1, .hostfile = place->hostfile, .ppn = place->ppn, .mpi = place->mpi.name};
    return ct_launcher_check(place->launcher, &launch, error);
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
