/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated_stream WAY COUNT BYTES [BUCKET]: each rank sends COUNT messages of so many BYTES to each other
 * rank, or with BUCKET to the next rank alone, in buckets of so many messages, under the simulator: by WAY 0
 * as they are, by 1 in a stream, from 2 on in one with a mesh of so many dimensions. Prints microseconds per
 * message, and the messages of MPI and the mean bytes in these that a rank sends. (Kumar 2005, section 5.9:
 * there each processor sends in turn to all others, COUNT times; section 5.8: the ring.) */
#include <colltuned.h>
#include <stdio.h>
#include <stdlib.h>

static void note(colltuned_stream stream, int source, const void *message, size_t bytes, void *context)
{
    (void)stream;
    (void)source;
    (void)message;
    (void)bytes;
    ++*(int *)context;
}

/* Messages as they are: a receive for each, all sends outstanding. */
static int send_plainly(int rank, int size, int peers, int count, int bytes)
{
    int all = count * peers, posted = 0;
    char *data = calloc((size_t)bytes + 1, 1), *room = malloc((size_t)all * (size_t)bytes + 1);
    MPI_Request *requests = malloc((size_t)all * 2 * sizeof *requests);
    for (int i = 0; i < all; i++)
        MPI_Irecv(room + (size_t)i * (size_t)bytes, bytes, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD,
                  &requests[posted++]);
    for (int k = 0; k < count; k++)
        for (int i = 1; i <= peers; i++)
            MPI_Isend(data, bytes, MPI_BYTE, (rank + i) % size, 0, MPI_COMM_WORLD, &requests[posted++]);
    MPI_Waitall(posted, requests, MPI_STATUSES_IGNORE);
    free(data);
    free(room);
    free(requests);
    return all;
}

/* `bucket` 0: the standard one. */
static int stream(int rank, int size, int peers, int way, int count, int bytes, int bucket, double *ret_time,
                  struct colltuned_stream_counts *ret_counts)
{
    const struct colltuned_stream_options options = {
        .mesh = way >= 2 ? way : 0, .bucket_seconds = 1, .bucket_messages = (size_t)bucket};
    char *data = calloc((size_t)bytes + 1, 1);
    colltuned_stream own;
    int handled = 0;
    colltuned_stream_open(MPI_COMM_WORLD, &options, note, &handled, &own);
    for (int k = 0; k < count; k++)
        for (int i = 1; i <= peers; i++)
            colltuned_stream_send(own, (rank + i) % size, data, (size_t)bytes);
    /* A rank that has nothing else to do sends what it has, until all has come. */
    while (handled < count * peers) {
        colltuned_stream_flush(own);
        colltuned_stream_poll(own);
    }
    *ret_time = MPI_Wtime();
    colltuned_stream_end(own);
    *ret_counts = colltuned_stream_counts(own);
    colltuned_stream_close(&own);
    free(data);
    return handled;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc < 4 || argc > 5 || atoi(argv[1]) < 0 || atoi(argv[2]) < 1 || atoi(argv[3]) < 0 ||
        (argc == 5 && atoi(argv[4]) < 1)) {
        if (rank == 0)
            fprintf(stderr, "usage: simulated_stream WAY COUNT BYTES [BUCKET]\n");
        MPI_Finalize();
        return 2;
    }
    int way = atoi(argv[1]), count = atoi(argv[2]), bytes = atoi(argv[3]);
    int bucket = argc == 5 ? atoi(argv[4]) : 0, peers = bucket > 0 ? 1 : size - 1, all = count * peers;
    struct colltuned_stream_counts counts = {.buckets = (unsigned)all, .bytes = (unsigned)(all * bytes)};
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime(), ended, time, greatest;
    int received;
    if (way == 0) {
        received = send_plainly(rank, size, peers, count, bytes);
        ended = MPI_Wtime();
    } else {
        received = stream(rank, size, peers, way, count, bytes, bucket, &ended, &counts);
    }
    time = ended - begun;
    if (received != all)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Reduce(&time, &greatest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%.2f %llu %.0f\n", 1e6 * greatest / all, counts.buckets,
               (double)counts.bytes / (double)counts.buckets);
    MPI_Finalize();
    return 0;
}
