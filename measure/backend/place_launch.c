/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/place_launch.h"
#include "measure/backend/launcher.h"
#include "measure/backend/machine.h"

#include <stdint.h>

size_t ct_place_room(const struct ct_place *place)
{
    return place->platform.host_count ? place->platform.host_count * (place->ppn ? place->ppn : 1) : SIZE_MAX;
}

int ct_place_launch(const struct ct_place *place, size_t ranks, const char *const *command,
                    const struct ct_process_options *options, struct ct_error *error,
                    struct ct_process *ret_process)
{
    const bool is_real = !place->platform.path;
    /* Where hosts are named, their slots are what the user said. */
    const bool is_here = is_real && !place->hostfile && place->ppn == 0;
    const struct ct_launch launch = {.np = ranks,
                                     .hostfile = place->hostfile,
                                     .ppn = is_real ? place->ppn : 0,
                                     .mpi = place->mpi.name,
                                     .oversubscribed = is_here && ranks > ct_usable_cpus()};
    char **argv;
    int status = ct_launcher_expand(place->launcher, &launch, command, error, &argv);
    if (status != CT_OK)
        return status;
    status = ct_process_start((const char *const *)argv, options, error, ret_process);
    ct_launcher_free(argv);
    return status;
}
