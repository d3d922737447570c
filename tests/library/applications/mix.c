/* SPDX-License-Identifier: BSD-3-Clause */
#include "mix.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

enum { REPORT_TAG = 7, QUIET_TAG = 8 };

void mix_start(int *argc, char ***argv, struct mix_job *ret_job)
{
    MPI_Init(argc, argv);
    ret_job->repetitions = *argc > 1 ? atoi((*argv)[1]) : 1;
    if (ret_job->repetitions < 1)
        mix_fail("expected a number of repetitions, at least 1", "first argument");
    MPI_Comm_dup(MPI_COMM_WORLD, &ret_job->aside);
    MPI_Comm_rank(ret_job->aside, &ret_job->rank);
    MPI_Comm_size(ret_job->aside, &ret_job->size);
}

void mix_finish(struct mix_job *job)
{
    int found;
    mix_quiet(job);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    if (found)
        mix_fail("a message is left over", "end");
    MPI_Comm_free(&job->aside);
    MPI_Finalize();
}

void mix_fail(const char *what, const char *where)
{
    fprintf(stderr, "%s: %s\n", where, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

void *mix_allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);
    if (!memory)
        mix_fail("out of memory", "mix_allocate");
    return memory;
}

uint64_t mix_hash(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    hash ^= 14695981039346656037u;
    for (size_t i = 0; i < length; i++)
        hash = (hash ^ byte[i]) * 1099511628211u;
    return hash;
}

uint64_t mix_value(uint64_t a, uint64_t b)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + b + 1;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void mix_wait(MPI_Request *request, MPI_Status *status)
{
    int done = 0;
    while (MPI_Test(request, &done, status) == MPI_SUCCESS && !done)
        sched_yield();
}

void mix_quiet(const struct mix_job *job)
{
    for (int distance = 1; distance < job->size; distance *= 2) {
        MPI_Request requests[2];
        MPI_Irecv(NULL, 0, MPI_BYTE, (job->rank - distance + job->size) % job->size, QUIET_TAG, job->aside,
                  &requests[0]);
        MPI_Isend(NULL, 0, MPI_BYTE, (job->rank + distance) % job->size, QUIET_TAG, job->aside, &requests[1]);
        mix_wait(&requests[0], MPI_STATUS_IGNORE);
        mix_wait(&requests[1], MPI_STATUS_IGNORE);
    }
}

/* All ranks' values on rank 0; NULL elsewhere. Caller frees. */
static uint64_t *collect(const struct mix_job *job, uint64_t value)
{
    MPI_Request request;
    if (job->rank > 0) {
        MPI_Isend(&value, 1, MPI_UINT64_T, 0, REPORT_TAG, job->aside, &request);
        mix_wait(&request, MPI_STATUS_IGNORE);
        return NULL;
    }
    uint64_t *values = mix_allocate((size_t)job->size * sizeof *values);
    values[0] = value;
    for (int from = 1; from < job->size; from++) {
        MPI_Irecv(&values[from], 1, MPI_UINT64_T, from, REPORT_TAG, job->aside, &request);
        mix_wait(&request, MPI_STATUS_IGNORE);
    }
    return values;
}

void mix_report(const struct mix_job *job, const char *kind, const char *name, uint64_t value)
{
    uint64_t *values = collect(job, value);
    if (!values)
        return;
    printf("%s %s", kind, name);
    for (int i = 0; i < job->size; i++)
        printf(" %016llx", (unsigned long long)values[i]);
    printf("\n");
    free(values);
}

void mix_report_holds(const struct mix_job *job, const char *name, int holds)
{
    int all = 1;
    uint64_t *values = collect(job, holds != 0);
    if (!values)
        return;
    for (int i = 0; i < job->size; i++)
        all = all && values[i];
    printf("exact %s %s\n", name, all ? "yes" : "no");
    free(values);
}
