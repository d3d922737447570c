/* SPDX-License-Identifier: BSD-3-Clause */
#include "library/launch_environment.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

/* The variables of launchers. A resource manager may have set its own for the script that called another
 * launcher, so it comes last. */
static const struct {
    const char *rank;
    const char *ranks_on_node; /* the number that it begins with */
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"}, /* Open MPI, PRRTE */
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_SIZE"},   /* MVAPICH2 */
    {"PALS_RANKID", "PALS_LOCAL_SIZE"},                     /* HPE Cray PALS */
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_LOCAL_SIZE"},     /* IBM's jsrun */
    {"PMI_RANK", "MPI_LOCALNRANKS"},                        /* hydra: MPICH, Intel MPI */
    {"PMIX_RANK", NULL},                                    /* any with PMIx */
    {"SLURM_PROCID", "SLURM_STEP_TASKS_PER_NODE"},          /* Slurm, as "2(x3),1": the first nodes' */
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
