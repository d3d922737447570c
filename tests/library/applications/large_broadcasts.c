/* SPDX-License-Identifier: BSD-3-Clause */
/* A broadcast of more bytes than an int counts: 550 million ints; as ints, as 550 blocks of a million, and as
 * bytes at the root and one element at the other ranks. Its contents are looked at all over. Wants 2.2 GB a
 * rank. Usage: large_broadcasts [MILLIONS]. Prints "all right", or ends with 1. */
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

static int root_of(unsigned turn)
{
    return (int)turn % 2;
}

static void fill(unsigned *data, size_t count, unsigned turn)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (size_t i = 0; i < count; i++)
        data[i] = rank == root_of(turn) ? value_at(i, turn) : 0;
}

static int broadcast(unsigned *data, size_t count, unsigned turn, int elements, MPI_Datatype type)
{
    fill(data, count, turn);
    return MPI_Bcast(data, elements, type, root_of(turn), MPI_COMM_WORLD) == MPI_SUCCESS &&
           is_right(data, count, turn);
}

/* The root calls the large-count form, the others have one element of all bytes. */
static int broadcast_mixed(unsigned *data, size_t count, unsigned turn, MPI_Datatype all)
{
    int rank, root = root_of(turn);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fill(data, count, turn);
    int code = rank == root
                   ? MPI_Bcast_c(data, (MPI_Count)(count * sizeof *data), MPI_BYTE, root, MPI_COMM_WORLD)
                   : MPI_Bcast(data, 1, all, root, MPI_COMM_WORLD);
    return code == MPI_SUCCESS && is_right(data, count, turn);
}

int main(int argc, char **argv)
{
    int rank, all;
    MPI_Datatype block, whole;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int millions = argc > 1 ? atoi(argv[1]) : MILLIONS;
    size_t count = (size_t)millions * MILLION;
    unsigned *data = malloc(count * sizeof *data);
    if (!data || millions < 1) {
        fprintf(stderr, "large_broadcasts: no memory for %zu bytes\n", count * sizeof *data);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Type_contiguous(MILLION, MPI_INT, &block);
    MPI_Type_commit(&block);
    MPI_Type_contiguous(millions, block, &whole);
    MPI_Type_commit(&whole);
    int right = broadcast(data, count, 0, (int)count, MPI_INT);
    right = broadcast(data, count, 1, millions, block) && right;
    right = broadcast_mixed(data, count, 2, whole) && right;
    MPI_Type_free(&block);
    MPI_Type_free(&whole);
    free(data);
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%zu bytes: %s\n", count * sizeof *data, all ? "all right" : "WRONG");
    MPI_Finalize();
    return all ? 0 : 1;
}
