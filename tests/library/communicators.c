/* SPDX-License-Identifier: BSD-3-Clause */
/* Many communicators under a preloaded tuned library: made and freed by the thousand, and held by so many at
 * once that an application could not if the library took one for each. The user's attribute callbacks must
 * not be run by it. Usage: communicators [FREED HELD], the numbers of communicators. Prints ALL RIGHT at
 * the end. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { FREED = 3000, HELD = 1600 };

static int copies;

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)comm;
    (void)keyval;
    (void)extra;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

/* A collective of each kind on `comm`; 0 where a result is wrong. */
static int use(MPI_Comm comm, int rank, int size, int number)
{
    int word = rank == 0 ? number : -1, sum = 0;
    MPI_Bcast(&word, 1, MPI_INT, 0, comm);
    MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, comm);
    MPI_Barrier(comm);
    return word == number && sum == size * number;
}

int main(int argc, char **argv)
{
    static MPI_Comm held[HELD];
    int rank, size, keyval, right = 1, freed = argc > 2 ? atoi(argv[1]) : FREED,
                            holds = argc > 2 ? atoi(argv[2]) : HELD;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_create_keyval(copy, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, keyval, &keyval);
    right = use(MPI_COMM_WORLD, rank, size, 42) && right;
    if (copies != 0)
        printf("rank %d: the user's attribute was copied\n", rank);
    right = copies == 0 && right;
    for (int i = 0; right && i < freed; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        right = use(comm, rank, size, i) && right;
        MPI_Comm_free(&comm);
    }
    int count = 0;
    for (; right && count < holds && count < HELD; count++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &held[count]);
        right = use(held[count], rank, size, count) && right;
    }
    for (int i = 0; i < count; i++)
        MPI_Comm_free(&held[i]);
    printf("rank %d: %s\n", rank, right ? "ALL RIGHT" : "WRONG");
    MPI_Finalize();
    return right ? 0 : 1;
}
