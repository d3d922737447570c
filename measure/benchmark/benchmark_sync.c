/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/benchmark.h"

enum { JUMPS_MAX = 3 };

bool ct_bench_tell_jump(const struct ct_bench *bench, const struct ct_bench_skew *skew, size_t before)
{
    if (skew->jumped < 0)
        return false;
    if (before == JUMPS_MAX)
        ct_bench_abort("the clock of rank %d jumps again and again: --sync barrier needs no common clock",
                       skew->jumped);
    struct ct_text text = {0};
    ct_text_append(&text, "jump %d %.9g\n", skew->jumped, skew->seconds);
    if (bench->rank == 0)
        ct_bench_report(bench, &text);
    ct_text_free(&text);
    return true;
}

#ifdef SMPI_H

#include <simgrid/actor.h>

/* In simulated time all can start at one moment, so that what came before makes no difference: the latest
 * now, and enough for that word to go round. Who acts first within a moment depends on who fell asleep first,
 * so they do that by rank. */
double ct_bench_gather(const struct ct_bench *bench, const struct ct_bench_group *group)
{
    double mine = ct_bench_now(bench), latest = mine;
    const struct ct_operands operands = ct_reduction(&mine, &latest, 1, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, &bench->agreement, &operands);
    return latest;
}

bool ct_bench_release(const struct ct_bench *bench, const struct ct_bench_group *group, double gathered)
{
    const double enough = 1, apart = 1e-6;
    double start = gathered + enough + apart * (double)group->size;
    sg_actor_sleep_until(bench->epoch + gathered + enough + apart * (double)bench->rank);
    sg_actor_sleep_until(bench->epoch + start);
    return false;
}

void ct_bench_rest(void)
{
    const double longest_call = 60;
    sg_actor_sleep_for(longest_call);
}

#else

#include <sched.h>

/* The first step of a common start: the greatest of all ranks' numbers, at rank 0 alone. One message a rank
 * tells it that all have entered. */
static double fan_in(const struct ct_bench *bench, const struct ct_bench_group *group, double mine)
{
    double greatest = mine;
    const struct ct_operands operands = ct_reduction(&mine, &greatest, 1, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, &bench->fan_in, &operands);
    return greatest;
}

void ct_bench_rest(void)
{
}

double ct_bench_gather(const struct ct_bench *bench, const struct ct_bench_group *group)
{
    return fan_in(bench, group, bench->job.sync == CT_SYNC_WINDOW ? ct_bench_now(bench) : 0);
}

/* Where ranks outnumber the CPUs whoever waits gives its own away: others have yet to hear of the start.
 * False where that was too late, or where this rank's clock cannot be right. */
static bool wait_until(const struct ct_bench *bench, const struct ct_bench_group *group, double start)
{
    double now = ct_bench_now(bench), before = now;
    if (now > start || ct_window_is_too_far(start - now))
        return false;
    while (now < start && now >= before) {
        if (group->policy != CT_WAIT_SPIN)
            sched_yield();
        before = now;
        now = ct_bench_now(bench);
    }
    return now >= start;
}

/* Rank 0 tells when to start, all wait for it. One start at a time, told anew for each, as in the Round-Time
 * scheme of Hunold and Carpen-Amarie (2018): no call's length needs to be known beforehand. */
static bool start_at_one_time(const struct ct_bench *bench, const struct ct_bench_group *group, double latest)
{
    double now = ct_bench_now(bench), start = (now > latest ? now : latest) + ct_window_lead(&bench->window);
    const struct ct_operands operands = ct_broadcast(&start, 1, MPI_DOUBLE, 0);
    ct_bench_run(group, &bench->fan_out, &operands);
    return !wait_until(bench, group, start);
}

bool ct_bench_release(const struct ct_bench *bench, const struct ct_bench_group *group, double gathered)
{
    if (bench->job.sync == CT_SYNC_WINDOW)
        return start_at_one_time(bench, group, gathered);
    const struct ct_operands nothing = {.root = 0};
    ct_bench_run(group, &bench->barrier, &nothing);
    return false;
}

#endif
