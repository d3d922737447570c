/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/backend/single_job.h"
#include "base/file.h"
#include "base/memory.h"
#include "base/process.h"
#include "measure/backend/launcher.h"
#include "measure/backend/platform.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double grace_seconds = 2, nap_seconds = 0.02;

/* --- starting --- */

static int start(const struct ct_single_job *job, const char *launcher, const struct ct_launch *launch,
                 const char *const *command, const char *const *environment, struct ct_error *error,
                 struct ct_process *ret_process)
{
    const struct ct_process_options options = {.output = job->log, .environment = environment};
    char **argv;
    int status = ct_launcher_expand(launcher, launch, command, error, &argv);
    if (status != CT_OK)
        return status;
    status = ct_process_start((const char *const *)argv, &options, error, ret_process);
    ct_launcher_free(argv);
    return status;
}

static int start_real(const struct ct_single_job *job, struct ct_error *error, struct ct_process *ret_process)
{
    const char *launcher = job->launcher ? job->launcher : job->mpi->launcher;
    if (!launcher)
        return ct_fail(error, CT_E_SYSTEM, "no launcher of %s was found: give one with --launcher",
                       job->mpi->name);
    const struct ct_launch launch = {
        .np = job->ranks, .hostfile = job->hostfile, .ppn = job->ppn, .mpi = job->mpi->name};
    return start(job, launcher, &launch, job->command, NULL, error, ret_process);
}

/* smpirun takes -n as mpiexec does, so that it is a launcher like others, whose command begins with its own
 * options. */
static int start_on(const struct ct_single_job *job, const struct ct_platform *platform, const char *hosts,
                    struct ct_error *error, struct ct_process *ret_process)
{
    enum { OPTIONS = 4, WORDS_MAX = 16 };
    const char *command[OPTIONS + WORDS_MAX + 1] = {"-platform", platform->path, "-hostfile", hosts};
    for (size_t i = 0; i < WORDS_MAX && job->command[i]; i++)
        command[OPTIONS + i] = job->command[i];
    char *gamma = ct_format("COLLTUNE_GAMMA_FLOPS=%s", platform->gamma_flops);
    char *delta = ct_format("COLLTUNE_DELTA_FLOPS=%s", platform->delta_flops);
    char *launcher = ct_format("%s --log=root.thres:warning %s", job->mpi->launcher,
                               job->simulator_options ? job->simulator_options : "");
    int status = gamma && delta && launcher ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        const char *const environment[] = {gamma, delta, NULL};
        const struct ct_launch launch = {.np = job->ranks, .mpi = job->mpi->name};
        status = start(job, launcher, &launch, command, environment, error, ret_process);
    }
    free(gamma);
    free(delta);
    free(launcher);
    return status;
}

/* Ranks go host by host, as many on each as are asked for. */
static int write_hosts(const struct ct_single_job *job, const struct ct_platform *platform, const char *path,
                       struct ct_error *error)
{
    struct ct_text text = {0};
    size_t ppn = job->ppn ? job->ppn : 1, room;
    if (!ct_multiply(platform->host_count, ppn, &room) || job->ranks > room)
        return ct_fail(error, CT_E_INPUT, "%zu ranks are more than the %zu hosts of %s take", job->ranks,
                       platform->host_count, platform->name);
    for (size_t i = 0; i < job->ranks; i++)
        ct_text_append(&text, "%s\n", platform->hosts[i / ppn]);
    int status = text.failed ? CT_E_MEMORY : ct_file_write(path, text.data, text.length, error);
    ct_text_free(&text);
    return status;
}

static int start_simulated(const struct ct_single_job *job, struct ct_error *error,
                           struct ct_process *ret_process)
{
    struct ct_platform platform;
    if (job->hostfile)
        return ct_fail(error, CT_E_INPUT, "a hostfile has no meaning where the machine is simulated");
    if (!job->mpi->launcher)
        return ct_fail(error, CT_E_SYSTEM, "no smpirun was found: install the package libsimgrid-dev");
    int status = ct_platform_load(job->simulate, error, &platform);
    if (status != CT_OK)
        return status;
    char *hosts = ct_format("%s.hosts", job->log);
    status = hosts ? write_hosts(job, &platform, hosts, error) : CT_E_MEMORY;
    if (status == CT_OK)
        status = start_on(job, &platform, hosts, error, ret_process);
    free(hosts);
    ct_platform_free(&platform);
    return status;
}

/* --- following --- */

static off_t file_length(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 ? about.st_size : 0;
}

/* Waits for the end as long as results keep coming. */
static int follow(const struct ct_single_job *job, struct ct_process *process, struct ct_error *error,
                  int *ret_code)
{
    const struct timespec nap = {.tv_nsec = (long)(nap_seconds * 1e9)};
    off_t seen = 0;
    double quiet = 0;
    for (int ended = 0;;) {
        int status = ct_process_poll(process, &ended, ret_code);
        if (status != CT_OK)
            return ct_fail(error, status, "the %s job was lost", job->what);
        if (ended)
            return CT_OK;
        off_t length = file_length(job->results);
        quiet = length == seen ? quiet + nap_seconds : 0;
        seen = length;
        if (job->progress)
            job->progress(job->context);
        if (job->stop && *job->stop)
            status = ct_fail(error, CT_E_STOPPED, "stopped");
        else if (quiet > job->timeout)
            status = ct_fail(error, CT_E_SYSTEM, "the %s job hangs: no new result for %g s", job->what,
                             job->timeout);
        if (status != CT_OK) {
            ct_process_end(process, grace_seconds);
            return status;
        }
        nanosleep(&nap, NULL);
    }
}

/* The results without the line that ends them; where that is missing the job did not get there. */
static int take_results(const struct ct_single_job *job, int code, struct ct_error *error,
                        struct ct_text *results)
{
    static const char end[] = "\nend\n";
    char *text = NULL, *log = NULL;
    size_t length = 0, log_length = 0;
    (void)ct_file_read(job->log, NULL, &log, &log_length);
    int status = ct_file_read(job->results, NULL, &text, &length);
    if (status != CT_OK || length < sizeof end - 1 || strcmp(text + length - (sizeof end - 1), end) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "the %s job ended early (exit code %d): %.300s", job->what, code,
                         log && *log ? log : "it said nothing");
    else
        ct_text_append_bytes(results, text, length - (sizeof end - 2));
    for (char *at = error ? error->text : NULL; status != CT_OK && at && *at; at++)
        if (*at == '\n')
            *at = ' ';
    free(text);
    free(log);
    return status == CT_OK && results->failed ? CT_E_MEMORY : status;
}

int ct_single_job_run(const struct ct_single_job *job, struct ct_error *error, struct ct_text *results,
                      int *ret_code)
{
    struct ct_process process = {0};
    int status = (job->simulate ? start_simulated : start_real)(job, error, &process);
    if (status == CT_OK)
        status = follow(job, &process, error, ret_code);
    return status == CT_OK ? take_results(job, *ret_code, error, results) : status;
}
