/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/charge.h"
#include "measure/benchmark/benchmark_point.h"

#include <stdlib.h>
#include <string.h>

/* Reductions and copies on memory that is in no cache: each repetition takes the next piece of a pool larger
 * than caches are, as section 4.4.1 of Pjesivac-Grbovic 2007 creeps through arrays. */

#ifdef SMPI_H
enum { POOL = 1 << 20 }; /* there time does not depend on where the memory is */
#else
enum { POOL = 96 << 20 };
#endif

struct work {
    const char *subject;
    MPI_Datatype type;
    MPI_Op operation; /* MPI_OP_NULL: a copy */
    int element;      /* bytes */
};

/* Ones, of which sums and products stay ordinary numbers; and written, lest all pages be one page of zeroes.
 */
static char *make_pool(void)
{
    double *pool = malloc(POOL);
    if (!pool)
        ct_bench_abort("no memory for a pool of %d bytes", (int)POOL);
    for (size_t i = 0; i < POOL / sizeof *pool; i++)
        pool[i] = 1;
    return (char *)pool;
}

static void do_work(const struct work *work, char *from, char *to, int bytes)
{
    if (work->operation == MPI_OP_NULL) {
        memcpy(to, from, (size_t)bytes);
        ct_charge_copy((size_t)bytes);
    } else {
        PMPI_Reduce_local(from, to, bytes / work->element, work->type, work->operation);
        ct_charge_reduce((size_t)bytes);
    }
}

/* `at` is where in the pools the walk has come to. */
static double time_work(const struct ct_point_bench *point, const struct work *work, char *const pools[2],
                        int bytes, size_t *at)
{
    *at = *at + (size_t)bytes > POOL ? 0 : *at;
    double began = ct_bench_now(&point->bench);
    do_work(work, pools[0] + *at, pools[1] + *at, bytes);
    double seconds = ct_bench_now(&point->bench) - began;
    *at += (size_t)bytes;
    return seconds;
}

static void measure(const struct ct_point_bench *point, const struct work *work, char *const pools[2],
                    int bytes, size_t *at)
{
    double once = time_work(point, work, pools, bytes, at), spent = 0;
    size_t done = 0, more;
    while ((more = ct_point_repetitions(point, once, done, spent)) > 0) {
        for (size_t i = 0; i < more; i++) {
            double seconds = time_work(point, work, pools, bytes, at);
            ct_point_report(point, "work", work->subject, 0, (size_t)bytes, done++, seconds);
            spent += seconds;
        }
        once = spent / (double)done;
    }
}

void ct_point_work(struct ct_point_bench *point)
{
    const struct work works[] = {{"sum/int", MPI_INT, MPI_SUM, sizeof(int)},
                                 {"prod/int", MPI_INT, MPI_PROD, sizeof(int)},
                                 {"max/int", MPI_INT, MPI_MAX, sizeof(int)},
                                 {"sum/double", MPI_DOUBLE, MPI_SUM, sizeof(double)},
                                 {"prod/double", MPI_DOUBLE, MPI_PROD, sizeof(double)},
                                 {"max/double", MPI_DOUBLE, MPI_MAX, sizeof(double)},
                                 {"copy/byte", MPI_BYTE, MPI_OP_NULL, 1}};
    static const int sizes[] = {1 << 10, 16 << 10, 256 << 10};
    char *const pools[2] = {make_pool(), make_pool()};
    size_t at = 0;
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
            measure(point, &works[i], pools, sizes[k], &at);
    free(pools[0]);
    free(pools[1]);
    fflush(point->out);
}
