/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/groups.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a busy machine does now and then. LATE_RANK=1: rank 0 loses its CPU whenever it leaves a barrier, so
 * that the others are well into the next call by then. LATE_START=1: rank 1 loses its CPU the first times
 * that it has heard of a start at an agreed time, which it then misses. */

enum { LATE_STARTS = 6 };

void __real_ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                         const struct ct_operands *operands);
void __wrap_ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                         const struct ct_operands *operands);

void __wrap_ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                         const struct ct_operands *operands)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    static int starts;
    int rank;
    __real_ct_bench_run(group, method, operands);
    PMPI_Comm_rank(group->comm, &rank);
    if (rank == 0 && method->algorithm->collective == CT_COLLECTIVE_BARRIER && getenv("LATE_RANK"))
        nanosleep(&nap, NULL);
    if (rank == 1 && method->algorithm->collective == CT_COLLECTIVE_BCAST &&
        strcmp(method->algorithm->name, "binomial") == 0 && getenv("LATE_START") && starts++ < LATE_STARTS)
        nanosleep(&nap, NULL);
}
