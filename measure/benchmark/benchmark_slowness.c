/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"
#include "measure/benchmark/benchmark.h"
#include "measure/slowness.h"

#include <stdlib.h>

#ifdef SMPI_H

/* Local work costs nothing there. */
double ct_bench_slowest(const struct ct_bench *bench, int *ret_rank)
{
    (void)bench;
    *ret_rank = 0;
    return 1;
}

#else

enum { WORK_BYTES = 1 << 16, WORK_TIMES = 5 };

/* Seconds for some work that nobody waits for; the best of a few, since a rank may lose its CPU meanwhile. */
static double time_work(const struct ct_bench *bench)
{
    unsigned char *bytes = calloc(WORK_BYTES, 1);
    double best = 0;
    uint64_t hash = 0;
    if (!bytes)
        ct_bench_abort("out of memory");
    for (int i = 0; i < WORK_TIMES; i++) {
        double began = ct_bench_now(bench);
        hash = ct_hash(hash, bytes, WORK_BYTES);
        double seconds = ct_bench_now(bench) - began;
        bytes[0] = (unsigned char)hash; /* so that it is computed */
        best = i == 0 || seconds < best ? seconds : best;
    }
    free(bytes);
    return best;
}

double ct_bench_slowest(const struct ct_bench *bench, int *ret_rank)
{
    double mine = time_work(bench), *all = calloc((size_t)bench->size, sizeof *all);
    struct {
        double seconds;
        int rank;
    } own = {mine, bench->rank}, slowest;
    if (!all)
        ct_bench_abort("out of memory");
    ct_bench_check(PMPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD),
                   "MPI_Allreduce");
    ct_bench_check(PMPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD), "MPI_Gather");
    double factor = bench->rank == 0 ? ct_slowness_of_slowest(all, (size_t)bench->size) : 1;
    free(all);
    *ret_rank = slowest.rank;
    return factor;
}

#endif
