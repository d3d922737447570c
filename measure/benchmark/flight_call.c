/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/flight_call.h"
#include "base/statistics.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/start.h"

#include <math.h>

/* Calls that are in flight while their rank computes. */

/* --- the computation --- */

/* Each step needs the result of the one before, so that a step takes as long on an idle CPU as on a busy one;
 * it needs no memory, so that it leaves the caches to the call. */
static uint64_t compute(uint64_t state, size_t steps)
{
    for (size_t i = 0; i < steps; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
    }
    return state;
}

static void compute_steps(size_t steps)
{
    volatile uint64_t state = 1; /* so that it is computed */
    state = compute(state, steps);
}

/* Seconds that a step takes on this rank. */
static double seconds_of_step(const struct ct_bench *bench)
{
    enum { STEPS = 1 << 14, TRIES = 8 };
    double best = 0;
    for (int i = 0; i < TRIES; i++) { /* the best: a rank may lose its CPU meanwhile */
        double began = ct_bench_now(bench);
        compute_steps(STEPS);
        double seconds = (ct_bench_now(bench) - began) / STEPS;
        best = i == 0 || seconds < best ? seconds : best;
    }
    return best;
}

void ct_bench_make_computation(const struct ct_bench *bench, const struct ct_bench_group *group, size_t cell,
                               double seconds, struct ct_bench_computation *ret_computation)
{
    enum { PASSES = CT_BENCH_CALIBRATIONS };
    double own[PASSES], ends[2 * PASSES], agreed[2 * PASSES], step = seconds_of_step(bench), longest = step;
    const struct ct_operands of_step = ct_reduction(&step, &longest, 1, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, &bench->agreement, &of_step);
    struct ct_bench_computation computation = {.steps = (size_t)ceil(seconds / longest)};
    for (size_t i = 0; i < PASSES; i++) {
        double gathered = ct_bench_gather(bench, group);
        if (bench->rank == 0) /* each pass is a sign of life: all of them may take longer than a call may */
            ct_bench_tell(bench, cell, CT_JOB_NONE);
        ct_bench_release(bench, group, gathered);
        double begin = ct_bench_now(bench);
        compute_steps(computation.steps);
        double end = ct_bench_now(bench);
        own[i] = end - begin;
        ct_bench_span(bench, begin, end, &ends[i], &ends[PASSES + i]);
    }
    const struct ct_operands of_ends = ct_reduction(ends, agreed, 2 * PASSES, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, &bench->agreement, &of_ends);
    computation.own = ct_median(own, CT_BENCH_CALIBRATIONS);
    for (size_t i = 0; i < PASSES; i++)
        own[i] = ct_bench_seconds(agreed[i], agreed[PASSES + i]);
    computation.all = ct_median(own, CT_BENCH_CALIBRATIONS);
    *ret_computation = computation;
}

/* --- starting a call --- */

#if CT_SIMULATED

static int prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request)
{
    (void)operands;
    (void)comm;
    (void)request;
    ct_bench_abort("persistent calls of %s cannot be simulated", ct_collectives[collective].name);
}

static int begin(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                 MPI_Request *request)
{
    (void)collective;
    (void)operands;
    (void)comm;
    (void)request;
    ct_bench_abort("nonblocking calls of %s cannot be simulated", ct_collectives[collective].name);
}

static int prepare_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                          MPI_Request *request)
{
    return prepare(collective, operands, comm, request);
}

static int begin_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                        MPI_Request *request)
{
    return begin(collective, operands, comm, request);
}

#else

#if CT_HAS_LARGE_FORMS

#define CT_SMALL(name, lower) MPI_##name##_init
#define CT_LARGE(name, lower) MPI_##name##_init_c
#define CT_MORE               , MPI_INFO_NULL, request

static int prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}

#define CT_SMALL(name, lower) PMPI_##name##_init
#define CT_LARGE(name, lower) PMPI_##name##_init_c
#define CT_MORE               , MPI_INFO_NULL, request

static int prepare_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                          MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}

#else

static int prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request)
{
    (void)operands;
    (void)comm;
    (void)request;
    ct_bench_abort("this MPI library has no persistent %s", ct_collectives[collective].name);
}

static int prepare_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                          MPI_Request *request)
{
    return prepare(collective, operands, comm, request);
}

#endif

#define CT_SMALL(name, lower) MPI_I##lower
#define CT_LARGE(name, lower) MPI_I##lower##_c
#define CT_MORE               , request

static int begin(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                 MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}

#define CT_SMALL(name, lower) PMPI_I##lower
#define CT_LARGE(name, lower) PMPI_I##lower##_c
#define CT_MORE               , request

static int begin_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                        MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}

#endif

const struct ct_bench_flights ct_bench_user_flights = {
    .prepare = prepare,
    .begin = begin,
    .start = MPI_Start,
    .test = MPI_Test,
    .wait = MPI_Wait,
    .release = MPI_Request_free,
};

const struct ct_bench_flights ct_bench_native_flights = {
    .prepare = prepare_native,
    .begin = begin_native,
    .start = PMPI_Start,
    .test = PMPI_Test,
    .wait = PMPI_Wait,
    .release = PMPI_Request_free,
};

void ct_bench_flight_prepare(const struct ct_bench_flights *flights, enum ct_collective collective,
                             const struct ct_operands *operands, MPI_Comm comm, MPI_Request *ret_request)
{
    ct_bench_check(flights->prepare(collective, operands, comm, ret_request),
                   ct_collectives[collective].name);
}

void ct_bench_flight_end(const struct ct_bench_flights *flights, MPI_Request *request)
{
    if (*request != MPI_REQUEST_NULL)
        ct_bench_check(flights->release(request), "MPI_Request_free");
}

/* --- the call --- */

int ct_bench_flight_call(const struct ct_bench *bench, const struct ct_bench_flights *flights,
                         enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                         size_t steps, MPI_Request *request, double *ret_in_mpi)
{
    const size_t slices = bench->job.tests + 1;
    int done = false;
    double entered = ct_bench_now(bench), in_mpi;
    int code = bench->job.mode == CT_MODE_PERSISTENT ? flights->start(request)
                                                     : flights->begin(collective, operands, comm, request);
    in_mpi = ct_bench_now(bench) - entered;
    for (size_t i = 0; code == MPI_SUCCESS && i < slices; i++) {
        compute_steps(steps / slices + (i < steps % slices));
        if (done || i + 1 == slices)
            continue;
        entered = ct_bench_now(bench);
        code = flights->test(request, &done, MPI_STATUS_IGNORE);
        in_mpi += ct_bench_now(bench) - entered;
    }
    entered = ct_bench_now(bench);
    if (code == MPI_SUCCESS && !done)
        code = flights->wait(request, MPI_STATUS_IGNORE);
    in_mpi += ct_bench_now(bench) - entered;
    *ret_in_mpi = in_mpi;
    return code;
}

double ct_bench_added(const struct ct_bench_computation *computation, size_t steps, double seconds,
                      double in_mpi)
{
    return fmax(in_mpi, seconds - (steps > 0 ? computation->own : 0));
}

double ct_bench_hidden(const struct ct_overlap *overlap, double alone)
{
    double share = (alone + overlap->computation - overlap->completion) / overlap->computation;
    return fmin(fmax(share, 0), 1);
}
