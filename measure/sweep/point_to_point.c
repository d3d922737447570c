/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/point_to_point.h"
#include "base/file.h"
#include "base/process.h"
#include "base/sort.h"
#include "config.h"
#include "measure/backend/asked_channel.h"
#include "measure/backend/kept.h"
#include "measure/backend/machine.h"
#include "measure/backend/single_job.h"
#include "samples/point_samples.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double default_seconds = 0.05, default_timeout = 60;
enum { DEFAULT_REPETITIONS = 200, DEFAULT_RANKS = 2 };

/* Passes over all sizes. A disturbance that lasts for a while then spoils only a part of each size's times.
 */
static const char passes[] = "5";

/* Powers of 2, and from 48 on the sizes half-way between them, to locate a switch of protocols. */
static const char default_sizes[] = "0,1-4M*2,48-3M*2";

/* The request's sizes as a list, rising. Appends to `text`. */
static int sort_sizes(const struct ct_point_request *request, struct ct_error *error, struct ct_text *text,
                      size_t *ret_count)
{
    const char *list = request->msg_sizes ? request->msg_sizes : default_sizes;
    size_t *sizes, count;
    int status = ct_list_parse(list, error, &sizes, &count);
    if (status != CT_OK)
        return status;
    count = ct_sort_unique(sizes, count);
    for (size_t i = 0; i < count; i++)
        ct_text_append(text, "%s%zu", i ? "," : "", sizes[i]);
    size_t most = sizes[count - 1];
    free(sizes);
    if (most > INT_MAX)
        return ct_fail(error, CT_E_INPUT, "message size %zu: expected at most %d", most, INT_MAX);
    if (count < 2)
        return ct_fail(error, CT_E_INPUT, "message sizes '%s': expected at least two", list);
    *ret_count = count;
    return text->failed ? CT_E_MEMORY : CT_OK;
}

struct progress {
    const struct ct_point_request *request;
    double began;
    size_t sizes;
    double planned; /* seconds for the messages with one partner */
};

static void show(void *context)
{
    const struct progress *progress = context;
    double share = (ct_monotonic_now() - progress->began) / progress->planned;
    ct_watch_progress(progress->request->watch,
                      &(struct ct_progress){.what = "measuring",
                                            .units = "sizes",
                                            .done = (size_t)((double)progress->sizes * fmin(share, 1)),
                                            .total = progress->sizes,
                                            .share = share});
}

/* Describes in one line where the samples come from; NULL: out of memory. */
static char *describe(const struct ct_place *place, size_t ranks)
{
    const char *options = place->simulator_options;
    char *machine = NULL, *about = NULL;
    if (place->backend->exact)
        return ct_format("measured by colltune %s on the simulated platform %s (%s)%s%s", CT_VERSION,
                         place->name, place->mpi.version, options ? " with " : "", options ? options : "");
    if (ct_machine_summary(&machine) == CT_OK)
        about = ct_format("measured by colltune %s with %s %s on %s, %zu ranks started by %s", CT_VERSION,
                          place->mpi.name, place->mpi.version, machine, ranks, place->launcher);
    free(machine);
    return about;
}

int ct_point_measure(const struct ct_point_request *request, struct ct_error *error, struct ct_text *ret_file)
{
    double per_size = request->seconds > 0 ? request->seconds : default_seconds;
    size_t most = request->most_repetitions ? request->most_repetitions : DEFAULT_REPETITIONS, count = 0;
    struct ct_single_job job = {0};
    struct ct_text rows = {0}, sizes = {0};
    char *program = NULL, *about = NULL, *heading = NULL, seconds[32], repetitions[32];
    enum ct_node_channel channel;
    int code, status = ct_asked_channel(error, &channel);
    if (status != CT_OK)
        return status;
    if (request->ranks == 1)
        return ct_fail(error, CT_E_INPUT, "1 rank: expected at least 2, a message's two ends");
    if ((status = sort_sizes(request, error, &sizes, &count)) != CT_OK ||
        (status = ct_single_job_open(&request->place, error, &job)) != CT_OK ||
        (status = ct_mpi_keep(&job.place.mpi, CT_PROGRAM, "point-to-point", NULL, request->watch, error,
                              &program)) != CT_OK)
        goto done;
    struct progress progress = {request, ct_monotonic_now(), count,
                                (double)count * CT_POINT_MESSAGES * per_size};
    job.what = "point-to-point";
    job.ranks = request->ranks ? request->ranks : DEFAULT_RANKS;
    job.timeout = request->timeout > 0 ? request->timeout : default_timeout;
    job.stop = ct_watch_flag(request->watch);
    job.progress = show;
    job.context = &progress;
    snprintf(seconds, sizeof seconds, "%g", per_size);
    snprintf(repetitions, sizeof repetitions, "%zu", most);
    const char *const arguments[] = {seconds,
                                     repetitions,
                                     job.place.backend->exact ? "1" : passes,
                                     sizes.data,
                                     ct_node_channel_names[channel],
                                     NULL};
    if ((status = ct_single_job_run(&job, program, arguments, error, &rows, &code)) != CT_OK)
        goto done;
    about = describe(&job.place, job.ranks);
    heading = about ? ct_point_samples_heading(about) : NULL;
    if (heading) {
        ct_text_append(ret_file, "%s", heading);
        ct_text_append_bytes(ret_file, rows.data, rows.length);
    }
    status = !heading || ret_file->failed ? CT_E_MEMORY : CT_OK;
done:
    free(program);
    free(about);
    free(heading);
    ct_text_free(&rows);
    ct_text_free(&sizes);
    ct_single_job_close(&job);
    return status;
}
