/* SPDX-License-Identifier: BSD-3-Clause */
/* waited_files FILE: MPI_Waitall() on requests of files and of messages together, where the library waits
 * itself. Some are of collective functions, with which ROMIO goes on when they are tested, so that ranks must
 * test them in one order. */
#include <mpi.h>
#include <stdio.h>

enum { REQUESTS = 4, ROUNDS = 20, COLLECTIVE_ROUNDS = 3 };

/* Several requests of collective functions, whose data pass through rank 0. A message comes before them: its
 * sender waits for a request of a file first, for which it needs this rank. */
static int wait_for_collectives(MPI_File file, int rank, int size)
{
    enum { PIECES = 6 };
    MPI_Request requests[PIECES + 1];
    int out[PIECES], in[PIECES], wrong = 0, message = -1;
    const int sender = size - 1;
    for (int i = 0; i < PIECES; i++) {
        out[i] = i * size + rank;
        in[i] = -1;
        MPI_File_iwrite_at_all(file, (MPI_Offset)sizeof *out * (rank * PIECES + i), &out[i], 1, MPI_INT,
                               &requests[i + 1]);
    }
    if (rank == 0) {
        MPI_Irecv(&message, 1, MPI_INT, sender, 0, MPI_COMM_WORLD, &requests[0]);
        MPI_Waitall(PIECES + 1, requests, MPI_STATUSES_IGNORE);
        wrong |= message != sender;
    } else {
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        if (rank == sender)
            MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Waitall(PIECES - 1, &requests[2], MPI_STATUSES_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < PIECES; i++)
        MPI_File_iread_at_all(file, (MPI_Offset)sizeof *out * (rank * PIECES + i), &in[i], 1, MPI_INT,
                              &requests[i]);
    MPI_Waitall(PIECES, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < PIECES; i++)
        wrong |= in[i] != out[i];
    return wrong;
}

int main(int argc, char **argv)
{
    MPI_Request requests[REQUESTS];
    MPI_Status statuses[REQUESTS];
    MPI_File file;
    MPI_Info info;
    int rank, size, wrong = argc != 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Info_create(&info);
    MPI_Info_set(info, "romio_cb_write", "enable");
    MPI_Info_set(info, "romio_cb_read", "enable");
    MPI_Info_set(info, "cb_nodes", "1");
    if (wrong || MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, info, &file) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int round = 0; round < ROUNDS; round++) {
        const int out = round * size + rank, before = (rank + size - 1) % size;
        const MPI_Offset at = (MPI_Offset)(rank * (int)sizeof out);
        int in = -1, read = -1, count[2];
        MPI_File_iwrite_at(file, at, &out, 1, MPI_INT, &requests[0]);
        MPI_Irecv(&in, 1, MPI_INT, before, round, MPI_COMM_WORLD, &requests[1]);
        MPI_Isend(&out, 1, MPI_INT, (rank + 1) % size, round, MPI_COMM_WORLD, &requests[2]);
        requests[3] = MPI_REQUEST_NULL;
        MPI_Waitall(REQUESTS, requests, statuses);
        MPI_Get_count(&statuses[0], MPI_INT, &count[0]);
        MPI_Get_count(&statuses[3], MPI_INT, &count[1]);
        MPI_File_iread_at(file, at, &read, 1, MPI_INT, &requests[0]);
        MPI_Waitall(REQUESTS, requests, MPI_STATUSES_IGNORE);
        wrong |= in != round * size + before || read != out || count[0] != 1 || count[1] != 0 ||
                 statuses[1].MPI_SOURCE != before || statuses[3].MPI_SOURCE != MPI_ANY_SOURCE;
    }
    for (int round = 0; round < COLLECTIVE_ROUNDS; round++)
        wrong |= wait_for_collectives(file, rank, size);
    MPI_Info_free(&info);
    MPI_File_close(&file);
    MPI_Finalize();
    if (wrong)
        printf("rank %d: wrong\n", rank);
    return wrong;
}
