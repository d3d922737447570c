/* SPDX-License-Identifier: BSD-3-Clause */
/* An application whose calls repeat, under a preloaded tuned library that may adapt. Usage: adapted [CALLS
 * [sizes]]; with `sizes` it also calls broadcasts of other sizes, one after another. Prints "all right" and a
 * number that stands for the bits of all results at rank 0. */
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 1 << 10, COUNT = 100 };

struct results {
    bool are_right;
    uint64_t bits;
};

static void note(struct results *results, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; i++)
        results->bits = (results->bits ^ at[i]) * UINT64_C(0x100000001b3);
}

/* The other ranks' types have the same signature, and not all of them are predefined. */
static void broadcast(MPI_Comm comm, MPI_Datatype pair, int bytes, int number, struct results *results)
{
    static char data[BYTES];
    int rank;
    MPI_Comm_rank(comm, &rank);
    memset(data, rank == 0 ? number % 100 : -1, sizeof data);
    if (rank == 1)
        MPI_Bcast(data, bytes / 2, pair, 0, comm);
    else
        MPI_Bcast(data, bytes, MPI_CHAR, 0, comm);
    for (int i = 0; i < bytes; i++)
        results->are_right &= data[i] == number % 100;
    note(results, data, (size_t)bytes);
}

static void add(MPI_Comm comm, int number, struct results *results)
{
    int rank, size, whole[COUNT], whole_sum[COUNT];
    double real[COUNT], real_sum[COUNT];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < COUNT; i++) {
        whole[i] = rank + number + i;
        real[i] = 1 / (1.0 + whole[i]);
    }
    MPI_Allreduce(whole, whole_sum, COUNT, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(real, real_sum, COUNT, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < COUNT; i++)
        results->are_right &= whole_sum[i] == size * (number + i) + size * (size - 1) / 2;
    note(results, whole_sum, sizeof whole_sum);
    note(results, real_sum, sizeof real_sum);
}

int main(int argc, char **argv)
{
    struct results results = {.are_right = true};
    MPI_Datatype pair;
    MPI_Comm other;
    int rank, calls = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_CHAR, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < calls; i++) {
        broadcast(MPI_COMM_WORLD, pair, BYTES, i, &results);
        add(MPI_COMM_WORLD, i, &results);
    }
    for (int bytes = argc > 2 ? BYTES / 2 : 0; bytes >= BYTES / 8; bytes /= 2)
        for (int i = 0; i < calls; i++)
            broadcast(MPI_COMM_WORLD, pair, bytes, i, &results);
    /* Communicators that are freed while ranks agree, and one that is never freed. */
    for (int last = 18; last <= 24; last += 3) {
        MPI_Comm_dup(MPI_COMM_WORLD, &other);
        for (int i = 0; i < last; i++)
            add(other, i, &results);
        if (last < 24)
            MPI_Comm_free(&other);
    }
    MPI_Type_free(&pair);
    MPI_Allreduce(MPI_IN_PLACE, &results.are_right, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %016llx\n", results.are_right ? "all right" : "wrong", (unsigned long long)results.bits);
    MPI_Finalize();
    return 0;
}
