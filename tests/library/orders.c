/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls in flight on many communicators, of the same ranks and of others, begun and waited for in an order
 * that each rank has of its own, under a preloaded tuned library with COLLTUNE_NONBLOCKING=1. Communicators
 * are freed while their calls are in flight, and others are made. All results must be right, and all messages
 * go through lanes, so that the library makes no communicator. Prints "all right" at rank 0. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { COMMS = 24, ROUNDS = 40, RANKS_MOST = 16, KINDS = 6 };

static int created; /* communicators, by the library */

/* The library's call. */
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *created_comm)
{
    int (*create)(MPI_Comm, MPI_Group, MPI_Comm *);
    *(void **)&create = dlsym(RTLD_NEXT, "PMPI_Comm_create");
    created++;
    return create ? create(comm, group, created_comm) : MPI_ERR_OTHER;
}

struct use {
    MPI_Comm comm; /* MPI_COMM_NULL: this rank is not a member */
    int rank;
    int size;
    MPI_Request sum_request, word_request, started;
    long own, sum, word, persistent_sum;
};

/* Some have all ranks, in three orders; others have parts that overlap. */
static MPI_Comm make(int number, int rank, int size)
{
    MPI_Comm comm;
    const int color[KINDS] = {
        0, 0, 0, rank % 2, rank > 0 ? 0 : MPI_UNDEFINED, rank < size - 1 ? 0 : MPI_UNDEFINED};
    const int key[KINDS] = {rank, -rank, rank ^ 1, rank, rank, -rank};
    MPI_Comm_split(MPI_COMM_WORLD, color[number % KINDS], key[number % KINDS], &comm);
    return comm;
}

static void begin(struct use *use, int number, int round)
{
    use->own = 1000 * number + round + use->rank;
    use->word = use->rank == 0 ? number * round : -1;
    MPI_Start(&use->started);
    MPI_Iallreduce(&use->own, &use->sum, 1, MPI_LONG, MPI_SUM, use->comm, &use->sum_request);
    MPI_Ibcast(&use->word, 1, MPI_LONG, 0, use->comm, &use->word_request);
}

static bool end(struct use *use, int number, int round)
{
    long sum = 0;
    MPI_Wait(&use->word_request, MPI_STATUS_IGNORE);
    MPI_Wait(&use->sum_request, MPI_STATUS_IGNORE);
    MPI_Wait(&use->started, MPI_STATUS_IGNORE);
    for (int i = 0; i < use->size; i++)
        sum += 1000 * number + round + i;
    return use->sum == sum && use->persistent_sum == sum && use->word == (long)number * round;
}

/* This rank's order. */
static void shuffle(int *order)
{
    for (int i = 0; i < COMMS; i++)
        order[i] = i;
    for (int i = COMMS - 1; i > 0; i--) {
        int k = rand() % (i + 1), other = order[k];
        order[k] = order[i];
        order[i] = other;
    }
}

int main(int argc, char **argv)
{
    static struct use uses[COMMS];
    int rank, size, order[COMMS];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Barrier(MPI_COMM_WORLD);
    srand((unsigned)rank + 1);
    int before = created, right = true;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = round == 0 ? 0 : round % COMMS; i < (round == 0 ? COMMS : round % COMMS + 1); i++) {
            struct use *use = &uses[i];
            use->comm = make(i, rank, size);
            if (use->comm == MPI_COMM_NULL)
                continue;
            MPI_Comm_rank(use->comm, &use->rank);
            MPI_Comm_size(use->comm, &use->size);
            MPI_Barrier(use->comm);
            MPI_Allreduce_init(&use->own, &use->persistent_sum, 1, MPI_LONG, MPI_SUM, use->comm,
                               MPI_INFO_NULL, &use->started);
        }
        int freed = (round + 1) % COMMS;
        shuffle(order);
        for (int i = 0; i < COMMS; i++)
            if (uses[order[i]].comm != MPI_COMM_NULL)
                begin(&uses[order[i]], order[i], round);
        if (uses[freed].comm != MPI_COMM_NULL)
            MPI_Comm_free(&uses[freed].comm);
        shuffle(order);
        for (int i = 0; i < COMMS; i++) {
            struct use *use = &uses[order[i]];
            if (use->comm == MPI_COMM_NULL && use->size == 0)
                continue;
            right = end(use, order[i], round) && right;
        }
        if (uses[freed].size > 0)
            MPI_Request_free(&uses[freed].started);
        uses[freed] = (struct use){.comm = MPI_COMM_NULL};
    }
    if (created != before)
        printf("rank %d: the library has made %d communicators\n", rank, created - before);
    right = right && created == before;
    PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        puts(right ? "all right" : "WRONG");
    for (int i = 0; i < COMMS; i++)
        if (uses[i].comm != MPI_COMM_NULL) {
            MPI_Request_free(&uses[i].started);
            MPI_Comm_free(&uses[i].comm);
        }
    MPI_Finalize();
    return right ? 0 : 1;
}
