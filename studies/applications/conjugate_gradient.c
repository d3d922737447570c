/* SPDX-License-Identifier: BSD-3-Clause */
/* conjugate_gradient [UNKNOWNS-PER-RANK [ITERATIONS]]: solves -u'' = 1 on a line by conjugate gradients, as
 * solvers do: per iteration a product with the matrix, for which neighbours exchange one value, and two
 * allreduces of 8 bytes. Prints the residual, the time of the iterations, and the median time of an
 * allreduce on rank 0.
 * Algorithm: Hestenes and Stiefel 1952, doi:10.6028/jres.049.044. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct line {
    long count; /* unknowns of this rank */
    int left;   /* neighbours, or MPI_PROC_NULL */
    int right;
    double *in_allreduce; /* seconds, by call */
    long calls;
};

static double dot(struct line *line, const double *a, const double *b)
{
    double own = 0, all;
    for (long i = 0; i < line->count; i++)
        own += a[i] * b[i];
    double begun = MPI_Wtime();
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    line->in_allreduce[line->calls++] = MPI_Wtime() - begun;
    return all;
}

/* out = A in; in[-1] and in[count] are the neighbours' values. */
static void multiply(const struct line *line, double *in, double *out)
{
    long n = line->count;
    in[-1] = in[n] = 0;
    MPI_Sendrecv(&in[0], 1, MPI_DOUBLE, line->left, 1, &in[n], 1, MPI_DOUBLE, line->right, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Sendrecv(&in[n - 1], 1, MPI_DOUBLE, line->right, 2, &in[-1], 1, MPI_DOUBLE, line->left, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (long i = 0; i < n; i++)
        out[i] = 2 * in[i] - in[i - 1] - in[i + 1];
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long n = argc > 1 ? atol(argv[1]) : 1000, iterations = argc > 2 ? atol(argv[2]) : 200;
    struct line line = {.count = n,
                        .left = rank > 0 ? rank - 1 : MPI_PROC_NULL,
                        .right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL};
    if (n < 1 || iterations < 1 || n > 1L << 24 || iterations > 1L << 24) {
        fprintf(stderr, "usage: conjugate_gradient [UNKNOWNS-PER-RANK [ITERATIONS]]\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    double *memory = calloc((size_t)(4 * n + 2), sizeof *memory);
    line.in_allreduce = calloc((size_t)(2 * iterations + 1), sizeof *line.in_allreduce);
    if (!memory || !line.in_allreduce)
        MPI_Abort(MPI_COMM_WORLD, 1);
    double *direction = memory + 1, *x = direction + n + 1, *residual = x + n, *product = residual + n;
    for (long i = 0; i < n; i++)
        direction[i] = residual[i] = 1;
    double rr = dot(&line, residual, residual), first = rr;
    line.calls = 0;
    double begun = MPI_Wtime();
    long k = 0;
    for (; k < iterations && rr > 1e-24 * first; k++) {
        multiply(&line, direction, product);
        double step = rr / dot(&line, direction, product);
        for (long i = 0; i < n; i++) {
            x[i] += step * direction[i];
            residual[i] -= step * product[i];
        }
        double next = dot(&line, residual, residual);
        for (long i = 0; i < n; i++)
            direction[i] = residual[i] + next / rr * direction[i];
        rr = next;
    }
    double seconds = MPI_Wtime() - begun;
    if (rank == 0) {
        qsort(line.in_allreduce, (size_t)line.calls, sizeof *line.in_allreduce, compare);
        printf("%d ranks, %ld unknowns on each, %ld iterations: residual %.10e\n", size, n, k,
               sqrt(rr / first));
        printf("iterations took %.6f s\n", seconds);
        printf("an allreduce took %.3f us on rank 0 (median of %ld)\n",
               1e6 * line.in_allreduce[line.calls / 2], line.calls);
    }
    free(line.in_allreduce);
    free(memory);
    MPI_Finalize();
    return 0;
}
