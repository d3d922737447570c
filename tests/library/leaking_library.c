/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded before the tuned library under a name like its own, it loses a block of memory in each barrier
 * (LEAK=call), or with each communicator that is freed (LEAK=communicator). */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static void lose(const char *when)
{
    static void *volatile lost;
    const char *leak = getenv("LEAK");
    if (leak && strcmp(leak, when) == 0 && !(lost = malloc(16)))
        abort();
}

int MPI_Barrier(MPI_Comm comm)
{
    lose("call");
    return PMPI_Barrier(comm);
}

int MPI_Comm_free(MPI_Comm *comm)
{
    lose("communicator");
    return PMPI_Comm_free(comm);
}
