/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/turns.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/statistics.h"
#include "library/decide/tuner.h"
#include "library/execute/describe_call.h"
#include "library/mpi/backend_mpi.h"
#include "library/sparse/pattern_choices.h"
#include "library/sparse/sparse_calls.h"
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/flight_call.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/links.h"
#include "measure/benchmark/method_trial.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/sparse_call.h"
#include "measure/benchmark/start.h"
#include "measure/benchmark/turn_calls.h"
#include "measure/benchmark/user_call.h"
#include "measure/pace.h"
#include "measure/race.h"
#include "plan/overlap.h"

#include <inttypes.h>
#include <stdlib.h>

/* A cell is measured in turns. A turn is some rounds; each round visits every unfinished method once, in a
 * new random order, so that drift and other load affect all methods alike. After a turn all ranks agree on
 * its times and from them, by the same rule, on the methods that are finished, on those that lost the race
 * and on the length of the next turn.
 *
 * A visit of a short call repeats it, and the first call is no sample: it finds the caches as another method
 * left them, and applications repeat calls. Native would suffer most, since all other methods share code.
 *
 * In modes other than blocking the ranks compute while a call is in flight (docs/overlap.md). All methods of
 * a cell get the same computation, which is made when native has been timed. A visit is then one sample,
 * before it a call without computation, against which the sample is told what it hides, and before that, if
 * calls are short, one more. */

/* A cell as it is being measured. */
struct turns {
    struct ct_bench *bench;
    const struct ct_job_cell *cell;
    const struct ct_bench_group *group;
    struct ct_bench_call *call;
    struct ct_bench_sparse *sparse; /* of a sparse collective; else NULL */
    MPI_Comm comm;                  /* of the calls that are measured */
    struct ct_channel
        *channel; /* that describes them; of a sparse collective it is the library's on `comm` */
    struct ct_stop_rule rule;
    struct ct_bench_trial *trials;
    struct ct_racer *racers; /* by trial */
    size_t *order;           /* trials that are not through, shuffled */
    size_t active;
    uint64_t random;
    double elapsed;            /* agreed seconds of all turns */
    struct ct_bench_skew skew; /* of the clocks, after all turns */
    size_t lost;               /* calls that a rank came too late to, and of how many */
    size_t counted;
    struct ct_turn_calls calls;              /* of the turn */
    struct ct_bench_computation computation; /* beside calls that are not blocking */
    struct ct_pattern_features features;     /* of the pattern, in a sparse collective */
};

enum { ROUNDS_MAX = 32, CALLS_MAX = 2048, CALLS_OF_SHORT_VISIT = 3, CALLS_OF_OVERLAP = 2 };

/* The caches make no difference to calls that take longer. */
static const double short_call = 200e-6;

/* A turn is about so long, which keeps its agreement a small part. */
static const double turn_seconds = 0.05;

/* --- one turn --- */

static void tell(const struct turns *run, uint64_t method)
{
    ct_bench_tell(run->bench, run->cell->id, method);
}

/* Rank 0 tells the method when all ranks have left the call before. Returns a number for the release. */
static double gather_and_tell(const struct turns *run, uint64_t method)
{
    double gathered = ct_bench_gather(run->bench, run->group);
    if (run->bench->rank == 0)
        tell(run, method);
    return gathered;
}

/* The call itself, with `steps` of computation beside it. */
static int make_call(struct turns *run, const struct ct_operands *operands, MPI_Request *request,
                     size_t steps)
{
    struct ct_turn_call *call = &run->calls.items[run->calls.count];
    call->begin = ct_bench_now(run->bench);
    int code = ct_bench_overlaps(run->bench)
                   ? ct_bench_flight_call(run->bench, &ct_bench_user_flights, run->cell->collective, operands,
                                          run->comm, steps, request, &call->in_mpi)
                   : (run->cell->pattern > 0 ? ct_bench_sparse_call : ct_bench_user_call)(
                         run->cell->collective, operands, run->comm);
    call->end = ct_bench_now(run->bench);
    return code;
}

/* A call that only warms has no computation beside it. */
static void call_once(struct turns *run, size_t trial, bool warms)
{
    const struct ct_method *method = run->trials[trial].method;
    struct ct_turn_call *call = &run->calls.items[run->calls.count];
    const size_t steps = warms ? 0 : run->computation.steps;
    *call = (struct ct_turn_call){.callee = trial, .warms = warms};
    const struct ct_operands operands = ct_bench_call_operands(run->call, ct_is_native(method->algorithm));
    MPI_Request request = MPI_REQUEST_NULL;
    ct_tuner_force(method);
    ct_bench_call_write(run->call);
    double gathered = gather_and_tell(run, run->trials[trial].index);
    if (run->bench->job.mode == CT_MODE_PERSISTENT) {
        /* This writes the method's plan: a rank may crash or hang here, so the method must be told before. */
        ct_bench_release(run->bench, run->group, gathered);
        ct_bench_flight_prepare(&ct_bench_user_flights, run->cell->collective, &operands, run->comm,
                                &request);
        gathered = ct_bench_gather(run->bench, run->group);
    }
    call->late = ct_bench_release(run->bench, run->group, gathered);
    int code = make_call(run, &operands, &request, steps);
    if (ct_bench_overlaps(run->bench))
        call->added = ct_bench_added(&run->computation, steps, call->end - call->begin, call->in_mpi);
    run->calls.count++;
    ct_bench_check(code, method->algorithm->name);
    ct_bench_flight_end(&ct_bench_user_flights, &request);
    if (ct_tuner_forced_calls(run->cell->collective) != 1)
        ct_bench_abort("the library did not carry out a call by %s/%s",
                       ct_collectives[run->cell->collective].name, method->algorithm->name);
    ct_bench_rest();
}

/* Of a call that was in flight beside the computation, as agreed. */
static struct ct_overlap overlap_of(const struct turns *run, const struct ct_turn_call *call)
{
    return (struct ct_overlap){.completion = call->seconds,
                               .in_mpi = ct_bench_positive(call->in_mpi),
                               .computation = run->computation.all};
}

/* Keeps the agreed times as samples, or only counts them as warm-up. */
static void settle(struct turns *run, bool samples)
{
    size_t lost = 0;
    double alone = 0;
    for (size_t i = 0; i < run->calls.count; i++) {
        const struct ct_turn_call *call = &run->calls.items[i];
        struct ct_bench_trial *trial = &run->trials[call->callee];
        trial->busy += call->seconds;
        trial->calls++;
        lost += call->late;
        alone = call->warms ? call->seconds : alone;
        if (!samples || call->warms || call->late || trial->count >= run->bench->job.rule.most)
            continue;
        if (ct_bench_overlaps(run->bench))
            ct_bench_trial_keep_overlap(trial, overlap_of(run, call), call->added, alone);
        else
            ct_bench_trial_keep(trial, call->seconds);
    }
    run->lost += lost;
    run->counted += run->calls.count;
    ct_window_adapt(&run->bench->window, run->calls.count, lost);
    run->calls.count = 0;
}

/* Agrees on the calls of a turn that began then, and by trial on whether its result is wrong. `wrong` may be
 * NULL. */
static void agree_on_time(struct turns *run, bool *wrong, double began)
{
    const size_t methods = run->cell->method_count;
    run->elapsed += ct_turn_calls_agree(&run->calls, run->bench, run->group, wrong, methods, began);
    for (size_t i = 0; wrong && i < methods; i++)
        run->trials[i].wrong |= wrong[i];
}

/* The same on all ranks, as the agreed times are. */
static size_t calls_of_visit(const struct turns *run, const struct ct_bench_trial *trial)
{
    bool is_short = !CT_SIMULATED && trial->busy < short_call * (double)trial->calls;
    return is_short ? CALLS_OF_SHORT_VISIT : ct_bench_overlaps(run->bench) ? CALLS_OF_OVERLAP : 1;
}

/* The last ones of its calls. */
static size_t samples_of_visit(const struct turns *run, size_t calls)
{
    return ct_bench_overlaps(run->bench) || calls == 1 ? 1 : calls - 1;
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
            size_t calls = calls_of_visit(run, &run->trials[run->order[i]]);
            for (size_t call = 0; call < calls; call++)
                call_once(run, run->order[i], call + samples_of_visit(run, calls) < calls);
            if (wrong)
                wrong[run->order[i]] = !ct_bench_call_right(run->call);
        }
    }
    agree_on_time(run, wrong, began);
    settle(run, samples);
}

/* --- one cell --- */

/* Methods that need several nodes are skipped if there is only one, and those that forward blocks where calls
 * are non-blocking: the library carries these out by `linear`. */
static bool applies(const struct turns *run, const struct ct_method *method)
{
    struct ct_call call;
    if (ct_needs_routes(method) && run->bench->job.mode == CT_MODE_NONBLOCKING)
        return false;
    ct_bench_check(ct_call_describe(run->channel, run->cell->collective, &run->call->operands, &call),
                   "describing a call");
    return ct_method_applies(method, &call, NULL);
}

/* Of the methods that forward blocks. */
static void time_set_ups(struct turns *run)
{
    for (size_t i = 0; run->sparse && i < run->active; i++) {
        struct ct_bench_trial *trial = &run->trials[run->order[i]];
        if (ct_needs_routes(trial->method))
            trial->set_up =
                ct_bench_time_set_up(run->bench, run->group, run->cell, trial->index, run->sparse);
    }
}

/* Makes the set-ups of methods of a dense collective, without their times: samples show the calls after them,
 * as those of sparse collectives do. */
static void make_set_ups(struct turns *run)
{
    for (size_t i = 0; !run->sparse && i < run->active; i++) {
        const struct ct_bench_trial *trial = &run->trials[run->order[i]];
        struct ct_call call;
        struct ct_method used;
        if (!ct_needs_routes(trial->method))
            continue;
        if (run->bench->rank == 0)
            tell(run, trial->index);
        ct_bench_check(ct_call_describe(run->channel, run->cell->collective, &run->call->operands, &call),
                       "describing a call");
        ct_bench_check(ct_sparse_call_prepare(run->channel, run->comm, trial->method, &call, &used),
                       "a set-up");
        ct_sparse_call_settle(run->channel, run->comm, trial->method);
    }
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
    ct_turn_calls_make(&run->calls, calls, methods);
    for (size_t i = 0; i < methods; i++) {
        size_t index = job->indexes[run->cell->first + i];
        run->trials[i] = (struct ct_bench_trial){.method = &job->methods[index], .index = index};
        run->trials[i].through = !applies(run, run->trials[i].method);
        if (!run->trials[i].through)
            run->order[run->active++] = i;
    }
}

static void close_run(struct turns *run)
{
    for (size_t i = 0; i < run->cell->method_count; i++)
        ct_bench_trial_free(&run->trials[i]);
    free(run->trials);
    free(run->racers);
    free(run->order);
    ct_turn_calls_free(&run->calls);
}

/* Time in calls, and an equal share a call of the time between them. */
static double spent(const struct turns *run, const struct ct_bench_trial *trial)
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
        struct ct_bench_trial *trial = &run->trials[i];
        if (trial->through)
            continue;
        ct_bench_trial_sort(trial);
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
        const struct ct_bench_trial *trial = &run->trials[run->order[i]];
        const size_t visit = calls_of_visit(run, trial), samples = samples_of_visit(run, visit);
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
    ct_text_append(&text, "cell %zu %zu %zu", run->cell->id, run->group->nodes, run->group->ppn);
    if (run->cell->pattern > 0)
        ct_text_append(&text, " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32, run->features.degree,
                       run->features.mean_degree, run->features.imbalance, run->features.on_node);
    ct_text_append(&text, "\n");
    for (size_t i = 0; i < run->cell->method_count; i++) {
        const struct ct_bench_trial *trial = &run->trials[i];
        if (trial->wrong)
            ct_text_append(&text, "wrong %zu\n", trial->index);
        else
            ct_bench_trial_report(trial, &text);
    }
    ct_text_append(&text, "done %zu\n", run->cell->id);
    if (run->lost > 0)
        ct_text_append(&text, "late %zu %zu\n", run->lost, run->counted);
    if (run->bench->clocks)
        ct_text_append(&text, "skew %.9g %.9g\n", run->skew.seconds, run->skew.bound);
    ct_bench_report(run->bench, &text);
}

/* --- the computation --- */

/* Agreed seconds that a call by native takes without computation, or by the first method that applies. */
static double time_alone(struct turns *run)
{
    double times[CT_BENCH_CALIBRATIONS], began = ct_bench_now(run->bench);
    size_t trial = run->order[0];
    for (size_t i = 0; i < run->active; i++) {
        const bool is_native = ct_is_native(run->trials[run->order[i]].method->algorithm);
        trial = is_native || run->order[i] < trial ? run->order[i] : trial;
        if (is_native)
            break;
    }
    for (size_t i = 0; i < CT_BENCH_CALIBRATIONS; i++)
        call_once(run, trial, true);
    agree_on_time(run, NULL, began);
    for (size_t i = 0; i < CT_BENCH_CALIBRATIONS; i++)
        times[i] = run->calls.items[i].seconds;
    settle(run, false);
    return ct_median(times, CT_BENCH_CALIBRATIONS);
}

static void make_computation(struct turns *run)
{
    const double wanted = run->bench->job.compute;
    if (run->active > 0)
        ct_bench_make_computation(run->bench, run->group, run->cell->id,
                                  wanted > 0 ? wanted : time_alone(run), &run->computation);
}

/* --- all turns of a cell --- */

/* Everything before the samples. The first call of each method is checked; it is the sample, too, if nothing
 * varies. */
static void begin_turns(struct turns *run)
{
    const size_t warmup = run->bench->job.warmup;
    bool *wrong = ct_bench_allocate(run->cell->method_count, sizeof *wrong);
    open_run(run);
    share_budget(run);
    time_set_ups(run);
    make_set_ups(run);
    take_turn(run, 1, warmup == 0 && !ct_bench_overlaps(run->bench), wrong);
    free(wrong);
    if (ct_bench_overlaps(run->bench))
        make_computation(run);
    for (size_t i = 1; i < warmup; i++)
        take_turn(run, 1, false, NULL);
    sift(run);
}

/* Measures one cell, without reporting it. If a clock jumped, the cell is measured again. */
static void measure(struct turns *run)
{
    const struct turns fresh = *run;
    size_t jumps = 0;
    begin_turns(run);
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
            begin_turns(run);
        } else if (run->active == 0) {
            return;
        } else if (ct_window_is_hopeless(&run->bench->window)) {
            ct_bench_abort("a rank is more than %g s late for every start",
                           ct_window_lead(&run->bench->window));
        }
    }
}

/* The communicator, the calls and the features of a sparse collective. */
static void open_sparse(struct turns *run, struct ct_bench_sparse *sparse)
{
    const struct ct_job *job = &run->bench->job;
    struct ct_call call;
    ct_tuner_force(&job->methods[job->indexes[run->cell->first]]);
    ct_bench_sparse_open(run->bench, run->group, run->cell, sparse);
    if (!sparse->channel)
        ct_bench_abort("the library cannot be used on communicators with a topology");
    run->sparse = sparse;
    run->call = &sparse->call;
    run->comm = sparse->comm;
    run->channel = sparse->channel;
    ct_bench_check(ct_call_describe(run->channel, run->cell->collective, &run->call->operands, &call),
                   "describing a call");
    ct_bench_check(ct_pattern_features_agree(run->channel, run->cell->collective, &call, &run->features),
                   "agreeing on a pattern");
}

void ct_bench_measure(struct ct_bench *bench, const struct ct_job_cell *cell, struct ct_bench_call *call,
                      bool idle, bool last)
{
    struct turns run = {.bench = bench, .cell = cell, .call = call};
    struct ct_bench_sparse sparse;
    run.group = ct_bench_find_group(bench, cell->key.comm_size);
    run.comm = run.group->comm;
    run.channel = run.group->channel;
    if (bench->rank == 0)
        tell(&run, CT_JOB_NONE);
    ct_bench_meet(bench, run.group, idle);
    ct_bench_check_links(bench, run.group, false);
    if (cell->pattern > 0)
        open_sparse(&run, &sparse);
    else
        ct_bench_call_set(call, cell, bench->rank);
    measure(&run);
    report(&run);
    close_run(&run);
    if (cell->pattern > 0)
        ct_bench_sparse_close(&sparse);
    if (last)
        ct_bench_check_links(bench, run.group, true);
}
