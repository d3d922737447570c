/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark_turn.h"
#include "measure/pace.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS_MAX = 32, CALLS_MAX = 2048 };

/* A turn is about so long, which keeps its agreement a small part. */
static const double turn_seconds = 0.05;

/* What needs several nodes is passed over where there is one. */
static bool applies(const struct ct_bench_cell *run, const struct ct_method *method)
{
    struct ct_call call;
    ct_bench_check(ct_call_describe(run->group->channel, run->cell->collective, &run->call->operands, &call),
                   "describing a call");
    return ct_method_applies(method, &call, NULL);
}

static void open_run(struct ct_bench_cell *run)
{
    const struct ct_job *job = &run->bench->job;
    size_t methods = run->cell->method_count, calls = CALLS_MAX + methods;
    run->random = job->seed ^ (0x2545f4914f6cdd1du * (run->cell->id + 1));
    run->rule = job->rule;
    run->trials = ct_bench_allocate(methods, sizeof *run->trials);
    run->racers = ct_bench_allocate(methods, sizeof *run->racers);
    run->order = ct_bench_allocate(methods, sizeof *run->order);
    run->callee = ct_bench_allocate(calls, sizeof *run->callee);
    run->begin = ct_bench_allocate(calls, sizeof *run->begin);
    run->end = ct_bench_allocate(calls, sizeof *run->end);
    run->late = ct_bench_allocate(calls, sizeof *run->late);
    run->mine = ct_bench_allocate(3 * calls + methods + 1, sizeof *run->mine);
    run->agreed = ct_bench_allocate(3 * calls + methods + 1, sizeof *run->agreed);
    for (size_t i = 0; i < methods; i++) {
        size_t index = job->indexes[run->cell->first + i];
        run->trials[i] = (struct ct_bench_trial){.method = &job->methods[index], .index = index};
        run->trials[i].through = !applies(run, run->trials[i].method);
        if (!run->trials[i].through)
            run->order[run->active++] = i;
    }
}

static void close_run(struct ct_bench_cell *run)
{
    for (size_t i = 0; i < run->cell->method_count; i++) {
        free(run->trials[i].times);
        free(run->trials[i].sorted);
    }
    free(run->trials);
    free(run->racers);
    free(run->order);
    free(run->callee);
    free(run->begin);
    free(run->end);
    free(run->late);
    free(run->mine);
    free(run->agreed);
}

/* Time in calls, and an equal share a call of the time between them. */
static double spent(const struct ct_bench_cell *run, const struct ct_bench_trial *trial)
{
    double busy = 0;
    size_t calls = 0;
    for (size_t i = 0; i < run->cell->method_count; i++) {
        busy += run->trials[i].busy;
        calls += run->trials[i].calls;
    }
    double between = run->elapsed > busy ? run->elapsed - busy : 0;
    return trial->busy + (calls ? between * (double)trial->calls / (double)calls : 0);
}

/* Whoever is surely worse than the best is through, too; native is what all are compared with and stays. */
static void race(struct ct_bench_cell *run)
{
    size_t methods = run->cell->method_count;
    for (size_t i = 0; i < methods; i++)
        run->racers[i] = (struct ct_racer){run->trials[i].sorted, run->trials[i].count, run->trials[i].wrong};
    double limit = ct_race_limit(run->racers, methods, run->bench->job.race);
    for (size_t i = 0; i < methods; i++)
        run->trials[i].through |=
            !ct_is_native(run->trials[i].method->algorithm) && ct_race_lost(&run->racers[i], limit);
}

/* Strikes those that are through from the order. */
static void sift(struct ct_bench_cell *run)
{
    for (size_t i = 0; i < run->cell->method_count; i++) {
        struct ct_bench_trial *trial = &run->trials[i];
        if (trial->through)
            continue;
        if (trial->count > 0)
            memcpy(trial->sorted, trial->times, trial->count * sizeof *trial->times);
        ct_race_sort(trial->sorted, trial->count);
        trial->through = trial->wrong || ct_stop(&run->rule, trial->sorted, trial->count, spent(run, trial));
    }
    if (run->bench->job.race > 0)
        race(run);
    run->active = 0;
    for (size_t i = 0; i < run->cell->method_count; i++)
        if (!run->trials[i].through)
            run->order[run->active++] = i;
}

static size_t next_rounds(const struct ct_bench_cell *run)
{
    double round = 0;
    size_t most = 1;
    for (size_t i = 0; i < run->active; i++) {
        const struct ct_bench_trial *trial = &run->trials[run->order[i]];
        size_t left = run->rule.most - trial->count;
        round += spent(run, trial) / (double)trial->calls;
        most = left > most ? left : most;
    }
    size_t rounds =
        round > 0 && turn_seconds / round < ROUNDS_MAX ? (size_t)(turn_seconds / round) : ROUNDS_MAX;
    rounds = rounds < most ? rounds : most;
    rounds = rounds < CALLS_MAX / run->active ? rounds : CALLS_MAX / run->active;
    return rounds ? rounds : 1;
}

/* Where the job has a budget: what it leaves each method of the cell, the same on all ranks. */
static void share_budget(struct ct_bench_cell *run)
{
    const struct ct_job *job = &run->bench->job;
    if (!(job->budget > 0))
        return;
    double mine = ct_bench_now(run->bench) - run->bench->begun, elapsed = mine;
    const struct ct_operands operands = ct_reduction(&mine, &elapsed, 1, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(run->group, &run->bench->agreement, &operands);
    run->rule.most_seconds = ct_pace_of_slot(job->budget, elapsed, job->index_count - run->cell->first);
}

static void report(const struct ct_bench_cell *run)
{
#ifdef SMPI_H
    enum { DIGITS = 7 }; /* the rest is rounding, which depends on how late it is */
#else
    enum { DIGITS = 9 };
#endif
    struct ct_text text = {0};
    ct_text_append(&text, "cell %zu %zu %zu\n", run->cell->id, run->group->nodes, run->group->ppn);
    for (size_t i = 0; i < run->cell->method_count; i++) {
        const struct ct_bench_trial *trial = &run->trials[i];
        if (trial->wrong)
            ct_text_append(&text, "wrong %zu\n", trial->index);
        for (size_t rep = 0; rep < trial->count && !trial->wrong; rep++)
            ct_text_append(&text, "ok %zu %zu %.*g\n", trial->index, rep, DIGITS, trial->times[rep]);
    }
    ct_text_append(&text, "done %zu\n", run->cell->id);
    if (run->lost > 0)
        ct_text_append(&text, "late %zu %zu\n", run->lost, run->counted);
    if (run->bench->clocks)
        ct_text_append(&text, "skew %.9g %.9g\n", run->skew.seconds, run->skew.bound);
    ct_bench_report(run->bench, &text);
    ct_text_free(&text);
}

/* What comes before the samples. */
static void begin(struct ct_bench_cell *run)
{
    open_run(run);
    share_budget(run);
    ct_bench_first_turn(run);
    for (size_t i = 1; i < run->bench->job.warmup; i++)
        ct_bench_turn(run, 1, false);
    sift(run);
}

/* Until all methods are through, or so many repetitions are lost that the clocks want looking at. */
static void go_on(struct ct_bench_cell *run)
{
    do {
        ct_bench_turn(run, next_rounds(run), true);
        sift(run);
    } while (run->active > 0 && !ct_window_is_doubtful(&run->bench->window));
}

/* All of one cell, but not reported yet. Where a clock jumped it is measured again. */
static void measure(struct ct_bench_cell *run)
{
    const struct ct_bench_cell fresh = *run;
    size_t jumps = 0;
    begin(run);
    for (;;) {
        if (run->active > 0)
            go_on(run);
        if (run->bench->rank == 0 && run->bench->clocks)
            ct_bench_tell(run, CT_JOB_NONE);
        run->skew = ct_bench_check_clocks(run->bench, run->group);
        if (ct_bench_tell_jump(run->bench, &run->skew, jumps)) {
            jumps++;
            close_run(run);
            *run = fresh;
            begin(run);
        } else if (run->active == 0) {
            return;
        } else if (ct_window_is_hopeless(&run->bench->window)) {
            ct_bench_abort("some rank comes more than %g s late to every start",
                           ct_window_lead(&run->bench->window));
        }
    }
}

void ct_bench_measure(struct ct_bench *bench, const struct ct_job_cell *cell, struct ct_bench_call *call,
                      bool idle)
{
    struct ct_bench_cell run = {.bench = bench, .cell = cell, .call = call};
    run.group = ct_bench_find_group(bench, cell->key.comm_size);
    if (bench->rank == 0)
        ct_bench_tell(&run, CT_JOB_NONE);
    ct_channel_set_policy(run.group->channel, idle ? CT_WAIT_SLEEP : run.group->policy);
    ct_bench_release(bench, run.group, ct_bench_gather(bench, run.group));
    ct_channel_set_policy(run.group->channel, run.group->policy);
#ifdef SMPI_H
    if (bench->rank == 0)
        ct_bench_watch_once(bench);
#endif
    ct_bench_call_set(call, cell->collective, cell->key.msg_bytes, bench->rank, (int)cell->key.comm_size);
    measure(&run);
    if (bench->rank == 0)
        report(&run);
    close_run(&run);
}
