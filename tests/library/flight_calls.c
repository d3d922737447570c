/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What a form of a call does: with a request that is made before, or NULL, and with one that is waited for.
 */
struct form {
    const char *name;
    void (*make)(MPI_Request *request);
    void (*call)(MPI_Request *request);
};

static double one = 1, sum;

/* Blocks of one double for each of the two ranks. */
enum { RANKS = 2 };
static double blocks[RANKS], received[RANKS];
static const int counts[RANKS] = {1, 1}, places[RANKS] = {0, 1}, bytes[RANKS] = {0, sizeof(double)};
static MPI_Datatype types[RANKS]; /* set in main(): MPI's handles need not be constants */
static MPI_Datatype derived;

static void bcast(MPI_Request *request)
{
    (void)request;
    MPI_Bcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void allreduce(MPI_Request *request)
{
    (void)request;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

/* Programs alternate between calls. */
static void alternate(MPI_Request *request)
{
    static bool is_other;
    is_other = !is_other;
    (void)request;
    MPI_Allreduce(blocks, received, 1, is_other ? MPI_DOUBLE : MPI_INT, is_other ? MPI_MAX : MPI_LOR,
                  MPI_COMM_WORLD);
}

static MPI_Op own_op; /* set in main() */

static void add_doubles(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((double *)inout)[i] += ((double *)in)[i];
}

static void allreduce_own(MPI_Request *request)
{
    (void)request;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, own_op, MPI_COMM_WORLD);
}

/* Each time with another count. */
static void vary(MPI_Request *request)
{
    static char text[1024];
    static int count = 100;
    (void)request;
    count = count % 1000 + 7;
    MPI_Bcast(text, count, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static void bcast_derived(MPI_Request *request)
{
    (void)request;
    MPI_Bcast(blocks, 1, derived, 0, MPI_COMM_WORLD);
}

static void alltoall(MPI_Request *request)
{
    (void)request;
    MPI_Alltoall(blocks, 1, MPI_DOUBLE, received, 1, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void alltoallv(MPI_Request *request)
{
    (void)request;
    MPI_Alltoallv(blocks, counts, places, MPI_DOUBLE, received, counts, places, MPI_DOUBLE, MPI_COMM_WORLD);
}

static void alltoallw(MPI_Request *request)
{
    (void)request;
    MPI_Alltoallw(blocks, counts, bytes, types, received, counts, bytes, types, MPI_COMM_WORLD);
}

static void ibcast(MPI_Request *request)
{
    MPI_Ibcast(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void iallreduce(MPI_Request *request)
{
    MPI_Iallreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

#if MPI_VERSION >= 4

static void make_bcast(MPI_Request *request)
{
    MPI_Bcast_init(&one, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD, MPI_INFO_NULL, request);
}

static void make_allreduce(MPI_Request *request)
{
    MPI_Allreduce_init(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, request);
}

static void make_alltoallv(MPI_Request *request)
{
    MPI_Alltoallv_init(blocks, counts, places, MPI_DOUBLE, received, counts, places, MPI_DOUBLE,
                       MPI_COMM_WORLD, MPI_INFO_NULL, request);
}

static void start(MPI_Request *request)
{
    MPI_Start(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

#endif

static const struct form forms[] = {
    {"bcast", NULL, bcast},
    {"allreduce", NULL, allreduce},
    {"alternate", NULL, alternate},
    {"vary", NULL, vary},
    {"allreduce_own", NULL, allreduce_own},
    {"bcast_derived", NULL, bcast_derived},
    {"alltoall", NULL, alltoall},
    {"alltoallv", NULL, alltoallv},
    {"alltoallw", NULL, alltoallw},
    {"ibcast", NULL, ibcast},
    {"iallreduce", NULL, iallreduce},
#if MPI_VERSION >= 4
    {"bcast_init", make_bcast, start},
    {"allreduce_init", make_allreduce, start},
    {"alltoallv_init", make_alltoallv, start},
#endif
};

/* A test counts its instructions. */
__attribute__((noinline)) void counted(const struct form *form, MPI_Request *request);
__attribute__((noinline)) void counted(const struct form *form, MPI_Request *request)
{
    form->call(request);
    __asm__ volatile("");
}

/* Repeats a call of 8 bytes, of the form that the first argument names, as often as the second says. The
 * other rank has some time before each, so that its message mostly is there. Exits with 77 where MPI has no
 * persistent collectives. */
int main(int argc, char **argv)
{
    if (MPI_VERSION < 4)
        return 77;
    const struct form *form = NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    for (size_t i = 0; argc > 2 && i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(argv[1], forms[i].name) == 0)
            form = &forms[i];
    if (!form)
        return 1;
    MPI_Init(&argc, &argv);
    for (int i = 0; i < RANKS; i++)
        types[i] = MPI_DOUBLE;
    MPI_Type_contiguous(sizeof(double), MPI_BYTE, &derived);
    MPI_Type_commit(&derived);
    MPI_Op_create(add_doubles, true, &own_op);
    MPI_Barrier(MPI_COMM_WORLD); /* calls in flight are the library's from now on */
    if (form->make)
        form->make(&request);
    for (long i = strtol(argv[2], NULL, 10); i > 0; i--) {
        usleep(300);
        counted(form, &request);
    }
    if (form->make)
        MPI_Request_free(&request);
    MPI_Type_free(&derived);
    MPI_Op_free(&own_op);
    MPI_Finalize();
    return sum == 0 || sum == 2 ? 0 : 1;
}
