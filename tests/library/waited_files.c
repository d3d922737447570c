/* SPDX-License-Identifier: BSD-3-Clause */
/* waited_files FILE: MPI_Waitall() on requests of files and of messages together, where the library waits
 * itself. */
#include <mpi.h>
#include <stdio.h>

enum { REQUESTS = 4, ROUNDS = 20 };

int main(int argc, char **argv)
{
    MPI_Request requests[REQUESTS];
    MPI_Status statuses[REQUESTS];
    MPI_File file;
    int rank, size, wrong = argc != 2;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    if (wrong ||
        MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file) != 0)
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
    MPI_File_close(&file);
    MPI_Finalize();
    if (wrong)
        printf("rank %d: wrong\n", rank);
    return wrong;
}
