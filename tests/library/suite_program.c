/* SPDX-License-Identifier: BSD-3-Clause */
/* suite_program [fails|exits|hangs|natively]: a program in the form of those of MPICH's suite, which says "
 * No Errors" at rank 0 if all is right. It is right, finds an error, ends the job, hangs, or is right only
 * without the tuned library. With SAY_NOTHING in the environment it says nothing. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, size, sum, one = 1;
    MPI_Init(&argc, &argv);
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (strcmp(how, "hangs") == 0)
        sleep(60);
    if (strcmp(how, "exits") == 0)
        MPI_Abort(MPI_COMM_WORLD, 3);
    int is_wrong = sum != size || strcmp(how, "fails") == 0;
    if (strcmp(how, "natively") == 0 && dlsym(RTLD_DEFAULT, "colltuned_counters")) {
        if (rank == 0)
            printf("here is a library\n");
        is_wrong = 1;
    }
    if (rank == 0 && !is_wrong && !getenv("SAY_NOTHING"))
        printf(" No Errors\n");
    MPI_Finalize();
    return is_wrong;
}
