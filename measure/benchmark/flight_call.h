/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_MEASURE_BENCHMARK_FLIGHT_CALL_H
#define CT_MEASURE_BENCHMARK_FLIGHT_CALL_H

#include "library/execute/operands.h"
#include "measure/benchmark/bench.h"
#include "plan/overlap.h"

/* Calls in flight while their rank computes. */

/* What is computed beside the calls of a cell. */
struct ct_bench_computation {
    size_t steps;
    double own; /* seconds that it takes on this rank */
    double all; /* and from its start until all ranks are through */
};

enum { CT_BENCH_CALIBRATIONS = 9 }; /* passes by whose median a computation, or a call, is timed beforehand */

/* Makes a computation that takes `seconds` on the slowest rank, and times it as calls are timed: all ranks
 * compute at the same time. `cell` is what rank 0 tells the supervisor. All ranks of the group call it. */
void ct_bench_make_computation(const struct ct_bench *bench, const struct ct_bench_group *group, size_t cell,
                               double seconds, struct ct_bench_computation *ret_computation);

/* The MPI functions by which such a call is made. */
struct ct_bench_flights {
    int (*prepare)(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request);
    int (*begin)(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                 MPI_Request *request);
    int (*start)(MPI_Request *request);
    int (*test)(MPI_Request *request, int *flag, MPI_Status *status);
    int (*wait)(MPI_Request *request, MPI_Status *status);
    int (*release)(MPI_Request *request);
};

/* Those that applications call, which the library takes over, and the MPI library's own. */
extern const struct ct_bench_flights ct_bench_user_flights, ct_bench_native_flights;

/* Before a persistent call, untimed: makes its request, by which the library writes the method's plan. */
void ct_bench_flight_prepare(const struct ct_bench_flights *flights, enum ct_collective collective,
                             const struct ct_operands *operands, MPI_Comm comm, MPI_Request *ret_request);
/* After a call, untimed: frees the request unless it is MPI_REQUEST_NULL. */
void ct_bench_flight_end(const struct ct_bench_flights *flights, MPI_Request *request);
/* One call as an application makes it that does not wait at once: starts it, computes so many steps, with
 * the job's number of tests in between, and waits for it. Returns its MPI error code; *ret_in_mpi gets the
 * seconds in MPI functions. */
int ct_bench_flight_call(const struct ct_bench *bench, const struct ct_bench_flights *flights,
                         enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                         size_t steps, MPI_Request *request, double *ret_in_mpi);
/* What a call of that many `seconds`, of which `in_mpi` in MPI functions, adds on this rank to the
 * computation beside it; to none if `steps` is 0. */
double ct_bench_added(const struct ct_bench_computation *computation, size_t steps, double seconds,
                      double in_mpi);
/* What a call hides that takes `alone` seconds without computation: the sum of both less the time of both
 * together, as a share of the computation. */
double ct_bench_hidden(const struct ct_overlap *overlap, double alone);

#endif
