/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Win_start within an access epoch is an error that MPI reports at once, also where the library waits for
 * the ranks of the group before it. Epochs after it are as before. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    enum { EPOCHS = 3 };
    int rank, wrong = 0, *own;
    MPI_Win window;
    MPI_Group group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_allocate(sizeof *own, sizeof *own, MPI_INFO_NULL, MPI_COMM_WORLD, &own, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    for (int i = 0; i < EPOCHS; i++) {
        wrong |= MPI_Win_post(group, 0, window) != MPI_SUCCESS;
        wrong |= MPI_Win_start(group, 0, window) != MPI_SUCCESS;
        wrong |= MPI_Win_start(group, 0, window) == MPI_SUCCESS;
        wrong |= MPI_Win_complete(window) != MPI_SUCCESS;
        wrong |= MPI_Win_complete(window) == MPI_SUCCESS;
        wrong |= MPI_Win_wait(window) != MPI_SUCCESS;
    }
    MPI_Group_free(&group);
    MPI_Win_free(&window);
    MPI_Finalize();
    if (wrong)
        printf("rank %d: wrong\n", rank);
    return wrong;
}
