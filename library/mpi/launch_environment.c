/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/mpi/launch_environment.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

/* The variables of launchers. A resource manager may have set its own for the script that called another
 * launcher, so it comes last. */
static const struct {
    const char *rank;
    const char *ranks_on_node;      /* the number that it begins with */
    struct ct_launch_daemon daemon; /* without names if that number is not exact, or not known to be */
} launchers[] = {
    /* Open MPI, PRRTE */
    {"OMPI_COMM_WORLD_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE",
     {" orted prted orterun prterun mpirun mpirun.openmpi mpiexec mpiexec.openmpi ", "PMIX_NAMESPACE"}},
    /* MVAPICH2 */
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_SIZE", {0}},
    /* HPE Cray PALS */
    {"PALS_RANKID", "PALS_LOCAL_SIZE", {0}},
    /* IBM's jsrun */
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_LOCAL_SIZE", {0}},
    /* hydra: MPICH, Intel MPI */
    {"PMI_RANK", "MPI_LOCALNRANKS", {" hydra_pmi_proxy ", NULL}},
    /* any with PMIx */
    {"PMIX_RANK", NULL, {0}},
    /* Slurm, as "2(x3),1": the first nodes' */
    {"SLURM_PROCID", "SLURM_STEP_TASKS_PER_NODE", {0}},
};

/* Returns the number at the beginning of the variable's value; -1 if there is none. */
static int number_of(const char *name)
{
    const char *value = name ? getenv(name) : NULL;
    if (!value || *value < '0' || *value > '9')
        return -1;
    long number = strtol(value, NULL, 10);
    return number <= INT_MAX ? (int)number : -1;
}

int ct_launch_rank(void)
{
    int rank = -1;
    for (size_t i = 0; rank < 0 && i < sizeof launchers / sizeof launchers[0]; i++)
        rank = number_of(launchers[i].rank);
    return rank;
}

int ct_launch_ranks_on_node(void)
{
    int ranks = 0;
    for (size_t i = 0; ranks <= 0 && i < sizeof launchers / sizeof launchers[0]; i++)
        ranks = number_of(launchers[i].ranks_on_node);
    return ranks > 0 ? ranks : 0;
}

int ct_launch_siblings(struct ct_launch_daemon *ret_daemon)
{
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0]; i++) {
        int ranks = number_of(launchers[i].ranks_on_node);
        if (number_of(launchers[i].rank) < 0)
            continue;
        if (!launchers[i].daemon.names || ranks <= 0)
            return 0;
        *ret_daemon = launchers[i].daemon;
        return ranks;
    }
    return 0;
}

/* Of MPICH, in its releases. */
static const char *const playing[] = {"MPIR_CVAR_NUM_CLIQUES", "MPIR_CVAR_ODD_EVEN_CLIQUES",
                                      "MPIR_CVAR_CH3_ODD_EVEN_CLIQUES", "MPIR_CVAR_NOLOCAL",
                                      "MPIR_CVAR_CH3_NOLOCAL"};

bool ct_launch_plays_nodes(void)
{
    bool plays = false;
    for (size_t i = 0; i < sizeof playing / sizeof playing[0]; i++)
        plays = plays || getenv(playing[i]);
    return plays;
}
