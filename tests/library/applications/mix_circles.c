/* SPDX-License-Identifier: BSD-3-Clause */
#include "mix.h"

#include <stdio.h>

static int add(struct mix_circle *circles, int count, const char *name, MPI_Comm comm, int inter)
{
    snprintf(circles[count].name, sizeof circles[count].name, "%s", name);
    circles[count].comm = comm;
    circles[count].inter = inter;
    return count + 1;
}

int mix_circles_make(const struct mix_job *job, struct mix_circle circles[MIX_CIRCLES_MAX])
{
    MPI_Comm comm, halves;
    int count = add(circles, 0, "world", MPI_COMM_WORLD, 0);
    count = add(circles, count, "self", MPI_COMM_SELF, 0);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    count = add(circles, count, "duplicate", comm, 0);
    MPI_Comm_split(MPI_COMM_WORLD, job->rank % 2, job->rank, &halves);
    count = add(circles, count, "halves", halves, 0);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -job->rank, &comm);
    count = add(circles, count, "reversed", comm, 0);
    for (int first = 1; first <= job->size && count < MIX_CIRCLES_MAX - 1; first++) {
        char name[24];
        snprintf(name, sizeof name, "first_%d", first);
        MPI_Comm_split(MPI_COMM_WORLD, job->rank < first ? 1 : MPI_UNDEFINED, 0, &comm);
        count = add(circles, count, name, comm, 0);
    }
    if (job->size > 1) {
        MPI_Intercomm_create(halves, 0, MPI_COMM_WORLD, job->rank % 2 ? 0 : 1, 3, &comm);
        count = add(circles, count, "between_halves", comm, 1);
    }
    return count;
}

static void free_with_receive_pending(struct mix_circle *circle, int mark)
{
    int rank, size, got = -1;
    MPI_Request receive, send;
    MPI_Comm_rank(circle->comm, &rank);
    MPI_Comm_size(circle->comm, &size);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, circle->comm, &receive);
    MPI_Isend(&mark, 1, MPI_INT, (rank + 1) % size, 5, circle->comm, &send);
    MPI_Comm_free(&circle->comm);
    mix_wait(&send, MPI_STATUS_IGNORE);
    mix_wait(&receive, MPI_STATUS_IGNORE);
    if (got != mark)
        mix_fail("a message pending over MPI_Comm_free went astray", circle->name);
}

void mix_circles_free(struct mix_circle *circles, int count)
{
    for (int i = 0; i < count; i++) {
        struct mix_circle *circle = &circles[i];
        if (circle->comm == MPI_COMM_NULL || circle->comm == MPI_COMM_WORLD || circle->comm == MPI_COMM_SELF)
            continue;
        if (circle->inter)
            MPI_Comm_free(&circle->comm);
        else
            free_with_receive_pending(circle, i);
    }
}
