/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* check_order: reduces by an operation that does not commute, all ways and in many sizes; exits with 1 where
 * operands were combined out of rank order. */

/* x -> factor x + summand; the operation composes two such maps, modulo a prime. */
struct map {
    int factor, summand;
};

enum { PRIME = 9973 };

static struct map compose(struct map outer, struct map inner)
{
    return (struct map){outer.factor * inner.factor % PRIME,
                        (outer.factor * inner.summand + outer.summand) % PRIME};
}

static void operation(void *in, void *in_out, int *count, MPI_Datatype *type)
{
    (void)type;
    struct map *left = in, *right = in_out;
    for (int i = 0; i < *count; i++)
        right[i] = compose(left[i], right[i]);
}

static struct map operand(int rank, int place)
{
    return (struct map){rank + 2, (3 * rank + 1 + place) % PRIME};
}

/* Are `count` results, the first of which is that of `place`, as they should be? */
static int is_wrong(const struct map *results, int count, int place, int ranks)
{
    for (int i = 0; i < count; i++) {
        struct map expected = operand(0, place + i);
        for (int rank = 1; rank < ranks; rank++)
            expected = compose(expected, operand(rank, place + i));
        if (results[i].factor != expected.factor || results[i].summand != expected.summand)
            return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    static const int counts[] = {1, 7, 100, 1000, 6000};
    enum { MOST = 6000 };
    int rank, ranks, wrong = 0, total;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(operation, 0, &op);
    struct map *send = calloc((size_t)(ranks * MOST), sizeof *send);
    struct map *receive = calloc((size_t)(ranks * MOST), sizeof *receive);
    int *each = calloc((size_t)ranks, sizeof *each);
    for (int i = 0; i < ranks * MOST; i++)
        send[i] = operand(rank, i);
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        int n = counts[c];
        for (int i = 0; i < ranks; i++)
            each[i] = n;
        MPI_Allreduce(send, receive, n, type, op, MPI_COMM_WORLD);
        wrong += is_wrong(receive, n, 0, ranks);
        MPI_Reduce(send, receive, n, type, op, ranks - 1, MPI_COMM_WORLD);
        wrong += rank == ranks - 1 && is_wrong(receive, n, 0, ranks);
        MPI_Reduce_scatter_block(send, receive, n, type, op, MPI_COMM_WORLD);
        wrong += is_wrong(receive, n, rank * n, ranks);
        MPI_Reduce_scatter(send, receive, each, type, op, MPI_COMM_WORLD);
        wrong += is_wrong(receive, n, rank * n, ranks);
    }
    MPI_Allreduce(&wrong, &total, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d results out of order\n", total);
    free(send);
    free(receive);
    free(each);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    MPI_Finalize();
    return total > 0;
}
