/* SPDX-License-Identifier: BSD-3-Clause */
/* An application in which a rank calls a collective with another length than the others, so that ranks cut
 * their messages into different numbers of segments. Each rank may or may not notice, but none may wait for
 * ever, and later calls must return right results, on the same communicator and on others of the same and of
 * other ranks. Prints "all right" at rank 0.
 *
 * unequal_segments BYTES: of a segment, by which the environment has messages cut. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MOST = 8, SEGMENTS_MOST = 5, LATER = 3 };

static int rank, size, segment;
static char *from, *to;
static bool right = true;

static int bcast(int bytes, int root, MPI_Comm comm)
{
    return MPI_Bcast(to, bytes, MPI_BYTE, root, comm);
}

static int reduce(int bytes, int root, MPI_Comm comm)
{
    return MPI_Reduce(from, to, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, root, comm);
}

static int allreduce(int bytes, int root, MPI_Comm comm)
{
    (void)root;
    return MPI_Allreduce(from, to, bytes, MPI_UNSIGNED_CHAR, MPI_SUM, comm);
}

static int scatter(int bytes, int root, MPI_Comm comm)
{
    return MPI_Scatter(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, root, comm);
}

static int gather(int bytes, int root, MPI_Comm comm)
{
    return MPI_Gather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, root, comm);
}

static int allgather(int bytes, int root, MPI_Comm comm)
{
    (void)root;
    return MPI_Allgather(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, comm);
}

static int alltoall(int bytes, int root, MPI_Comm comm)
{
    (void)root;
    return MPI_Alltoall(from, bytes, MPI_BYTE, to, bytes, MPI_BYTE, comm);
}

static const struct collective {
    const char *name;
    int (*call)(int bytes, int root, MPI_Comm comm);
} collectives[] = {{"bcast", bcast},      {"reduce", reduce}, {"allreduce", allreduce},
                   {"scatter", scatter},  {"gather", gather}, {"allgather", allgather},
                   {"alltoall", alltoall}};
enum { COLLECTIVES = sizeof collectives / sizeof collectives[0] };

static void expect(bool is_met, const char *what, const struct collective *wrong, int other, int root)
{
    if (!is_met)
        printf("rank %d: %s is wrong after %s, where rank %d differs and %d is the root\n", rank, what,
               wrong->name, other, root);
    right = right && is_met;
}

/* Calls on a communicator that return right results, each rank being the root once. */
static void call_rightly(const struct collective *wrong, int other, int root, MPI_Comm comm)
{
    int own, ranks, class;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &ranks);
    for (int i = 0; i < ranks; i++) {
        memset(to, own == i ? 40 + i : 0, (size_t)(3 * segment));
        MPI_Error_class(MPI_Bcast(to, 3 * segment, MPI_BYTE, i, comm), &class);
        expect(class == MPI_SUCCESS && to[0] == 40 + i && to[3 * segment - 1] == 40 + i, "bcast", wrong,
               other, root);
        long sum = -1, one = own + i;
        MPI_Error_class(MPI_Reduce(&one, &sum, 1, MPI_LONG, MPI_SUM, i, comm), &class);
        expect(class == MPI_SUCCESS && (own != i || sum == (long)ranks * i + ranks * (ranks - 1) / 2),
               "reduce", wrong, other, root);
    }
    long sum = -1, one = own;
    MPI_Error_class(MPI_Allreduce(&one, &sum, 1, MPI_LONG, MPI_SUM, comm), &class);
    expect(class == MPI_SUCCESS && sum == ranks * (ranks - 1) / 2, "allreduce", wrong, other, root);
    memset(from, own + 1, (size_t)(2 * segment));
    memset(to, 0, (size_t)(2 * segment * ranks));
    MPI_Error_class(MPI_Allgather(from, 2 * segment, MPI_BYTE, to, 2 * segment, MPI_BYTE, comm), &class);
    bool is_met = class == MPI_SUCCESS;
    for (int i = 0; i < ranks; i++)
        is_met = is_met && to[2 * segment * i] == i + 1 && to[2 * segment * (i + 1) - 1] == i + 1;
    expect(is_met, "allgather", wrong, other, root);
}

/* What must be returned: nothing, or an error of these classes. */
static bool is_expected(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class == MPI_SUCCESS || class == MPI_ERR_TRUNCATE || class == MPI_ERR_OTHER;
}

static void call_wrongly(const struct collective *collective, int other, int root, int bytes, MPI_Comm comm)
{
    memset(from, 1, (size_t)(SEGMENTS_MOST * segment * RANKS_MOST));
    expect(is_expected(collective->call(bytes, root, comm)), "the error", collective, other, root);
}

int main(int argc, char **argv)
{
    int all;
    MPI_Comm same, other, part, later[LATER];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    segment = argc > 1 ? atoi(argv[1]) : 64;
    from = calloc((size_t)(SEGMENTS_MOST * segment), RANKS_MOST);
    to = calloc((size_t)(SEGMENTS_MOST * segment), RANKS_MOST);
    if (!from || !to || size > RANKS_MOST)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* also of those made of it */
    MPI_Comm_dup(MPI_COMM_WORLD, &same);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &other);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &part);
    later[0] = MPI_COMM_WORLD;
    later[1] = other;
    later[2] = part;
    const int lengths[] = {segment, 2 * segment, SEGMENTS_MOST * segment, segment / 4, 3 * segment + 8, 0};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    int turn = 0;
    for (int i = 0; i < COLLECTIVES; i++)
        for (int root = 0; root < size; root++)
            for (int wrong = 0; wrong < size; wrong++)
                for (int k = 0; k < LENGTHS; k++) {
                    /* with the first one longer, or the others */
                    int long_one = (turn / LATER) % 2, bytes = lengths[k], usual = lengths[(k + 1) % LENGTHS];
                    call_wrongly(&collectives[i], wrong, root,
                                 (rank == wrong) == (long_one == 1) ? bytes : usual, same);
                    if (turn % 4 == 3) /* twice */
                        call_wrongly(&collectives[i], wrong, root, rank == wrong ? usual : bytes, same);
                    call_rightly(&collectives[i], wrong, root, later[turn % LATER]);
                    call_rightly(&collectives[i], wrong, root, same);
                    turn++;
                }
    MPI_Reduce(&right, &all, 1, MPI_C_BOOL, MPI_LAND, 0, MPI_COMM_WORLD);
    if (rank == 0)
        puts(all ? "all right" : "FAILED");
    MPI_Comm_free(&same);
    MPI_Comm_free(&other);
    MPI_Comm_free(&part);
    free(from);
    free(to);
    MPI_Finalize();
    return right ? 0 : 1;
}
