/* SPDX-License-Identifier: BSD-3-Clause */
/* The validation program: linked with a tuned library, it calls each collective through it and natively in
 * turn, checks the results' contents, and checks by the library's counters that the tuned calls happened: one
 * call of one method, as many messages as that method's plan has, nothing passed on unless the decision was
 * native. Sparse collectives are called on a communicator with the topology of their pattern; what is set up
 * or decided for them happens in the calls that are checked, before those that are timed.
 *
 * Calls that are not blocking are made and timed as turns.c does it: beside a computation, and after a call
 * of the same side without one. The time is what the call adds to the computation.
 *
 * Usage: validation JOB [MODE]. The job's cells are the points, in their order. A cell's first method says
 * nothing; a second one is known there: if the library chose it, the point is not timed, but reported by a
 * line `same ID`, before any point is timed. Of the others each takes rule.most_seconds, or its share of the
 * budget; when that is used up, the rest is left out.
 * measure/job.h describes the results file; here a point is a line `point ID METHOD TUNED NATIVE LOW HIGH`:
 * medians in seconds, and the 95 % confidence interval of the speed-up; in modes other than blocking with
 * COMPUTATION behind it, and COMPLETION IN_MPI HIDDEN of the tuned calls and of the native ones, also
 * medians. `wrong ID` stands instead where something was wrong, which goes to standard error. The state's
 * method is an enum ct_validation_side. */
#include "base/statistics.h"
#include "library/colltuned.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/native_call.h"
#include "library/mpi/backend_mpi.h"
#include "library/settled_choices.h"
#include "library/sparse_calls.h"
#include "measure/benchmark/call_buffers.h"
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/flight_call.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/job_files.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/paired_samples.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/sparse_call.h"
#include "measure/benchmark/start.h"
#include "measure/benchmark/user_call.h"
#include "measure/pace.h"
#include "measure/validation_side.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COUNTERS = 256 };

/* Fewer than six blocks have no confidence interval at 95 %. */
enum {
    BLOCKS_LEAST = CT_SIMULATED ? 1 : 6,
    BLOCKS_OF_LONG_CALLS = 3,
    BLOCKS_WANTED = 12,
    CALLS_MOST = 2 * CT_PAIRS_MOST
};

struct validation {
    struct ct_bench bench;
    const struct ct_bench_group *group;      /* of the current point */
    struct ct_bench_call dense;              /* calls of collectives without a pattern */
    struct ct_bench_sparse sparse;           /* those of the point, if it has one */
    struct ct_bench_call *call;              /* of the point, */
    MPI_Comm comm;                           /* on this communicator, */
    struct ct_channel *channel;              /* whose channel describes them */
    struct ct_bench_computation computation; /* beside the calls of the point that are not blocking */
    int wrong;                               /* findings of this rank at the current point */
    bool *settled;                           /* by cell: this rank knows that no time is needed for it */
};

struct point {
    enum ct_collective collective;
    size_t id;
    size_t msg_bytes;
    char method[CT_METHOD_TEXT];
};

/* What is known of a call: on a rank, and then as agreed by the maxima over the ranks. */
enum figure { END, MINUS_BEGIN, LATE, ADDED, IN_MPI, ALONE_END, ALONE_MINUS_BEGIN, FIGURES };

__attribute__((format(printf, 3, 4))) static void
find_wrong(struct validation *validation, const struct point *point, const char *format, ...)
{
    va_list arguments;
    char text[200];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    validation->wrong++;
    fprintf(stderr, CT_VALIDATION_WRONG "%s of %zu bytes on %zu ranks, rank %d: %s\n",
            ct_collectives[point->collective].name, point->msg_bytes, validation->group->size,
            validation->bench.rank, text);
}

/* Messages that this rank sends in the method's plan. */
static unsigned long long messages_of_plan(const struct validation *validation,
                                           const struct ct_method *method)
{
    struct ct_call call;
    struct ct_plan plan = {0};
    unsigned long long messages = 0;
    ct_bench_check(ct_call_describe(validation->channel, method->algorithm->collective,
                                    &validation->call->operands, &call),
                   "describing a call");
    if (ct_needs_routes(method) &&
        !(call.routes = ct_sparse_call_routes(validation->channel, validation->comm, method)))
        return 0;
    ct_plan_reset(&plan);
    if (ct_method_build(method, &plan, &call) != CT_OK)
        ct_bench_abort("no memory for a plan");
    for (size_t i = 0; i < plan.step_count; i++)
        messages += plan.steps[i].kind == CT_STEP_SEND;
    ct_plan_free(&plan);
    return messages;
}

/* What changed between two readings must be one call of one method, with the messages of its plan. */
static void check_counters(struct validation *validation, struct point *point,
                           const struct colltuned_counter *before, const struct colltuned_counter *after,
                           size_t count)
{
    size_t ran = count;
    for (size_t i = 0; i < count; i++) {
        if (after[i].calls == before[i].calls)
            continue;
        if (ran < count || after[i].calls != before[i].calls + 1)
            find_wrong(validation, point, "more than one call was counted for one");
        ran = i;
    }
    if (ran == count) {
        find_wrong(validation, point, "no call was counted: the tuned library is not in the way");
        return;
    }
    struct ct_method method;
    if (ct_method_parse(after[ran].method, CT_COLLECTIVES, NULL, &method) != CT_OK ||
        method.algorithm->collective != point->collective) {
        find_wrong(validation, point, "'%s' was counted", after[ran].method);
        return;
    }
    ct_method_format(&method, false, point->method);
    unsigned long long expected = ct_is_native(method.algorithm) ? 0 : messages_of_plan(validation, &method);
    unsigned long long sent = after[ran].messages - before[ran].messages;
    if (sent != expected)
        find_wrong(validation, point, "%s sent %llu messages, its plan has %llu", after[ran].method, sent,
                   expected);
}

static const struct ct_bench_flights *flights_of(enum ct_validation_side side)
{
    return side == CT_VALIDATION_TUNED ? &ct_bench_user_flights : &ct_bench_native_flights;
}

static bool is_sparse(const struct point *point)
{
    return ct_collectives[point->collective].is_sparse;
}

/* The simulator's MPI has no sparse collectives: `linear` sends the messages that MPI libraries send. */
static int native_call(const struct validation *validation, const struct point *point,
                       const struct ct_operands *operands)
{
    if (!CT_SIMULATED || !is_sparse(point))
        return ct_native_call(point->collective, operands, validation->comm);
    const struct ct_method linear = ct_sparse_direct_method(point->collective);
    return ct_execute(validation->channel, &linear, operands);
}

/* The library may have chosen native. */
static struct ct_operands operands_of(const struct validation *validation, const struct point *point,
                                      enum ct_validation_side side)
{
    return ct_bench_call_operands(validation->call,
                                  side == CT_VALIDATION_NATIVE || strcmp(point->method, "native") == 0);
}

/* The call itself, with `steps` of computation beside it where it is not blocking. */
static int make_call(const struct validation *validation, const struct point *point,
                     const struct ct_operands *operands, enum ct_validation_side side, size_t steps,
                     MPI_Request *request, double *ret_in_mpi)
{
    MPI_Comm comm = validation->comm;
    if (ct_bench_overlaps(&validation->bench))
        return ct_bench_flight_call(&validation->bench, flights_of(side), point->collective, operands, comm,
                                    steps, request, ret_in_mpi);
    if (side == CT_VALIDATION_NATIVE)
        return native_call(validation, point, operands);
    return (is_sparse(point) ? ct_bench_sparse_call : ct_bench_user_call)(point->collective, operands, comm);
}

/* A call that starts together on all ranks, as in a sweep. */
static void call_once(const struct validation *validation, const struct point *point,
                      enum ct_validation_side side, size_t steps, double ret_figures[FIGURES])
{
    const struct ct_bench *bench = &validation->bench;
    const struct ct_operands operands = operands_of(validation, point, side);
    MPI_Request request = MPI_REQUEST_NULL;
    ct_bench_call_write(validation->call);
    double in_mpi = 0, gathered = ct_bench_gather(bench, validation->group);
    if (bench->rank == 0)
        ct_bench_tell(bench, point->id, side);
    if (bench->job.mode ==
        CT_MODE_PERSISTENT) { /* a rank may fail here: all must have left the call before */
        ct_bench_release(bench, validation->group, gathered);
        ct_bench_flight_prepare(flights_of(side), point->collective, &operands, validation->comm, &request);
        gathered = ct_bench_gather(bench, validation->group);
    }
    ret_figures[LATE] = ct_bench_release(bench, validation->group, gathered);
    const double begin = ct_bench_now(bench);
    int code = make_call(validation, point, &operands, side, steps, &request, &in_mpi);
    const double end = ct_bench_now(bench);
    ct_bench_check(code, ct_validation_sides[side]);
    ct_bench_flight_end(flights_of(side), &request);
    ct_bench_span(bench, begin, end, &ret_figures[END], &ret_figures[MINUS_BEGIN]);
    ret_figures[IN_MPI] = in_mpi;
    ret_figures[ADDED] = ct_bench_added(&validation->computation, steps, end - begin, in_mpi);
    ct_bench_rest();
}

/* A call that is timed; before one that is not blocking the same without computation. */
static void time_call(const struct validation *validation, const struct point *point,
                      enum ct_validation_side side, double ret_figures[FIGURES])
{
    double alone[FIGURES] = {0};
    if (ct_bench_overlaps(&validation->bench))
        call_once(validation, point, side, 0, alone);
    call_once(validation, point, side, validation->computation.steps, ret_figures);
    ret_figures[LATE] += alone[LATE];
    ret_figures[ALONE_END] = alone[END];
    ret_figures[ALONE_MINUS_BEGIN] = alone[MINUS_BEGIN];
}

static void check_call(struct validation *validation, struct point *point)
{
    struct colltuned_counter before[MOST_COUNTERS], after[MOST_COUNTERS];
    double figures[FIGURES];
    ct_bench_call_fill(validation->call);
    size_t count = colltuned_counters(before, MOST_COUNTERS);
    call_once(validation, point, CT_VALIDATION_TUNED, 0, figures);
    colltuned_counters(after, MOST_COUNTERS);
    if (!ct_bench_call_right(validation->call))
        find_wrong(validation, point, "the result is wrong");
    check_counters(validation, point, before, after, count < MOST_COUNTERS ? count : MOST_COUNTERS);
}

/* The greatest of each number over the group's ranks, through our own plan. */
static void agree_on_most(const struct validation *validation, double *numbers, double *ret_most,
                          size_t count)
{
    const struct ct_operands operands = ct_reduction(numbers, ret_most, count, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(validation->group, &validation->bench.agreement, &operands);
}

/* Tuned and native in turn, each first in every other pair, and in every other block: the call that is first
 * in a block can take a fifth longer. The same on all ranks of the group. */
static void take_block(const struct validation *validation, const struct point *point, size_t pairs,
                       size_t number, struct ct_paired_block *ret_block)
{
    const struct ct_bench *bench = &validation->bench;
    const size_t calls = 2 * pairs, numbers = calls * FIGURES + 1; /* the last: the block's length */
    double own[CALLS_MOST * FIGURES + 1], most[CALLS_MOST * FIGURES + 1];
    enum ct_validation_side sides[CALLS_MOST];
    const double begun = ct_bench_now(bench);
    for (size_t i = 0; i < calls; i++) {
        sides[i] = (i + i / 2 + number) % 2 == 0 ? CT_VALIDATION_TUNED : CT_VALIDATION_NATIVE;
        time_call(validation, point, sides[i], &own[i * FIGURES]);
    }
    own[numbers - 1] = ct_bench_now(bench) - begun;
    agree_on_most(validation, own, most, numbers);
    *ret_block = (struct ct_paired_block){.elapsed = most[numbers - 1]};
    for (size_t i = 0; i < calls; i++) {
        const double *call = &most[i * FIGURES];
        double(*seconds)[CT_PAIRS_MOST] = ret_block->seconds[sides[i]];
        seconds[CT_PAIRED_COMPLETION][i / 2] = ct_bench_seconds(call[END], call[MINUS_BEGIN]);
        seconds[CT_PAIRED_SECONDS][i / 2] = ct_bench_overlaps(&validation->bench)
                                                ? ct_bench_positive(call[ADDED])
                                                : seconds[CT_PAIRED_COMPLETION][i / 2];
        seconds[CT_PAIRED_IN_MPI][i / 2] = ct_bench_positive(call[IN_MPI]);
        seconds[CT_PAIRED_ALONE][i / 2] = ct_bench_seconds(call[ALONE_END], call[ALONE_MINUS_BEGIN]);
        ret_block->late += call[LATE] > 0;
    }
}

/* Blocks until the time is up. The first shows how long a pair takes; it is a sample only if nothing varies,
 * or if calls are so long that the least number of blocks would take over a second: then there are fewer. */
static void take_blocks(struct validation *validation, const struct point *point, double seconds,
                        struct ct_paired_samples *samples)
{
    struct ct_window *window = &validation->bench.window;
    struct ct_paired_block block;
    take_block(validation, point, 1, 0, &block);
    const double patience = fmax(seconds, 1);
    double elapsed = block.elapsed, wanted = seconds / (BLOCKS_WANTED * elapsed);
    size_t pairs = wanted >= CT_PAIRS_MOST ? CT_PAIRS_MOST : wanted > 1 ? (size_t)wanted : 1, taken = 1;
    if (pairs == 1 && 2 * BLOCKS_LEAST * elapsed <= patience) /* so that either side is first in each block */
        pairs = 2;
    const bool is_long = (BLOCKS_LEAST + 1) * elapsed > patience;
    samples->pairs = samples->blocks = 0;
    if (CT_SIMULATED || (is_long && block.late == 0))
        ct_paired_samples_add(samples, &block, 1);
    while (samples->blocks < CT_BLOCKS_MOST && (elapsed < seconds || samples->blocks < BLOCKS_OF_LONG_CALLS ||
                                                (samples->blocks < BLOCKS_LEAST && elapsed < patience))) {
        take_block(validation, point, pairs, taken++, &block);
        elapsed += block.elapsed;
        ct_window_adapt(window, 2 * pairs, block.late);
        if (block.late == 0)
            ct_paired_samples_add(samples, &block, pairs);
        else if (ct_window_is_hopeless(window))
            ct_bench_abort("some rank comes more than %g s late to every start", ct_window_lead(window));
    }
}

static void report(const struct validation *validation, const struct point *point,
                   struct ct_paired_samples *samples)
{
    struct ct_text text = {0};
    ct_text_append(&text, "point %zu %s", point->id, point->method);
    ct_paired_samples_report(samples, &text);
    if (ct_bench_overlaps(&validation->bench))
        ct_paired_samples_report_overlap(samples, validation->computation.all, &text);
    ct_text_append(&text, "\n");
    ct_bench_report(&validation->bench, &text);
}

/* `wrong ID`, or `same ID`. */
static void report_word(const struct validation *validation, const struct point *point, const char *word)
{
    struct ct_text text = {0};
    ct_text_append(&text, "%s %zu\n", word, point->id);
    ct_bench_report(&validation->bench, &text);
}

/* Seconds for a point, of whose job no more than `left` points, it among them, are to be timed as far as this
 * rank knows; 0: the budget is used up. The same on all ranks of the group: rank 0 knows most. */
static double time_for(const struct validation *validation, size_t left)
{
    const struct ct_job *job = &validation->bench.job;
    if (!(job->budget > 0))
        return job->rule.most_seconds;
    double mine[] = {ct_bench_now(&validation->bench) - validation->bench.begun, -(double)left}, agreed[2];
    agree_on_most(validation, mine, agreed, 2);
    return fmin(ct_pace_of_slot(job->budget, agreed[0], (size_t)-agreed[1]), job->rule.most_seconds);
}

/* Agreed seconds of native's call without computation: how long to compute, unless the job says it. */
static double time_alone(const struct validation *validation, const struct point *point)
{
    double own[CT_BENCH_CALIBRATIONS * FIGURES], most[CT_BENCH_CALIBRATIONS * FIGURES];
    double times[CT_BENCH_CALIBRATIONS];
    for (size_t i = 0; i < CT_BENCH_CALIBRATIONS; i++) {
        double *figures = &own[i * FIGURES];
        call_once(validation, point, CT_VALIDATION_NATIVE, 0, figures);
        figures[ALONE_END] = figures[ALONE_MINUS_BEGIN] = 0;
    }
    agree_on_most(validation, own, most, CT_BENCH_CALIBRATIONS * FIGURES);
    for (size_t i = 0; i < CT_BENCH_CALIBRATIONS; i++)
        times[i] = ct_bench_seconds(most[i * FIGURES + END], most[i * FIGURES + MINUS_BEGIN]);
    return ct_median(times, CT_BENCH_CALIBRATIONS);
}

static void make_computation(struct validation *validation, const struct point *point)
{
    const double wanted = validation->bench.job.compute;
    if (ct_bench_overlaps(&validation->bench))
        ct_bench_make_computation(&validation->bench, validation->group, point->id,
                                  wanted > 0 ? wanted : time_alone(validation, point),
                                  &validation->computation);
}

/* Did the library choose the method whose times are known? All ranks choose alike. */
static bool is_known(const struct ct_job *job, const struct ct_job_cell *cell, const struct point *point)
{
    char known[CT_METHOD_TEXT];
    if (cell->method_count < 2)
        return false;
    ct_method_format(&job->methods[job->indexes[cell->first + 1]], false, known);
    return strcmp(known, point->method) == 0;
}

/* All tuned calls before those that are timed. Ranks may agree in the first ones of sparse collectives. */
static int calls_to_check(const struct ct_job_cell *cell)
{
    return cell->pattern > 0 ? CT_SETTLED_AFTER + 1 : CT_SIMULATED ? 1 : 2;
}

/* The point's method, with results and counters checked. False if something was wrong. */
static bool check_calls(struct validation *validation, const struct ct_job_cell *cell, struct point *point)
{
    for (int i = 0; i < calls_to_check(cell); i++)
        check_call(validation, point);
    double wrong = validation->wrong, any_wrong;
    validation->wrong = 0;
    agree_on_most(validation, &wrong, &any_wrong, 1);
    if (any_wrong > 0)
        report_word(validation, point, "wrong");
    return !(any_wrong > 0);
}

/* Takes at most so many seconds. */
static void time_calls(struct validation *validation, const struct point *point, double seconds)
{
    static struct ct_paired_samples samples;
    struct ct_bench *bench = &validation->bench;
    struct ct_bench_skew skew;
    size_t jumps = 0;
    make_computation(validation, point);
    do {
        take_blocks(validation, point, seconds, &samples);
        if (bench->rank == 0 && bench->clocks)
            ct_bench_tell(bench, CT_JOB_NONE, CT_JOB_NONE);
        skew = ct_bench_check_clocks(bench, validation->group);
    } while (ct_bench_tell_jump(bench, &skew, jumps++));
    report(validation, point, &samples);
}

static void open_point(struct validation *validation, const struct ct_job_cell *cell)
{
    struct ct_bench *bench = &validation->bench;
    if (cell->pattern > 0) {
        ct_bench_sparse_open(bench, validation->group, cell, &validation->sparse);
        validation->call = &validation->sparse.call;
        validation->comm = validation->sparse.comm;
        validation->channel = validation->sparse.channel;
    } else {
        ct_bench_call_set(&validation->dense, cell, bench->rank);
        validation->call = &validation->dense;
        validation->comm = validation->group->comm;
        validation->channel = validation->group->channel;
    }
}

/* Points that are only compared are settled if the library chose the known method, or if something is wrong;
 * those that are timed, by that. */
enum pass { COMPARE, TIME };

/* Returns whether the point is settled. */
static bool settle_point(struct validation *validation, const struct ct_job_cell *cell, enum pass pass,
                         double seconds)
{
    struct point point = {.collective = cell->collective, .id = cell->id, .msg_bytes = cell->key.msg_bytes};
    bool settled = true;
    open_point(validation, cell);
    if (check_calls(validation, cell, &point)) {
        if (pass == TIME)
            time_calls(validation, &point, seconds);
        else if (is_known(&validation->bench.job, cell, &point))
            report_word(validation, &point, "same");
        else
            settled = false;
    }
    if (cell->pattern > 0)
        ct_bench_sparse_close(&validation->sparse);
    return settled;
}

static size_t points_left(const struct validation *validation, size_t first)
{
    size_t left = 0;
    for (size_t i = first; i < validation->bench.job.cell_count; i++)
        left += !validation->settled[i];
    return left;
}

/* Ranks outside a point's group wait for its end idly. */
static void take_points(struct validation *validation, enum pass pass)
{
    struct ct_bench *bench = &validation->bench;
    bool idle = true;
    for (size_t i = 0; i < bench->job.cell_count; i++) {
        const struct ct_job_cell *cell = &bench->job.cells[i];
        if (pass == COMPARE && cell->method_count < 2)
            continue;
        const bool mine = (size_t)bench->rank < cell->key.comm_size;
        const bool wanted = mine && !validation->settled[i];
        if (wanted) {
            validation->group = ct_bench_find_group(bench, cell->key.comm_size);
            if (bench->rank == 0)
                ct_bench_tell(bench, CT_JOB_NONE, CT_JOB_NONE);
            ct_bench_meet(bench, validation->group, idle);
            const double seconds = pass == TIME ? time_for(validation, points_left(validation, i)) : 0;
            if (pass == COMPARE || seconds > 0)
                validation->settled[i] = settle_point(validation, cell, pass, seconds);
        }
        idle = !wanted;
    }
}

static void validate_all(struct validation *validation)
{
    const struct ct_job *job = &validation->bench.job;
    validation->settled = ct_bench_allocate(job->cell_count, sizeof *validation->settled);
    ct_bench_call_make(&validation->dense, job);
    take_points(validation, COMPARE);
    take_points(validation, TIME);
    ct_bench_call_free(&validation->dense);
    free(validation->settled);
}

int main(int argc, char **argv)
{
    static struct validation validation;
    const enum ct_call_mode mode = ct_bench_mode(argc, argv);
    ct_bench_check(MPI_Init(&argc, &argv), "MPI_Init");
    if (ct_bench_begin(&validation.bench, argv, mode)) {
        validate_all(&validation);
        ct_bench_end(&validation.bench);
    }
    MPI_Finalize();
    return 0;
}
