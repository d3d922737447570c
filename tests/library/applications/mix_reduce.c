/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of many kinds to all roots of many communicators, with traffic of the program's own around them.
 */
#include "mix_operands.h"

#include <stdlib.h>
#include <string.h>

static const int lengths[] = {1, 0, 17, 1000, 9000};

/* What is known after a reduction: of exact ones, of floating sums, and whether those are right. */
struct results {
    uint64_t exact;
    uint64_t floating;
    int within;
};

static void take_up(struct results *results, const struct mix_operand *operand, const void *elements, int n,
                    int size)
{
    uint64_t hash = mix_operand_hash(operand, elements, n);
    results->within = results->within && mix_operand_within(operand, elements, n, size);
    if (operand->exact)
        results->exact = mix_value(results->exact, hash);
    else
        results->floating = mix_value(results->floating, hash);
}

static void within(MPI_Comm comm, const struct mix_operand *operand, int round, struct results *results)
{
    int rank, size, n = lengths[round % 5];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int root = round / 2 % size;
    void *input = mix_operand_input(operand, rank, n);
    void *result = mix_operand_input(operand, size, n);
    int in_place = root == 0 && round % 3 == 2;
    if (in_place)
        memcpy(result, input, (size_t)n * operand->extent);
    MPI_Reduce(in_place && rank == root ? MPI_IN_PLACE : input, rank == root ? result : NULL, n,
               operand->type, operand->op, root, comm);
    if (rank == root)
        take_up(results, operand, result, n, size);
    free(input);
    free(result);
}

/* From all of the odd half to one rank of the even one. */
static void between(const struct mix_job *job, MPI_Comm comm, const struct mix_operand *operand, int round,
                    struct results *results)
{
    int rank, size, remote, n = lengths[round % 5];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_remote_size(comm, &remote);
    void *input = mix_operand_input(operand, rank, n);
    void *result = mix_operand_input(operand, remote, n);
    if (job->rank % 2) {
        MPI_Reduce(input, NULL, n, operand->type, operand->op, round % remote, comm);
    } else {
        int takes = rank == round % size;
        MPI_Reduce(input, result, n, operand->type, operand->op, takes ? MPI_ROOT : MPI_PROC_NULL, comm);
        if (takes)
            take_up(results, operand, result, n, remote);
    }
    free(input);
    free(result);
}

int main(int argc, char **argv)
{
    struct mix_job job;
    struct mix_circle circles[MIX_CIRCLES_MAX];
    struct mix_operand operands[MIX_OPERANDS];
    mix_start(&argc, &argv, &job);
    mix_operands_make(operands);
    int count = mix_circles_make(&job, circles);
    for (int i = 0; i < count; i++) {
        uint64_t came = 0;
        struct results results = {.within = 1};
        for (int round = 0; round < MIX_OPERANDS * job.repetitions; round++) {
            struct mix_traffic traffic;
            const struct mix_operand *operand = &operands[round % MIX_OPERANDS];
            if (circles[i].comm != MPI_COMM_NULL) {
                mix_begin(&traffic, circles[i].comm, round);
                if (circles[i].inter)
                    between(&job, circles[i].comm, operand, round, &results);
                else
                    within(circles[i].comm, operand, round, &results);
                came += mix_end(&traffic);
            }
            mix_quiet(&job);
        }
        mix_report(&job, "exact", circles[i].name, results.exact);
        mix_report(&job, "float", circles[i].name, results.floating);
        mix_report(&job, "exact", "traffic", came);
        mix_report_holds(&job, "sums_within_n_eps", results.within);
    }
    mix_circles_free(circles, count);
    mix_operands_free(operands);
    mix_finish(&job);
    return 0;
}
