/* SPDX-License-Identifier: BSD-3-Clause */
/* A reduction of one element that has gaps and more than 2 GiB of data, by an operation of the program's, on
 * two ranks. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCKS = 3 };
static const MPI_Aint block = (MPI_Aint)800 << 20, stride = ((MPI_Aint)800 << 20) + 4096;

static int *first_of(void *element, int number)
{
    return (int *)((char *)element + number * stride);
}

/* The first number of each block. */
static void add(void *in, void *out, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; *count == 1 && i < BLOCKS; i++)
        *first_of(out, i) += *first_of(in, i);
}

int main(int argc, char **argv)
{
    MPI_Datatype bytes, type;
    MPI_Op op;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous((int)block, MPI_BYTE, &bytes);
    MPI_Type_create_hvector(BLOCKS, 1, stride, bytes, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(add, 1, &op);
    char *in = calloc(BLOCKS, (size_t)stride), *out = calloc(BLOCKS, (size_t)stride);
    if (!in || !out)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < BLOCKS; i++)
        *first_of(in, i) = rank + 1 + i;
    bool right = MPI_Reduce(in, out, 1, type, op, 0, MPI_COMM_WORLD) == MPI_SUCCESS;
    for (int i = 0; rank == 0 && i < BLOCKS; i++)
        right = right && *first_of(out, i) == 3 + 2 * i;
    if (rank == 0)
        puts(right ? "right" : "WRONG");
    free(in);
    free(out);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Type_free(&bytes);
    MPI_Finalize();
    return right ? 0 : 1;
}
