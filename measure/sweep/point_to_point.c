/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/point_to_point.h"
#include "base/file.h"
#include "config.h"
#include "measure/backend/compile.h"
#include "measure/backend/machine.h"
#include "measure/backend/single_job.h"
#include "samples/point_samples.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double default_seconds = 0.05, default_timeout = 60;
enum { DEFAULT_REPETITIONS = 200, DEFAULT_RANKS = 2 };

/* Passes over all sizes, so that a disturbance that lasts for a while spoils only a part of each size's
 * times. */
static const char passes[] = "5";

/* Powers of 2, and from 48 on the sizes half-way between them, to locate a switch of protocols. */
static const char default_sizes[] = "0,1-4M*2,48-3M*2";

struct measuring {
    const struct ct_point_request *request;
    struct ct_place place;
    char *folder;
    char *program;
    char *results;
    char *log;
    char *sizes;
    size_t size_count;
    double seconds; /* for each kind at each size */
    double began;
};

static void free_measuring(struct measuring *measuring)
{
    if (measuring->folder)
        ct_remove_all(measuring->folder, NULL);
    ct_place_close(&measuring->place);
    free(measuring->folder);
    free(measuring->program);
    free(measuring->results);
    free(measuring->log);
    free(measuring->sizes);
}

static int compare_sizes(const void *a, const void *b)
{
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    return (left > right) - (left < right);
}

/* The list with each size once, rising. */
static int sort_sizes(struct measuring *measuring, struct ct_error *error)
{
    const char *list = measuring->request->msg_sizes ? measuring->request->msg_sizes : default_sizes;
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
    if (measuring->request->ranks == 1)
        return ct_fail(error, CT_E_INPUT, "1 rank: expected at least 2, a message's two ends");
    int status = sort_sizes(measuring, error);
    if (status == CT_OK)
        status = ct_place_open(&measuring->request->place, error, &measuring->place);
    if (status == CT_OK)
        status = ct_mpi_program(&measuring->place.mpi, "point-to-point", error, &measuring->program);
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

/* Shows the share of the time that is planned for the messages with one partner. */
static void show(void *context)
{
    const struct measuring *measuring = context;
    double all = (double)measuring->size_count * CT_POINT_MESSAGES * measuring->seconds;
    if (measuring->request->progress)
        measuring->request->progress(measuring->request->context, (now() - measuring->began) / all);
}

/* What was measured, in one line. */
static int describe(const struct measuring *measuring, size_t ranks, struct ct_error *error, char **ret_about)
{
    const struct ct_place *place = &measuring->place;
    const char *options = place->simulator_options;
    char *machine = NULL;
    if (place->backend->exact) {
        *ret_about =
            ct_format("measured by colltune %s on the simulated platform %s (%s)%s%s", CT_VERSION,
                      place->name, place->mpi.version, options ? " with " : "", options ? options : "");
        return *ret_about ? CT_OK : CT_E_MEMORY;
    }
    if (ct_machine_summary(&machine) != CT_OK)
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    *ret_about = ct_format("measured by colltune %s with %s %s on %s, %zu ranks started by %s", CT_VERSION,
                           place->mpi.name, place->mpi.version, machine, ranks, place->launcher);
    free(machine);
    return *ret_about ? CT_OK : CT_E_MEMORY;
}

static int run(struct measuring *measuring, size_t ranks, struct ct_error *error, struct ct_text *rows)
{
    const struct ct_point_request *request = measuring->request;
    size_t most = request->most_repetitions ? request->most_repetitions : DEFAULT_REPETITIONS;
    char seconds[32], repetitions[32];
    int code;
    measuring->seconds = request->seconds > 0 ? request->seconds : default_seconds;
    measuring->began = now();
    snprintf(seconds, sizeof seconds, "%g", measuring->seconds);
    snprintf(repetitions, sizeof repetitions, "%zu", most);
    const char *const command[] = {measuring->program,
                                   measuring->results,
                                   seconds,
                                   repetitions,
                                   measuring->place.backend->exact ? "1" : passes,
                                   measuring->sizes,
                                   NULL};
    const struct ct_single_job job = {.place = &measuring->place,
                                      .ranks = ranks,
                                      .command = command,
                                      .results = measuring->results,
                                      .log = measuring->log,
                                      .timeout = request->timeout > 0 ? request->timeout : default_timeout,
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
    size_t ranks = request->ranks ? request->ranks : DEFAULT_RANKS;
    int status = prepare(&measuring, error);
    if (status == CT_OK)
        status = run(&measuring, ranks, error, &rows);
    if (status == CT_OK)
        status = describe(&measuring, ranks, error, &about);
    if (status != CT_OK)
        goto done;
    heading = ct_point_samples_heading(about);
    if (heading) {
        ct_text_append(ret_file, "%s", heading);
        ct_text_append_bytes(ret_file, rows.data, rows.length);
    }
    status = !heading || ret_file->failed ? CT_E_MEMORY : CT_OK;
done:
    free(about);
    free(heading);
    ct_text_free(&rows);
    free_measuring(&measuring);
    return status;
}
