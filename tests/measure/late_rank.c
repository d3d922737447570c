/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark.h"

#include <stdlib.h>
#include <time.h>

/* What a busy machine does now and then, done always where LATE_RANK=1 asks for it: rank 0 loses its CPU on
 * its way out of a barrier, so that the others are well into the next call by then. */

void __real_ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                         const struct ct_operands *operands);
void __wrap_ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                         const struct ct_operands *operands);

void __wrap_ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                         const struct ct_operands *operands)
{
    const struct timespec nap = {.tv_nsec = 20000000};
    int rank;
    __real_ct_bench_run(group, method, operands);
    PMPI_Comm_rank(group->comm, &rank);
    if (rank == 0 && method->algorithm->collective == CT_COLLECTIVE_BARRIER && getenv("LATE_RANK"))
        nanosleep(&nap, NULL);
}
