/* SPDX-License-Identifier: BSD-3-Clause */
/* The validation program: linked with a tuned library, it calls each collective through it and natively in
 * turn, checks the results' contents, and checks by the library's counters that the tuned calls happened: one
 * call of one method, as many messages as that method's plan has, nothing passed on unless the decision was
 * native.
 *
 * Usage: validation FILE SECONDS COLLECTIVES COMM-SIZES MSG-SIZES. Rank 0 writes FILE as CSV, a line a point,
 * and `end` when all is done; what is wrong goes to standard error, and the exit code is then 1. */
#include "base/sort.h"
#include "base/statistics.h"
#include "library/colltuned.h"
#include "measure/benchmark/benchmark.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CT_MPI(name) MPI_##name

/* Calls the interposed function. */
static int tuned_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi_calls.def"
}

enum { MOST_COUNTERS = 256, BATCH = 10, MOST_BATCHES = 50 };

struct validation {
    struct ct_bench bench;
    const struct ct_bench_group *group; /* of the current point */
    MPI_Comm comm;                      /* the same ranks, as an application would have them */
    struct ct_bench_call call;
    FILE *out; /* rank 0 */
    double seconds;
    int wrong; /* findings of this rank */
};

struct point {
    enum ct_collective collective;
    size_t msg_bytes;
    char method[CT_METHOD_TEXT];
};

__attribute__((format(printf, 3, 4))) static void
find_wrong(struct validation *validation, const struct point *point, const char *format, ...)
{
    va_list arguments;
    char text[200];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    validation->wrong++;
    fprintf(stderr, "%s of %zu bytes on %zu ranks, rank %d: %s\n", ct_collectives[point->collective].name,
            point->msg_bytes, validation->group->size, validation->bench.rank, text);
}

/* Messages that this rank sends in the method's plan. */
static unsigned long long messages_of_plan(const struct validation *validation,
                                           const struct ct_method *method)
{
    struct ct_call call;
    struct ct_plan plan = {0};
    unsigned long long messages = 0;
    ct_bench_check(ct_call_describe(validation->group->channel, method->algorithm->collective,
                                    &validation->call.operands, &call),
                   "describing a call");
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

static void check_call(struct validation *validation, struct point *point)
{
    struct colltuned_counter before[MOST_COUNTERS], after[MOST_COUNTERS];
    ct_bench_call_set(&validation->call, point->collective, point->msg_bytes, validation->bench.rank,
                      (int)validation->group->size);
    ct_bench_call_fill(&validation->call);
    size_t count = colltuned_counters(before, MOST_COUNTERS);
    ct_bench_check(tuned_call(point->collective, &validation->call.operands, validation->comm),
                   "the tuned call");
    colltuned_counters(after, MOST_COUNTERS);
    if (!ct_bench_call_right(&validation->call))
        find_wrong(validation, point, "the result is wrong");
    check_counters(validation, point, before, after, count < MOST_COUNTERS ? count : MOST_COUNTERS);
}

/* The greatest of each number over the group's ranks, through our own plan. */
static void agree_on_most(const struct validation *validation, double *numbers, double *ret_most,
                          size_t count)
{
    struct ct_operands operands = ct_reduction(numbers, ret_most, count, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_check(ct_execute(validation->group->channel, &validation->bench.agreement, &operands),
                   "agreeing on times");
}

static double time_one(const struct validation *validation, const struct point *point, bool tuned)
{
    const struct ct_operands *operands = &validation->call.operands;
    const struct ct_operands none = {0};
    ct_bench_check(ct_execute(validation->group->channel, &validation->bench.barrier, &none),
                   "starting together");
    double begin = PMPI_Wtime();
    int code = tuned ? tuned_call(point->collective, operands, validation->comm)
                     : ct_native_call(point->collective, operands, validation->comm);
    double end = PMPI_Wtime();
    ct_bench_check(code, "a timed call");
    return end - begin;
}

/* Tuned and native in turn, each first every other time, in batches until the time is up. */
static void time_point(const struct validation *validation, const struct point *point, double *ret_tuned,
                       double *ret_native)
{
    static double tuned[BATCH * MOST_BATCHES], native[BATCH * MOST_BATCHES];
    size_t count = 0;
    const double begun = PMPI_Wtime();
    double own[2 * BATCH + 1], slowest[2 * BATCH + 1]; /* the last: seconds since the beginning */
    do {
        for (int i = 0; i < 2 * BATCH; i++) {
            bool is_tuned = (i + i / 2) % 2 == 0;
            own[i / 2 + (is_tuned ? 0 : BATCH)] = time_one(validation, point, is_tuned);
        }
        own[2 * BATCH] = PMPI_Wtime() - begun;
        agree_on_most(validation, own, slowest, 2 * BATCH + 1);
        memcpy(tuned + count, slowest, BATCH * sizeof *tuned);
        memcpy(native + count, slowest + BATCH, BATCH * sizeof *native);
        count += BATCH;
    } while (slowest[2 * BATCH] < validation->seconds && count < BATCH * MOST_BATCHES);
    ct_sort(tuned, count);
    ct_sort(native, count);
    *ret_tuned = ct_quantile(tuned, count, 0.5);
    *ret_native = ct_quantile(native, count, 0.5);
}

static void validate_point(struct validation *validation, enum ct_collective collective, size_t msg_bytes)
{
    struct point point = {.collective = collective, .msg_bytes = msg_bytes};
    double tuned, native;
    check_call(validation, &point);
    check_call(validation, &point);
    time_point(validation, &point, &tuned, &native);
    if (validation->bench.rank != 0)
        return;
    fprintf(validation->out, "%s,%zu,%zu,\"%s\",%.9g,%.9g\n", ct_collectives[collective].name,
            validation->group->size, msg_bytes, point.method, tuned, native);
    fflush(validation->out);
}

/* Points of one communicator size follow each other, so that its communicator is made once. */
static void validate_all(struct validation *validation)
{
    const struct ct_job *job = &validation->bench.job;
    for (size_t i = 0; i < job->cell_count; i++) {
        const struct ct_job_cell *cell = &job->cells[i];
        if ((size_t)validation->bench.rank >= cell->key.comm_size)
            continue;
        validation->group = ct_bench_find_group(&validation->bench, cell->key.comm_size);
        bool first = i == 0 || job->cells[i - 1].key.comm_size != cell->key.comm_size;
        bool last = i + 1 == job->cell_count || job->cells[i + 1].key.comm_size != cell->key.comm_size;
        if (first)
            ct_bench_check(PMPI_Comm_dup(validation->group->comm, &validation->comm), "MPI_Comm_dup");
        validate_point(validation, cell->collective, cell->key.msg_bytes);
        if (last)
            PMPI_Comm_free(&validation->comm);
    }
}

/* All points of the lists, by communicator size. */
static int make_job(char **lists, struct ct_job *job)
{
    char **names;
    size_t *comm_sizes, *msg_sizes, name_count, comm_size_count, msg_size_count;
    if (ct_words_split(lists[0], NULL, &names, &name_count) != CT_OK ||
        ct_list_parse(lists[1], NULL, &comm_sizes, &comm_size_count) != CT_OK ||
        ct_list_parse(lists[2], NULL, &msg_sizes, &msg_size_count) != CT_OK)
        return CT_E_INPUT;
    for (size_t p = comm_size_count; p-- > 0;)
        for (size_t c = 0; c < name_count; c++) {
            struct ct_job_cell cell = {.collective = ct_collective_find(names[c]),
                                       .key.comm_size = (uint32_t)comm_sizes[p]};
            if (cell.collective == CT_COLLECTIVES)
                return CT_E_INPUT;
            const bool has_size = ct_collectives[cell.collective].has_size;
            for (size_t m = 0; m < (has_size ? msg_size_count : 1); m++) {
                cell.key.msg_bytes = has_size ? msg_sizes[m] : 0;
                if (ct_job_add_cell(job, &cell) != CT_OK)
                    return CT_E_MEMORY;
            }
        }
    ct_words_free(names, name_count);
    free(comm_sizes);
    free(msg_sizes);
    return CT_OK;
}

static void start(struct validation *validation, char **argv)
{
    struct ct_bench *bench = &validation->bench;
    PMPI_Comm_rank(MPI_COMM_WORLD, &bench->rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &bench->size);
    bench->clock = ct_bench_usual_clock();
    validation->seconds = strtod(argv[2], NULL);
    if (make_job(argv + 3, &bench->job) != CT_OK)
        ct_bench_abort("expected FILE SECONDS COLLECTIVES COMM-SIZES MSG-SIZES");
    ct_bench_find_methods(bench);
    ct_bench_make_groups(bench);
    ct_bench_call_make(&validation->call, &bench->job);
    if (bench->rank == 0 && !(validation->out = fopen(argv[1], "w")))
        ct_bench_abort("%s: cannot be written", argv[1]);
    if (bench->rank == 0)
        fprintf(validation->out, "collective,comm_size,msg_bytes,method,tuned_seconds,native_seconds\n");
}

int main(int argc, char **argv)
{
    static struct validation validation;
    MPI_Init(&argc, &argv);
    if (argc != 6)
        ct_bench_abort("expected FILE SECONDS COLLECTIVES COMM-SIZES MSG-SIZES");
    start(&validation, argv);
    validate_all(&validation);

    /* Ranks that finish early must neither spin nor enter a native collective while the others measure.
     */
    const struct ct_bench_group *all = ct_bench_find_group(&validation.bench, (size_t)validation.bench.size);
    ct_channel_set_policy(all->channel, CT_WAIT_SLEEP);
    double own = validation.wrong, most = 0;
    validation.group = all;
    agree_on_most(&validation, &own, &most, 1);
    if (validation.out) {
        fprintf(validation.out, "end\n");
        fclose(validation.out);
    }
    ct_bench_call_free(&validation.call);
    ct_bench_free_groups(&validation.bench);
    ct_job_free(&validation.bench.job);
    MPI_Finalize();
    return most > 0 ? 1 : 0;
}
