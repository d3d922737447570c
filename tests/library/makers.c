/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of each of three ranks make communicators, while rank 0 and rank 2 begin their first collective
 * on another. If that makes a communicator of its own, Open MPI 4.1.4 lets it wait at rank 2 for the second
 * thread, which waits for that of rank 1, which waits there for the first one, which waits for the collective
 * to end. Afterwards the collective is called again. Rank 0 prints ALL RIGHT. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

enum { RANKS = 3, PAUSE = 300000 /* microseconds, in which others most likely begin */ };

static int rank;
static MPI_Comm first, second, third; /* in the order in which Open MPI makes communicators from them */

static void copy(MPI_Comm comm)
{
    MPI_Comm made;
    MPI_Comm_dup(comm, &made);
    MPI_Comm_free(&made);
}

static void *copy_second(void *unused)
{
    if (rank == 1)
        usleep(PAUSE);
    if (rank > 0)
        copy(second);
    return unused;
}

static int sum_of_ranks(void)
{
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, third);
    return sum;
}

int main(int argc, char **argv)
{
    int level, size, mistakes = 0;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (level < MPI_THREAD_MULTIPLE || size != RANKS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_split(MPI_COMM_WORLD, rank > 0 ? 0 : MPI_UNDEFINED, 0, &second);
    MPI_Comm_split(MPI_COMM_WORLD, rank != 1 ? 0 : MPI_UNDEFINED, 0, &third);
    if (pthread_create(&thread, NULL, copy_second, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    if (rank != 1) {
        usleep(2 * PAUSE);
        mistakes += sum_of_ranks() != 2;
    }
    copy(first);
    pthread_join(thread, NULL);
    if (rank != 1) {
        mistakes += sum_of_ranks() != 2;
        MPI_Comm_free(&third);
    }
    if (rank > 0)
        MPI_Comm_free(&second);
    MPI_Comm_free(&first);
    MPI_Finalize();
    if (rank == 0 && mistakes == 0)
        puts("ALL RIGHT");
    return mistakes > 0;
}
