/* SPDX-License-Identifier: BSD-3-Clause */
/* Barriers in two phases on simulated ranks, which have one clock: in each another rank enters far later than
 * the others, and none may learn that all have entered before that. Prints ALL RIGHT at the end. */
#include "library/execute/split_barrier.h"

#include <stdio.h>
#include <unistd.h>

enum { TAG = 7, LATE = 1000000 }; /* microseconds */

int main(int argc, char **argv)
{
    int rank, size, failures = 0, asked = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int late = 0; late < size; late++) {
        struct ct_split_barrier barrier;
        int is_over = 0;
        double entered, last;
        if (rank == late)
            usleep(LATE);
        entered = MPI_Wtime();
        int code = ct_split_barrier_enter(MPI_COMM_WORLD, TAG, &barrier);
        while (code == MPI_SUCCESS && !is_over) {
            code = ct_split_barrier_test(&barrier, &is_over);
            asked++;
        }
        const double left = MPI_Wtime();
        MPI_Allreduce(&entered, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        if (code != MPI_SUCCESS || left < last) {
            printf("rank %d left %.3f s before rank %d entered\n", rank, last - left, late);
            failures++;
        }
    }
    if (failures == 0 && asked > size)
        printf("ALL RIGHT\n");
    MPI_Finalize();
    return failures > 0;
}
