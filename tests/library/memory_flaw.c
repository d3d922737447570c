/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded before the tuned library under a name like its own, it makes a mistake with memory in each
 * barrier, which memory checkers must notice: FLAW=beyond, uninitialised or lost. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int MPI_Barrier(MPI_Comm comm)
{
    const char *flaw = getenv("FLAW");
    char *volatile block = malloc(8);
    if (!flaw || !block)
        abort();
    size_t at = strcmp(flaw, "beyond") == 0 ? 8 : 0;
    if (strcmp(flaw, "lost") != 0 && block[at] == 42)
        puts("a byte of no meaning");
    if (strcmp(flaw, "lost") != 0)
        free(block);
    return PMPI_Barrier(comm);
}
