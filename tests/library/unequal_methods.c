/* SPDX-License-Identifier: BSD-3-Clause */
/* An application whose ranks call MPI_Bcast with two lengths, for which the tuned library chooses two
 * methods, again and again: the root with one, the others with the other. Each of these must see it, though
 * the root may send it what it does not wait for, or nothing, and may then call no collective. A right call
 * must then work. No message that belongs to one of the lengths is as long as one of the other's. Prints "all
 * right" at rank 0. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>

static int rank, size;

static bool returns_error(void *data, int bytes, int root)
{
    int class;
    MPI_Error_class(MPI_Bcast(data, bytes, MPI_BYTE, root, MPI_COMM_WORLD), &class);
    return class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER;
}

/* One rank waits for all others, but in no collective. */
static void wait_for_others(int one)
{
    for (int i = 0; i < size && rank == one; i++)
        if (i != one)
            MPI_Recv(NULL, 0, MPI_BYTE, i, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != one)
        MPI_Send(NULL, 0, MPI_BYTE, one, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const int lengths[] = {4, 17, 29, 47, 71, 97, 187, 307, 499, 787, 1201, 2011};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0], MOST = 2048, WAITS = 5 };
    static char data[MOST];
    bool right = true, all;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int root = 0; root < size; root++)
        for (int i = 0; i < LENGTHS * LENGTHS; i++) {
            const int sent = lengths[i / LENGTHS], expected = lengths[i % LENGTHS];
            int one = rank == root ? i : -1;
            if (sent == expected)
                continue;
            if (!returns_error(data, rank == root ? sent : expected, root) && rank != root) {
                printf("rank %d misses that %d sends %d bytes instead of %d\n", rank, root, sent, expected);
                right = false;
            }
            if (i % WAITS == root) /* not always, since it takes long */
                wait_for_others(root);
            if (returns_error(&one, sizeof one, root) || one != i) {
                printf("rank %d: a call after one of %d and %d bytes is wrong\n", rank, sent, expected);
                right = false;
            }
        }
    MPI_Reduce(&right, &all, 1, MPI_C_BOOL, MPI_LAND, 0, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "all right" : "FAILED");
    MPI_Finalize();
    return right ? 0 : 1;
}
