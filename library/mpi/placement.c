/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/placement.h"
#include "library/mpi/backend_mpi.h"
#include "library/mpi/launch_environment.h"
#include "library/mpi/yielding_calls.h"

#include <sched.h>
#include <stdio.h>
#include <unistd.h>

/* The cgroup's CPU quota in CPUs, rounded up; 0 if there is none. */
static int quota_cpus(void)
{
    static const struct {
        const char *quota;
        const char *period; /* NULL: the first file has both numbers */
    } files[] = {{"/sys/fs/cgroup/cpu.max", NULL},
                 {"/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cpu/cpu.cfs_period_us"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        double quota = -1, period = -1;
        FILE *file = fopen(files[i].quota, "r");
        if (!file)
            continue;
        int found = fscanf(file, files[i].period ? "%lf" : "%lf %lf", &quota, &period);
        fclose(file);
        if (found == 1 && files[i].period && (file = fopen(files[i].period, "r"))) {
            found += fscanf(file, "%lf", &period);
            fclose(file);
        }
        if (found == 2 && quota > 0 && period > 0)
            return (int)((quota + period - 1) / period);
    }
    return 0;
}

static int cap_by_quota(int cpus)
{
    int quota = quota_cpus();
    return quota > 0 && quota < cpus ? quota : cpus;
}

/* The CPUs that the ranks of `node` may use together; 0 if that is not known. */
static int usable_cpus(MPI_Comm node)
{
    cpu_set_t own, together;
    CPU_ZERO(&own);
    bool is_known = sched_getaffinity(0, sizeof own, &own) == 0;
    together = own;
    int code = ct_yielding_allreduce(&together, (int)sizeof together, MPI_BYTE, MPI_BOR, node);
    if (!is_known)
        return 0;
    if (code != MPI_SUCCESS)
        together = own;
    return cap_by_quota(CPU_COUNT(&together));
}

int ct_yield_from(MPI_Comm comm)
{
    MPI_Comm node;
    if (CT_SIMULATED) /* there polling costs simulated time */
        return 0;
    int least = 0;
    if (PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) == MPI_SUCCESS) {
        least = usable_cpus(node);
        PMPI_Comm_free(&node);
    }
    ct_yielding_allreduce(&least, 1, MPI_INT, MPI_MIN, comm);
    return least + 1;
}

/* Where the number of CPUs is not known, which is 0, ranks yield: where they need not, that costs little,
 * while ranks that spin without a CPU of their own are slower by orders of magnitude. */
static enum ct_wait_policy policy_of(int ranks, int cpus)
{
    return ranks > cpus ? CT_WAIT_YIELD : CT_WAIT_SPIN;
}

/* The rank in `comm` of the first rank of `node`. */
static int leader_of(MPI_Comm node, MPI_Comm comm)
{
    const int first = 0;
    int leader = MPI_UNDEFINED;
    MPI_Group here, all;
    PMPI_Comm_group(node, &here);
    PMPI_Comm_group(comm, &all);
    PMPI_Group_translate_ranks(here, 1, &first, all, &leader);
    PMPI_Group_free(&here);
    PMPI_Group_free(&all);
    return leader;
}

int ct_placement_find_node(MPI_Comm comm, bool is_one_node, int *ret_labels, enum ct_wait_policy *ret_policy,
                           MPI_Comm *ret_node)
{
    int ranks = 1;
    enum ct_wait_policy policy = CT_WAIT_SPIN;
    int code = is_one_node ? ct_yielding_dup(comm, ret_node)
                           : PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, ret_node);
    if (code != MPI_SUCCESS) {
        *ret_node = MPI_COMM_NULL;
        return code;
    }
    PMPI_Comm_size(*ret_node, &ranks);
    if (!CT_SIMULATED) /* there polling costs simulated time */
        policy = policy_of(ranks, usable_cpus(*ret_node));
    if (ret_labels) {
        const int leader = leader_of(*ret_node, comm);
        code = ct_yielding_allgather(&leader, ret_labels, 1, MPI_INT, comm);
    }
    if (code == MPI_SUCCESS)
        *ret_policy = policy;
    return code;
}

int ct_placement_find(MPI_Comm comm, int *ret_labels, enum ct_wait_policy *ret_policy)
{
    MPI_Comm node;
    int code = ct_placement_find_node(comm, false, ret_labels, ret_policy, &node);
    if (node != MPI_COMM_NULL)
        PMPI_Comm_free(&node);
    return code;
}

/* The CPUs that a process may use; 0 if that is not known. */
static int cpus_of(pid_t process)
{
    cpu_set_t mask;
    return sched_getaffinity(process, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 0;
}

enum ct_wait_policy ct_wait_policy_alone(void)
{
    int own = cpus_of(0), parents = cpus_of(getppid()), cpus = own > parents ? own : parents;
    if (CT_SIMULATED)
        return CT_WAIT_SPIN;
    return policy_of(ct_launch_ranks_on_node(), cap_by_quota(cpus));
}
