/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/call_buffers.h"
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/start.h"
#include "measure/benchmark/turns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Real ranks with clocks that are put in: they share this machine's clock, so what each says of the common
 * one can be held against the truth. `check_clocks` says ok or names what is wrong; `check_clocks restless`
 * must end the job, since a clock jumps each time it is looked at. */

/* How a rank's clock differs from this machine's; the same formula on all ranks. */
struct put_in {
    int rank;
    double jump;
    long jump_after; /* readings; 0: it has jumped, if at all */
    bool restless;
};

static int failures;
static struct ct_text reported;

void ct_bench_report(const struct ct_bench *bench, struct ct_text *text)
{
    if (bench->rank == 0)
        ct_text_append_bytes(&reported, text->data, text->length);
    ct_text_free(text);
}

static double truth(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Seconds apart, and 1 to 100 ppm fast or slow. */
static double clock_at(int rank, double jump, double when)
{
    static const double drifts[] = {20e-6, -100e-6, 1e-6, 73e-6};
    return 1000 + when * (1 + drifts[rank % 4]) + 3.7 * rank + jump;
}

static double read_put_in(void *context)
{
    struct put_in *put_in = context;
    if (put_in->restless)
        put_in->jump += 1e-3;
    bool waits = put_in->jump_after > 0 && --put_in->jump_after > 0;
    return clock_at(put_in->rank, waits ? 0 : put_in->jump, truth());
}

static void expect(const struct ct_bench *bench, bool right, const char *what)
{
    if (right)
        return;
    fprintf(stderr, "rank %d of %d: %s\n", bench->rank, bench->size, what);
    failures++;
}

/* This rank's idea of rank 0's time, now and up to a minute from now, is right within the bound, which tells
 * seconds apart at least. `jump` is rank 0's. */
static void expect_one_clock(const struct ct_bench *bench, const struct put_in *own, double jump)
{
    for (double later = 0; later <= 60; later += 15) {
        double when = truth() + later;
        double local = clock_at(own->rank, own->jump, when) - bench->epoch;
        double off = ct_clock_global(&bench->model, local) - (clock_at(0, jump, when) - bench->epoch);
        double bound = ct_clock_bound(&bench->model, local);
        expect(bench, fabs(off) <= bound, "the common clock is further off than its bound");
        expect(bench, later > 0 || bound < 1, "the bound says nothing");
    }
}

static void jump(struct put_in *own, int who, double seconds)
{
    if (own->rank == who)
        own->jump += seconds;
}

static void check_jumps(struct ct_bench *bench, const struct ct_bench_group *all, struct put_in *own)
{
    struct ct_bench_skew skew = ct_bench_check_clocks(bench, all);
    expect(bench, skew.jumped == -1, "clocks seem to jump that run evenly");
    expect_one_clock(bench, own, 0);
    jump(own, 1, 5);
    skew = ct_bench_check_clocks(bench, all);
    expect(bench, skew.jumped == 1 && fabs(skew.seconds - 5) < 1, "the jump of rank 1 is not found");
    expect_one_clock(bench, own, 0);
    jump(own, 0, -5);
    skew = ct_bench_check_clocks(bench, all);
    expect(bench, skew.jumped > 0 && fabs(skew.seconds - 5) < 1, "the jump of rank 0 is not found");
    expect_one_clock(bench, own, -5);
    jump(own, 0, 5); /* as before */
    jump(own, 1, -5);
    ct_bench_check_clocks(bench, all);
    expect_one_clock(bench, own, 0);
}

/* Whose clock is ahead comes late to what the others agree on. */
static void check_late(struct ct_bench *bench, const struct ct_bench_group *all, struct put_in *own)
{
    bench->window.lead = 1;
    jump(own, 1, 20);
    double gathered = bench->rank == 1 ? 0 : ct_bench_now(bench);
    const struct ct_operands nothing = {.root = 0};
    ct_bench_run(all, &bench->barrier, &nothing);
    bool late = ct_bench_release(bench, all, gathered);
    expect(bench, bench->rank != 1 || late, "rank 1 is not late");
    jump(own, 1, -20);
    bench->window.lead = 0;
}

/* A clock that every reading moves on; of rank 1 by a hundred times as much. */
static double read_steps(void *context)
{
    struct put_in *steps = context;
    steps->jump += steps->rank == 1 ? 0.1 : 0.001;
    return steps->jump;
}

static void check_slow(const struct ct_bench *bench)
{
    struct put_in steps = {.rank = bench->rank};
    struct ct_bench slow = *bench;
    int rank;
    slow.clock = (struct ct_bench_clock){.read = read_steps, .context = &steps};
    slow.model = (struct ct_clock_model){0};
    double factor = ct_bench_slowest(&slow, &rank);
    expect(bench, bench->rank != 0 || (fabs(factor - 100) < 1 && rank == 1), "the slow rank is not found");
    steps.rank = 0;
    factor = ct_bench_slowest(&slow, &rank);
    expect(bench, fabs(factor - 1) < 0.01, "a rank seems slow among equals");
}

static size_t count(const char *text, const char *word)
{
    size_t found = 0;
    for (const char *at = text; at && (at = strstr(at, word)); at++)
        found++;
    return found;
}

/* A cell in which a clock jumps is measured again, and told once. */
static void check_cell(struct ct_bench *bench, struct put_in *own)
{
    struct ct_bench_call call;
    ct_bench_call_make(&call, &bench->job);
    if (bench->rank == 1) {
        own->jump = -20;
        own->jump_after = 200;
    }
    ct_bench_measure(bench, &bench->job.cells[0], &call, false, true);
    ct_bench_call_free(&call);
    if (bench->rank == 0) {
        expect(bench, count(reported.data, "jump 1 ") == 1, "the jump within the cell is not told");
        expect(bench, count(reported.data, "jump") == 1, "more jumps are told than there were");
        expect(bench, count(reported.data, "cell 0 ") == 1, "the cell is not told once");
        expect(bench, count(reported.data, "\nok 0 ") == 20, "20 samples of the first method");
        expect(bench, count(reported.data, "\nok 1 ") == 20, "20 samples of the second method");
        expect(bench, count(reported.data, "\nskew ") == 1, "the skew is not told");
    }
    expect_one_clock(bench, own, 0);
}

static void make_job(struct ct_job *job, size_t size)
{
    static const char *const names[] = {"linear", "binomial"};
    const struct ct_job_cell cell = {.collective = CT_COLLECTIVE_BCAST,
                                     .key = {.comm_size = size, .msg_bytes = 64}};
    job->sync = CT_SYNC_WINDOW;
    job->size = size;
    job->warmup = 1;
    job->rule = (struct ct_stop_rule){.least = 20, .most = 20, .precision = 0.01, .most_seconds = 60};
    if (ct_job_add_cell(job, &cell) != CT_OK)
        ct_bench_abort("out of memory");
    for (size_t i = 0; i < 2; i++) {
        struct ct_method method;
        if (ct_method_parse(names[i], CT_COLLECTIVE_BCAST, NULL, &method) != CT_OK ||
            ct_job_add_method(job, &method) != CT_OK || ct_job_add_index(job, i) != CT_OK)
            ct_bench_abort("no method %s", names[i]);
    }
}

int main(int argc, char **argv)
{
    struct ct_bench bench = {0};
    MPI_Init(&argc, &argv);
    PMPI_Comm_rank(MPI_COMM_WORLD, &bench.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &bench.size);
    /* the last rank of four reads the clock of the one before */
    struct put_in own = {.rank = bench.rank == 3 ? 2 : bench.rank};
    own.restless = argc > 1 && strcmp(argv[1], "restless") == 0 && bench.rank == 1;
    bench.clock = (struct ct_bench_clock){read_put_in, &own, (uint64_t)own.rank};
    bench.state = calloc(1, sizeof *bench.state);
    make_job(&bench.job, (size_t)bench.size);
    ct_bench_find_methods(&bench);
    ct_bench_make_groups(&bench);
    expect(&bench, !bench.common_clock, "clocks that differ seem to be one");
    ct_bench_make_clocks(&bench);
    expect(&bench, bench.common_clock, "no common clock was made");
    expect(&bench, bench.clock_count == (size_t)(bench.size < 3 ? bench.size : 3),
           "how many clocks there are");
    expect_one_clock(&bench, &own, 0);
    const struct ct_bench_group *all = ct_bench_find_group(&bench, (size_t)bench.size);
    check_jumps(&bench, all, &own);
    check_late(&bench, all, &own);
    check_slow(&bench);
    check_cell(&bench, &own);
    int most = failures;
    PMPI_Allreduce(&failures, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    ct_bench_free_clocks(&bench);
    ct_bench_free_groups(&bench);
    ct_job_free(&bench.job);
    ct_text_free(&reported);
    free(bench.state);
    if (bench.rank == 0 && most == 0)
        printf("ok\n");
    MPI_Finalize();
    return most > 0;
}
