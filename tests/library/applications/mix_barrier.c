/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers on many communicators, with traffic of the program's own around them. A counter in shared memory
 * shows a rank that leaves a barrier before all have entered. */
#include "mix.h"

#include <stdatomic.h>
#include <unistd.h>

enum { DUPLICATES = 2200 /* more than the MPI library can hold at a time */ };

/* Counters that all ranks of the job see, one for each communicator: told apart by the circle and the least
 * world rank among its members. */
struct counters {
    MPI_Win window;
    atomic_int *entered;
};

static void counters_make(const struct mix_job *job, struct counters *ret_counters)
{
    void *memory;
    int count = job->size * MIX_CIRCLES_MAX;
    MPI_Aint bytes = job->rank == 0 ? (MPI_Aint)((size_t)count * sizeof(atomic_int)) : 0;
    int unit;
    MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, job->aside, &memory, &ret_counters->window);
    MPI_Win_shared_query(ret_counters->window, 0, &bytes, &unit, &memory);
    ret_counters->entered = memory;
    if (job->rank == 0)
        for (int i = 0; i < count; i++)
            atomic_init(&ret_counters->entered[i], 0);
    mix_quiet(job);
}

static int least_world_rank(MPI_Comm comm, int *ret_size)
{
    MPI_Group group, world;
    int size, least = 1 << 30;
    MPI_Comm_size(comm, &size);
    MPI_Comm_group(comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < size; i++) {
        int there;
        MPI_Group_translate_ranks(group, 1, &i, world, &there);
        least = there < least ? there : least;
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    *ret_size = size;
    return least;
}

/* One barrier amid traffic; counts what a rank sees of the others. */
static int barrier_is_early(const struct mix_job *job, const struct mix_circle *circle, atomic_int *counters,
                            int round, uint64_t *sum)
{
    struct mix_traffic traffic;
    int early = 0;
    if (circle->comm != MPI_COMM_NULL && !circle->inter) {
        int rank, size;
        MPI_Comm_rank(circle->comm, &rank);
        atomic_int *entered = &counters[least_world_rank(circle->comm, &size)];
        mix_begin(&traffic, circle->comm, round);
        if (rank == size - 1)
            usleep(3000); /* the others could leave meanwhile */
        int before = atomic_fetch_add(entered, 1);
        MPI_Barrier(circle->comm);
        early = atomic_load(entered) < (before / size + 1) * size;
        *sum += mix_end(&traffic);
    } else if (circle->comm != MPI_COMM_NULL) {
        mix_begin(&traffic, circle->comm, round);
        MPI_Barrier(circle->comm);
        *sum += mix_end(&traffic);
    }
    mix_quiet(job);
    return early;
}

/* Communicators that come and go: whatever is attached to one must go with it. */
static void come_and_go(int times)
{
    for (int i = 0; i < times; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Barrier(comm);
        MPI_Comm_free(&comm);
    }
}

int main(int argc, char **argv)
{
    struct mix_job job;
    struct mix_circle circles[MIX_CIRCLES_MAX];
    struct counters counters;
    mix_start(&argc, &argv, &job);
    counters_make(&job, &counters);
    int count = mix_circles_make(&job, circles);
    int on_time = 1;
    for (int i = 0; i < count; i++) {
        uint64_t sum = 0;
        for (int round = 0; round < 2 * job.repetitions; round++)
            on_time &= !barrier_is_early(&job, &circles[i], counters.entered + i * job.size, round, &sum);
        mix_report(&job, "exact", circles[i].name, sum);
    }
    mix_report_holds(&job, "nobody_leaves_early", on_time);
    mix_circles_free(circles, count);
    come_and_go(job.size <= 2 ? DUPLICATES : 2 * job.repetitions);
    MPI_Win_free(&counters.window);
    mix_report_holds(&job, "communicators_came_and_went", 1);
    mix_finish(&job);
    return 0;
}
