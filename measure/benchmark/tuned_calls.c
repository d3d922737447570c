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
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/job_files.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/start.h"
#include "measure/benchmark/tuned_call_checks.h"
#include "measure/benchmark/tuned_call_times.h"
#include "measure/pace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Seconds for a point, of whose job no more than `left` points, it among them, are to be timed as far as this
 * rank knows; 0: the budget is used up. The same on all ranks of the group: rank 0 knows most. */
static double time_for(const struct ct_validation *validation, size_t left)
{
    const struct ct_job *job = &validation->bench.job;
    if (!(job->budget > 0))
        return job->rule.most_seconds;
    double mine[] = {ct_bench_now(&validation->bench) - validation->bench.begun, -(double)left}, agreed[2];
    ct_validation_agree(validation, mine, agreed, 2);
    return fmin(ct_pace_of_slot(job->budget, agreed[0], (size_t)-agreed[1]), job->rule.most_seconds);
}

/* Did the library choose the method whose times are known? All ranks choose alike. */
static bool is_known(const struct ct_job *job, const struct ct_job_cell *cell,
                     const struct ct_validated_point *point)
{
    char known[CT_METHOD_TEXT];
    if (cell->method_count < 2)
        return false;
    ct_method_format(&job->methods[job->indexes[cell->first + 1]], false, known);
    return strcmp(known, point->method) == 0;
}

static void open_point(struct ct_validation *validation, const struct ct_job_cell *cell)
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
static bool settle_point(struct ct_validation *validation, const struct ct_job_cell *cell, enum pass pass,
                         double seconds)
{
    struct ct_validated_point point = {
        .collective = cell->collective, .id = cell->id, .msg_bytes = cell->key.msg_bytes};
    bool settled = true;
    open_point(validation, cell);
    if (ct_validation_check(validation, cell, &point)) {
        if (pass == TIME)
            settled = ct_validation_time(validation, &point, seconds);
        else if (is_known(&validation->bench.job, cell, &point))
            ct_validation_report_word(validation, &point, "same");
        else
            settled = false;
    }
    if (cell->pattern > 0)
        ct_bench_sparse_close(&validation->sparse);
    return settled;
}

static size_t points_left(const struct ct_validation *validation, size_t first)
{
    size_t left = 0;
    for (size_t i = first; i < validation->bench.job.cell_count; i++)
        left += !validation->settled[i];
    return left;
}

/* Ranks outside a point's group wait for its end idly. */
static void take_points(struct ct_validation *validation, enum pass pass)
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

static void validate_all(struct ct_validation *validation)
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
    static struct ct_validation validation;
    const enum ct_call_mode mode = ct_bench_mode(argc, argv);
    ct_bench_check(MPI_Init(&argc, &argv), "MPI_Init");
    if (ct_bench_begin(&validation.bench, argv, mode)) {
        validate_all(&validation);
        ct_bench_end(&validation.bench);
    }
    MPI_Finalize();
    return 0;
}
