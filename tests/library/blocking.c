/* SPDX-License-Identifier: BSD-3-Clause */
/* blocking FILE [NAME]: an application of three ranks that needs progress. Rank 1 has to forward a byte of a
 * broadcast from rank 0 to rank 2, and blocks in an MPI function, which only returns when rank 2 has got the
 * byte. One function after the other, or that of NAME alone. Prints "all right" at rank 0. FILE is scratch.
 */
#include "blocking.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct all all;
int to[RANKS];

static void complain(int signal)
{
    (void)signal;
    fprintf(stderr, "rank %d waits for ever in the trial of MPI_%s\n", all.rank, all.name);
    _exit(1);
}

/* Rank 0 begins when rank 1 has begun, so that nothing can be forwarded then. */
static int begin(char *byte, MPI_Request *request)
{
    *byte = (char)(all.rank == 0);
    if (all.rank == 0)
        PMPI_Recv(NULL, 0, MPI_BYTE, BLOCKED, TAG, all.comm, MPI_STATUS_IGNORE);
    int code = MPI_Ibcast(byte, 1, MPI_BYTE, 0, MPI_COMM_WORLD, request);
    if (all.rank == BLOCKED)
        PMPI_Send(NULL, 0, MPI_BYTE, 0, TAG, all.comm);
    return code;
}

static bool try(const struct trial *trial)
{
    char byte;
    MPI_Request request;
    int (*late)(void) = trial->answer ? trial->answer : trial->call;
    all.name = trial->name;
    if (all.window != MPI_WIN_NULL)
        *all.shared = 0;
    alarm(SECONDS);
    int code = begin(&byte, &request);
    if (code == MPI_SUCCESS && all.rank == BLOCKED)
        code = trial->call();
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (code == MPI_SUCCESS && (all.rank == LATE || (all.rank == 0 && !trial->answer)))
        code = late();
    bool right = code == MPI_SUCCESS && byte == 1;
    if (!right)
        fprintf(stderr, "MPI_%s is wrong at rank %d: error %d, byte %d\n", trial->name, all.rank, code, byte);
    return right;
}

static void prepare(const char *path)
{
    MPI_Comm own;
    MPI_Comm_rank(MPI_COMM_WORLD, &all.rank);
    MPI_Barrier(MPI_COMM_WORLD); /* the library takes over what follows a blocking collective */
    MPI_Comm_dup(MPI_COMM_WORLD, &all.comm);
    MPI_Comm_set_errhandler(all.comm, MPI_ERRORS_RETURN);
    MPI_Cart_create(all.comm, 1, (const int[]){RANKS}, (const int[]){true}, false, &all.ring);
    MPI_Comm_split(all.comm, 0, -all.rank, &all.reversed);
    MPI_Comm_dup(all.comm, &all.spare);
    MPI_Comm_split(all.comm, all.rank == BLOCKED, 0, &own);
    MPI_Intercomm_create(own, 0, all.comm, all.rank != BLOCKED, TAG, &all.inter);
    MPI_Comm_free(&own);
    MPI_Win_allocate(sizeof *all.shared, 1, MPI_INFO_NULL, all.comm, &all.shared, &all.window);
    *all.shared = 0;
    MPI_Info_create(&all.info);
    all.path = path;
    MPI_File_open(all.comm, path, MPI_MODE_RDWR | MPI_MODE_CREATE, MPI_INFO_NULL, &all.file);
    all.data = calloc(LONG, 1);
}

static void clean_up(void)
{
    MPI_Info_free(&all.info);
    MPI_Comm_free(&all.reversed);
    if (all.spare != MPI_COMM_NULL)
        MPI_Comm_free(&all.spare);
    MPI_Comm_free(&all.ring);
    MPI_Comm_free(&all.inter);
    if (all.window != MPI_WIN_NULL)
        MPI_Win_free(&all.window);
    if (all.file != MPI_FILE_NULL)
        MPI_File_close(&all.file);
    MPI_Comm_disconnect(&all.comm);
    free(all.data);
}

int main(int argc, char **argv)
{
    static const struct trial *const kinds[] = {message_trials, collective_trials, comm_trials, window_trials,
                                                file_trials};
    bool right = true;
    MPI_Init(&argc, &argv);
    signal(SIGALRM, complain);
    prepare(argv[1]);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (const struct trial *trial = kinds[i]; trial->name && right; trial++)
            if (argc < 3 || strcmp(argv[2], trial->name) == 0) {
                right = try(trial);
                PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_C_BOOL, MPI_LAND, all.comm);
            }
    if (all.rank == 0)
        puts(right ? "all right" : "FAILED");
    clean_up();
    MPI_Finalize();
    return right ? 0 : 1;
}
