/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs under a preloaded tuned library that does not see their MPI_Init. Ranks 0 and 1 have a
 * communicator of their own, which they use before that of all ranks, so that the library begins at different
 * moments. Usage: late_start sessions | world | both | exit.
 *
 *     sessions  MPI_Session_init
 *     world     PMPI_Init, as MPICH's module mpi_f08 calls it
 *     both      MPI_Session_init, then MPI_Init; the session outlives MPI_Finalize
 *     exit      MPI_Init, which the library does see; rank 0 exits without MPI_Finalize
 *
 * Prints "all right" once for each rank that ends. Exits 77 if the MPI library has no sessions. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct groups {
    MPI_Comm all, two; /* `two` is MPI_COMM_NULL on other ranks */
};

static bool sums(MPI_Comm comm)
{
    int rank, size, sum = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum == size * (size - 1) / 2;
}

static bool use(const struct groups *groups)
{
    bool right = groups->two == MPI_COMM_NULL || sums(groups->two);
    return sums(groups->all) && right;
}

static void free_all(struct groups *groups)
{
    if (groups->two != MPI_COMM_NULL)
        MPI_Comm_free(&groups->two);
    MPI_Comm_free(&groups->all);
}

static bool use_world(void)
{
    struct groups groups;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_dup(MPI_COMM_WORLD, &groups.all);
    PMPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, rank, &groups.two);
    bool right = use(&groups);
    free_all(&groups);
    return right && sums(MPI_COMM_WORLD);
}

#if MPI_VERSION >= 4

static void begin_session(MPI_Session *session, struct groups *groups)
{
    const int first[] = {0, 1};
    MPI_Group all, two;
    int rank;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, session);
    MPI_Group_from_session_pset(*session, "mpi://WORLD", &all);
    MPI_Group_rank(all, &rank);
    MPI_Group_incl(all, 2, first, &two);
    MPI_Comm_create_from_group(all, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &groups->all);
    groups->two = MPI_COMM_NULL;
    if (rank < 2)
        MPI_Comm_create_from_group(two, "two", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &groups->two);
    MPI_Group_free(&two);
    MPI_Group_free(&all);
}

static bool run_sessions(void)
{
    MPI_Session session;
    struct groups groups;
    begin_session(&session, &groups);
    bool right = use(&groups);
    free_all(&groups);
    MPI_Session_finalize(&session);
    return right;
}

static bool run_both(void)
{
    MPI_Session before, after;
    struct groups first, second;
    begin_session(&before, &first);
    bool right = first.two == MPI_COMM_NULL || sums(first.two);
    MPI_Init(NULL, NULL);
    begin_session(&after, &second);
    right = use_world() && use(&first) && use(&second) && right;
    MPI_Finalize();
    right = use(&first) && use(&second) && right;
    free_all(&first);
    free_all(&second);
    MPI_Session_finalize(&after);
    MPI_Session_finalize(&before);
    return right;
}

#endif

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    bool right;
    if (strcmp(mode, "world") == 0) {
        PMPI_Init(&argc, &argv);
        right = use_world();
        PMPI_Finalize();
    } else if (strcmp(mode, "exit") == 0) {
        MPI_Init(&argc, &argv);
        right = use_world();
        PMPI_Barrier(MPI_COMM_WORLD);
        int rank;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank > 0) /* the launcher ends the others */
            pause();
    } else {
#if MPI_VERSION >= 4
        right = strcmp(mode, "both") == 0 ? run_both() : run_sessions();
#else
        return 77;
#endif
    }
    puts(right ? "all right" : "WRONG");
    return right ? 0 : 1;
}
