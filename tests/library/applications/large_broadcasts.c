/* SPDX-License-Identifier: BSD-3-Clause */
/* A broadcast of more bytes than an int counts: 550 million ints, once as ints and once as 550 blocks of a
 * million; its contents are looked at all over. Wants 2.2 GB a rank. Usage: check_large [MILLIONS]. Prints
 * "all right", or ends with 1. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { MILLION = 1000 * 1000, MILLIONS = 550, PLACES = 100 * 1000 };

/* Of the place, and of which broadcast it is. */
static unsigned value_at(size_t place, unsigned turn)
{
    unsigned x = (unsigned)place * 2654435761u + (unsigned)(place >> 32) + 40503u * turn;
    return x ^ (x >> 15);
}

/* The places looked at: evenly, with an odd step, and the first and the last. */
static size_t place_of(size_t index, size_t count)
{
    return index == 0 ? count - 1 : (index - 1) * (count / PLACES | 1) % count;
}

/* Does every look find what root has? */
static int is_right(const unsigned *data, size_t count, unsigned turn)
{
    for (size_t i = 0; i <= PLACES; i++) {
        size_t place = place_of(i, count);
        if (data[place] != value_at(place, turn)) {
            printf("broadcast %u: wrong at %zu\n", turn, place);
            return 0;
        }
    }
    return 1;
}

static int broadcast(unsigned *data, size_t count, unsigned turn, int elements, MPI_Datatype type)
{
    int rank, root = (int)turn % 2;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < count; i++)
        data[i] = rank == root ? value_at(i, turn) : 0;
    return MPI_Bcast(data, elements, type, root, MPI_COMM_WORLD) == MPI_SUCCESS &&
           is_right(data, count, turn);
}

int main(int argc, char **argv)
{
    int rank, all;
    MPI_Datatype block;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int millions = argc > 1 ? atoi(argv[1]) : MILLIONS;
    size_t count = (size_t)millions * MILLION;
    unsigned *data = malloc(count * sizeof *data);
    if (!data || millions < 1) {
        fprintf(stderr, "check_large: no memory for %zu bytes\n", count * sizeof *data);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_contiguous(MILLION, MPI_INT, &block);
    MPI_Type_commit(&block);
    int right = broadcast(data, count, 0, (int)count, MPI_INT);
    right = broadcast(data, count, 1, millions, block) && right;
    MPI_Type_free(&block);
    free(data);
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%zu bytes: %s\n", count * sizeof *data, all ? "all right" : "WRONG");
    MPI_Finalize();
    return all ? 0 : 1;
}
