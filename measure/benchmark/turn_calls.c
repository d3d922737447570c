/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/turn_calls.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/start.h"

#include <stdlib.h>

/* The most numbers of a call in an agreement: its end and begin, whether it was late, its time in MPI
 * functions, and what it added. */
enum { NUMBERS_MOST = 5 };

void ct_turn_calls_make(struct ct_turn_calls *ret_calls, size_t calls, size_t methods)
{
    const size_t numbers = NUMBERS_MOST * calls + methods + 1;
    *ret_calls = (struct ct_turn_calls){.items = ct_bench_allocate(calls, sizeof *ret_calls->items),
                                        .mine = ct_bench_allocate(numbers, sizeof *ret_calls->mine),
                                        .agreed = ct_bench_allocate(numbers, sizeof *ret_calls->agreed)};
}

void ct_turn_calls_free(struct ct_turn_calls *calls)
{
    free(calls->items);
    free(calls->mine);
    free(calls->agreed);
}

/* Where the numbers of a call lie among those of a call, and how many there are. */
struct layout {
    size_t late;          /* if ranks can be late */
    size_t in_mpi, added; /* if calls are not blocking */
    size_t count;
};

enum { END, MINUS_BEGIN, FURTHER };

static struct layout layout_of(const struct ct_bench *bench)
{
    struct layout layout = {.late = FURTHER};
    layout.in_mpi = layout.late + ct_bench_can_be_late(bench);
    layout.added = layout.in_mpi + 1;
    layout.count = ct_bench_overlaps(bench) ? layout.added + 1 : layout.in_mpi;
    return layout;
}

static void write_calls(const struct ct_turn_calls *calls, const struct ct_bench *bench, struct layout layout)
{
    for (size_t i = 0; i < calls->count; i++) {
        const struct ct_turn_call *call = &calls->items[i];
        double *numbers = calls->mine + i * layout.count;
        ct_bench_span(bench, call->begin, call->end, &numbers[END], &numbers[MINUS_BEGIN]);
        if (ct_bench_can_be_late(bench))
            numbers[layout.late] = call->late;
        if (ct_bench_overlaps(bench)) {
            numbers[layout.in_mpi] = call->in_mpi;
            numbers[layout.added] = call->added;
        }
    }
}

static void read_calls(const struct ct_turn_calls *calls, const struct ct_bench *bench, struct layout layout)
{
    for (size_t i = 0; i < calls->count; i++) {
        struct ct_turn_call *call = &calls->items[i];
        const double *numbers = calls->agreed + i * layout.count;
        call->seconds = ct_bench_seconds(numbers[END], numbers[MINUS_BEGIN]);
        if (ct_bench_can_be_late(bench))
            call->late = numbers[layout.late] > 0;
        if (ct_bench_overlaps(bench)) {
            call->in_mpi = numbers[layout.in_mpi];
            call->added = numbers[layout.added];
        }
    }
}

double ct_turn_calls_agree(struct ct_turn_calls *calls, const struct ct_bench *bench,
                           const struct ct_bench_group *group, bool *wrong, size_t methods, double began)
{
    const struct layout layout = layout_of(bench);
    const size_t elapsed = calls->count * layout.count, of_methods = elapsed + 1;
    write_calls(calls, bench, layout);
    for (size_t i = 0; i < methods; i++)
        calls->mine[of_methods + i] = wrong && wrong[i];
    calls->mine[elapsed] = ct_bench_now(bench) - began;
    const struct ct_operands operands =
        ct_reduction(calls->mine, calls->agreed, of_methods + methods, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, &bench->agreement, &operands);
    read_calls(calls, bench, layout);
    for (size_t i = 0; wrong && i < methods; i++)
        wrong[i] = calls->agreed[of_methods + i] > 0;
    return calls->agreed[elapsed];
}
