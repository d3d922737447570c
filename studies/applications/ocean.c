/* SPDX-License-Identifier: BSD-3-Clause */
/* ocean HALO-BYTES STEPS: what an ocean model asks of MPI in its barotropic solver: on a grid of ranks each
 * step exchanges a halo with four neighbours and makes one allreduce of three doubles. Prints the time of the
 * steps and of their allreduces on the slowest rank. Nothing is computed, so that gains are the most that
 * such a solver can have.
 * Model: the Parallel Ocean Program as Pjesivac-Grbovic 2007, section 6.7, describes it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NEIGHBOURS = 4 };

/* The halo's partners: both neighbours along both dimensions of a periodic grid. */
static void find_neighbours(int ret_neighbours[NEIGHBOURS], MPI_Comm *ret_grid)
{
    int size, dims[2] = {0, 0};
    const int periods[2] = {1, 1};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, ret_grid);
    for (int i = 0; i < 2; i++)
        MPI_Cart_shift(*ret_grid, i, 1, &ret_neighbours[2 * i], &ret_neighbours[2 * i + 1]);
}

static void exchange(const int neighbours[NEIGHBOURS], char *out, char *in, int bytes, MPI_Comm grid)
{
    for (int i = 0; i < NEIGHBOURS; i++)
        MPI_Sendrecv(out, bytes, MPI_BYTE, neighbours[i], i, in, bytes, MPI_BYTE, neighbours[i ^ 1], i, grid,
                     MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank, neighbours[NEIGHBOURS], bytes = argc > 1 ? atoi(argv[1]) : 1024,
                                      steps = argc > 2 ? atoi(argv[2]) : 20;
    MPI_Comm grid;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    char *out = calloc(1, bytes > 0 ? (size_t)bytes : 1), *in = calloc(1, bytes > 0 ? (size_t)bytes : 1);
    if (bytes < 0 || steps < 1 || !out || !in) {
        fprintf(stderr, "usage: ocean HALO-BYTES STEPS\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    find_neighbours(neighbours, &grid);
    double own[2] = {0, 0}, slowest[2], sums[3] = {1, 2, 3}, totals[3];
    MPI_Allreduce(sums, totals, 3, MPI_DOUBLE, MPI_SUM, grid); /* libraries prepare a communicator once */
    MPI_Barrier(grid);
    double begun = MPI_Wtime();
    for (int step = 0; step < steps; step++) {
        exchange(neighbours, out, in, bytes, grid);
        double before = MPI_Wtime();
        MPI_Allreduce(sums, totals, 3, MPI_DOUBLE, MPI_SUM, grid);
        own[1] += MPI_Wtime() - before;
    }
    own[0] = MPI_Wtime() - begun;
    MPI_Reduce(own, slowest, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d steps took %.9f s, their allreduces %.9f s\n", steps, slowest[0], slowest[1]);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    free(out);
    free(in);
    return 0;
}
