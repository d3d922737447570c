/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/validate.h"
#include "base/file.h"
#include "base/process.h"
#include "measure/launcher.h"
#include "measure/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double grace_seconds = 2, nap_seconds = 0.02;

/* Files of one validation, in a folder of its own. */
struct work {
    char *folder;
    char *program;
    char *points;
    char *log;
    char *hosts;
};

static void free_work(struct work *work)
{
    if (work->folder)
        ct_remove_all(work->folder, NULL);
    free(work->folder);
    free(work->program);
    free(work->points);
    free(work->log);
    free(work->hosts);
}

static int make_work(struct work *work, struct ct_error *error)
{
    const char *temporary = getenv("TMPDIR");
    work->folder = ct_format("%s/colltune-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!work->folder)
        return CT_E_MEMORY;
    if (!mkdtemp(work->folder)) {
        int status = ct_fail(error, CT_E_SYSTEM, "%s: a temporary folder cannot be made", work->folder);
        free(work->folder);
        work->folder = NULL;
        return status;
    }
    work->program = ct_format("%s/validation", work->folder);
    work->points = ct_format("%s/points.csv", work->folder);
    work->log = ct_format("%s/log", work->folder);
    work->hosts = ct_format("%s/hosts", work->folder);
    return work->program && work->points && work->log && work->hosts ? CT_OK : CT_E_MEMORY;
}

static int compile(const struct ct_validation_request *request, const struct work *work,
                   struct ct_error *error)
{
    /* the simulator's header declares weak functions, for which the linker takes nothing out of an archive */
    const char *const extra[] = {"-Wl,-u,MPI_Init", request->library, NULL};
    const struct ct_compilation what = {.list = "validation", .extra = extra, .output = work->program};
    return ct_mpi_compile_program(request->mpi, &what, error);
}

static size_t largest(const char *list, struct ct_error *error)
{
    size_t *sizes, count, most = 0;
    if (ct_list_parse(list, error, &sizes, &count) != CT_OK)
        return 0;
    for (size_t i = 0; i < count; i++)
        most = sizes[i] > most ? sizes[i] : most;
    free(sizes);
    return most;
}

static int start_real(const struct ct_validation_request *request, const struct work *work, size_t np,
                      const char *const *command, struct ct_error *error, struct ct_process *ret_process)
{
    const struct ct_process_options options = {.output = work->log};
    const char *launcher = request->launcher ? request->launcher : request->mpi->launcher;
    char **argv;
    if (!launcher)
        return ct_fail(error, CT_E_SYSTEM, "no launcher of %s was found: give one with --launcher",
                       request->mpi->name);
    const struct ct_launch launch = {.np = np, .mpi = request->mpi->name};
    int status = ct_launcher_expand(launcher, &launch, command, error, &argv);
    if (status != CT_OK)
        return status;
    status = ct_process_start((const char *const *)argv, &options, error, ret_process);
    ct_launcher_free(argv);
    return status;
}

static int start_simulated(const struct ct_validation_request *request, const struct work *work, size_t np,
                           const char *const *command, struct ct_error *error, struct ct_process *ret_process)
{
    struct ct_platform platform;
    int status = ct_platform_load(request->simulate, error, &platform);
    if (status != CT_OK)
        return status;
    struct ct_text hosts = {0};
    for (size_t i = 0; i < platform.host_count; i++)
        ct_text_append(&hosts, "%s\n", platform.hosts[i]);
    if (np > platform.host_count)
        status = ct_fail(error, CT_E_INPUT, "%zu ranks are more than the %zu hosts of %s", np,
                         platform.host_count, platform.name);
    if (status == CT_OK)
        status = hosts.failed ? CT_E_MEMORY : ct_file_write(work->hosts, hosts.data, hosts.length, error);
    ct_text_free(&hosts);
    char ranks[32], *gamma = ct_format("COLLTUNE_GAMMA_FLOPS=%s", platform.gamma_flops);
    char *delta = ct_format("COLLTUNE_DELTA_FLOPS=%s", platform.delta_flops);
    snprintf(ranks, sizeof ranks, "%zu", np);
    if (status == CT_OK && gamma && delta) {
        const char *const environment[] = {gamma, delta, NULL};
        const struct ct_process_options options = {.output = work->log, .environment = environment};
        const char *argv[16] = {request->mpi->launcher, "-np",       ranks,       "-platform",
                                platform.path,          "-hostfile", work->hosts, "--log=root.thres:warning"};
        size_t count = 8;
        for (; *command; command++)
            argv[count++] = *command;
        status = ct_process_start(argv, &options, error, ret_process);
    }
    free(gamma);
    free(delta);
    ct_platform_free(&platform);
    return status;
}

static size_t file_length(const char *path)
{
    char *text;
    size_t length = 0;
    if (ct_file_read(path, NULL, &text, &length) == CT_OK)
        free(text);
    return length;
}

/* Waits for the end as long as points keep coming. */
static int follow(const struct ct_validation_request *request, const struct work *work,
                  struct ct_process *process, struct ct_error *error, int *ret_code)
{
    const struct timespec nap = {.tv_nsec = (long)(nap_seconds * 1e9)};
    size_t seen = 0;
    double quiet = 0;
    for (int ended = 0;;) {
        int status = ct_process_poll(process, &ended, ret_code);
        if (status != CT_OK)
            return ct_fail(error, status, "the validation job was lost");
        if (ended)
            return CT_OK;
        size_t length = file_length(work->points);
        quiet = length == seen ? quiet + nap_seconds : 0;
        seen = length;
        if (request->stop && *request->stop)
            status = ct_fail(error, CT_E_STOPPED, "stopped");
        else if (quiet > request->timeout)
            status = ct_fail(error, CT_E_SYSTEM, "the validation job hangs: no new point for %g s",
                             request->timeout);
        if (status != CT_OK) {
            ct_process_end(process, grace_seconds);
            return status;
        }
        nanosleep(&nap, NULL);
    }
}

/* The points without the line that ends them; where that is missing the job did not get there. */
static int take_results(const struct work *work, int code, struct ct_error *error, struct ct_text *points,
                        struct ct_text *wrong)
{
    static const char end[] = "\nend\n";
    char *text = NULL, *log = NULL;
    size_t length = 0, log_length = 0;
    (void)ct_file_read(work->log, NULL, &log, &log_length);
    int status = ct_file_read(work->points, NULL, &text, &length);
    if (status != CT_OK || length < sizeof end - 1 || strcmp(text + length - (sizeof end - 1), end) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "the validation job ended early (exit code %d): %.300s", code,
                         log && *log ? log : "it said nothing");
    else
        ct_text_append_bytes(points, text, length - (sizeof end - 2));
    if (status == CT_OK && code != 0)
        ct_text_append(wrong, "%s", log ? log : "the job failed\n");
    for (char *at = error->text; status != CT_OK && *at; at++)
        if (*at == '\n')
            *at = ' ';
    free(text);
    free(log);
    return status;
}

int ct_validate(const struct ct_validation_request *request, struct ct_error *error,
                struct ct_text *ret_points, struct ct_text *ret_wrong)
{
    struct work work = {0};
    struct ct_process process = {0};
    struct ct_text points = {0}, wrong = {0};
    char seconds[32];
    int code = 0;
    size_t np = largest(request->comm_sizes, error);
    if (np < 2)
        return ct_fail(error, CT_E_INPUT,
                       "communicator sizes '%s': expected a list with at least one of 2 or more",
                       request->comm_sizes);
    int status = make_work(&work, error);
    if (status == CT_OK)
        status = compile(request, &work, error);
    if (status == CT_OK) {
        snprintf(seconds, sizeof seconds, "%g", request->seconds);
        const char *const command[] = {work.program,        work.points,        seconds, request->collectives,
                                       request->comm_sizes, request->msg_sizes, NULL};
        status =
            (request->simulate ? start_simulated : start_real)(request, &work, np, command, error, &process);
    }
    if (status == CT_OK)
        status = follow(request, &work, &process, error, &code);
    if (status == CT_OK)
        status = take_results(&work, code, error, &points, &wrong);
    free_work(&work);
    if (status == CT_OK && (points.failed || wrong.failed))
        status = CT_E_MEMORY;
    if (status != CT_OK) {
        ct_text_free(&points);
        ct_text_free(&wrong);
        return status;
    }
    *ret_points = points;
    *ret_wrong = wrong;
    return CT_OK;
}
