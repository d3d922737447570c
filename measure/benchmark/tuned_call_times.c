/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/tuned_call_times.h"
#include "base/statistics.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/paired_samples.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/start.h"

#include <math.h>

/* Fewer than six blocks have no confidence interval at 95 %. */
enum {
    BLOCKS_LEAST = CT_SIMULATED ? 1 : 6,
    BLOCKS_OF_LONG_CALLS = 3,
    BLOCKS_WANTED = 12,
    CALLS_MOST = 2 * CT_PAIRS_MOST
};

/* A call that is timed; before one that is not blocking the same without computation. */
static void time_call(const struct ct_validation *validation, const struct ct_validated_point *point,
                      enum ct_validation_side side, double ret_figures[CT_FIGURES])
{
    double alone[CT_FIGURES] = {0};
    if (ct_bench_overlaps(&validation->bench))
        ct_validation_call(validation, point, side, 0, alone);
    ct_validation_call(validation, point, side, validation->computation.steps, ret_figures);
    ret_figures[CT_FIGURE_LATE] += alone[CT_FIGURE_LATE];
    ret_figures[CT_FIGURE_ALONE_END] = alone[CT_FIGURE_END];
    ret_figures[CT_FIGURE_ALONE_MINUS_BEGIN] = alone[CT_FIGURE_MINUS_BEGIN];
}

/* Tuned and native in turn, each first in every other pair, and in every other block: the call that is first
 * in a block can take a fifth longer. The same on all ranks of the group. */
static void take_block(const struct ct_validation *validation, const struct ct_validated_point *point,
                       size_t pairs, size_t number, struct ct_paired_block *ret_block)
{
    const struct ct_bench *bench = &validation->bench;
    const size_t calls = 2 * pairs, numbers = calls * CT_FIGURES + 1; /* the last: the block's length */
    double own[CALLS_MOST * CT_FIGURES + 1], most[CALLS_MOST * CT_FIGURES + 1];
    enum ct_validation_side sides[CALLS_MOST];
    const double begun = ct_bench_now(bench);
    for (size_t i = 0; i < calls; i++) {
        sides[i] = (i + i / 2 + number) % 2 == 0 ? CT_VALIDATION_TUNED : CT_VALIDATION_NATIVE;
        time_call(validation, point, sides[i], &own[i * CT_FIGURES]);
    }
    own[numbers - 1] = ct_bench_now(bench) - begun;
    ct_validation_agree(validation, own, most, numbers);
    *ret_block = (struct ct_paired_block){.elapsed = most[numbers - 1]};
    for (size_t i = 0; i < calls; i++) {
        const double *call = &most[i * CT_FIGURES];
        double(*seconds)[CT_PAIRS_MOST] = ret_block->seconds[sides[i]];
        seconds[CT_PAIRED_COMPLETION][i / 2] =
            ct_bench_seconds(call[CT_FIGURE_END], call[CT_FIGURE_MINUS_BEGIN]);
        seconds[CT_PAIRED_SECONDS][i / 2] = ct_bench_overlaps(&validation->bench)
                                                ? ct_bench_positive(call[CT_FIGURE_ADDED])
                                                : seconds[CT_PAIRED_COMPLETION][i / 2];
        seconds[CT_PAIRED_IN_MPI][i / 2] = ct_bench_positive(call[CT_FIGURE_IN_MPI]);
        seconds[CT_PAIRED_ALONE][i / 2] =
            ct_bench_seconds(call[CT_FIGURE_ALONE_END], call[CT_FIGURE_ALONE_MINUS_BEGIN]);
        ret_block->late += call[CT_FIGURE_LATE] > 0;
    }
}

/* Would the least number of blocks take more than half of what is left of the budget? Each point has its
 * share of it, and one whose calls take seconds would have that of many others. The first one is timed
 * anyway, so that there is a result. The same on all ranks of the group. */
static bool takes_too_long(const struct ct_validation *validation, double seconds, double elapsed)
{
    const struct ct_bench *bench = &validation->bench;
    const double least = BLOCKS_OF_LONG_CALLS * elapsed;
    if (CT_SIMULATED || !(bench->job.budget > 0) || least <= seconds)
        return false;
    double mine[] = {ct_bench_now(bench) - bench->begun, (double)validation->timed}, most[2];
    ct_validation_agree(validation, mine, most, 2);
    return most[1] > 0 && least > (bench->job.budget - most[0] + elapsed) / 2;
}

/* Blocks until the time is up; false, without samples, if they would take too long. The first shows how long
 * a pair takes; it is a sample only if nothing varies, or if calls are so long that the least number of
 * blocks would take over a second: then there are fewer. */
static bool take_blocks(struct ct_validation *validation, const struct ct_validated_point *point,
                        double seconds, struct ct_paired_samples *samples)
{
    struct ct_window *window = &validation->bench.window;
    struct ct_paired_block block;
    take_block(validation, point, 1, 0, &block);
    if (takes_too_long(validation, seconds, block.elapsed))
        return false;
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
            ct_bench_abort("a rank is more than %g s late for every start", ct_window_lead(window));
    }
    return true;
}

static void report(const struct ct_validation *validation, const struct ct_validated_point *point,
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

/* Agreed seconds of native's call without computation: how long to compute, unless the job says it. */
static double time_alone(const struct ct_validation *validation, const struct ct_validated_point *point)
{
    double own[CT_BENCH_CALIBRATIONS * CT_FIGURES], most[CT_BENCH_CALIBRATIONS * CT_FIGURES];
    double times[CT_BENCH_CALIBRATIONS];
    for (size_t i = 0; i < CT_BENCH_CALIBRATIONS; i++) {
        double *figures = &own[i * CT_FIGURES];
        ct_validation_call(validation, point, CT_VALIDATION_NATIVE, 0, figures);
        figures[CT_FIGURE_ALONE_END] = figures[CT_FIGURE_ALONE_MINUS_BEGIN] = 0;
    }
    ct_validation_agree(validation, own, most, CT_BENCH_CALIBRATIONS * CT_FIGURES);
    for (size_t i = 0; i < CT_BENCH_CALIBRATIONS; i++)
        times[i] = ct_bench_seconds(most[i * CT_FIGURES + CT_FIGURE_END],
                                    most[i * CT_FIGURES + CT_FIGURE_MINUS_BEGIN]);
    return ct_median(times, CT_BENCH_CALIBRATIONS);
}

static void make_computation(struct ct_validation *validation, const struct ct_validated_point *point)
{
    const double wanted = validation->bench.job.compute;
    if (ct_bench_overlaps(&validation->bench))
        ct_bench_make_computation(&validation->bench, validation->group, point->id,
                                  wanted > 0 ? wanted : time_alone(validation, point),
                                  &validation->computation);
}

static bool time_point(struct ct_validation *validation, const struct ct_validated_point *point,
                       double seconds)
{
    static struct ct_paired_samples samples;
    struct ct_bench *bench = &validation->bench;
    struct ct_bench_skew skew;
    size_t jumps = 0;
    make_computation(validation, point);
    do {
        if (!take_blocks(validation, point, seconds, &samples))
            return false;
        if (bench->rank == 0 && bench->clocks)
            ct_bench_tell(bench, CT_JOB_NONE, CT_JOB_NONE);
        skew = ct_bench_check_clocks(bench, validation->group);
    } while (ct_bench_tell_jump(bench, &skew, jumps++));
    report(validation, point, &samples);
    validation->timed++;
    return true;
}

bool ct_validation_time(struct ct_validation *validation, const struct ct_validated_point *point,
                        double seconds)
{
    ct_bench_call_make_beside(validation->call, &validation->native);
    const bool is_timed = time_point(validation, point, seconds);
    ct_bench_call_free_beside(&validation->native);
    return is_timed;
}
