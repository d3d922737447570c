/* SPDX-License-Identifier: BSD-3-Clause */
/* An application in which a rank calls a collective with another length than the others. Its communicator
 * returns errors, MPI_COMM_WORLD ends the job. Those ranks that receive the wrong length must return the
 * error, also where another rank passes the data on; none may wait for ever, and later calls must work. While
 * a handler of the program's runs, the text of the error names the collective.
 * Prints "all right" at rank 0. With an argument, all ranks send themselves more than they receive in
 * blocking calls, and nothing else is wrong; MPICH 4.0.2 crashes in non-blocking ones. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 64, RANKS_MOST = 16 };

static char from[RANKS_MOST * LONGEST], to[RANKS_MOST * LONGEST];

static const char *called; /* the function that is called */
static int named = true;   /* errors that handlers have seen so far name it */

static void handle(MPI_Comm *comm, int *code, ...)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    (void)comm;
    MPI_Error_string(*code, text, &length);
    named = named && length == (int)strlen(text) && strncmp(text, called, strlen(called)) == 0 &&
            text[strlen(called)] == ':';
}

static int bcast(int length, MPI_Comm comm)
{
    called = "MPI_Bcast";
    return MPI_Bcast(to, length, MPI_BYTE, 0, comm);
}

static int gather(int length, MPI_Comm comm)
{
    called = "MPI_Gather";
    return MPI_Gather(from, length, MPI_BYTE, to, length, MPI_BYTE, 0, comm);
}

static int scatter(int length, MPI_Comm comm)
{
    called = "MPI_Scatter";
    return MPI_Scatter(from, length, MPI_BYTE, to, length, MPI_BYTE, 0, comm);
}

static int allgather(int length, MPI_Comm comm)
{
    called = "MPI_Allgather";
    return MPI_Allgather(from, length, MPI_BYTE, to, length, MPI_BYTE, comm);
}

/* --- this rank's own block: it sends itself more than it receives --- */

static int own_alltoall(int rank, int more, MPI_Comm comm)
{
    (void)rank;
    called = "MPI_Alltoall";
    return MPI_Alltoall(from, 4 + more, MPI_BYTE, to, 4, MPI_BYTE, comm);
}

static int own_allgather(int rank, int more, MPI_Comm comm)
{
    (void)rank;
    called = "MPI_Allgather";
    return MPI_Allgather(from, 4 + more, MPI_BYTE, to, 4, MPI_BYTE, comm);
}

static int own_alltoallv(int rank, int more, MPI_Comm comm)
{
    int sent[RANKS_MOST], received[RANKS_MOST], places[RANKS_MOST];
    for (int i = 0; i < RANKS_MOST; i++) {
        sent[i] = 4 + (i == rank ? more : 0);
        received[i] = 4;
        places[i] = i * LONGEST;
    }
    called = "MPI_Alltoallv";
    return MPI_Alltoallv(from, sent, places, MPI_BYTE, to, received, places, MPI_BYTE, comm);
}

static int own_ialltoall(int rank, int more, MPI_Comm comm)
{
    MPI_Request request;
    (void)rank;
    called = "MPI_Ialltoall";
    int code = MPI_Ialltoall(from, 4 + more, MPI_BYTE, to, 4, MPI_BYTE, comm, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

static const struct own {
    const char *name;
    int (*call)(int rank, int more, MPI_Comm comm);
} own_blocks[] = {
    {"alltoall", own_alltoall},
    {"allgather", own_allgather},
    {"alltoallv", own_alltoallv},
    {"ialltoall", own_ialltoall},
};
enum { OWN_BLOCKS = sizeof own_blocks / sizeof own_blocks[0], BLOCKING = OWN_BLOCKS - 1 };

/* Does each rank return an error if rank 1 alone sends longer blocks than all receive, and succeed before and
 * afterwards? */
static bool try_one(const struct own *own, int rank, MPI_Comm comm)
{
    static const int more[] = {0, 0, 4, 4, 0, 0};
    int right = true;
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        int class;
        MPI_Error_class(own->call(rank, rank == 1 ? more[i] : 0, comm), &class);
        right = right && (more[i] == 0 ? class == MPI_SUCCESS
                          : rank == 1  ? class == MPI_ERR_TRUNCATE
                                       : class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER);
    }
    PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0 && !right)
        printf("%s: rank 1 sends longer blocks than the others receive, and some rank misses it\n",
               own->name);
    return right;
}

/* Does each rank return the error, as often as it calls, and succeed before and afterwards? */
static bool try_own(const struct own *own, int rank, MPI_Comm comm)
{
    static const int more[] = {0, 4, 4, 0};
    int right = true;
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
        int class;
        MPI_Error_class(own->call(rank, more[i], comm), &class);
        right = right && class == (more[i] > 0 ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    }
    PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0 && !right)
        printf("%s: ranks that send themselves more than they receive miss it\n", own->name);
    return right;
}

static const struct wrong {
    const char *name;
    int (*call)(int length, MPI_Comm comm);
    int rank; /* that uses `length` where the others use `usual` */
    int length;
    int usual;
    int class; /* of the error at one rank at least */
} all[] = {
    {"bcast", bcast, 0, 8, 4, MPI_ERR_TRUNCATE},         {"bcast", bcast, 0, 4, 8, MPI_ERR_OTHER},
    {"gather", gather, 1, 8, 4, MPI_ERR_TRUNCATE},       {"gather", gather, 1, 4, 8, MPI_ERR_OTHER},
    {"scatter", scatter, 0, 8, 4, MPI_ERR_TRUNCATE},     {"scatter", scatter, 0, 4, 8, MPI_ERR_OTHER},
    {"allgather", allgather, 1, 8, 4, MPI_ERR_TRUNCATE},
};

/* Is the result of a call with `length` bytes right at this rank, with its rank in all bytes sent? */
static bool is_right(const struct wrong *wrong, int length, int rank, int size, MPI_Comm comm)
{
    memset(from, rank + 1, sizeof from);
    memset(to, wrong->call == bcast ? rank + 1 : 0, sizeof to);
    if (wrong->call(length, comm) != MPI_SUCCESS)
        return false;
    if (wrong->call == bcast || wrong->call == scatter)
        return to[length - 1] == 1;
    return (wrong->call == gather && rank > 0) || to[size * length - 1] == size;
}

/* A rank may get too long messages and send too short ones. */
static bool is_expected(int class)
{
    return class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER;
}

/* Is it a rank that must notice, whatever the method? */
static bool receives_wrong_length(const struct wrong *wrong, int rank)
{
    return (wrong->call == bcast || wrong->call == scatter) && rank != wrong->rank;
}

/* Do some ranks return the error, among them all that must, and no rank one of another kind? */
static bool try(const struct wrong *wrong, int rank, int size, MPI_Comm comm)
{
    int class, sum[2];
    MPI_Error_class(wrong->call(rank == wrong->rank ? wrong->length : wrong->usual, comm), &class);
    bool is_missed = class == MPI_SUCCESS && receives_wrong_length(wrong, rank);
    int own[2] = {class == wrong->class, is_missed || !is_expected(class)};
    PMPI_Allreduce(own, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    int right = is_right(wrong, LONGEST, rank, size, comm);
    PMPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0 && (sum[0] == 0 || sum[1] > 0 || !right))
        printf("%s, rank %d with %d bytes instead of %d: %d ranks return the error, %d miss it or return "
               "another; the next call is %s\n",
               wrong->name, wrong->rank, wrong->length, wrong->usual, sum[0], sum[1],
               right ? "right" : "wrong");
    return sum[0] > 0 && sum[1] == 0 && right;
}

static bool try_blocking_own(int rank, MPI_Comm comm)
{
    bool right = true;
    for (size_t i = 0; i < BLOCKING; i++)
        right = try_own(&own_blocks[i], rank, comm) && right;
    return right;
}

static bool try_all(int rank, int size, MPI_Comm comm)
{
    bool right = true;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        right = try(&all[i], rank, size, comm) && right;
    for (size_t i = 0; i < OWN_BLOCKS; i++)
        right = try_own(&own_blocks[i], rank, comm) && right;
    /* With alltoallv each block has a length of its own. */
    for (size_t i = 0; i < OWN_BLOCKS; i++)
        right = (own_blocks[i].call == own_alltoallv || try_one(&own_blocks[i], rank, comm)) && right;
    return right;
}

int main(int argc, char **argv)
{
    bool right = true, natively = argc > 1;
    int rank, size;
    MPI_Comm comm;
    MPI_Errhandler before, after, own;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before);
    if (natively)
        right = try_blocking_own(rank, comm);
    else
        right = try_all(rank, size, comm);
    MPI_Comm_create_errhandler(handle, &own);
    MPI_Comm_set_errhandler(comm, own);
    if (!natively)
        right = try_all(rank, size, comm) && right;
    MPI_Errhandler_free(&own);
    PMPI_Allreduce(MPI_IN_PLACE, &named, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (!named && rank == 0)
        puts("the text of an error does not name the collective");
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &after);
    right = right && named && after == before;
    if (rank == 0)
        puts(right ? "all right" : "FAILED");
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return right ? 0 : 1;
}
