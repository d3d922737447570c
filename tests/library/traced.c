/* SPDX-License-Identifier: BSD-3-Clause */
/* An application whose collectives send messages in all ways that the library has. Rank 0 prints how many the
 * library has sent on all ranks, and how many of them the tool of message_counter.c saw, sent and received.
 */
#include "library/colltuned.h"

#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZES = 3, ROUNDS = 3, COUNTERS_MOST = 4096 };

struct message_counts {
    unsigned long long sent;
    unsigned long long received;
    unsigned long long strange;
};

static void *find(const char *name)
{
    void *symbol = dlsym(RTLD_DEFAULT, name);
    if (!symbol) {
        fprintf(stderr, "traced: %s: not found\n", name);
        exit(EXIT_FAILURE);
    }
    return symbol;
}

static unsigned long long messages_of_library(void)
{
    static struct colltuned_counter counters[COUNTERS_MOST];
    size_t (*read)(struct colltuned_counter *, size_t);
    *(void **)&read = find("colltuned_counters");
    size_t count = read(counters, COUNTERS_MOST);
    unsigned long long messages = 0;
    for (size_t i = 0; i < count && i < COUNTERS_MOST; i++)
        messages += counters[i].messages;
    return messages;
}

static struct message_counts messages_seen(void)
{
    void (*read)(struct message_counts *);
    struct message_counts counts;
    *(void **)&read = find("message_counter_read");
    read(&counts);
    return counts;
}

/* Some of the messages are sent while calls are in flight, if the library takes these over. */
static void communicate(int count, int size, MPI_Comm comm, int *from, int *to)
{
    MPI_Request request;
    MPI_Barrier(comm);
    MPI_Bcast(from, count, MPI_INT, 0, comm);
    MPI_Allreduce(from, to, count, MPI_INT, MPI_SUM, comm);
    MPI_Reduce(from, to, count, MPI_INT, MPI_SUM, size - 1, comm);
    MPI_Alltoall(from, count, MPI_INT, to, count, MPI_INT, comm);
    MPI_Allgather(from, count, MPI_INT, to, count, MPI_INT, comm);
    MPI_Iallgather(from, count, MPI_INT, to, count, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Scatter(from, count, MPI_INT, to, count, MPI_INT, 0, comm);
    MPI_Scan(from, to, count, MPI_INT, MPI_SUM, comm);
}

int main(int argc, char **argv)
{
    static const int counts[SIZES] = {1, 1000, 20000};
    int rank, size;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    int *from = calloc((size_t)(size * counts[SIZES - 1]), sizeof *from);
    int *to = calloc((size_t)(size * counts[SIZES - 1]), sizeof *to);
    if (!from || !to)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < SIZES; i++)
            communicate(counts[i], size, round % 2 == 0 ? MPI_COMM_WORLD : comm, from, to);
    const struct message_counts seen = messages_seen();
    const unsigned long long own[] = {messages_of_library(), seen.sent, seen.received, seen.strange};
    unsigned long long all[4];
    PMPI_Reduce(own, all, 4, MPI_UNSIGNED_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sent %llu, seen %llu sent, %llu received, %llu elsewhere\n", all[0], all[1], all[2], all[3]);
    free(from);
    free(to);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
