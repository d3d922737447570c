/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep.h"
#include "base/file.h"
#include "base/memory.h"
#include "measure/backend/kept.h"
#include "measure/pace.h"
#include "measure/sweep/conditions_where.h"
#include "measure/sweep/sweep_again.h"
#include "measure/sweep/sweep_alone.h"
#include "measure/sweep/sweep_conditions.h"
#include "measure/sweep/sweep_guide.h"
#include "measure/sweep/sweep_worker.h"
#include "samples/element.h"
#include "samples/run_folder.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum { POLL_MILLISECONDS = 10 };

struct sweep {
    struct ct_sweep_conditions conditions;
    struct ct_sweep_grid grid;
    struct ct_sweep_journal journal;
    bool again;          /* only the points of a validation are measured */
    struct ct_run prior; /* guided; without samples if there is no prior */
    const struct ct_watch *watch;
    char *job_folder; /* next to the run, locked */
    int lock_file;
    struct ct_sweep_worker *workers;
    size_t worker_count;
    struct ct_pace pace;
    bool over;           /* the budget is used up */
    size_t to_come;      /* guided: slots that later rounds will want, approximately */
    double weight_all;   /* work of all cells that are done or wanted, for progress */
    size_t cells;        /* that were measured, */
    size_t cells_wanted; /* and of how many */
    bool *is_begun;      /* by batch */
    bool is_alone;       /* no job runs beside another */
};

/* --- running --- */

/* Nodes that a job needs for itself; 0 if jobs do not run side by side. */
static size_t nodes_of(const struct sweep *sweep, const struct ct_sweep_batch *batch)
{
    return sweep->is_alone ? sweep->conditions.nodes.count
                           : ct_sweep_conditions_nodes(&sweep->conditions, batch->size);
}

/* The worker's number as an owner of nodes. */
static size_t owner_of(const struct sweep *sweep, const struct ct_sweep_worker *worker)
{
    return (size_t)(worker - sweep->workers) + 1;
}

/* Gives the worker the first batch that none has begun and for which there are nodes; none where there is no
 * such batch. */
static int begin_batch(struct sweep *sweep, struct ct_sweep_worker *worker, struct ct_error *error)
{
    struct ct_node_pool *pool = &sweep->conditions.nodes;
    const size_t owner = owner_of(sweep, worker);
    for (size_t i = 0; i < sweep->grid.batch_count; i++) {
        const struct ct_sweep_batch *batch = &sweep->grid.batches[i];
        const size_t nodes = nodes_of(sweep, batch);
        if (sweep->is_begun[i] || (nodes > 0 && !ct_node_pool_take(pool, owner, nodes)))
            continue;
        sweep->is_begun[i] = true;
        worker->batch = batch;
        return nodes > 0 ? ct_node_pool_write(pool, owner, worker->hosts, error) : CT_OK;
    }
    return CT_OK;
}

/* Measurements of methods that a batch has left, times the nodes that it needs. */
static size_t work_left(const struct sweep *sweep, const struct ct_sweep_batch *batch)
{
    const size_t nodes = nodes_of(sweep, batch);
    return ct_sweep_grid_slots_left(&sweep->grid, batch->first, batch->count) * (nodes > 0 ? nodes : 1);
}

/* Seconds for a job of the batch: its share of what is left on all nodes. Work to come is taken to need as
 * many nodes as today's. */
static double seconds_for(const struct sweep *sweep, const struct ct_sweep_batch *batch, double now)
{
    const struct ct_sweep_grid *grid = &sweep->grid;
    const size_t nodes = sweep->conditions.nodes.count > 0 ? sweep->conditions.nodes.count : 1;
    const size_t slots = ct_sweep_grid_slots_left(grid, batch->first, batch->count);
    const size_t all_slots = ct_sweep_grid_slots_left(grid, 0, grid->cell_count);
    double all = 0;
    for (size_t i = 0; i < grid->batch_count; i++)
        all += (double)work_left(sweep, &grid->batches[i]);
    if (all_slots > 0)
        all *= 1 + (double)sweep->to_come / (double)all_slots;
    return ct_pace_of_job(&sweep->pace, now, slots * nodes, (size_t)all);
}

/* Starts a job that continues the worker's batch, or another batch; none where no work is left for it now. */
static int next_job(struct sweep *sweep, struct ct_sweep_worker *worker, struct ct_error *error)
{
    for (;;) {
        const struct ct_sweep_batch *batch = worker->batch;
        bool left = batch && ct_sweep_grid_slots_left(&sweep->grid, batch->first, batch->count) > 0;
        int status =
            batch && !left ? ct_sweep_journal_close_exhausted(&sweep->journal, batch, error, &left) : CT_OK;
        if (status != CT_OK)
            return status;
        double now = ct_monotonic_now();
        sweep->over |= left && ct_pace_left(&sweep->pace, now) <= 0;
        if (left && !sweep->over)
            return ct_sweep_worker_start(worker, seconds_for(sweep, worker->batch, now), error);
        ct_node_pool_give_back(&sweep->conditions.nodes, owner_of(sweep, worker));
        worker->batch = NULL;
        if (sweep->over || (status = begin_batch(sweep, worker, error)) != CT_OK || !worker->batch)
            return status;
    }
}

static void show_progress(const struct sweep *sweep, double now)
{
    const struct ct_sweep_grid *grid = &sweep->grid;
    struct ct_progress progress = {.what = "measuring",
                                   .units = "cells",
                                   .done = grid->cells_done,
                                   .total = grid->cell_count,
                                   .share = grid->weight_done / sweep->weight_all};
    if (sweep->conditions.description.sweep.guided || sweep->again) {
        progress.total = 0; /* later rounds are not known yet */
        if (sweep->pace.budget > 0)
            progress.share = 1 - ct_pace_left(&sweep->pace, now) / sweep->pace.budget;
    }
    ct_watch_progress(sweep->watch, &progress);
}

/* One look at all workers; `lost` seconds after the last. *ret_busy: has any a batch? */
static int look(struct sweep *sweep, double lost, struct ct_error *error, bool *ret_busy)
{
    *ret_busy = false;
    for (size_t i = 0; i < sweep->worker_count; i++) {
        struct ct_sweep_worker *worker = &sweep->workers[i];
        bool ended = true; /* one without a job may find nodes now */
        int status = CT_OK;
        if (worker->job.process.id > 0)
            status = ct_sweep_worker_follow(worker, lost, error, &ended);
        if (worker->startup > 0)
            sweep->pace.startup = worker->startup;
        if (status == CT_OK && ended)
            status = next_job(sweep, worker, error);
        if (status != CT_OK)
            return status;
        *ret_busy |= worker->batch != NULL;
    }
    return CT_OK;
}

static int stopped(const struct sweep *sweep, struct ct_error *error)
{
    return ct_fail(error, CT_E_STOPPED, "stopped; %s%s",
                   sweep->journal.begun ? "continue with --resume -o " : "nothing was measured yet",
                   sweep->journal.begun ? sweep->journal.folder : "");
}

/* Follows jobs until all wanted cells are measured, or the budget is used up. */
static int follow_jobs(struct sweep *sweep, struct ct_error *error)
{
    const struct timespec nap = {.tv_nsec = POLL_MILLISECONDS * 1000000L};
    double last = ct_monotonic_now(), alive = last;
    sweep->weight_all = 0;
    for (size_t i = 0; i < sweep->grid.cell_count; i++)
        if (sweep->grid.cells[i].done || sweep->grid.cells[i].wanted)
            sweep->weight_all += ct_sweep_cell_weight(&sweep->grid, &sweep->grid.cells[i]);
    for (;;) {
        double now = ct_monotonic_now();
        bool busy;
        int status = look(sweep, now - last, error, &busy);
        if (status != CT_OK)
            return status;
        last = now;
        if (now - alive >= 1) {
            for (size_t i = 0; i < sweep->worker_count; i++)
                if (sweep->workers[i].job.process.id > 0)
                    ct_sweep_worker_say_alive(&sweep->workers[i], now);
            alive = now;
        }
        show_progress(sweep, now);
        sweep->over |= busy && ct_pace_is_over(&sweep->pace, now);
        if (!busy || sweep->over)
            return CT_OK;
        if (ct_watch_is_stopped(sweep->watch))
            return stopped(sweep, error);
        nanosleep(&nap, NULL);
    }
}

/* Measures all wanted cells, or until the budget is used up. */
static int run_jobs(struct sweep *sweep, struct ct_error *error)
{
    sweep->is_begun = ct_allocate(sweep->grid.batch_count, sizeof *sweep->is_begun);
    if (!sweep->is_begun)
        return CT_E_MEMORY;
    int status = follow_jobs(sweep, error);
    free(sweep->is_begun);
    sweep->is_begun = NULL;
    return status;
}

static int open_workers(struct sweep *sweep)
{
    const size_t nodes = sweep->conditions.nodes.count;
    const size_t count = nodes > 0 ? nodes : ct_place_jobs(&sweep->conditions.place);
    sweep->workers = ct_allocate(count, sizeof *sweep->workers);
    if (!sweep->workers)
        return CT_E_MEMORY;
    for (; sweep->worker_count < count; sweep->worker_count++)
        if (ct_sweep_worker_open(&sweep->journal, sweep->job_folder, sweep->worker_count,
                                 &sweep->workers[sweep->worker_count]) != CT_OK)
            return CT_E_MEMORY;
    return CT_OK;
}

/* Measures all cells that are not done; in a guided sweep round by round. */
static int measure(struct sweep *sweep, struct ct_error *error)
{
    const struct ct_run_description *description = &sweep->conditions.description;
    if (!description->sweep.guided || sweep->again)
        return run_jobs(sweep, error);
    while (!sweep->over) {
        bool any;
        int status =
            ct_sweep_guide(description, sweep->journal.begun ? sweep->journal.folder : NULL, &sweep->prior,
                           ct_watch_flag(sweep->watch), &sweep->grid, error, &any, &sweep->to_come);
        if (status == CT_E_STOPPED)
            return stopped(sweep, error);
        if (status != CT_OK || !any)
            return status;
        status = run_jobs(sweep, error);
        if (status != CT_OK)
            return status;
    }
    return CT_OK;
}

/* Measures some cells once more, in a launch of their own and each job alone, and says how their times
 * differ. The launch counts as one of measuring again, before which no validation was. */
static int check_alone(struct sweep *sweep, struct ct_error *error)
{
    struct ct_run_description *description = &sweep->conditions.description;
    struct ct_run_description single = *description;
    struct ct_sweep_grid grid = {0};
    struct ct_sweep_interference found;
    const uint32_t launch = ct_sweep_again_launch(description) + 1;
    single.launches = 1;
    const struct ct_sweep_division division = ct_sweep_conditions_division(&sweep->conditions);
    int status = ct_sweep_grid_make(&single, &division, error, &grid);
    if (status != CT_OK)
        return status;
    size_t chosen = ct_sweep_alone_choose(&sweep->conditions, &sweep->grid, launch, &grid);
    ct_sweep_grid_free(chosen > 0 ? &sweep->grid : &grid);
    if (chosen == 0)
        return CT_OK;
    sweep->grid = grid;
    description->sweep.again += 2;
    sweep->is_alone = true;
    if ((status = ct_run_set_sweep(sweep->journal.folder, &description->sweep, error)) != CT_OK ||
        (status = run_jobs(sweep, error)) != CT_OK ||
        (status = ct_sweep_alone_compare(sweep->journal.folder, launch, error, &found)) != CT_OK)
        return status;
    ct_watch_notice(sweep->watch,
                    "of %zu cells each job ran alone, too: side by side %zu methods took %.2f times as long "
                    "(median; from %.2f to %.2f for four of five)",
                    grid.cells_done, found.methods, found.median, found.low, found.high);
    return CT_OK;
}

/* The whole of a sweep: its cells, and where jobs run side by side some of them alone, for which a part of
 * the budget is kept. */
static int measure_all(struct sweep *sweep, struct ct_error *error)
{
    const double part_alone = 0.1, budget = sweep->pace.budget;
    const bool is_checked = sweep->conditions.nodes.count > 0 && !sweep->again;
    int status = open_workers(sweep);
    if (is_checked)
        sweep->pace.budget *= 1 - part_alone;
    if (status == CT_OK)
        status = measure(sweep, error);
    sweep->cells = sweep->grid.cells_done;
    sweep->cells_wanted = sweep->grid.cell_count;
    if (status != CT_OK || !is_checked || !sweep->journal.begun)
        return status;
    const bool was_over = sweep->over;
    sweep->pace.budget = budget;
    sweep->over = false;
    status = check_alone(sweep, error);
    sweep->over = was_over;
    return status;
}

/* --- before and after --- */

static int read_or_refuse(const struct ct_sweep_request *request, struct ct_error *error,
                          struct ct_run *ret_run)
{
    if (!request->folder || !*request->folder)
        return ct_fail(error, CT_E_INPUT, "expected the folder of the run (-o RUN)");
    assert(request->resume || request->point_count == 0);
    if (request->resume)
        return ct_run_read(request->folder, true, error, ret_run);
    if (access(request->folder, F_OK) == 0)
        return ct_fail(error, CT_E_INPUT, "%s: exists already; --resume continues a run", request->folder);
    return CT_OK;
}

static int read_prior(struct sweep *sweep, struct ct_error *error)
{
    const struct ct_run_description *description = &sweep->conditions.description;
    const char *folder = description->sweep.prior;
    int status = folder ? ct_run_read(folder, false, error, &sweep->prior) : CT_OK;
    if (status != CT_OK || !folder)
        return status;
    for (size_t i = 0; i < description->collective_count; i++)
        if (ct_run_measures(&sweep->prior, description->collectives[i]))
            return CT_OK;
    return ct_fail(error, CT_E_INPUT, "--prior %s: has no samples of any collective that is measured here",
                   folder);
}

/* Files of jobs go into a folder next to the run, which only one sweep may use. */
static int make_job_folder(struct sweep *sweep, struct ct_error *error)
{
    const char *folder = sweep->journal.folder;
    char here[4096] = "", *lock = NULL;
    if (folder[0] != '/' && !getcwd(here, sizeof here))
        return ct_fail(error, CT_E_SYSTEM, "the working folder is gone");
    sweep->job_folder = ct_format("%s%s%s.job", here, *here ? "/" : "", folder);
    int status = sweep->job_folder ? ct_folder_make(sweep->job_folder, error) : CT_E_MEMORY;
    if (status != CT_OK)
        return status;
    lock = ct_format("%s/lock", sweep->job_folder);
    int file = lock ? open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (file < 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: cannot be written: %s", sweep->job_folder, strerror(errno));
    else if (flock(file, LOCK_EX | LOCK_NB) != 0)
        status = ct_fail(error, CT_E_SYSTEM, "%s: another colltune is measuring into it", folder);
    if (status != CT_OK && file >= 0)
        close(file);
    else
        sweep->lock_file = file;
    free(lock);
    return status;
}

/* Tells the user what was decided for them. */
static void tell_choices(const struct ct_sweep_request *request, const struct sweep *sweep)
{
    const struct ct_sweep_grid *grid = &sweep->grid;
    if (grid->uneven > 0)
        ct_watch_notice(sweep->watch, "%zu cell%s left out: %s", grid->uneven,
                        grid->uneven == 1 ? " is" : "s are", ct_uneven_text);
    if (grid->left_out > 0)
        ct_watch_notice(sweep->watch,
                        "%zu cell%s left out: with a block for each rank their buffers are too large",
                        grid->left_out, grid->left_out == 1 ? " is" : "s are");
    if (sweep->conditions.description.sweep.guided && request->cells == CT_SWEEP_CELLS_USUAL &&
        !request->resume)
        ct_watch_notice(sweep->watch,
                        "the budget is too small for all %zu cells: some are chosen, as by --guided",
                        grid->cell_count);
}

/* The budget does not include getting ready: compiling happens once for each MPI and takes an unknown time. A
 * resumed sweep has used what its samples took, unless it was given a new budget. */
static void begin_budget(const struct ct_sweep_request *request, const struct ct_run *run, double ready,
                         struct sweep *sweep)
{
    const double worth_telling = 1;
    sweep->pace.budget = sweep->again ? request->budget : sweep->conditions.description.sweep.budget;
    sweep->pace.begun = ct_monotonic_now();
    for (size_t i = 0; run && !sweep->again && request->budget <= 0 && i < run->sample_count; i++)
        if (run->samples[i].status == CT_SAMPLE_OK)
            sweep->pace.begun -= run->samples[i].seconds;
    if (sweep->pace.budget > 0 && ready > worth_telling)
        ct_watch_notice(sweep->watch,
                        "getting ready, mainly compiling, took %.3g s; the budget of %g s begins now", ready,
                        sweep->pace.budget);
}

/* The budget was used up before everything was measured. */
static int tell_end(const struct sweep *sweep, double ready, struct ct_error *error)
{
    if (sweep->again) {
        ct_watch_notice(sweep->watch, "the budget is used up");
        return CT_OK;
    }
    if (!sweep->journal.begun)
        return ct_fail(error, CT_E_ANSWER,
                       "the budget of %g s was used up before anything could be measured; getting ready, "
                       "which does not count, took %.3g s",
                       sweep->pace.budget, ready);
    ct_watch_notice(sweep->watch,
                    "the budget is used up: %zu of %zu cells are measured; --resume --budget TIME continues",
                    sweep->cells, sweep->cells_wanted);
    return CT_OK;
}

/* The cells of the description; if some are to be measured again, those of one launch. */
static int make_grid(const struct ct_sweep_request *request, const struct ct_run *run, struct sweep *sweep,
                     struct ct_error *error)
{
    const struct ct_sweep_conditions *conditions = &sweep->conditions;
    struct ct_run_description description = conditions->description;
    if (sweep->again)
        description.launches = 1;
    const struct ct_sweep_division division = ct_sweep_conditions_division(conditions);
    int status = ct_sweep_grid_make(&description, &division, error, &sweep->grid);
    return status == CT_OK && sweep->again ? ct_sweep_again_mark(request, run, &sweep->grid, error) : status;
}

/* Makes room for the two further launches before their first row, so that the run can be read at any time. */
static int begin_again(const struct ct_sweep_request *request, const struct ct_run *run, struct sweep *sweep,
                       struct ct_error *error)
{
    struct ct_sweep_state *state = &sweep->conditions.description.sweep;
    state->again += 2;
    int status = ct_run_set_sweep(sweep->journal.folder, state, error);
    return status == CT_OK ? ct_sweep_again_add_times(request, run, &sweep->journal, error) : status;
}

/* The whole sweep; the caller frees its parts. */
static int run_sweep(const struct ct_sweep_request *request, const struct ct_run *run, double begun,
                     struct ct_error *error, struct sweep *sweep)
{
    struct ct_sweep_conditions *conditions = &sweep->conditions;
    int status;
    if ((status = ct_sweep_conditions_make(request, run ? &run->description : NULL, error, conditions)) !=
            CT_OK ||
        (status = make_grid(request, run, sweep, error)) != CT_OK ||
        (status = ct_sweep_journal_open(request->folder, run, sweep->watch, conditions, &sweep->grid, error,
                                        &sweep->journal)) != CT_OK)
        return status;
    tell_choices(request, sweep);
    if ((status = read_prior(sweep, error)) != CT_OK ||
        (!conditions->program &&
         (status = ct_mpi_keep(&conditions->place.mpi, CT_PROGRAM, "benchmark", sweep->watch, error,
                               &conditions->program)) != CT_OK) ||
        (status = make_job_folder(sweep, error)) != CT_OK)
        return status;
    if (sweep->again && (status = begin_again(request, run, sweep, error)) != CT_OK)
        return status;
    double ready = ct_monotonic_now() - begun;
    begin_budget(request, run, ready, sweep);
    status = measure_all(sweep, error);
    return status == CT_OK && sweep->over ? tell_end(sweep, ready, error) : status;
}

int ct_sweep(const struct ct_sweep_request *request, const struct ct_watch *watch, struct ct_error *error,
             struct ct_sweep_summary *ret_summary)
{
    struct ct_run run = {0};
    double begun = ct_monotonic_now();
    int status = read_or_refuse(request, error, &run);
    if (status != CT_OK)
        return status;
    struct sweep sweep = {.watch = watch, .lock_file = -1, .again = request->point_count > 0};
    status = run_sweep(request, request->resume ? &run : NULL, begun, error, &sweep);
    for (size_t i = 0; i < sweep.worker_count; i++)
        ct_sweep_worker_close(&sweep.workers[i]);
    const struct ct_sweep_state *state = &sweep.conditions.description.sweep;
    const struct ct_sweep_summary summary = {.cells = sweep.cells,
                                             .samples = sweep.journal.samples,
                                             .failed = sweep.journal.failed,
                                             .late = state->late,
                                             .clocks = state->clocks,
                                             .skew = state->skew,
                                             .skew_bound = state->skew_bound};
    int closed = ct_sweep_journal_close(&sweep.journal, status == CT_OK ? error : NULL);
    status = status == CT_OK ? closed : status;
    if (sweep.lock_file >= 0) {
        ct_remove_all(sweep.job_folder, NULL);
        close(sweep.lock_file);
    }
    if (status == CT_OK)
        *ret_summary = summary;
    free(sweep.workers);
    free(sweep.job_folder);
    ct_run_free(&run);
    ct_run_free(&sweep.prior);
    ct_sweep_conditions_free(&sweep.conditions);
    ct_sweep_grid_free(&sweep.grid);
    return status;
}
