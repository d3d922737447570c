/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that calls collectives under a preloaded tuned library, while one allocation of that library
 * fails on rank 1. Usage: memory_fault [N]: its N-th allocation fails, counted from 1; none without N. Prints
 * "an allocation failed" at the moment of the fault and "all right" at rank 0 where all results are right. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* glibc's own functions, behind those below. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);

static long until_fault; /* 0: no allocation fails */

/* Is this the allocation that fails? Only calls from within the tuned library count. */
static bool fails(const void *caller)
{
    Dl_info info;
    if (until_fault == 0 || !dladdr(caller, &info) || !info.dli_fname ||
        !strstr(info.dli_fname, "libcolltuned") || --until_fault > 0)
        return false;
    static const char text[] = "an allocation failed\n";
    return write(STDERR_FILENO, text, sizeof text - 1) > 0;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

/* Collectives with data of several kinds on `comm`: are the results right? */
static bool use(MPI_Comm comm)
{
    int rank, size, word, pair[2], sum, begun_sum;
    MPI_Request request;
    MPI_Datatype two;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int *all = calloc((size_t)size, sizeof *all);
    bool right = all != NULL;
    MPI_Type_indexed(2, (int[]){1, 1}, (int[]){0, 1}, MPI_INT, &two); /* is tried before it is used */
    MPI_Type_commit(&two);
    for (int round = 0; right && round < 3; round++) {
        word = rank == 0 ? 42 : -1;
        pair[0] = pair[1] = word;
        MPI_Bcast(&word, 1, MPI_INT, 0, comm);
        MPI_Bcast(pair, 1, two, 0, comm);
        MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, comm);
        MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm);
        MPI_Iallreduce(&word, &begun_sum, 1, MPI_INT, MPI_SUM, comm, &request);
        MPI_Barrier(comm);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        right =
            word == 42 && pair[1] == 42 && sum == 42 * size && begun_sum == sum && all[size - 1] == size - 1;
    }
    MPI_Type_free(&two);
    free(all);
    return right;
}

int main(int argc, char **argv)
{
    /* Which rank this is must be known before MPI_Init. */
    const char *launched_as = getenv("PMI_RANK");
    int rank;
    MPI_Comm copy;
    if (argc > 1 && launched_as && strcmp(launched_as, "1") == 0)
        until_fault = atol(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool mine = use(MPI_COMM_WORLD), all;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    mine = use(copy) && mine;
    MPI_Comm_free(&copy);
    PMPI_Allreduce(&mine, &all, 1, MPI_C_BOOL, MPI_LAND, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "all right" : "WRONG");
    MPI_Finalize();
    return all ? 0 : 1;
}
