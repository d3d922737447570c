/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "measure/backend/machine.h"
#include "measure/sweep/sweep_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double start_seconds = 120; /* that a job may take to come up, at least */
static const double pause_seconds = 10;  /* we ourselves were stopped, if we lost so many */
static const double look_seconds = 0.1;  /* at most, that pass between two looks at a job on a free machine */
enum { BLANKS_MAX = 2, POLL_MILLISECONDS = 10 };

static bool is_culprit(const struct ct_sweep *sweep, const struct ct_job_state *state,
                       struct ct_sweep_slot **ret_slot)
{
    if (state->cell >= sweep->grid.cell_count || sweep->grid.cells[state->cell].done)
        return false;
    const struct ct_sweep_cell *cell = &sweep->grid.cells[state->cell];
    for (size_t m = 0; m < cell->method_count; m++) {
        struct ct_sweep_slot *slot = &sweep->grid.slots[cell->first + m];
        if (slot->method == state->method && slot->status == CT_SAMPLE_OK) {
            *ret_slot = slot;
            return true;
        }
    }
    return false;
}

/* Opened each time: a network file system may look at the other host's file only then. What cannot be read
 * names no method. */
static struct ct_job_state read_state(const struct ct_sweep_worker *worker)
{
    const struct ct_job_state nothing = {.cell = CT_JOB_NONE, .method = CT_JOB_NONE};
    struct ct_job_state state;
    int file = open(worker->state_path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : pread(file, &state, sizeof state, 0);
    if (file >= 0)
        close(file);
    return length == (ssize_t)sizeof state ? state : nothing;
}

/* Notes which method ended the job, or made it stand still; `state` says where it was. Nobody to blame, twice
 * in a row: an error. */
static int blame(struct ct_sweep *sweep, struct ct_sweep_worker *worker, const struct ct_job_state *state,
                 enum ct_sample_status how, struct ct_error *error)
{
    struct ct_sweep_slot *slot;
    char spelling[CT_METHOD_TEXT];
    char *words = ct_sweep_worker_words(worker);
    int status = CT_OK;
    if (worker->started && is_culprit(sweep, state, &slot)) {
        const struct ct_sweep_cell *cell = &sweep->grid.cells[state->cell];
        slot->status = how;
        sweep->failures[slot->method]++;
        worker->blanks = 0;
        ct_method_format(&sweep->conditions.description.methods[slot->method], true, spelling);
        ct_sweep_notice(sweep, "%s %s with %zu ranks and %zu bytes; the sweep goes on without it there%s",
                        spelling, how == CT_SAMPLE_HUNG ? "did not come back" : "ended the job",
                        cell->key.comm_size, cell->key.msg_bytes,
                        sweep->failures[slot->method] == CT_SWEEP_GIVE_UP
                            ? ", and nowhere else any more: it has failed in three cells"
                            : "");
    } else if (!worker->started || ++worker->blanks >= BLANKS_MAX) {
        status = ct_fail(error, CT_E_SYSTEM, "the benchmark job %s%s%s",
                         how == CT_SAMPLE_HUNG ? "gives no sign of life"
                         : worker->started     ? "ended early"
                                               : "did not start",
                         words && *words ? ": " : "", words ? words : "");
    }
    free(words);
    return status;
}

/* --- batches --- */

/* Closes cells that have no method left to try; is any cell of the batch still to be done? */
static int look_over(struct ct_sweep *sweep, const struct ct_sweep_batch *batch, struct ct_error *error,
                     bool *ret_left)
{
    bool left = false;
    for (size_t i = batch->first; i < batch->first + batch->count; i++) {
        struct ct_sweep_cell *cell = &sweep->grid.cells[i];
        size_t usable = 0;
        if (!cell->wanted)
            continue;
        for (size_t m = 0; m < cell->method_count; m++) {
            const struct ct_sweep_slot *slot = &sweep->grid.slots[cell->first + m];
            usable += slot->wanted && slot->status == CT_SAMPLE_OK &&
                      sweep->failures[slot->method] < CT_SWEEP_GIVE_UP;
        }
        if (!cell->done && usable == 0 && sweep->run_exists) {
            int status = ct_sweep_close_exhausted(sweep, cell, error);
            if (status != CT_OK)
                return status;
        }
        left |= !cell->done;
    }
    *ret_left = left;
    return CT_OK;
}

/* The worker goes on with its batch, or takes the next, or comes to rest. */
static int next_job(struct ct_sweep *sweep, struct ct_sweep_worker *worker, size_t *next_batch,
                    struct ct_error *error)
{
    for (;;) {
        bool left = false;
        int status = worker->batch ? look_over(sweep, worker->batch, error, &left) : CT_OK;
        if (status != CT_OK)
            return status;
        sweep->over |= left && ct_pace_left(&sweep->pace, ct_sweep_now()) <= 0;
        if (left && !sweep->over)
            return ct_sweep_worker_start(sweep, worker, error);
        worker->batch = NULL;
        if (sweep->over || *next_batch == sweep->grid.batch_count)
            return CT_OK;
        worker->batch = &sweep->grid.batches[(*next_batch)++];
    }
}

/* Looks after a running job. `lost` seconds went by without us: on a busy machine, where we did not get on,
 * the job did not either, and only what we could have seen counts as its silence. */
static int follow(struct ct_sweep *sweep, struct ct_sweep_worker *worker, double lost, size_t *next_batch,
                  struct ct_error *error)
{
    int ended = 0, code = 0;
    bool was_started = worker->started;
    int status = ct_process_poll(&worker->process, &ended, &code);
    if (status != CT_OK)
        return ct_fail(error, status, "the benchmark job was lost");
    status = ct_sweep_take_results(sweep, worker, error);
    if (status != CT_OK)
        return status;
    if (worker->started && !was_started)
        sweep->pace.startup = ct_sweep_now() - worker->start_time;
    const struct ct_job_state state = read_state(worker);
    worker->silence = state.beat == worker->beat ? worker->silence + fmin(lost, look_seconds) : 0;
    worker->beat = state.beat;
    if (ended) {
        bool left;
        status = look_over(sweep, worker->batch, error, &left);
        /* Ranks end by themselves when we were stopped for long: nobody's fault. */
        if (status == CT_OK && left && lost <= pause_seconds)
            status = blame(sweep, worker, &state, CT_SAMPLE_CRASHED, error);
        return status == CT_OK ? next_job(sweep, worker, next_batch, error) : status;
    }
    double patience = sweep->conditions.timeout;
    if (!worker->started && patience < start_seconds)
        patience = start_seconds;
    if (worker->silence <= patience)
        return CT_OK;
    ct_sweep_worker_end(worker);
    status = ct_sweep_take_results(sweep, worker, error);
    if (status == CT_OK)
        status = blame(sweep, worker, &state, CT_SAMPLE_HUNG, error);
    return status == CT_OK ? next_job(sweep, worker, next_batch, error) : status;
}

static void show_progress(const struct ct_sweep *sweep)
{
    if (!sweep->watch->progress)
        return;
    char note[64];
    double done = sweep->weight_done / sweep->weight_all;
    snprintf(note, sizeof note, "%zu of %zu cells", sweep->summary.cells, sweep->grid.cell_count);
    if (sweep->conditions.guided && sweep->pace.budget > 0)
        done = 1 - ct_pace_left(&sweep->pace, ct_sweep_now()) / sweep->pace.budget;
    sweep->watch->progress(sweep->watch->context, done, note);
}

static int run_workers(struct ct_sweep *sweep, struct ct_sweep_worker *workers, size_t count,
                       struct ct_error *error)
{
    const struct timespec nap = {.tv_nsec = POLL_MILLISECONDS * 1000000L};
    size_t next_batch = 0;
    double last = ct_sweep_now(), alive = last;
    int status = CT_OK;
    for (size_t i = 0; status == CT_OK && i < count; i++)
        status = next_job(sweep, &workers[i], &next_batch, error);
    while (status == CT_OK) {
        double time = ct_sweep_now();
        bool busy = false;
        for (size_t i = 0; status == CT_OK && i < count; i++) {
            if (workers[i].process.id > 0)
                status = follow(sweep, &workers[i], time - last, &next_batch, error);
            busy |= workers[i].batch != NULL;
        }
        last = time;
        for (size_t i = 0; i < count && time - alive >= 1; i++)
            if (workers[i].process.id > 0)
                ct_sweep_worker_say_alive(sweep, &workers[i], time);
        alive = time - alive >= 1 ? time : alive;
        show_progress(sweep);
        sweep->over |= busy && ct_pace_is_over(&sweep->pace, time);
        if (status != CT_OK || !busy || sweep->over)
            break;
        if (sweep->watch->stop && *sweep->watch->stop)
            return ct_fail(error, CT_E_STOPPED, "stopped; %s%s",
                           sweep->run_exists ? "go on with --resume -o " : "nothing was measured yet",
                           sweep->run_exists ? sweep->folder : "");
        nanosleep(&nap, NULL);
    }
    return status;
}

/* Of what is done or wanted, for progress. */
static void weigh(struct ct_sweep *sweep)
{
    sweep->weight_all = 0;
    for (size_t i = 0; i < sweep->grid.cell_count; i++)
        if (sweep->grid.cells[i].done || sweep->grid.cells[i].wanted)
            sweep->weight_all += ct_sweep_cell_weight(sweep, &sweep->grid.cells[i]);
}

/* All at once, or round after round. */
static int run_rounds(struct ct_sweep *sweep, struct ct_sweep_worker *workers, size_t count,
                      struct ct_error *error)
{
    bool any = true;
    int status = CT_OK;
    while (status == CT_OK && any && !sweep->over) {
        if (sweep->conditions.guided)
            status = ct_sweep_guide(sweep, error, &any);
        if (status == CT_OK && any) {
            weigh(sweep);
            status = run_workers(sweep, workers, count, error);
        }
        any = any && sweep->conditions.guided;
    }
    return status;
}

/* Jobs at a time: measuring wants the machine to itself, simulating wants all of it. */
int ct_sweep_run_jobs(struct ct_sweep *sweep, struct ct_error *error)
{
    size_t count = sweep->conditions.simulated ? ct_usable_cpus() : 1, opened = 0;
    struct ct_sweep_worker *workers = ct_allocate(count, sizeof *workers);
    int status = workers ? CT_OK : CT_E_MEMORY;
    for (; status == CT_OK && opened < count; opened += status == CT_OK)
        status = ct_sweep_worker_open(sweep, opened, error, &workers[opened]);
    if (status == CT_OK)
        status = run_rounds(sweep, workers, count, error);
    for (size_t i = 0; i < opened; i++)
        ct_sweep_worker_close(&workers[i]);
    free(workers);
    return status;
}
