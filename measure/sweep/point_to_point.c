/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/point_to_point.h"
#include "base/file.h"
#include "config.h"
#include "measure/backend/machine.h"
#include "measure/backend/single_job.h"
#include "samples/point_samples.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double usual_seconds = 0.05, usual_timeout = 60;
enum { USUAL_REPETITIONS = 200, USUAL_RANKS = 2 };

/* All sizes are gone through so often, so that what disturbs for a while disturbs no size in all its times.
 */
static const char passes[] = "5";

/* Powers of 2, and from 48 on the sizes half-way between them: a switch of protocol is told to one of these.
 */
static const char usual_sizes[] = "0,1-4M*2,48-3M*2";

struct measuring {
    const struct ct_point_request *request;
    struct ct_mpi mpi;
    char *folder;
    char *program;
    char *results;
    char *log;
    char *sizes;
    size_t size_count;
    double seconds; /* for a kind at a size */
    double began;
};

static void free_measuring(struct measuring *measuring)
{
    if (measuring->folder)
        ct_remove_all(measuring->folder, NULL);
    ct_mpi_free(&measuring->mpi);
    free(measuring->folder);
    free(measuring->program);
    free(measuring->results);
    free(measuring->log);
    free(measuring->sizes);
}

static int check_request(const struct ct_point_request *request, struct ct_error *error)
{
    if (request->simulate && request->launcher)
        return ct_fail(error, CT_E_INPUT, "a launcher has no meaning where the machine is simulated");
    if (request->simulate && request->mpi && strcmp(request->mpi, "smpi") != 0)
        return ct_fail(error, CT_E_INPUT, "the simulator runs smpi, not %s", request->mpi);
    if (!request->simulate && request->simulator_options)
        return ct_fail(error, CT_E_INPUT,
                       "options of the simulator have no meaning where the machine is real");
    if (request->ranks == 1)
        return ct_fail(error, CT_E_INPUT, "1 rank: expected at least 2, a message's two ends");
    return CT_OK;
}

static int compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

/* The list with each size once, rising. */
static int sort_sizes(struct measuring *measuring, struct ct_error *error)
{
    const char *list = measuring->request->msg_sizes ? measuring->request->msg_sizes : usual_sizes;
    struct ct_text text = {0};
    size_t *sizes, count;
    int status = ct_list_parse(list, error, &sizes, &count);
    if (status != CT_OK)
        return status;
    qsort(sizes, count, sizeof *sizes, compare_sizes);
    for (size_t i = 0; i < count; i++)
        ct_text_append(&text, "%s%zu", i ? "," : "", sizes[i]);
    if (sizes[count - 1] > INT_MAX)
        status =
            ct_fail(error, CT_E_INPUT, "message size %zu: expected at most %d", sizes[count - 1], INT_MAX);
    else if (count < 2)
        status = ct_fail(error, CT_E_INPUT, "message sizes '%s': expected at least two", list);
    free(sizes);
    if (status != CT_OK || text.failed) {
        ct_text_free(&text);
        return status != CT_OK ? status : CT_E_MEMORY;
    }
    measuring->sizes = text.data;
    measuring->size_count = count;
    return CT_OK;
}

static int prepare(struct measuring *measuring, struct ct_error *error)
{
    const struct ct_point_request *request = measuring->request;
    int status = check_request(request, error);
    if (status == CT_OK)
        status = sort_sizes(measuring, error);
    if (status == CT_OK)
        status = ct_mpi_find(request->simulate ? "smpi" : request->mpi, request->cc, error, &measuring->mpi);
    if (status == CT_OK)
        status = ct_mpi_program(&measuring->mpi, "point-to-point", error, &measuring->program);
    if (status == CT_OK)
        status = ct_folder_temporary(error, &measuring->folder);
    if (status != CT_OK)
        return status;
    measuring->results = ct_format("%s/rows.csv", measuring->folder);
    measuring->log = ct_format("%s/log", measuring->folder);
    return measuring->results && measuring->log ? CT_OK : CT_E_MEMORY;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The share of the time that the messages with one partner are to take. */
static void show(void *context)
{
    const struct measuring *measuring = context;
    double all = (double)measuring->size_count * CT_POINT_MESSAGES * measuring->seconds;
    if (measuring->request->progress)
        measuring->request->progress(measuring->request->context, (now() - measuring->began) / all);
}

static const char *property(const struct ct_run_description *description, const char *name)
{
    const char *value = ct_run_property(description, name);
    return value ? value : "unknown";
}

/* What the numbers are of, in one line. */
static int describe(const struct measuring *measuring, size_t ranks, struct ct_error *error, char **ret_about)
{
    const struct ct_point_request *request = measuring->request;
    struct ct_run_description machine = {0};
    int status = ct_machine_describe(&machine);
    char *about;
    if (status != CT_OK)
        return ct_fail(error, status, "out of memory");
    if (request->simulate)
        about =
            ct_format("measured by colltune %s on the simulated platform %s (%s)%s%s", CT_VERSION,
                      request->simulate, measuring->mpi.version, request->simulator_options ? " with " : "",
                      request->simulator_options ? request->simulator_options : "");
    else
        about = ct_format("measured by colltune %s with %s %s on %s, %s cores, %zu ranks started by %s",
                          CT_VERSION, measuring->mpi.name, measuring->mpi.version,
                          property(&machine, "machine.cpu"), property(&machine, "machine.cores"), ranks,
                          request->launcher ? request->launcher : measuring->mpi.launcher);
    ct_run_description_free(&machine);
    *ret_about = about;
    return about ? CT_OK : CT_E_MEMORY;
}

static int run(struct measuring *measuring, size_t ranks, struct ct_error *error, struct ct_text *rows)
{
    const struct ct_point_request *request = measuring->request;
    size_t most = request->most_repetitions ? request->most_repetitions : USUAL_REPETITIONS;
    char seconds[32], repetitions[32];
    int code;
    measuring->seconds = request->seconds > 0 ? request->seconds : usual_seconds;
    measuring->began = now();
    snprintf(seconds, sizeof seconds, "%g", measuring->seconds);
    snprintf(repetitions, sizeof repetitions, "%zu", most);
    const char *const command[] = {measuring->program,
                                   measuring->results,
                                   seconds,
                                   repetitions,
                                   request->simulate ? "1" : passes,
                                   measuring->sizes,
                                   NULL};
    const struct ct_single_job job = {.mpi = &measuring->mpi,
                                      .launcher = request->launcher,
                                      .simulate = request->simulate,
                                      .simulator_options = request->simulator_options,
                                      .ranks = ranks,
                                      .command = command,
                                      .results = measuring->results,
                                      .log = measuring->log,
                                      .timeout = request->timeout > 0 ? request->timeout : usual_timeout,
                                      .what = "point-to-point",
                                      .stop = request->stop,
                                      .progress = show,
                                      .context = measuring};
    return ct_single_job_run(&job, error, rows, &code);
}

int ct_point_measure(const struct ct_point_request *request, struct ct_error *error, struct ct_text *ret_file)
{
    struct measuring measuring = {.request = request};
    struct ct_text rows = {0};
    char *about = NULL, *heading = NULL;
    size_t ranks = request->ranks ? request->ranks : USUAL_RANKS;
    int status = prepare(&measuring, error);
    if (status == CT_OK)
        status = run(&measuring, ranks, error, &rows);
    if (status == CT_OK)
        status = describe(&measuring, ranks, error, &about);
    if (status == CT_OK && !(heading = ct_point_samples_heading(about)))
        status = CT_E_MEMORY;
    if (status == CT_OK) {
        ct_text_append(ret_file, "%s", heading);
        ct_text_append_bytes(ret_file, rows.data, rows.length);
        status = ret_file->failed ? CT_E_MEMORY : CT_OK;
    }
    free(about);
    free(heading);
    ct_text_free(&rows);
    free_measuring(&measuring);
    return status;
}
