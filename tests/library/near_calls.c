/* SPDX-License-Identifier: BSD-3-Clause */
/* near_calls progress: a rank that waits in a tuned call still sends the program's own long message, which
 * another rank receives before it joins the call.
 * near_calls requests: the same with a call that is waited for together with the message.
 * near_calls killed: a rank is killed among tuned calls.
 * near_calls bottom: a reduction finds its data by absolute addresses.
 * near_calls many: results are right on any number of ranks, of calls with short and with long messages.
 * Calls pass through the lanes of a node, in which the MPI library is not called. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 8 << 20, ROUNDS = 20 };

static void add(double *sum)
{
    double one = 1;
    MPI_Allreduce(&one, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* The message is so long that it is sent only while its sender is in the MPI library. */
static void send_before_call(int rank, char *bytes)
{
    MPI_Request request;
    double sum;
    if (rank == 0)
        MPI_Isend(bytes, LONG, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
    if (rank == 1)
        MPI_Recv(bytes, LONG, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    add(&sum);
    if (rank == 0)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void send_beside_call(int rank, char *bytes)
{
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    double one = 1, sum;
    if (rank == 0)
        MPI_Isend(bytes, LONG, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &requests[1]);
    if (rank == 1)
        MPI_Recv(bytes, LONG, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Iallreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &requests[0]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static double value;
static MPI_Aint value_place;

static void *at_place(void *buffer)
{
    return (void *)((MPI_Aint)buffer + value_place);
}

static void add_at_place(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)count, (void)type;
    *(double *)at_place(inout) += *(double *)at_place(in);
}

static void add_by_address(int size)
{
    const int one = 1;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Get_address(&value, &value_place);
    MPI_Type_create_hindexed(1, &one, &value_place, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add_at_place, 1, &op);
    value = 1;
    MPI_Allreduce(MPI_IN_PLACE, MPI_BOTTOM, 1, type, op, MPI_COMM_WORLD);
    if (value != size)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

/* Each element tells its place and its rank, or the sum over all ranks. */
static void call_all(int rank, int size, int count)
{
    int *from = calloc((size_t)size * (size_t)count, sizeof *from),
        *to = calloc((size_t)size * (size_t)count, sizeof *to);
    int wrong = !from || !to;
    if (wrong)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int root = 0; root < size; root++) {
        for (int i = 0; i < count; i++)
            to[i] = rank == root ? root + i : -1;
        MPI_Bcast(to, count, MPI_INT, root, MPI_COMM_WORLD);
        for (int i = 0; i < count; i++)
            wrong |= to[i] != root + i;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < size * count; i++)
        from[i] = rank * size * count + i;
    MPI_Alltoall(from, count, MPI_INT, to, count, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < size * count; i++)
        wrong |= to[i] != (i / count * size + rank) * count + i % count;
    MPI_Allreduce(from, to, count, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < count; i++)
        wrong |= to[i] != size * (size - 1) / 2 * size * count + size * i;
    if (wrong)
        MPI_Abort(MPI_COMM_WORLD, 1);
    free(from);
    free(to);
}

int main(int argc, char **argv)
{
    int rank, size;
    double sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *bytes = calloc(LONG, 1);
    if (argc < 2 || !bytes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < ROUNDS; i++) {
        if (strcmp(argv[1], "progress") == 0)
            send_before_call(rank, bytes);
        else
            add(&sum);
        if (strcmp(argv[1], "requests") == 0)
            send_beside_call(rank, bytes);
    }
    if (strcmp(argv[1], "bottom") == 0)
        add_by_address(size);
    if (strcmp(argv[1], "many") == 0) {
        call_all(rank, size, 2);
        call_all(rank, size, 5000);
    }
    if (strcmp(argv[1], "killed") == 0) {
        if (rank == 1)
            raise(SIGKILL);
        add(&sum);
    }
    free(bytes);
    MPI_Finalize();
    if (rank == 0)
        printf("all right\n");
    return 0;
}
