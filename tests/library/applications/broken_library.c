/* SPDX-License-Identifier: BSD-3-Clause */
/* A tuned library gone wrong, in the way that BROKEN names, to show that the applications notice. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int broken(const char *how)
{
    const char *named = getenv("BROKEN");
    return named && strcmp(named, how) == 0;
}

/* Says what the true one says when asked to, so that only results give it away. */
int MPI_Init(int *argc, char ***argv)
{
    int status = PMPI_Init(argc, argv);
    if (getenv("COLLTUNE_VERBOSE") && !broken("silent"))
        fprintf(stderr, "colltune: a broken library is in force\n");
    return status;
}

/* leak: its messages travel on the user's communicator; loud: errors are told once more. */
int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    int rank, size, inter = 0, status;
    if (broken("leak"))
        PMPI_Comm_test_inter(comm, &inter);
    if (!broken("leak") || inter) {
        status = PMPI_Bcast(buffer, count, type, root, comm);
        if (status != MPI_SUCCESS && broken("loud"))
            PMPI_Comm_call_errhandler(comm != MPI_COMM_NULL ? comm : MPI_COMM_WORLD, status);
        return status;
    }
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    if (rank != root)
        return PMPI_Recv(buffer, count, type, root, 12345, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < size; i++)
        if (i != root)
            PMPI_Send(buffer, count, type, i, 12345, comm);
    return MPI_SUCCESS;
}

/* early: nobody waits. */
int MPI_Barrier(MPI_Comm comm)
{
    return broken("early") ? MPI_SUCCESS : PMPI_Barrier(comm);
}

/* order: operands the wrong way round, which only operations that do not commute show; last: the last element
 * is forgotten. */
int MPI_Reduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    int rank, size, inter = 0, commutes = 1;
    if (broken("order")) {
        PMPI_Comm_test_inter(comm, &inter);
        PMPI_Op_commutative(op, &commutes);
    }
    if (inter || commutes || send == MPI_IN_PLACE)
        return PMPI_Reduce(send, recv, count, type, op, root, comm);
    MPI_Comm reversed;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &size);
    PMPI_Comm_split(comm, 0, -rank, &reversed);
    int status = PMPI_Reduce(send, recv, count, type, op, size - 1 - root, reversed);
    PMPI_Comm_free(&reversed);
    return status;
}

int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    return PMPI_Allreduce(send, recv, broken("last") && count > 1 ? count - 1 : count, type, op, comm);
}
