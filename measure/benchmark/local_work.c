/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/local_work.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/operand_types.h"
#include "measure/benchmark/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reductions and copies on memory that is in no cache: each repetition takes the next piece of a pool larger
 * than caches are, as section 4.4.1 of Pjesivac-Grbovic 2007 creeps through arrays. */

enum { POOL = CT_SIMULATED ? 1 << 20 : 96 << 20 }; /* simulated time does not depend on caches */

struct work {
    char subject[40];
    MPI_Datatype type;
    MPI_Op operation; /* MPI_OP_NULL: a copy */
    int element;      /* bytes */
};

/* Filled with ones: sums and products stay ordinary numbers, and every page gets its own memory. */
static char *make_pool(void)
{
    double *pool = ct_bench_allocate_pages(POOL);
    for (size_t i = 0; i < POOL / sizeof *pool; i++)
        pool[i] = 1;
    return (char *)pool;
}

/* `at` is where in the pools the walk has come to. */
static double time_work(const struct ct_bench *bench, const struct work *work, char *const pools[2],
                        int bytes, size_t *at)
{
    *at = *at + (size_t)bytes > POOL ? 0 : *at;
    char *from = pools[0] + *at, *to = pools[1] + *at;
    *at += (size_t)bytes;
    double began = ct_bench_now(bench);
    if (work->operation == MPI_OP_NULL) {
        memcpy(to, from, (size_t)bytes);
        ct_charge_copy((size_t)bytes);
    } else {
        PMPI_Reduce_local(from, to, bytes / work->element, work->type, work->operation);
        ct_charge_reduce((size_t)bytes);
    }
    return ct_bench_now(bench) - began;
}

static void measure_work(const struct ct_bench *bench, const struct ct_point_rows *rows,
                         const struct work *work, char *const pools[2], int bytes, size_t *at)
{
    double once = time_work(bench, work, pools, bytes, at), spent = 0;
    size_t done = 0, more;
    while ((more = ct_point_repetitions_left(rows, once, done, spent)) > 0) {
        for (size_t i = 0; i < more; i++) {
            double seconds = time_work(bench, work, pools, bytes, at);
            ct_point_report(rows, "work", work->subject, 0, (size_t)bytes, done++, seconds);
            spent += seconds;
        }
        once = spent / (double)done;
    }
}

void ct_measure_local_work(const struct ct_bench *bench, const struct ct_point_rows *rows)
{
    /* The largest is what models take; the others show from where on the time of a byte is steady. */
    static const int sizes[] = {256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10};
    char *const pools[2] = {make_pool(), make_pool()};
    size_t at = 0;
    for (int type = 0; type < CT_DATA_TYPES; type++)
        for (int operation = 0; ct_data_types[type].reduces && operation < CT_OPERATIONS; operation++) {
            struct work work = {.type = ct_bench_type_make((enum ct_data_type)type),
                                .operation =
                                    ct_bench_op_make((enum ct_operation)operation, (enum ct_data_type)type),
                                .element = (int)ct_data_types[type].bytes};
            snprintf(work.subject, sizeof work.subject, "%s/%s", ct_operations[operation].name,
                     ct_data_types[type].name);
            for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
                measure_work(bench, rows, &work, pools, sizes[k], &at);
            ct_bench_op_free((enum ct_operation)operation, &work.operation);
        }
    const struct work copy = {"copy/byte", MPI_BYTE, MPI_OP_NULL, 1};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        measure_work(bench, rows, &copy, pools, sizes[k], &at);
    free(pools[0]);
    free(pools[1]);
    fflush(rows->out);
}
