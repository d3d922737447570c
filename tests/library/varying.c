/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives whose counts change from call to call under a preloaded tuned library, in random order with
 * other types, operations and roots, in place or not, and on a copy of the communicator. Derived types and
 * operations are freed and made again. The argument says how many calls. Compares with the MPI library's own
 * results. Each rank prints ALL RIGHT at the end. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6000, COMMS = 2, BYTES = MOST * 16 };

static int rank, size;
static unsigned long long state = 1;
static char data[BYTES], native[BYTES], tuned[BYTES];

/* The same at all ranks. */
static unsigned below(unsigned limit)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % limit;
}

/* Mostly short ones, some of which repeat. */
static int any_count(void)
{
    const unsigned kind = below(8);
    return (int)(kind == 0 ? below(3) : kind < 5 ? below(100) : kind < 7 ? below(1000) : below(MOST));
}

/* Some words of four, with a gap after them. */
static MPI_Datatype make_derived(void)
{
    MPI_Datatype words, type;
    MPI_Type_contiguous(1 + (int)below(3), MPI_INT, &words);
    MPI_Type_create_resized(words, 0, 4 * sizeof(int), &type);
    MPI_Type_free(&words);
    MPI_Type_commit(&type);
    return type;
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((unsigned *)inout)[i] += ((unsigned *)in)[i];
}

static void take_first(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in, (size_t)*count * sizeof(unsigned));
}

/* Commutative or not. */
static MPI_Op make_op(void)
{
    MPI_Op op;
    const int commutes = below(2) == 0;
    MPI_Op_create(commutes ? add : take_first, commutes, &op);
    return op;
}

static void fill(void)
{
    int *words = (int *)data;
    for (size_t i = 0; i < BYTES / sizeof(int); i++)
        words[i] = (int)(i * 7 + (size_t)rank * 13 + state % 5) % 1000;
    memcpy(native, data, BYTES);
    memcpy(tuned, data, BYTES);
}

static void move(MPI_Datatype type, int count, int root, MPI_Comm comm)
{
    PMPI_Bcast(native, count, type, root, comm);
    MPI_Bcast(tuned, count, type, root, comm);
}

static void reduce(unsigned kind, int count, int root, MPI_Op op, MPI_Comm comm)
{
    const MPI_Datatype type = below(2) ? MPI_INT : MPI_UNSIGNED;
    const bool in_place = below(2);
    /* MPICH 4.0.2 ends with a segmentation fault where long data are reduced in place at another root than 0.
     */
    const void *own = in_place && (kind != 0 || (rank == root && root == 0)) ? MPI_IN_PLACE : data;
    if (kind == 0) {
        PMPI_Reduce(own, native, count, type, op, root, comm);
        MPI_Reduce(own, tuned, count, type, op, root, comm);
    } else if (kind == 1) {
        PMPI_Allreduce(own, native, count, type, op, comm);
        MPI_Allreduce(own, tuned, count, type, op, comm);
    } else if (kind == 2) {
        PMPI_Scan(own, native, count, type, op, comm);
        MPI_Scan(own, tuned, count, type, op, comm);
    } else if (kind == 3) {
        PMPI_Exscan(data, native, count, type, op, comm);
        MPI_Exscan(data, tuned, count, type, op, comm);
    } else {
        PMPI_Reduce_scatter_block(data, native, count / size, type, op, comm);
        MPI_Reduce_scatter_block(data, tuned, count / size, type, op, comm);
    }
}

static void check(int round, unsigned kind, int count)
{
    if (memcmp(native, tuned, BYTES) == 0)
        return;
    printf("rank %d, round %d, kind %u, count %d: wrong\n", rank, round, kind, count);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* An operation whose handle was that of another, in calls that repeat others. */
static void repeat(int round, MPI_Op op)
{
    enum { CALLS = 8, COUNT = 5, ALLREDUCE = 1 };
    for (int i = 0; i < CALLS; i++) {
        fill();
        reduce(ALLREDUCE, COUNT, 0, op, MPI_COMM_WORLD);
        check(round, ALLREDUCE, COUNT);
    }
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Datatype derived = make_derived();
    MPI_Op own_op = make_op();
    for (int round = 0; round < rounds; round++) {
        MPI_Comm comm = comms[below(8) == 0];
        const unsigned kind = below(10);
        const int count = any_count(), root = below(3) == 0 ? (int)below((unsigned)size) : 0;
        if (below(20) == 0) {
            MPI_Type_free(&derived);
            derived = make_derived();
            MPI_Op_free(&own_op);
            own_op = make_op();
            repeat(round, own_op);
        }
        const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BOR, own_op};
        fill();
        if (kind < 5)
            move(kind == 0 ? MPI_CHAR : kind == 1 ? derived : MPI_DOUBLE, count, root, comm);
        else
            reduce(kind - 5, count, root, ops[below(4)], comm);
        check(round, kind, count);
    }
    MPI_Type_free(&derived);
    MPI_Op_free(&own_op);
    MPI_Comm_free(&comms[1]);
    puts("ALL RIGHT");
    MPI_Finalize();
    return 0;
}
