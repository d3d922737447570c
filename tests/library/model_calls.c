/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls under a library that decides by a model: prints the method that the generated decision functions,
 * which are compiled with it, choose for each, as the library counts them. */
#include <mpi.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define COLLTUNE_MODEL_DECLARATIONS_ONLY
#include "decide_allgather.c"
#include "decide_bcast.c"
#include "decide_reduce.c"

/* Of so many numbers the sum is decided otherwise than what does not commute, on six ranks. */
enum { INTS_MOST = 1 << 18, REDUCED = 256 };

static void expect(const char *collective, struct colltune_model_choice choice)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0)
        return;
    printf("of %s/%s", collective, choice.algorithm);
    if (choice.segment >= 1024)
        printf(":seg=%zuK", choice.segment / 1024);
    else if (choice.segment > 0)
        printf(":seg=%zu", choice.segment);
    printf(" on rank 0\n");
}

/* Of two numbers the first: it is associative, and order counts. */
static void first_of(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] = ((int *)in)[i];
}

static void check(bool is_right, const char *what)
{
    if (is_right)
        return;
    fprintf(stderr, "wrong: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void reduce(int count, MPI_Op op, bool commutes, int expected)
{
    static int mine[INTS_MOST], sum[INTS_MOST];
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < count; i++)
        mine[i] = rank + 1;
    expect("reduce", colltune_model_decide_reduce((size_t)size, (size_t)count * sizeof *mine, commutes));
    MPI_Reduce(mine, sum, count, MPI_INT, op, 0, MPI_COMM_WORLD);
    check(rank != 0 || (sum[0] == expected && sum[count - 1] == expected), "reduce");
}

int main(int argc, char **argv)
{
    static int data[INTS_MOST], all[64];
    int size, rank;
    MPI_Op first;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Op_create(first_of, 0, &first);
    data[0] = data[INTS_MOST - 1] = rank == 0 ? 7 : 0;
    expect("bcast", colltune_model_decide_bcast((size_t)size, sizeof data, true));
    MPI_Bcast(data, INTS_MOST, MPI_INT, 0, MPI_COMM_WORLD);
    check(data[0] == 7 && data[INTS_MOST - 1] == 7, "bcast");
    expect("allgather", colltune_model_decide_allgather((size_t)size, sizeof(int), true));
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    check(all[size - 1] == size - 1, "allgather");
    reduce(REDUCED, MPI_SUM, true, size * (size + 1) / 2);
    reduce(REDUCED, first, false, 1);
    MPI_Op_free(&first);
    MPI_Finalize();
    return 0;
}
