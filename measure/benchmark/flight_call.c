/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/backend_mpi.h"
#include "measure/benchmark/benchmark.h"

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

void ct_bench_compute(size_t steps)
{
    volatile uint64_t state = 1; /* so that it is computed */
    state = compute(state, steps);
}

double ct_bench_seconds_of_step(const struct ct_bench *bench)
{
    enum { STEPS = 1 << 14, TRIES = 8 };
    double best = 0;
    for (int i = 0; i < TRIES; i++) { /* the best: a rank may lose its CPU meanwhile */
        double began = ct_bench_now(bench);
        ct_bench_compute(STEPS);
        double seconds = (ct_bench_now(bench) - began) / STEPS;
        best = i == 0 || seconds < best ? seconds : best;
    }
    return best;
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

#else

#if CT_HAS_LARGE_FORMS

#define CT_SMALL(name, lower) MPI_##name##_init
#define CT_LARGE(name, lower) MPI_##name##_init_c
#define CT_MORE               , MPI_INFO_NULL, request

static int prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request)
{
#include "library/mpi_calls.def"
}

#undef CT_SMALL
#undef CT_LARGE
#undef CT_MORE

#else

static int prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request)
{
    (void)operands;
    (void)comm;
    (void)request;
    ct_bench_abort("this MPI library has no persistent %s", ct_collectives[collective].name);
}

#endif

#define CT_SMALL(name, lower) MPI_I##lower
#define CT_LARGE(name, lower) MPI_I##lower##_c
#define CT_MORE               , request

static int begin(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                 MPI_Request *request)
{
#include "library/mpi_calls.def"
}

#endif

void ct_bench_flight_prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                             MPI_Request *ret_request)
{
    ct_bench_check(prepare(collective, operands, comm, ret_request), ct_collectives[collective].name);
}

void ct_bench_flight_end(MPI_Request *request)
{
    if (*request != MPI_REQUEST_NULL)
        ct_bench_check(MPI_Request_free(request), "MPI_Request_free");
}

/* --- the call --- */

int ct_bench_flight_call(const struct ct_bench *bench, enum ct_collective collective,
                         const struct ct_operands *operands, MPI_Comm comm, size_t steps,
                         MPI_Request *request, double *ret_in_mpi)
{
    const size_t slices = bench->job.tests + 1;
    int done = false;
    double entered = ct_bench_now(bench), in_mpi;
    int code = bench->job.mode == CT_MODE_PERSISTENT ? MPI_Start(request)
                                                     : begin(collective, operands, comm, request);
    in_mpi = ct_bench_now(bench) - entered;
    for (size_t i = 0; code == MPI_SUCCESS && i < slices; i++) {
        ct_bench_compute(steps / slices + (i < steps % slices));
        if (done || i + 1 == slices)
            continue;
        entered = ct_bench_now(bench);
        code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
        in_mpi += ct_bench_now(bench) - entered;
    }
    entered = ct_bench_now(bench);
    if (code == MPI_SUCCESS && !done)
        code = MPI_Wait(request, MPI_STATUS_IGNORE);
    in_mpi += ct_bench_now(bench) - entered;
    *ret_in_mpi = in_mpi;
    return code;
}
