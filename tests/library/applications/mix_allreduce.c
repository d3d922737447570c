/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions of many kinds to all ranks of many communicators, with traffic of the program's own around them.
 */
#include "mix_operands.h"

#include <stdlib.h>
#include <string.h>

static const int lengths[] = {1, 0, 17, 1000, 9000};

enum { COMPARE_TAG = 11 };

/* Have all ranks of the communicator this value? By messages alone; says so on every rank that has a
 * neighbour. */
static int same_as_neighbour(MPI_Comm comm, uint64_t value)
{
    int rank, size;
    uint64_t other = value;
    MPI_Request requests[2];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Irecv(&other, 1, MPI_UINT64_T, (rank + size - 1) % size, COMPARE_TAG, comm, &requests[0]);
    MPI_Isend(&value, 1, MPI_UINT64_T, (rank + 1) % size, COMPARE_TAG, comm, &requests[1]);
    mix_wait(&requests[0], MPI_STATUS_IGNORE);
    mix_wait(&requests[1], MPI_STATUS_IGNORE);
    return other == value;
}

/* Returns what the result holds. Over an intercommunicator it is the reduction of the other half. */
static uint64_t allreduce(const struct mix_circle *circle, const struct mix_operand *operand, int round,
                          int *ret_within)
{
    int rank, size, n = lengths[round % 5];
    MPI_Comm_rank(circle->comm, &rank);
    if (circle->inter)
        MPI_Comm_remote_size(circle->comm, &size);
    else
        MPI_Comm_size(circle->comm, &size);
    void *input = mix_operand_input(operand, rank, n);
    void *result = mix_operand_input(operand, size, n);
    int in_place = !circle->inter && round / MIX_OPERANDS % 2 == 1;
    if (in_place)
        memcpy(result, input, (size_t)n * operand->extent);
    MPI_Allreduce(in_place ? MPI_IN_PLACE : input, result, n, operand->type, operand->op, circle->comm);
    uint64_t hash = mix_operand_hash(operand, result, n);
    *ret_within = mix_operand_within(operand, result, n, size);
    free(input);
    free(result);
    return hash;
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
        uint64_t came = 0, exact = 0, floating = 0;
        int right = 1, equal = 1;
        for (int round = 0; round < MIX_OPERANDS * job.repetitions; round++) {
            struct mix_traffic traffic;
            const struct mix_operand *operand = &operands[round % MIX_OPERANDS];
            if (circles[i].comm != MPI_COMM_NULL) {
                int within;
                mix_begin(&traffic, circles[i].comm, round);
                uint64_t hash = allreduce(&circles[i], operand, round, &within);
                came += mix_end(&traffic);
                right = right && within;
                exact = operand->exact ? mix_value(exact, hash) : exact;
                floating = operand->exact ? floating : mix_value(floating, hash);
            }
            mix_quiet(&job);
            if (circles[i].comm != MPI_COMM_NULL && !circles[i].inter)
                equal = equal && same_as_neighbour(circles[i].comm, mix_value(exact, floating));
            mix_quiet(&job);
        }
        mix_report(&job, "exact", circles[i].name, exact);
        mix_report(&job, "float", circles[i].name, floating);
        mix_report(&job, "exact", "traffic", came);
        mix_report_holds(&job, "sums_within_n_eps", right);
        mix_report_holds(&job, "equal_on_all_ranks", equal);
    }
    mix_circles_free(circles, count);
    mix_operands_free(operands);
    mix_finish(&job);
    return 0;
}
