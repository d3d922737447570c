/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/backend.h"
#include "measure/backend/backend_real.h"
#include "measure/backend/backend_simulated.h"
#include "measure/backend/machine.h"
#include "measure/backend/place_launch.h"

#include <stdlib.h>
#include <string.h>

int ct_place_open(const struct ct_place_request *request, struct ct_error *error, struct ct_place *ret_place)
{
    struct ct_place place = {.backend = request->simulate ? &ct_backend_simulated : &ct_backend_real,
                             .ppn = request->ppn};
    if (!request->simulate && request->mpi && strcmp(request->mpi, "smpi") == 0)
        return ct_fail(error, CT_E_INPUT, "smpi runs in the simulator: expected --simulate PLATFORM");
    if (request->simulate && request->mpi && strcmp(request->mpi, "smpi") != 0)
        return ct_fail(error, CT_E_INPUT, "--mpi %s: the simulator runs smpi", request->mpi);
    int status = place.backend->open(request, error, &place);
    if (status != CT_OK)
        ct_place_close(&place);
    else
        *ret_place = place;
    return status;
}

void ct_place_close(struct ct_place *place)
{
    ct_mpi_free(&place->mpi);
    ct_platform_free(&place->platform);
    free(place->name);
    free(place->launcher);
    free(place->hostfile);
    free(place->simulator_options);
    free(place->node_platform);
    *place = (struct ct_place){0};
}

size_t ct_place_jobs(const struct ct_place *place)
{
    return place->backend->exact ? ct_usable_cpus() : 1;
}

int ct_place_describe(const struct ct_place *place, struct ct_error *error,
                      struct ct_run_description *description)
{
    struct ct_sweep_state *state = &description->sweep;
    const struct {
        const char *text;
        char **copy;
    } texts[] = {{place->backend->name, &description->backend},
                 {place->name, &description->launcher},
                 {place->mpi.name, &state->mpi},
                 {place->mpi.version, &state->mpi_version},
                 {place->mpi.cc, &state->cc},
                 {place->hostfile, &state->hostfile},
                 {place->simulator_options, &state->simulator_options}};
    const struct {
        const char *name, *value;
    } properties[] = {{"mpi.name", place->mpi.name},
                      {"mpi.version", place->mpi.version},
                      {"mpi.cc", place->mpi.cc},
                      {"simulator.options", place->simulator_options}};
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < sizeof texts / sizeof texts[0]; i++)
        if (texts[i].text && !(*texts[i].copy = strdup(texts[i].text)))
            status = CT_E_MEMORY;
    for (size_t i = 0; status == CT_OK && i < sizeof properties / sizeof properties[0]; i++)
        if (properties[i].value)
            status = ct_run_add_property(description, properties[i].name, properties[i].value);
    state->ppn = place->ppn;
    return status == CT_OK ? place->backend->describe(place, error, description) : status;
}

int ct_place_start(const struct ct_place *place, size_t ranks, const char *const *command, const char *log,
                   struct ct_error *error, struct ct_process *ret_process)
{
    const struct ct_process_options options = {.output = log};
    return place->backend->start ? place->backend->start(place, ranks, command, log, error, ret_process)
                                 : ct_place_launch(place, ranks, command, &options, error, ret_process);
}
