/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/tuned_call.h"
#include "library/execute/executor.h"
#include "library/execute/native_call.h"
#include "library/mpi/backend_mpi.h"
#include "library/sparse/sparse_calls.h"
#include "measure/benchmark/common_clock.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/job_results.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/start.h"
#include "measure/benchmark/user_call.h"

#include <string.h>

static const struct ct_bench_flights *flights_of(enum ct_validation_side side)
{
    return side == CT_VALIDATION_TUNED ? &ct_bench_user_flights : &ct_bench_native_flights;
}

static bool is_sparse(const struct ct_validated_point *point)
{
    return ct_collectives[point->collective].is_sparse;
}

/* The simulator's MPI has no sparse collectives: `linear` sends the messages that MPI libraries send. */
static int native_call(const struct ct_validation *validation, const struct ct_validated_point *point,
                       const struct ct_operands *operands)
{
    if (!CT_SIMULATED || !is_sparse(point))
        return ct_native_call(point->collective, operands, validation->comm);
    const struct ct_method linear = ct_sparse_direct_method(point->collective);
    return ct_execute(validation->channel, &linear, operands);
}

/* What one side has left in the caches must not be what the other one finds: where CPUs are far apart, an
 * allgather of 1 MB took 129 us, and native's 452, each alone; in turn, on the same memory, 501 and 201,
 * since native's call before had left lines of the own block to the other rank. */
static const struct ct_bench_call *call_of(const struct ct_validation *validation,
                                           enum ct_validation_side side)
{
    return side == CT_VALIDATION_NATIVE ? &validation->native : validation->call;
}

/* The library may have chosen native. */
static struct ct_operands operands_of(const struct ct_validation *validation,
                                      const struct ct_validated_point *point, enum ct_validation_side side)
{
    return ct_bench_call_operands(call_of(validation, side),
                                  side == CT_VALIDATION_NATIVE || strcmp(point->method, "native") == 0);
}

/* The call itself, with `steps` of computation beside it where it is not blocking. */
static int make_call(const struct ct_validation *validation, const struct ct_validated_point *point,
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

void ct_validation_call(const struct ct_validation *validation, const struct ct_validated_point *point,
                        enum ct_validation_side side, size_t steps, double ret_figures[CT_FIGURES])
{
    const struct ct_bench *bench = &validation->bench;
    const struct ct_operands operands = operands_of(validation, point, side);
    MPI_Request request = MPI_REQUEST_NULL;
    ct_bench_call_write(call_of(validation, side));
    double in_mpi = 0, gathered = ct_bench_gather(bench, validation->group);
    if (bench->rank == 0)
        ct_bench_tell(bench, point->id, side);
    if (bench->job.mode ==
        CT_MODE_PERSISTENT) { /* a rank may fail here: all must have left the call before */
        ct_bench_release(bench, validation->group, gathered);
        ct_bench_flight_prepare(flights_of(side), point->collective, &operands, validation->comm, &request);
        gathered = ct_bench_gather(bench, validation->group);
    }
    ret_figures[CT_FIGURE_LATE] = ct_bench_release(bench, validation->group, gathered);
    const double begin = ct_bench_now(bench);
    int code = make_call(validation, point, &operands, side, steps, &request, &in_mpi);
    const double end = ct_bench_now(bench);
    ct_bench_check(code, ct_validation_sides[side]);
    ct_bench_flight_end(flights_of(side), &request);
    ct_bench_span(bench, begin, end, &ret_figures[CT_FIGURE_END], &ret_figures[CT_FIGURE_MINUS_BEGIN]);
    ret_figures[CT_FIGURE_IN_MPI] = in_mpi;
    ret_figures[CT_FIGURE_ADDED] = ct_bench_added(&validation->computation, steps, end - begin, in_mpi);
    ct_bench_rest();
}

void ct_validation_agree(const struct ct_validation *validation, double *numbers, double *ret_most,
                         size_t count)
{
    const struct ct_operands operands = ct_reduction(numbers, ret_most, count, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(validation->group, &validation->bench.agreement, &operands);
}

void ct_validation_report_word(const struct ct_validation *validation, const struct ct_validated_point *point,
                               const char *word)
{
    struct ct_text text = {0};
    ct_text_append(&text, "%s %zu\n", word, point->id);
    ct_bench_report(&validation->bench, &text);
}
