/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "library/backend_mpi.h"
#include "library/tuner.h"
#include "measure/benchmark/benchmark.h"
#include "measure/pace.h"
#include "measure/race.h"

#include <stdlib.h>
#include <string.h>

/* A cell is measured in turns. A turn is some rounds; each round visits every unfinished method once, in a
 * new random order, so that drift and other load affect all methods alike. After a turn all ranks agree on
 * its times and from them, by the same rule, on the methods that are finished, on those that lost the race
 * and on the length of the next turn.
 *
 * A visit of a short call repeats it, and the first call is no sample: it finds the caches as another method
 * left them, and applications repeat calls. Native would suffer most, since all other methods share code. */

/* A method in a cell. */
struct trial {
    const struct ct_method *method;
    size_t index; /* of the method in the job */
    double *times;
    double *sorted; /* the same, rising */
    size_t count;
    size_t capacity;
    size_t calls; /* also those before the first sample */
    double busy;  /* seconds in calls */
    bool wrong;
    bool through;
};

/* A cell as it is being measured. */
struct turns {
    struct ct_bench *bench;
    const struct ct_job_cell *cell;
    const struct ct_bench_group *group;
    struct ct_bench_call *call;
    struct ct_stop_rule rule;
    struct trial *trials;
    struct ct_racer *racers; /* by trial */
    size_t *order;           /* trials that are not through, shuffled */
    size_t active;
    uint64_t random;
    double elapsed;            /* agreed seconds of all turns */
    struct ct_bench_skew skew; /* of the clocks, after all turns */
    size_t lost;               /* calls that a rank came too late to, and of how many */
    size_t counted;
    /* One turn: per call the trial, begin and end here, and whether this rank came too late. The agreement:
     * per call the end, and minus the begin; per trial whether its result was wrong; the turn's length; per
     * call whether a rank was late. */
    size_t *callee;
    double *begin;
    double *end;
    bool *late;
    bool *warms; /* the call is no sample */
    double *mine;
    double *agreed;
    size_t calls;
};

enum { ROUNDS_MAX = 32, CALLS_MAX = 2048, CALLS_OF_SHORT_VISIT = 3 };

/* The caches make no difference to calls that take longer. */
static const double short_call = 200e-6;

/* A turn is about so long, which keeps its agreement a small part. */
static const double turn_seconds = 0.05;

/* --- one turn --- */

static void tell(const struct turns *run, uint64_t method)
{
    ct_bench_tell(run->bench, run->cell->id, method);
}

static void call_once(struct turns *run, size_t trial, bool warms)
{
    const struct ct_method *method = run->trials[trial].method;
    ct_tuner_force(method);
    double gathered = ct_bench_gather(run->bench, run->group);
    if (run->bench->rank == 0)
        tell(run, run->trials[trial].index);
    run->late[run->calls] = ct_bench_release(run->bench, run->group, gathered);
    run->begin[run->calls] = ct_bench_now(run->bench);
    int code = ct_bench_user_call(run->cell->collective, &run->call->operands, run->group->comm);
    run->end[run->calls] = ct_bench_now(run->bench);
    run->warms[run->calls] = warms;
    run->callee[run->calls++] = trial;
    ct_bench_check(code, method->algorithm->name);
    if (ct_tuner_forced_calls(run->cell->collective) != 1)
        ct_bench_abort("the library did not carry out a call by %s/%s",
                       ct_collectives[run->cell->collective].name, method->algorithm->name);
    ct_bench_rest();
}

/* The maxima over all ranks, by our own plan. `wrong`, per trial, may be NULL. */
static void agree(struct turns *run, const bool *wrong, double turn_began)
{
    size_t n = run->calls, methods = run->cell->method_count, count = 2 * n + methods + 1;
    bool may_be_late = ct_bench_can_be_late(run->bench);
    for (size_t i = 0; i < n; i++)
        ct_bench_span(run->bench, run->begin[i], run->end[i], &run->mine[i], &run->mine[n + i]);
    for (size_t i = 0; i < methods; i++)
        run->mine[2 * n + i] = wrong && wrong[i];
    run->mine[2 * n + methods] = ct_bench_now(run->bench) - turn_began;
    for (size_t i = 0; may_be_late && i < n; i++)
        run->mine[count + i] = run->late[i];
    const struct ct_operands operands =
        ct_reduction(run->mine, run->agreed, may_be_late ? count + n : count, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(run->group, &run->bench->agreement, &operands);
    run->elapsed += run->agreed[2 * n + methods];
    for (size_t i = 0; i < methods; i++)
        run->trials[i].wrong |= run->agreed[2 * n + i] > 0;
    for (size_t i = 0; may_be_late && i < n; i++)
        run->late[i] = run->agreed[count + i] > 0;
}

static void keep(struct trial *trial, double seconds)
{
    size_t room = trial->capacity;
    if (ct_grow(&trial->times, &trial->capacity, trial->count + 1, sizeof *trial->times) != CT_OK ||
        ct_grow(&trial->sorted, &room, trial->count + 1, sizeof *trial->sorted) != CT_OK)
        ct_bench_abort("out of memory");
    trial->times[trial->count++] = seconds;
}

/* Keeps the agreed times as samples, or only counts them as warm-up. */
static void settle(struct turns *run, bool samples)
{
    size_t lost = 0;
    for (size_t i = 0; i < run->calls; i++) {
        struct trial *trial = &run->trials[run->callee[i]];
        double seconds = ct_bench_seconds(run->agreed[i], run->agreed[run->calls + i]);
        trial->busy += seconds;
        trial->calls++;
        lost += run->late[i];
        if (samples && !run->warms[i] && !run->late[i] && trial->count < run->bench->job.rule.most)
            keep(trial, seconds);
    }
    run->lost += lost;
    run->counted += run->calls;
    ct_window_adapt(&run->bench->window, run->calls, lost);
    run->calls = 0;
}

/* The same on all ranks, as the agreed times are. */
static size_t calls_of_visit(const struct trial *trial)
{
    bool is_short = !CT_SIMULATED && trial->busy < short_call * (double)trial->calls;
    return is_short ? CALLS_OF_SHORT_VISIT : 1;
}

/* Visits each unfinished method `rounds` times, for samples or as warm-up. If `wrong` is not NULL, it gets by
 * trial whether the result is wrong. */
static void take_turn(struct turns *run, size_t rounds, bool samples, bool *wrong)
{
    double began = ct_bench_now(run->bench);
    for (size_t round = 0; round < rounds; round++) {
        ct_shuffle(run->order, run->active, sizeof *run->order, &run->random);
        for (size_t i = 0; i < run->active; i++) {
            if (wrong)
                ct_bench_call_fill(run->call);
            size_t calls = calls_of_visit(&run->trials[run->order[i]]);
            for (size_t call = 0; call < calls; call++)
                call_once(run, run->order[i], call == 0 && calls > 1);
            if (wrong)
                wrong[run->order[i]] = !ct_bench_call_right(run->call);
        }
    }
    agree(run, wrong, began);
    settle(run, samples);
}

/* --- one cell --- */

/* Methods that need several nodes are skipped if there is only one. */
static bool applies(const struct turns *run, const struct ct_method *method)
{
    struct ct_call call;
    ct_bench_check(ct_call_describe(run->group->channel, run->cell->collective, &run->call->operands, &call),
                   "describing a call");
    return ct_method_applies(method, &call, NULL);
}

static void open_run(struct turns *run)
{
    const struct ct_job *job = &run->bench->job;
    size_t methods = run->cell->method_count, calls = CALLS_MAX + CALLS_OF_SHORT_VISIT * methods;
    run->random = job->seed ^ (0x2545f4914f6cdd1du * (run->cell->id + 1));
    run->rule = job->rule;
    run->trials = ct_bench_allocate(methods, sizeof *run->trials);
    run->racers = ct_bench_allocate(methods, sizeof *run->racers);
    run->order = ct_bench_allocate(methods, sizeof *run->order);
    run->callee = ct_bench_allocate(calls, sizeof *run->callee);
    run->begin = ct_bench_allocate(calls, sizeof *run->begin);
    run->end = ct_bench_allocate(calls, sizeof *run->end);
    run->late = ct_bench_allocate(calls, sizeof *run->late);
    run->warms = ct_bench_allocate(calls, sizeof *run->warms);
    run->mine = ct_bench_allocate(3 * calls + methods + 1, sizeof *run->mine);
    run->agreed = ct_bench_allocate(3 * calls + methods + 1, sizeof *run->agreed);
    for (size_t i = 0; i < methods; i++) {
        size_t index = job->indexes[run->cell->first + i];
        run->trials[i] = (struct trial){.method = &job->methods[index], .index = index};
        run->trials[i].through = !applies(run, run->trials[i].method);
        if (!run->trials[i].through)
            run->order[run->active++] = i;
    }
}

static void close_run(struct turns *run)
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
    free(run->warms);
    free(run->mine);
    free(run->agreed);
}

/* Time in calls, and an equal share a call of the time between them. */
static double spent(const struct turns *run, const struct trial *trial)
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

/* Methods that are significantly slower than the best are finished, too; native stays, for comparison. */
static void race(struct turns *run)
{
    size_t methods = run->cell->method_count;
    for (size_t i = 0; i < methods; i++)
        run->racers[i] = (struct ct_racer){run->trials[i].sorted, run->trials[i].count, run->trials[i].wrong};
    double limit = ct_race_limit(run->racers, methods, run->bench->job.race);
    for (size_t i = 0; i < methods; i++)
        run->trials[i].through |=
            !ct_is_native(run->trials[i].method->algorithm) && ct_race_lost(&run->racers[i], limit);
}

/* Removes the methods that are finished from the order. */
static void sift(struct turns *run)
{
    for (size_t i = 0; i < run->cell->method_count; i++) {
        struct trial *trial = &run->trials[i];
        if (trial->through)
            continue;
        if (trial->count > 0)
            memcpy(trial->sorted, trial->times, trial->count * sizeof *trial->times);
        ct_sort(trial->sorted, trial->count);
        trial->through = trial->wrong || ct_stop(&run->rule, trial->sorted, trial->count, spent(run, trial));
    }
    if (run->bench->job.race > 0)
        race(run);
    run->active = 0;
    for (size_t i = 0; i < run->cell->method_count; i++)
        if (!run->trials[i].through)
            run->order[run->active++] = i;
}

static size_t next_rounds(const struct turns *run)
{
    double round = 0;
    size_t most = 1, calls = 0;
    for (size_t i = 0; i < run->active; i++) {
        const struct trial *trial = &run->trials[run->order[i]];
        const size_t visit = calls_of_visit(trial), samples = visit > 1 ? visit - 1 : 1;
        size_t left = (run->rule.most - trial->count + samples - 1) / samples;
        calls += visit;
        round += (double)visit * spent(run, trial) / (double)trial->calls;
        most = left > most ? left : most;
    }
    size_t rounds =
        round > 0 && turn_seconds / round < ROUNDS_MAX ? (size_t)(turn_seconds / round) : ROUNDS_MAX;
    rounds = rounds < most ? rounds : most;
    rounds = rounds < CALLS_MAX / calls ? rounds : CALLS_MAX / calls;
    return rounds ? rounds : 1;
}

/* If the job has a budget: each method's share of what is left, the same on all ranks. */
static void share_budget(struct turns *run)
{
    const struct ct_job *job = &run->bench->job;
    if (!(job->budget > 0))
        return;
    double mine = ct_bench_now(run->bench) - run->bench->begun, elapsed = mine;
    const struct ct_operands operands = ct_reduction(&mine, &elapsed, 1, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(run->group, &run->bench->agreement, &operands);
    run->rule.most_seconds = ct_pace_of_slot(job->budget, elapsed, job->index_count - run->cell->first);
}

static void report(const struct turns *run)
{
    struct ct_text text = {0};
    ct_text_append(&text, "cell %zu %zu %zu\n", run->cell->id, run->group->nodes, run->group->ppn);
    for (size_t i = 0; i < run->cell->method_count; i++) {
        const struct trial *trial = &run->trials[i];
        if (trial->wrong)
            ct_text_append(&text, "wrong %zu\n", trial->index);
        for (size_t rep = 0; rep < trial->count && !trial->wrong; rep++)
            ct_text_append(&text, "ok %zu %zu %.*g\n", trial->index, rep, CT_TIME_DIGITS, trial->times[rep]);
    }
    ct_text_append(&text, "done %zu\n", run->cell->id);
    if (run->lost > 0)
        ct_text_append(&text, "late %zu %zu\n", run->lost, run->counted);
    if (run->bench->clocks)
        ct_text_append(&text, "skew %.9g %.9g\n", run->skew.seconds, run->skew.bound);
    ct_bench_report(run->bench, &text);
}

/* Everything before the samples. The first call of each method is checked; it is the sample, too, if nothing
 * varies. */
static void begin(struct turns *run)
{
    const size_t warmup = run->bench->job.warmup;
    bool *wrong = ct_bench_allocate(run->cell->method_count, sizeof *wrong);
    open_run(run);
    share_budget(run);
    take_turn(run, 1, warmup == 0, wrong);
    free(wrong);
    for (size_t i = 1; i < warmup; i++)
        take_turn(run, 1, false, NULL);
    sift(run);
}

/* Measures one cell, without reporting it. If a clock jumped, the cell is measured again. */
static void measure(struct turns *run)
{
    const struct turns fresh = *run;
    size_t jumps = 0;
    begin(run);
    for (;;) {
        /* until all methods are finished, or so many repetitions were lost that the clocks must be checked */
        while (run->active > 0) {
            take_turn(run, next_rounds(run), true, NULL);
            sift(run);
            if (ct_window_is_doubtful(&run->bench->window))
                break;
        }
        if (run->bench->rank == 0 && run->bench->clocks)
            tell(run, CT_JOB_NONE);
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
    struct turns run = {.bench = bench, .cell = cell, .call = call};
    run.group = ct_bench_find_group(bench, cell->key.comm_size);
    if (bench->rank == 0)
        tell(&run, CT_JOB_NONE);
    ct_bench_meet(bench, run.group, idle);
    ct_bench_call_set(call, cell->collective, cell->key.msg_bytes, bench->rank, (int)cell->key.comm_size);
    measure(&run);
    report(&run);
    close_run(&run);
}
