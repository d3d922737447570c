/* SPDX-License-Identifier: BSD-3-Clause */
/* Broadcasts of many lengths and types from all roots of many communicators, with traffic of the program's
 * own around them. */
#include "mix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How a rank describes the same `ints` integers. */
struct shape {
    const char *name;
    void (*describe)(int ints, int rank, MPI_Datatype *ret_type, int *ret_count, int *ret_made);
};

static void plain(int ints, int rank, MPI_Datatype *ret_type, int *ret_count, int *ret_made)
{
    (void)rank;
    *ret_type = MPI_INT;
    *ret_count = ints;
    *ret_made = 0;
}

/* Every other integer, after a gap. */
static void gaps(int ints, int rank, MPI_Datatype *ret_type, int *ret_count, int *ret_made)
{
    MPI_Datatype vector;
    (void)rank;
    MPI_Type_vector(ints, 1, 2, MPI_INT, &vector);
    int lengths[1] = {1};
    MPI_Aint displacements[1] = {(MPI_Aint)sizeof(int)};
    MPI_Type_create_struct(1, lengths, displacements, &vector, ret_type);
    MPI_Type_commit(ret_type);
    MPI_Type_free(&vector);
    *ret_count = 1;
    *ret_made = 1;
}

/* Tens at even ranks, gaps at odd ones: one signature, so MPI allows it. */
static void mixed(int ints, int rank, MPI_Datatype *ret_type, int *ret_count, int *ret_made)
{
    if (rank % 2 || ints % 10) {
        (rank % 2 ? gaps : plain)(ints, rank, ret_type, ret_count, ret_made);
        return;
    }
    MPI_Type_contiguous(10, MPI_INT, ret_type);
    MPI_Type_commit(ret_type);
    *ret_count = ints / 10;
    *ret_made = 1;
}

static const struct shape shapes[] = {{"plain", plain}, {"gaps", gaps}, {"mixed", mixed}};
static const int lengths[] = {0, 1, 17, 2500, 40000};

enum { SHAPES = sizeof shapes / sizeof shapes[0], LENGTHS = sizeof lengths / sizeof lengths[0] };

/* One broadcast from `root` (in an intercommunicator: as MPI_Bcast takes it there), filled where `sends`; the
 * checksum of the whole buffer, gaps included. */
static uint64_t broadcast(MPI_Comm comm, int root, int sends, int round)
{
    int ints = lengths[round % LENGTHS], rank, count, made;
    MPI_Comm_rank(comm, &rank);
    MPI_Datatype type;
    shapes[round % SHAPES].describe(ints, rank, &type, &count, &made);
    size_t room = 2 * (size_t)ints + 2;
    int *buffer = mix_allocate(room * sizeof *buffer);
    for (size_t i = 0; i < room; i++)
        buffer[i] = -1;
    MPI_Request request;
    if (sends && ints > 0) {
        int *packed = mix_allocate((size_t)ints * sizeof *packed);
        for (int i = 0; i < ints; i++)
            packed[i] = (int)(mix_value((uint64_t)round, (uint64_t)i) & 0x7fffffff);
        MPI_Irecv(buffer, count, type, 0, 9, MPI_COMM_SELF, &request);
        MPI_Send(packed, ints, MPI_INT, 0, 9, MPI_COMM_SELF);
        mix_wait(&request, MPI_STATUS_IGNORE);
        free(packed);
    }
    MPI_Bcast(buffer, count, type, root, comm);
    uint64_t sum = mix_hash(0, buffer, room * sizeof *buffer);
    free(buffer);
    if (made)
        MPI_Type_free(&type);
    return sum;
}

static uint64_t within(MPI_Comm comm, int round)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int root = round / 2 % size;
    return broadcast(comm, root, rank == root, round);
}

/* From a rank of the even half to all of the odd one. */
static uint64_t between(const struct mix_job *job, MPI_Comm comm, int round)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    if (job->rank % 2) {
        MPI_Comm_remote_size(comm, &size);
        return broadcast(comm, round % size, 0, round);
    }
    MPI_Comm_size(comm, &size);
    int sends = rank == round % size;
    return broadcast(comm, sends ? MPI_ROOT : MPI_PROC_NULL, sends, round);
}

int main(int argc, char **argv)
{
    struct mix_job job;
    struct mix_circle circles[MIX_CIRCLES_MAX];
    mix_start(&argc, &argv, &job);
    int count = mix_circles_make(&job, circles);
    for (int i = 0; i < count; i++) {
        uint64_t came = 0, got = 0;
        for (int round = 0; round < 5 * job.repetitions; round++) {
            struct mix_traffic traffic;
            if (circles[i].comm != MPI_COMM_NULL) {
                mix_begin(&traffic, circles[i].comm, round);
                uint64_t sum =
                    circles[i].inter ? between(&job, circles[i].comm, round) : within(circles[i].comm, round);
                got = mix_value(got, sum);
                came += mix_end(&traffic);
            }
            mix_quiet(&job);
        }
        mix_report(&job, "exact", circles[i].name, got);
        mix_report(&job, "exact", "traffic", came);
    }
    mix_circles_free(circles, count);
    mix_finish(&job);
    return 0;
}
