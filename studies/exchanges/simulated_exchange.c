/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated_exchange HUBS DEGREE BYTES: the time of one exchange under the simulator. HUBS ranks send to all
 * others, and each of the others to DEGREE random ones, BYTES to each. Prints the method and microseconds:
 * the greatest time of a rank in one exchange that all begin at the same time. The method is that of
 * COLLTUNE_NEIGHBOR_ALLTOALLV. */
#include <colltuned.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned next(unsigned *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state >> 8;
}

/* Random destinations, none twice. */
static int choose(int rank, int size, int degree, int *destinations)
{
    unsigned state = (unsigned)rank * 7919 + 1;
    char *taken = calloc((size_t)size, 1);
    int count = 0;
    taken[rank] = 1;
    while (count < degree) {
        int other = (int)(next(&state) % (unsigned)size);
        if (taken[other])
            continue;
        taken[other] = 1;
        destinations[count++] = other;
    }
    free(taken);
    return count;
}

/* All ranks go on at the same time, which it returns: they leave a barrier one after the other, later by some
 * microseconds for each rank. The simulator has one clock. */
static double begin_together(void)
{
    const double margin = 1e-3;
    double now = MPI_Wtime(), latest;
    MPI_Allreduce(&now, &latest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    while ((now = MPI_Wtime()) < latest + margin)
        usleep(1 + (unsigned)(1e6 * (latest + margin - now)));
    return now;
}

int main(int argc, char **argv)
{
    int rank, size, sources;
    const int *from;
    const size_t *from_lengths;
    colltuned_exchange exchange;
    double time = 0, all = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc != 4 || atoi(argv[1]) < 0 || atoi(argv[1]) > size || atoi(argv[2]) < 0 ||
        atoi(argv[2]) >= size || atoi(argv[3]) < 0) {
        if (rank == 0)
            fprintf(stderr, "usage: simulated_exchange HUBS DEGREE BYTES\n");
        MPI_Finalize();
        return 2;
    }
    size_t bytes = (size_t)atoi(argv[3]), received = 0, *lengths = malloc((size_t)size * sizeof *lengths);
    int hubs = atoi(argv[1]), *destinations = malloc((size_t)size * sizeof *destinations);
    int is_hub = hubs > 0 && rank % (size / hubs) == 0 && rank / (size / hubs) < hubs;
    int count = choose(rank, size, is_hub ? size - 1 : atoi(argv[2]), destinations);
    for (int i = 0; i < count; i++)
        lengths[i] = bytes;
    if (colltuned_exchange_make(MPI_COMM_WORLD, count, destinations, lengths, COLLTUNED_UNKNOWN, NULL, NULL,
                                &exchange) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    colltuned_exchange_sources(exchange, &sources, &from, &from_lengths);
    for (int i = 0; i < sources; i++)
        received += from_lengths[i];
    char *send = calloc((size_t)count * bytes + 1, 1), *recv = malloc(received + 1);
    time = begin_together();
    colltuned_exchange_start(exchange, send, NULL, recv);
    if (colltuned_exchange_wait(exchange) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    time = MPI_Wtime() - time;
    MPI_Reduce(&time, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s,%.1f\n", colltuned_exchange_method(exchange), 1e6 * all);
    colltuned_exchange_free(&exchange);
    free(send);
    free(recv);
    free(lengths);
    free(destinations);
    MPI_Finalize();
    return 0;
}
