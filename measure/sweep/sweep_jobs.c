/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/sweep/sweep_jobs.h"
#include "base/memory.h"
#include "measure/sweep/conditions_where.h"

#include <stdlib.h>
#include <time.h>

enum { POLL_MILLISECONDS = 10 };

/* Nodes that a job needs for itself; 0 if jobs do not run side by side. */
static size_t nodes_of(const struct ct_sweep_jobs *jobs, const struct ct_sweep_batch *batch)
{
    return jobs->is_alone ? jobs->conditions->nodes.count
                          : ct_sweep_conditions_nodes(jobs->conditions, batch->size);
}

/* The worker's number as an owner of nodes. */
static size_t owner_of(const struct ct_sweep_jobs *jobs, const struct ct_sweep_worker *worker)
{
    return (size_t)(worker - jobs->workers) + 1;
}

/* Gives the worker the first batch that none has begun and for which there are nodes; none where there is no
 * such batch. */
static int begin_batch(struct ct_sweep_jobs *jobs, struct ct_sweep_worker *worker, struct ct_error *error)
{
    struct ct_node_pool *pool = &jobs->conditions->nodes;
    const size_t owner = owner_of(jobs, worker);
    for (size_t i = 0; i < jobs->grid->batch_count; i++) {
        const struct ct_sweep_batch *batch = &jobs->grid->batches[i];
        const size_t nodes = nodes_of(jobs, batch);
        if (jobs->is_begun[i] || (nodes > 0 && !ct_node_pool_take(pool, owner, nodes)))
            continue;
        jobs->is_begun[i] = true;
        worker->batch = batch;
        return nodes > 0 ? ct_node_pool_write(pool, owner, worker->hosts, error) : CT_OK;
    }
    return CT_OK;
}

/* Measurements of methods that a batch has left, times the nodes that it needs. */
static size_t work_left(const struct ct_sweep_jobs *jobs, const struct ct_sweep_batch *batch)
{
    const size_t nodes = nodes_of(jobs, batch);
    return ct_sweep_grid_slots_left(jobs->grid, batch->first, batch->count) * (nodes > 0 ? nodes : 1);
}

/* Seconds for a job of the batch: its share of what is left on all nodes. Work to come is taken to need as
 * many nodes as today's. */
static double seconds_for(const struct ct_sweep_jobs *jobs, const struct ct_sweep_batch *batch, double now)
{
    const struct ct_sweep_grid *grid = jobs->grid;
    const size_t nodes = jobs->conditions->nodes.count > 0 ? jobs->conditions->nodes.count : 1;
    const size_t slots = ct_sweep_grid_slots_left(grid, batch->first, batch->count);
    const size_t all_slots = ct_sweep_grid_slots_left(grid, 0, grid->cell_count);
    double all = 0;
    for (size_t i = 0; i < grid->batch_count; i++)
        all += (double)work_left(jobs, &grid->batches[i]);
    if (all_slots > 0)
        all *= 1 + (double)jobs->to_come / (double)all_slots;
    return ct_pace_of_job(&jobs->pace, now, slots * nodes, (size_t)all);
}

/* Starts a job that continues the worker's batch, or another batch; none where no work is left for it now. */
static int next_job(struct ct_sweep_jobs *jobs, struct ct_sweep_worker *worker, struct ct_error *error)
{
    for (;;) {
        const struct ct_sweep_batch *batch = worker->batch;
        bool left = batch && ct_sweep_grid_slots_left(jobs->grid, batch->first, batch->count) > 0;
        int status =
            batch && !left ? ct_sweep_journal_close_exhausted(jobs->journal, batch, error, &left) : CT_OK;
        if (status != CT_OK)
            return status;
        double now = ct_monotonic_now();
        jobs->over |= left && ct_pace_left(&jobs->pace, now) <= 0;
        if (left && !jobs->over)
            return ct_sweep_worker_start(worker, seconds_for(jobs, worker->batch, now), error);
        ct_node_pool_give_back(&jobs->conditions->nodes, owner_of(jobs, worker));
        worker->batch = NULL;
        if (jobs->over || (status = begin_batch(jobs, worker, error)) != CT_OK || !worker->batch)
            return status;
    }
}

static void show_progress(const struct ct_sweep_jobs *jobs, double now)
{
    const struct ct_sweep_grid *grid = jobs->grid;
    const bool has_launches = grid->cell_count > grid->distinct_count && !jobs->grows;
    struct ct_progress progress = {.what = "measuring",
                                   .units = has_launches ? "cells of all launches" : "cells",
                                   .done = jobs->grows ? grid->distinct_done : grid->cells_done,
                                   .total = jobs->grows ? grid->distinct_count : jobs->cells_all,
                                   .is_at_most = jobs->grows,
                                   .share = grid->weight_done / jobs->weight_all};
    if (jobs->grows && jobs->pace.budget > 0)
        progress.share = 1 - ct_pace_left(&jobs->pace, now) / jobs->pace.budget;
    ct_watch_progress(jobs->watch, &progress);
}

/* One look at all workers; `lost` seconds after the last. *ret_busy: has any a batch? */
static int look(struct ct_sweep_jobs *jobs, double lost, struct ct_error *error, bool *ret_busy)
{
    *ret_busy = false;
    for (size_t i = 0; i < jobs->worker_count; i++) {
        struct ct_sweep_worker *worker = &jobs->workers[i];
        bool ended = true; /* one without a job may find nodes now */
        int status = CT_OK;
        if (worker->job.process.id > 0)
            status = ct_sweep_worker_follow(worker, lost, error, &ended);
        if (worker->startup > 0)
            jobs->pace.startup = worker->startup;
        if (status == CT_OK && ended)
            status = next_job(jobs, worker, error);
        if (status != CT_OK)
            return status;
        *ret_busy |= worker->batch != NULL;
    }
    return CT_OK;
}

int ct_sweep_jobs_stopped(const struct ct_sweep_jobs *jobs, struct ct_error *error)
{
    return ct_fail(error, CT_E_STOPPED, "stopped; %s%s",
                   jobs->journal->begun ? "continue with --resume -o " : "nothing was measured yet",
                   jobs->journal->begun ? jobs->journal->folder : "");
}

/* Follows jobs until all wanted cells are measured, or the budget is used up. */
static int follow_jobs(struct ct_sweep_jobs *jobs, struct ct_error *error)
{
    const struct timespec nap = {.tv_nsec = POLL_MILLISECONDS * 1000000L};
    double last = ct_monotonic_now(), alive = last;
    jobs->weight_all = 0;
    jobs->cells_all = 0;
    for (size_t i = 0; i < jobs->grid->cell_count; i++) {
        if (!jobs->grid->cells[i].done && !jobs->grid->cells[i].wanted)
            continue;
        jobs->weight_all += ct_sweep_cell_weight(jobs->grid, &jobs->grid->cells[i]);
        jobs->cells_all++;
    }
    for (;;) {
        double now = ct_monotonic_now();
        bool busy;
        int status = look(jobs, now - last, error, &busy);
        if (status != CT_OK)
            return status;
        last = now;
        if (now - alive >= 1) {
            for (size_t i = 0; i < jobs->worker_count; i++)
                if (jobs->workers[i].job.process.id > 0)
                    ct_sweep_worker_say_alive(&jobs->workers[i], now);
            alive = now;
        }
        show_progress(jobs, now);
        jobs->over |= busy && ct_pace_is_over(&jobs->pace, now);
        if (!busy || jobs->over)
            return CT_OK;
        if (ct_watch_is_stopped(jobs->watch))
            return ct_sweep_jobs_stopped(jobs, error);
        nanosleep(&nap, NULL);
    }
}

int ct_sweep_jobs_run(struct ct_sweep_jobs *jobs, struct ct_error *error)
{
    jobs->is_begun = ct_allocate(jobs->grid->batch_count, sizeof *jobs->is_begun);
    if (!jobs->is_begun)
        return CT_E_MEMORY;
    int status = follow_jobs(jobs, error);
    free(jobs->is_begun);
    jobs->is_begun = NULL;
    return status;
}

int ct_sweep_jobs_open(struct ct_sweep_jobs *jobs, const char *folder)
{
    const size_t nodes = jobs->conditions->nodes.count;
    const size_t count = nodes > 0 ? nodes : ct_place_jobs(&jobs->conditions->place);
    jobs->workers = ct_allocate(count, sizeof *jobs->workers);
    if (!jobs->workers)
        return CT_E_MEMORY;
    for (; jobs->worker_count < count; jobs->worker_count++)
        if (ct_sweep_worker_open(jobs->journal, folder, jobs->worker_count,
                                 &jobs->workers[jobs->worker_count]) != CT_OK)
            return CT_E_MEMORY;
    return CT_OK;
}

void ct_sweep_jobs_close(struct ct_sweep_jobs *jobs)
{
    for (size_t i = 0; i < jobs->worker_count; i++)
        ct_sweep_worker_close(&jobs->workers[i]);
    free(jobs->workers);
}
