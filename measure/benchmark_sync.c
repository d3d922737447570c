/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark.h"

#ifdef SMPI_H

#include <simgrid/actor.h>

/* In simulated time all can start at one moment, so that what came before makes no difference: the latest
 * now, and enough for that word to go round. Who acts first within a moment depends on who fell asleep first,
 * so they do that by rank. */
void ct_bench_synchronize(const struct ct_bench *bench, const struct ct_bench_group *group)
{
    const double enough = 1, apart = 1e-6;
    double mine = ct_bench_now(bench), latest = mine;
    const struct ct_operands operands = ct_reduction(&mine, &latest, 1, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, &bench->agreement, &operands);
    double start = latest + enough + apart * (double)group->size;
    sg_actor_sleep_until(bench->epoch + latest + enough + apart * (double)bench->rank);
    sg_actor_sleep_until(bench->epoch + start);
}

void ct_bench_rest(void)
{
    const double longest_call = 60;
    sg_actor_sleep_for(longest_call);
}

#else

void ct_bench_rest(void)
{
}

void ct_bench_synchronize(const struct ct_bench *bench, const struct ct_bench_group *group)
{
    const struct ct_operands nothing = {.root = 0};
    ct_bench_run(group, &bench->barrier, &nothing);
}

#endif
