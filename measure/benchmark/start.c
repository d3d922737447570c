/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/start.h"
#include "library/execute/channel.h"
#include "library/mpi/backend_mpi.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/watch.h"

#include <sched.h>
#include <sys/mman.h>

/* How repetitions start. */
struct start {
    bool timed; /* gathers the latest of all ranks' times */
    bool (*release)(const struct ct_bench *, const struct ct_bench_group *, double gathered);
    bool can_be_late;
};

/* --- after a barrier --- */

static bool release_by_barrier(const struct ct_bench *bench, const struct ct_bench_group *group,
                               double gathered)
{
    (void)gathered;
    const struct ct_operands nothing = {.root = 0};
    ct_bench_run(group, &bench->barrier, &nothing);
    return false;
}

/* --- at an agreed time --- */

/* If ranks outnumber the CPUs, a waiting rank yields its CPU: others have yet to receive the time. False if
 * it was too late for that, or if this rank's clock cannot be right. */
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

/* Rank 0 announces the time, all wait for it. Each start is announced on its own, as in the Round-Time scheme
 * of Hunold and Carpen-Amarie (2018): the length of a call need not be known beforehand. */
static bool release_at_time(const struct ct_bench *bench, const struct ct_bench_group *group, double latest)
{
    double now = ct_bench_now(bench), start = (now > latest ? now : latest) + ct_window_lead(&bench->window);
    const struct ct_operands operands = ct_broadcast(&start, 1, MPI_DOUBLE, 0);
    ct_bench_run(group, &bench->fan_out, &operands);
    return !wait_until(bench, group, start);
}

/* --- simulated: at the same moment --- */

/* The moment is long enough after the latest rank's now for its announcement to arrive, so that earlier calls
 * make no difference. The order in which ranks act within a moment is that in which they fell asleep, so they
 * fall asleep by rank. */
static bool release_at_moment(const struct ct_bench *bench, const struct ct_bench_group *group,
                              double gathered)
{
    const double enough = 1, apart = 1e-6;
    double start = gathered + enough + apart * (double)group->size;
    ct_sleep_until(bench->epoch + gathered + enough + apart * (double)bench->rank);
    ct_sleep_until(bench->epoch + start);
    return false;
}

/* --- all --- */

static const struct start barrier = {false, release_by_barrier, false},
                          window = {true, release_at_time, true}, moment = {true, release_at_moment, false};

static const struct start *start_of(const struct ct_bench *bench)
{
    static const struct start *const starts[CT_SYNCS] = {
#define SYNC(constant, name, clock, start, recorded, text) [CT_SYNC_##constant] = &start,
#include "measure/sync.def"
#undef SYNC
    };
    return CT_SIMULATED ? &moment : starts[bench->job.sync];
}

/* The greatest of all ranks' numbers, at rank 0; in the simulator at all. One message from each rank tells
 * rank 0 that all have entered. */
double ct_bench_gather(const struct ct_bench *bench, const struct ct_bench_group *group)
{
    double mine = start_of(bench)->timed ? ct_bench_now(bench) : 0, greatest = mine;
    const struct ct_operands operands = ct_reduction(&mine, &greatest, 1, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, CT_SIMULATED ? &bench->agreement : &bench->fan_in, &operands);
    return greatest;
}

bool ct_bench_release(const struct ct_bench *bench, const struct ct_bench_group *group, double gathered)
{
    return start_of(bench)->release(bench, group, gathered);
}

bool ct_bench_can_be_late(const struct ct_bench *bench)
{
    return start_of(bench)->can_be_late;
}

void ct_bench_tell(const struct ct_bench *bench, uint64_t cell, uint64_t method)
{
    struct ct_job_state *state = bench->state;
    state->cell = cell;
    state->method = method;
    __atomic_store_n(&state->beat, state->beat + 1, __ATOMIC_RELEASE);
    if (bench->state_remote)
        msync(state, sizeof *state, MS_SYNC);
}

void ct_bench_rest(void)
{
    const double longest_call = 60;
    ct_sleep_for(longest_call);
}

void ct_bench_meet(const struct ct_bench *bench, const struct ct_bench_group *group, bool idle)
{
    ct_channel_set_policy(group->channel, idle ? CT_WAIT_SLEEP : group->policy);
    ct_bench_release(bench, group, ct_bench_gather(bench, group));
    ct_channel_set_policy(group->channel, group->policy);
    if (CT_SIMULATED && bench->rank == 0)
        ct_bench_watch_once(bench);
}

void ct_bench_span(const struct ct_bench *bench, double begin, double end, double *ret_end,
                   double *ret_minus_begin)
{
    *ret_end = bench->common_clock ? end : end - begin;
    *ret_minus_begin = bench->common_clock ? -begin : 0;
}

double ct_bench_seconds(double end, double minus_begin)
{
    return ct_bench_positive(end + minus_begin);
}
