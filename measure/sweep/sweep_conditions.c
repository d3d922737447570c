/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/text.h"
#include "config.h"
#include "measure/backend/launcher.h"
#include "measure/backend/machine.h"
#include "measure/sweep/sweep_internal.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What is usual where the user does not say. */
static const double usual_budget = 600, usual_precision = 0.05;
static const double usual_timeout = 30, usual_timeout_simulated = 600;
enum { USUAL_LAUNCHES = 3, USUAL_MOST = 500, LEAST = 5, WARMUP = 1 };

/* No method gets less in a cell, whatever the budget. */
static const double least_seconds = 0.002;

struct making {
    const struct ct_sweep_request *request;
    const struct ct_run_description *before;
    struct ct_sweep_conditions *conditions;
    struct ct_run_description *description;
    struct ct_error *error;
};

static const char *before_property(const struct making *making, const char *name)
{
    return making->before ? ct_run_property(making->before, name) : NULL;
}

/* --- where it runs --- */

static int choose_backend(const struct making *making)
{
    const struct ct_sweep_request *request = making->request;
    struct ct_sweep_conditions *conditions = making->conditions;
    if (request->simulate && request->launcher)
        return ct_fail(making->error, CT_E_INPUT, "a launcher has no meaning where the machine is simulated");
    if (request->simulate && request->budget > 0)
        return ct_fail(making->error, CT_E_INPUT, "a budget has no meaning where the machine is simulated");
    if (request->simulate && request->launches > 1)
        return ct_fail(making->error, CT_E_INPUT, "simulated times are exact: expected one launch, not %zu",
                       request->launches);
    const char *platform = request->simulate;
    if (!platform && !request->launcher && making->before &&
        strcmp(making->before->backend, "simulated") == 0)
        platform = making->before->launcher;
    if (!platform && request->simulator_options)
        return ct_fail(making->error, CT_E_INPUT,
                       "options of the simulator have no meaning where the machine is real");
    conditions->simulated = platform != NULL;
    const char *mpi = request->mpi ? request->mpi : before_property(making, "mpi.name");
    const char *cc = request->cc ? request->cc : request->mpi ? NULL : before_property(making, "mpi.cc");
    if (platform && request->mpi && strcmp(request->mpi, "smpi") != 0)
        return ct_fail(making->error, CT_E_INPUT, "the simulator runs smpi, not %s", request->mpi);
    if (!platform && request->mpi && strcmp(request->mpi, "smpi") == 0)
        return ct_fail(making->error, CT_E_INPUT, "smpi runs in the simulator: expected a platform, too");
    int status = platform ? ct_platform_load(platform, making->error, &conditions->platform) : CT_OK;
    if (status == CT_OK)
        status = ct_mpi_find(platform ? "smpi" : mpi, cc, making->error, &conditions->mpi);
    return status;
}

/* smpirun takes -n as mpiexec does, so that it is a launcher like others. */
static int choose_simulator(const struct making *making)
{
    struct ct_sweep_conditions *conditions = making->conditions;
    const char *options = making->request->simulator_options;
    if (!options)
        options = before_property(making, "simulator.options");
    if (!conditions->mpi.launcher)
        return ct_fail(making->error, CT_E_SYSTEM,
                       "no smpirun was found: install the package libsimgrid-dev");
    conditions->launcher =
        ct_format("%s --log=root.thres:warning %s", conditions->mpi.launcher, options ? options : "");
    if (!conditions->launcher)
        return CT_E_MEMORY;
    int status = ct_launcher_check(conditions->launcher, &conditions->launch, making->error);
    return status == CT_OK && options ? ct_run_add_property(making->description, "simulator.options", options)
                                      : status;
}

static int choose_places(const struct making *making)
{
    return ct_sweep_choose_places(making->request, making->before, making->error, making->conditions);
}

static int choose_launcher(const struct making *making)
{
    struct ct_sweep_conditions *conditions = making->conditions;
    struct ct_run_description *description = making->description;
    const char *launcher = making->request->launcher;
    if (conditions->simulated) {
        bool is_file = strchr(conditions->platform.name, '/') || strstr(conditions->platform.name, ".xml");
        description->launcher = strdup(is_file ? conditions->platform.path : conditions->platform.name);
        return description->launcher ? choose_simulator(making) : CT_E_MEMORY;
    }
    if (!launcher)
        launcher = making->before ? making->before->launcher : conditions->mpi.launcher;
    if (!launcher)
        return ct_fail(making->error, CT_E_SYSTEM,
                       "no mpiexec for %s was found: install it, or name a launcher with --launcher",
                       conditions->mpi.name);
    int status = ct_launcher_check(launcher, &conditions->launch, making->error);
    if (status != CT_OK)
        return status;
    conditions->launcher = strdup(launcher);
    description->launcher = strdup(launcher);
    return conditions->launcher && description->launcher ? CT_OK : CT_E_MEMORY;
}

static int choose_sync(const struct making *making)
{
    return ct_sweep_choose_sync(making->request, making->before, making->error, making->conditions);
}

static int choose_program(const struct making *making)
{
    const char *program = making->request->program;
    if (!program)
        program = before_property(making, "benchmark.program");
    if (!program)
        return CT_OK;
    if (access(program, X_OK) != 0)
        return ct_fail(making->error, CT_E_INPUT, "%s: is no program that can be run", program);
    making->conditions->program = realpath(program, NULL);
    if (!making->conditions->program)
        return CT_E_MEMORY;
    return ct_run_add_property(making->description, "benchmark.program", making->conditions->program);
}

static int choose_grid(const struct making *making)
{
    return ct_sweep_choose_grid(making->request, making->before, making->error, making->conditions);
}

/* --- how often --- */

/* The budget dealt to all methods of all cells. */
static int share_budget(const struct making *making, double budget, double *ret_seconds)
{
    struct ct_sweep_grid grid;
    int status = ct_sweep_grid_make(making->description, making->conditions->simulated, making->error, &grid);
    if (status != CT_OK)
        return status;
    double share = budget / (double)grid.slot_count;
    *ret_seconds = share > least_seconds ? share : least_seconds;
    ct_sweep_grid_free(&grid);
    return CT_OK;
}

static int choose_rules(const struct making *making)
{
    const struct ct_sweep_request *request = making->request;
    const struct ct_run_description *before = making->before;
    struct ct_run_description *description = making->description;
    bool simulated = making->conditions->simulated;
    if (before) {
        description->launches = before->launches;
        description->seed = before->seed;
        description->warmup = before->warmup;
        description->least_repetitions = before->least_repetitions;
        description->most_repetitions = before->most_repetitions;
        description->precision = before->precision;
        description->most_seconds = before->most_seconds;
    } else {
        description->launches = simulated ? 1 : USUAL_LAUNCHES;
        description->seed = 1;
        description->warmup = simulated ? 0 : WARMUP;
        description->least_repetitions = simulated ? 1 : LEAST;
        description->most_repetitions = simulated ? 1 : USUAL_MOST;
        description->precision = usual_precision;
    }
    description->launches = request->launches ? request->launches : description->launches;
    description->seed = request->has_seed ? request->seed : description->seed;
    description->precision = request->precision > 0 ? request->precision : description->precision;
    if (request->most_repetitions && !simulated) {
        description->most_repetitions = request->most_repetitions;
        if (description->least_repetitions > request->most_repetitions)
            description->least_repetitions = request->most_repetitions;
    }
    if (before)
        return CT_OK;
    return share_budget(making, request->budget > 0 ? request->budget : usual_budget,
                        &description->most_seconds);
}

/* In the simulator ranks fill up one host after the other: of the largest job, as ct_sweep_take_ranks() notes
 * it for real ones. */
static int describe_nodes(const struct making *making)
{
    const struct ct_run_description *description = making->description;
    size_t most = 0, ppn = making->conditions->ppn;
    for (size_t i = 0; i < description->comm_size_count; i++)
        most = description->comm_sizes[i] > most ? description->comm_sizes[i] : most;
    struct ct_text text = {0};
    if (most >= ppn)
        ct_text_append(&text, "%zu*%zu", most / ppn, ppn);
    if (most % ppn > 0)
        ct_text_append(&text, "%s1*%zu", most > ppn ? "," : "", most % ppn);
    int status =
        text.failed ? CT_E_MEMORY : ct_run_add_property(making->description, "nodes.ranks", text.data);
    ct_text_free(&text);
    return status;
}

static int describe(const struct making *making)
{
    struct ct_run_description *description = making->description;
    const struct ct_sweep_conditions *conditions = making->conditions;
    char created[32];
    time_t now = time(NULL);
    struct tm split;
    strftime(created, sizeof created, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &split));
    description->created = strdup(created);
    description->tool_version = strdup(CT_VERSION);
    description->backend = strdup(conditions->simulated ? "simulated" : "real");
    if (!description->created || !description->tool_version || !description->backend)
        return CT_E_MEMORY;
    int status = ct_mpi_describe(&conditions->mpi, description);
    if (status == CT_OK)
        status = conditions->simulated
                     ? ct_platform_describe(&conditions->platform, making->error, description)
                     : ct_machine_describe(description);
    if (status == CT_OK && conditions->simulated && conditions->ppn)
        status = describe_nodes(making);
    return status == CT_OK && !conditions->simulated
               ? ct_run_add_property(description, "cache", "warm: every repetition uses the same buffers")
               : status;
}

int ct_sweep_conditions_make(const struct ct_sweep_request *request, const struct ct_run_description *before,
                             struct ct_error *error, struct ct_sweep_conditions *ret_conditions)
{
    static int (*const steps[])(const struct making *) = {choose_backend, choose_places,  choose_launcher,
                                                          choose_sync,    choose_program, choose_grid,
                                                          choose_rules,   describe};
    struct ct_sweep_conditions conditions = {0};
    const struct making making = {request, before, &conditions, &conditions.description, error};
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](&making);
    if (status == CT_OK)
        status = ct_sweep_choose_saving(request, before, error, &conditions);
    if (status != CT_OK) {
        ct_sweep_conditions_free(&conditions);
        return status;
    }
    conditions.timeout = request->timeout > 0   ? request->timeout
                         : conditions.simulated ? usual_timeout_simulated
                                                : usual_timeout;
    *ret_conditions = conditions;
    return CT_OK;
}

void ct_sweep_conditions_free(struct ct_sweep_conditions *conditions)
{
    ct_run_description_free(&conditions->description);
    ct_platform_free(&conditions->platform);
    ct_mpi_free(&conditions->mpi);
    free(conditions->launcher);
    free(conditions->hostfile);
    free(conditions->program);
    free(conditions->prior);
    *conditions = (struct ct_sweep_conditions){0};
}
