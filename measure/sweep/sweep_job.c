/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/file.h"
#include "base/memory.h"
#include "measure/backend/launcher.h"
#include "measure/sweep/sweep_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double grace_seconds = 2; /* between asking a job to end and forcing it */

double ct_sweep_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int ct_sweep_worker_open(const struct ct_sweep *sweep, size_t number, struct ct_error *error,
                         struct ct_sweep_worker *ret_worker)
{
    struct ct_sweep_worker worker = {.number = number};
    worker.job_path = ct_format("%s/%zu.job", sweep->job_folder, number);
    worker.results_path = ct_format("%s/%zu.results", sweep->job_folder, number);
    worker.state_path = ct_format("%s/%zu.state", sweep->job_folder, number);
    worker.log_path = ct_format("%s/%zu.log", sweep->job_folder, number);
    if (!worker.job_path || !worker.results_path || !worker.state_path || !worker.log_path) {
        ct_sweep_worker_close(&worker);
        return ct_fail(error, CT_E_MEMORY, "out of memory");
    }
    *ret_worker = worker;
    return CT_OK;
}

void ct_sweep_worker_say_alive(const struct ct_sweep *sweep, const struct ct_sweep_worker *worker,
                               double time)
{
    char text[32];
    int file = open(worker->alive_path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    int length = snprintf(text, sizeof text, "%-20.0f\n", time);
    if (write(file, text, (size_t)length) < 0)
        ct_sweep_notice(sweep, "%s: cannot be written: %s", worker->alive_path, strerror(errno));
    close(file);
}

void ct_sweep_worker_end(struct ct_sweep_worker *worker)
{
    if (worker->alive_path)
        unlink(worker->alive_path);
    ct_process_end(&worker->process, grace_seconds);
}

void ct_sweep_worker_close(struct ct_sweep_worker *worker)
{
    ct_sweep_worker_end(worker);
    free(worker->alive_path);
    ct_text_free(&worker->results);
    free(worker->job_path);
    free(worker->results_path);
    free(worker->state_path);
    free(worker->log_path);
    *worker = (struct ct_sweep_worker){0};
}

static bool is_left(const struct ct_sweep_cell *cell)
{
    return cell->wanted && !cell->done;
}

size_t ct_sweep_slots_left(const struct ct_sweep *sweep)
{
    size_t left = 0;
    for (size_t i = 0; i < sweep->grid.cell_count; i++) {
        const struct ct_sweep_cell *cell = &sweep->grid.cells[i];
        for (size_t m = 0; is_left(cell) && m < cell->method_count; m++)
            left += sweep->grid.slots[cell->first + m].wanted;
    }
    return left;
}

/* What is left of the batch. Simulated cells that are done but stand before others come along: in the last
 * digits times depend on what came before, and a sweep that was resumed shall give the same. */
static int fill_job(const struct ct_sweep *sweep, const struct ct_sweep_batch *batch, struct ct_job *job)
{
    const struct ct_run_description *description = &sweep->conditions.description;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < description->method_count; i++)
        status = ct_job_add_method(job, &description->methods[i]);
    bool simulated = sweep->conditions.simulated;
    size_t end = batch->first + batch->count;
    while (end > batch->first && !is_left(&sweep->grid.cells[end - 1]))
        end--;
    for (size_t i = batch->first; status == CT_OK && i < end; i++) {
        const struct ct_sweep_cell *cell = &sweep->grid.cells[i];
        bool any = false, comes = cell->wanted && (simulated || !cell->done);
        for (size_t m = 0; status == CT_OK && comes && m < cell->method_count; m++) {
            const struct ct_sweep_slot *slot = &sweep->grid.slots[cell->first + m];
            if (!slot->wanted || slot->status != CT_SAMPLE_OK ||
                sweep->failures[slot->method] >= CT_SWEEP_GIVE_UP)
                continue;
            const struct ct_job_cell added = {.id = i, .collective = cell->collective, .key = cell->key};
            if (!any)
                status = ct_job_add_cell(job, &added);
            any = true;
            if (status == CT_OK)
                status = ct_job_add_index(job, slot->method);
        }
    }
    return status;
}

static int write_job(const struct ct_sweep *sweep, const struct ct_sweep_worker *worker,
                     struct ct_error *error)
{
    const struct ct_run_description *description = &sweep->conditions.description;
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    struct ct_job job = {.results = strdup(worker->results_path),
                         .state = strdup(worker->state_path),
                         .alive = strdup(worker->alive_path),
                         .host = strdup(host[0] ? host : "-"),
                         .supervisor = (size_t)getpid(),
                         .seed = sweep->conditions.simulated ? 0 : description->seed, /* see fill_job() */
                         .size = worker->batch->size,
                         .warmup = description->warmup,
                         .sync = sweep->conditions.sync,
                         .rule = {.least = description->least_repetitions,
                                  .most = description->most_repetitions,
                                  .precision = description->precision,
                                  .most_seconds = description->most_seconds},
                         .race = sweep->conditions.race};
    struct ct_text text = {0};
    int status = job.results && job.state && job.alive && job.host ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK)
        status = fill_job(sweep, worker->batch, &job);
    job.budget = ct_pace_of_job(&sweep->pace, ct_sweep_now(), job.index_count,
                                ct_sweep_slots_left(sweep) + sweep->slots_to_come);
    if (status == CT_OK) {
        ct_job_write(&job, &text);
        status = text.failed ? CT_E_MEMORY : ct_file_write(worker->job_path, text.data, text.length, error);
    }
    ct_text_free(&text);
    ct_job_free(&job);
    return status;
}

/* Fresh files for results and state. */
static int prepare_files(struct ct_sweep_worker *worker, struct ct_error *error)
{
    const struct ct_job_state nothing = {.cell = CT_JOB_NONE, .method = CT_JOB_NONE};
    unlink(worker->log_path);
    int status = ct_file_write(worker->results_path, "", 0, error);
    if (status == CT_OK)
        status = ct_file_write(worker->state_path, (const char *)&nothing, sizeof nothing, error);
    return status;
}

static int launch(const struct ct_sweep *sweep, struct ct_sweep_worker *worker, const char *const *command,
                  const char *const *environment, struct ct_error *error)
{
    const struct ct_process_options options = {.output = worker->log_path, .environment = environment};
    struct ct_launch launch = sweep->conditions.launch;
    char **argv;
    launch.np = worker->batch->size;
    int status = ct_launcher_expand(sweep->conditions.launcher, &launch, command, error, &argv);
    if (status != CT_OK)
        return status;
    status = ct_process_start((const char *const *)argv, &options, error, &worker->process);
    ct_launcher_free(argv);
    return status;
}

static int start_real(const struct ct_sweep *sweep, struct ct_sweep_worker *worker, struct ct_error *error)
{
    const char *const command[] = {sweep->conditions.program, worker->job_path, NULL};
    return launch(sweep, worker, command, NULL, error);
}

static int start_simulated(const struct ct_sweep *sweep, struct ct_sweep_worker *worker,
                           struct ct_error *error)
{
    const struct ct_platform *platform = &sweep->conditions.platform;
    const char *const command[] = {"-platform",
                                   platform->path,
                                   "-hostfile",
                                   sweep->hosts_path,
                                   sweep->conditions.program,
                                   worker->job_path,
                                   NULL};
    char *gamma = ct_format("COLLTUNE_GAMMA_FLOPS=%s", platform->gamma_flops);
    char *delta = ct_format("COLLTUNE_DELTA_FLOPS=%s", platform->delta_flops);
    int status = gamma && delta ? CT_OK : CT_E_MEMORY;
    if (status == CT_OK) {
        const char *const environment[] = {gamma, delta, NULL};
        status = launch(sweep, worker, command, environment, error);
    }
    free(gamma);
    free(delta);
    return status;
}

/* A file for this start; ranks of the last one that are still there look for theirs. */
static int renew_alive(const struct ct_sweep *sweep, struct ct_sweep_worker *worker)
{
    if (worker->alive_path)
        unlink(worker->alive_path);
    free(worker->alive_path);
    worker->alive_path = ct_format("%s/%zu.%zu.alive", sweep->job_folder, worker->number, worker->starts++);
    if (!worker->alive_path)
        return CT_E_MEMORY;
    ct_sweep_worker_say_alive(sweep, worker, 0);
    return CT_OK;
}

int ct_sweep_worker_start(const struct ct_sweep *sweep, struct ct_sweep_worker *worker,
                          struct ct_error *error)
{
    int status = renew_alive(sweep, worker);
    if (status == CT_OK)
        status = write_job(sweep, worker, error);
    if (status == CT_OK)
        status = prepare_files(worker, error);
    if (status != CT_OK)
        return status;
    ct_text_free(&worker->results);
    worker->offset = 0;
    worker->beat = 0;
    worker->start_time = ct_sweep_now();
    worker->silence = 0;
    worker->started = false;
    worker->ended = false;
    return (sweep->conditions.simulated ? start_simulated : start_real)(sweep, worker, error);
}

char *ct_sweep_worker_words(const struct ct_sweep_worker *worker)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    char *text;
    const char *words = NULL;
    size_t length;
    if (ct_file_read(worker->log_path, NULL, &text, &length) != CT_OK)
        return strdup("");
    char *rest = text;
    for (const char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
        bool ours = strncmp(line, "colltune benchmark:", 19) == 0;
        if (ours || (!words && strpbrk(line, letters)))
            words = line;
        if (ours)
            break;
    }
    char *copy = strndup(words ? words : "", 300);
    free(text);
    return copy;
}
