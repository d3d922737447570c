/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/groups.h"
#include "base/hash.h"
#include "library/communicators/private_comm.h"
#include "library/execute/channel.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/placement.h"
#include "measure/benchmark/program.h"
#include "measure/slowness.h"

#include <stdlib.h>

static bool clock_is_common(const struct ct_bench *bench)
{
    uint64_t mine[2] = {bench->clock.identity, ~bench->clock.identity}, least[2];
    ct_bench_check(PMPI_Allreduce(mine, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD), "MPI_Allreduce");
    return least[0] == ~least[1];
}

/* The nodes of the first `size` ranks, and the number of these ranks on the fullest. */
static void count_nodes(const int *node_of, int size, struct ct_bench_group *group)
{
    int *ranks_on = ct_bench_allocate((size_t)size, sizeof *ranks_on);
    group->nodes = 0;
    group->ppn = 0;
    for (int i = 0; i < size; i++) {
        int ranks = ++ranks_on[node_of[i]];
        group->nodes += ranks == 1;
        group->ppn = (size_t)ranks > group->ppn ? (size_t)ranks : group->ppn;
    }
    free(ranks_on);
}

/* All as rank 0, since hosts may have different environments. */
static int find_yield_from(void)
{
    const struct ct_configuration *configuration = &ct_tuner()->configuration;
    int from = ct_yield_from(MPI_COMM_WORLD);
    if (configuration->sets_wait && !CT_SIMULATED)
        from = configuration->wait == CT_WAIT_YIELD;
    ct_bench_check(PMPI_Bcast(&from, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    return from;
}

/* The communicator of the first `size` ranks; only they call. */
static void make_group(const int *node_of, int yield_from, size_t size, struct ct_bench_group *group)
{
    MPI_Group all, part;
    int range[1][3] = {{0, (int)size - 1, 1}};
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_range_incl(all, 1, range, &part);
    ct_bench_check(PMPI_Comm_create_group(MPI_COMM_WORLD, part, (int)size, &group->comm),
                   "MPI_Comm_create_group");
    PMPI_Group_free(&part);
    PMPI_Group_free(&all);
    group->size = size;
    count_nodes(node_of, (int)size, group);
    group->policy = yield_from > 0 && group->ppn >= (size_t)yield_from ? CT_WAIT_YIELD : CT_WAIT_SPIN;
    ct_bench_check(ct_channel_open(group->comm, group->policy, &group->channel), "opening a channel");
    ct_bench_check(ct_channel_set_nodes(group->channel, node_of), "telling nodes");
    /* What the library does in its first call on a communicator must not be timed. */
    struct ct_private_comm *own = ct_private_comm_of(group->comm);
    if (size > 1 && (!own || !own->channel || own->agreement != CT_AGREEMENT_AGREED))
        ct_bench_abort(
            "the library cannot be used on %zu ranks: do COLLTUNE_ variables differ between hosts?", size);
    /* The other ranks sleep, so these wait as they would in a job of their own. */
    if (own && own->channel)
        ct_channel_set_policy(own->channel, group->policy);
}

static bool wanted(const struct ct_job *job, size_t size)
{
    bool found = false;
    for (size_t i = 0; i < job->cell_count; i++)
        found |= job->cells[i].key.comm_size == size;
    return found;
}

void ct_bench_make_groups(struct ct_bench *bench)
{
    bench->common_clock = clock_is_common(bench) && ct_sync_modes[bench->job.sync].clock != CT_SYNC_CLOCK_OWN;
    double now = ct_bench_now(bench);
    ct_bench_check(PMPI_Bcast(&now, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD), "MPI_Bcast");
    bench->epoch = (double)(long long)now;

    bench->node_of = ct_bench_allocate((size_t)bench->size, sizeof *bench->node_of);
    bench->groups = ct_bench_allocate((size_t)bench->size, sizeof *bench->groups);
    enum ct_wait_policy policy;
    ct_bench_check(ct_placement_find(MPI_COMM_WORLD, bench->node_of, &policy), "finding nodes");
    bench->yield_from = find_yield_from();
    for (int size = bench->size; size > bench->rank; size--)
        if (size == bench->size || wanted(&bench->job, (size_t)size))
            make_group(bench->node_of, bench->yield_from, (size_t)size, &bench->groups[bench->group_count++]);
}

void ct_bench_free_groups(struct ct_bench *bench)
{
    for (size_t i = 0; i < bench->group_count; i++) {
        ct_channel_close(bench->groups[i].channel);
        PMPI_Comm_free(&bench->groups[i].comm);
    }
    free(bench->groups);
    free(bench->node_of);
}

const struct ct_bench_group *ct_bench_find_group(const struct ct_bench *bench, size_t size)
{
    for (size_t i = 0; i < bench->group_count; i++)
        if (bench->groups[i].size == size)
            return &bench->groups[i];
    ct_bench_abort("no communicator of %zu ranks", size);
}

void ct_bench_find_methods(struct ct_bench *bench)
{
    const struct {
        enum ct_collective collective;
        const char *name;
        struct ct_method *method;
    } wanted[] = {
        {CT_COLLECTIVE_BARRIER, "dissemination", &bench->barrier},
        {CT_COLLECTIVE_ALLREDUCE, "recursive_doubling", &bench->agreement},
        {CT_COLLECTIVE_REDUCE, "binomial", &bench->fan_in},
        {CT_COLLECTIVE_BCAST, "binomial", &bench->fan_out},
        {CT_COLLECTIVE_ALLGATHER, "ring", &bench->around},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (ct_method_parse(wanted[i].name, wanted[i].collective, NULL, wanted[i].method) != CT_OK)
            ct_bench_abort("the registry lacks %s/%s", ct_collectives[wanted[i].collective].name,
                           wanted[i].name);
}

enum { WORK_BYTES = 1 << 16, WORK_TIMES = 5 };

/* Seconds for a piece of local work: the best of a few, since a rank may lose its CPU meanwhile. */
static double time_work(const struct ct_bench *bench)
{
    unsigned char *bytes = ct_bench_allocate(WORK_BYTES, 1);
    double best = 0;
    uint64_t hash = 0;
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
    if (CT_SIMULATED) { /* where local work costs nothing */
        *ret_rank = 0;
        return 1;
    }
    double mine = time_work(bench), *all = ct_bench_allocate((size_t)bench->size, sizeof *all);
    struct {
        double seconds;
        int rank;
    } own = {mine, bench->rank}, slowest;
    ct_bench_check(PMPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD),
                   "MPI_Allreduce");
    ct_bench_check(PMPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD), "MPI_Gather");
    double factor = bench->rank == 0 ? ct_slowness_of_slowest(all, (size_t)bench->size) : 1;
    free(all);
    *ret_rank = slowest.rank;
    return factor;
}

void ct_bench_run(const struct ct_bench_group *group, const struct ct_method *method,
                  const struct ct_operands *operands)
{
    ct_bench_check(ct_execute(group->channel, method, operands), method->algorithm->name);
}
