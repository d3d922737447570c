/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that runs for long: mixed collective calls of all forms on communicators, types and
 * operations that it makes and frees one after another. The memory in use at each rank must not grow between
 * the first tenth of its communicators and the last. Usage: endurance CALLS COMMUNICATORS. Prints ALL RIGHT
 * at the end. */
#include "library/execute/operands.h"
#include "plan/collective.h"
#include "tests/library/library_blocks.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CT_SMALL(name, lower) MPI_##name
#define CT_LARGE(name, lower) MPI_##name##_c
#define CT_MORE
static int call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi/mpi_calls.def"
}
#undef CT_SMALL
#undef CT_LARGE
#undef CT_MORE

#define CT_SMALL(name, lower) MPI_I##lower
#define CT_LARGE(name, lower) MPI_I##lower##_c
#define CT_MORE               , request
static int begin(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                 MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}
#undef CT_SMALL
#undef CT_LARGE
#undef CT_MORE

#if CT_HAS_LARGE_FORMS
#define CT_SMALL(name, lower) MPI_##name##_init
#define CT_LARGE(name, lower) MPI_##name##_init_c
#define CT_MORE               , MPI_INFO_NULL, request
static int prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}
#endif

/* --- what is called --- */

enum { RANKS_MOST = 8, COUNT_MOST = 1000, INTS = 2 * RANKS_MOST * COUNT_MOST };

static const int counts[] = {1, 8, 0, 100, 1, COUNT_MOST, 3};
enum { COUNTS = sizeof counts / sizeof counts[0] };

/* A communicator, and what is made and freed with it. */
struct generation {
    MPI_Comm comm;
    int rank, size;
    MPI_Datatype gapped; /* an int, and room for another */
    MPI_Op sum;          /* the user's own */
};

/* A call, with the arrays of v and w forms. */
struct arrays {
    int counts[RANKS_MOST], displacements[RANKS_MOST], byte_displacements[RANKS_MOST];
    MPI_Count large_counts[RANKS_MOST];
    MPI_Aint large_displacements[RANKS_MOST], large_byte_displacements[RANKS_MOST];
    MPI_Datatype types[RANKS_MOST];
};

/* How a call is made. */
struct manner {
    enum ct_collective collective;
    int count;
    bool is_large;  /* the large-count form */
    bool is_gapped; /* data of the generation's type; in reductions its operation */
};

static int sent[INTS], received[INTS];

static void fill_arrays(const struct generation *own, int count, MPI_Datatype type, MPI_Aint extent,
                        struct arrays *ret_arrays)
{
    for (int i = 0; i < own->size; i++) {
        ret_arrays->counts[i] = count;
        ret_arrays->displacements[i] = i * count;
        ret_arrays->byte_displacements[i] = i * count * (int)extent;
        ret_arrays->large_counts[i] = count;
        ret_arrays->large_displacements[i] = ret_arrays->displacements[i];
        ret_arrays->large_byte_displacements[i] = ret_arrays->byte_displacements[i];
        ret_arrays->types[i] = type;
    }
}

static struct ct_side side(const struct manner *manner, enum ct_contents contents, int *buffer,
                           const struct arrays *arrays)
{
    struct ct_side made = {.buffer = buffer,
                           .count = (size_t)manner->count,
                           .type = arrays->types[0],
                           .is_large = manner->is_large};
    if (!ct_collectives[manner->collective].varies || !ct_contents_are_many(contents))
        return made;
    bool in_bytes = manner->collective == CT_COLLECTIVE_ALLTOALLW;
    const void *const places[2][2] = {{arrays->displacements, arrays->byte_displacements},
                                      {arrays->large_displacements, arrays->large_byte_displacements}};
    made.counts = manner->is_large ? (const void *)arrays->large_counts : arrays->counts;
    made.displacements = places[manner->is_large][in_bytes];
    made.types = in_bytes ? arrays->types : NULL;
    return made;
}

static struct ct_operands operands_of(const struct generation *own, const struct manner *manner,
                                      struct arrays *arrays)
{
    const struct ct_collective_description *about = &ct_collectives[manner->collective];
    bool is_gapped = manner->is_gapped && !about->reduces;
    fill_arrays(own, manner->count, is_gapped ? own->gapped : MPI_INT,
                (is_gapped ? 2 : 1) * (MPI_Aint)sizeof(int), arrays);
    return (struct ct_operands){
        .send = side(manner, about->input[0], sent, arrays),
        .recv = side(manner, about->reduces ? about->input[0] : about->result[0], received, arrays),
        .root = manner->count % own->size,
        .op = manner->is_gapped ? own->sum : MPI_SUM};
}

/* Every int that is sent is 1: is the result of an allreduce right? */
static bool is_right(const struct generation *own, const struct manner *manner)
{
    return manner->collective != CT_COLLECTIVE_ALLREDUCE || manner->count == 0 ||
           received[manner->count - 1] == own->size;
}

static void call_blocking(const struct generation *own, const struct manner *manner)
{
    struct arrays arrays;
    const struct ct_operands operands = operands_of(own, manner, &arrays);
    call(manner->collective, &operands, own->comm);
}

/* With a barrier in flight beside it. */
static void call_nonblocking(const struct generation *own, const struct manner *manner)
{
    struct arrays arrays;
    const struct ct_operands operands = operands_of(own, manner, &arrays);
    MPI_Request requests[2];
    MPI_Status statuses[2];
    begin(manner->collective, &operands, own->comm, &requests[0]);
    MPI_Ibarrier(own->comm, &requests[1]);
    MPI_Waitall(2, requests, statuses);
}

#if CT_HAS_LARGE_FORMS
/* MPICH 4.0's own persistent scatter fails where ranks forward blocks, without the tuned library, too: the
 * second start finds the schedule of the first one freed. With the library the first calls on a communicator
 * may be MPICH's own. */
static bool is_broken(const struct generation *own, enum ct_collective collective)
{
    return collective == CT_COLLECTIVE_SCATTER && own->size > 2;
}

static void call_persistent(const struct generation *own, const struct manner *manner)
{
    struct arrays arrays;
    if (is_broken(own, manner->collective)) {
        call_nonblocking(own, manner);
        return;
    }
    const struct ct_operands operands = operands_of(own, manner, &arrays);
    MPI_Request request;
    prepare(manner->collective, &operands, own->comm, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}
#else
static void (*const call_persistent)(const struct generation *own,
                                     const struct manner *manner) = call_nonblocking;
#endif

/* Two calls each but for the blocking form. */
static const struct form {
    void (*call)(const struct generation *own, const struct manner *manner);
    int calls;
} forms[] = {{call_blocking, 1}, {call_nonblocking, 2}, {call_persistent, 2}};

/* Makes the call of that number. Returns how many it was, 0 if the result is wrong. */
static int make_call(const struct generation *own, long number)
{
    const struct form *form = &forms[number % 16 == 5 ? 1 : number % 16 == 11 ? 2 : 0];
    const struct manner manner = {.collective = (enum ct_collective)(number % CT_DENSE_COLLECTIVES),
                                  .count = counts[number / CT_DENSE_COLLECTIVES % COUNTS],
                                  .is_large = CT_HAS_LARGE_FORMS && number % 5 == 3,
                                  .is_gapped = form->call == call_blocking && number % 3 == 1};
    received[0] = -1;
    form->call(own, &manner);
    return is_right(own, &manner) ? form->calls : 0;
}

/* --- communicators --- */

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* In turn of all ranks, of them in the other order, of a part of them, and a copy of the one before. */
static void make_comm(long number, MPI_Comm before, MPI_Comm *ret_comm)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (number % 4 == 3)
        MPI_Comm_dup(before, ret_comm);
    else
        MPI_Comm_split(MPI_COMM_WORLD, number % 8 == 2 ? rank / 2 : 0, number % 4 == 1 ? -rank : rank,
                       ret_comm);
}

static void make(long number, MPI_Comm before, struct generation *ret_generation)
{
    make_comm(number, before, &ret_generation->comm);
    MPI_Comm_rank(ret_generation->comm, &ret_generation->rank);
    MPI_Comm_size(ret_generation->comm, &ret_generation->size);
    MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &ret_generation->gapped);
    MPI_Type_commit(&ret_generation->gapped);
    MPI_Op_create(add, true, &ret_generation->sum);
}

static void end(struct generation *own)
{
    MPI_Comm_free(&own->comm);
    MPI_Type_free(&own->gapped);
    MPI_Op_free(&own->sum);
}

/* --- memory --- */

struct memory {
    long blocks;   /* of the tuned library, in use */
    long heap;     /* bytes of all blocks in use */
    long resident; /* bytes of the process */
};

/* What may come by chance: the library keeps more or less for the communicators that are there, and the MPI
 * library and the layers below it keep memory that they have once taken. Ten million calls of MPICH alone
 * left 1.15 MB more in use on one of two ranks, and 0.15 MB on the other. */
static const struct memory growth_most = {.blocks = 60, .heap = 4 << 20, .resident = 4 << 20};
/* Among more than two ranks few communicators are of a part of them. So the profile gets lines of their
 * calls, one block each, for long. */
static const long more_blocks = 60;

static struct memory measure(void)
{
    const struct mallinfo2 info = mallinfo2();
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2)
        abort();
    fclose(file);
    return (struct memory){.blocks = library_blocks(),
                           .heap = (long)(info.uordblks + info.hblkhd),
                           .resident = resident * sysconf(_SC_PAGESIZE)};
}

/* Makes so many calls on so many communicators. The growth begins after the first tenth. False if a result is
 * wrong. */
static bool call_for_long(long calls, long communicators, struct memory *ret_growth)
{
    enum { ALIVE = 4 };
    struct generation alive[ALIVE];
    struct memory first = {0}, last;
    long made = 0, number = 0;
    bool right = true;
    for (long g = 0; g < communicators; g++) {
        struct generation *own = &alive[g % ALIVE];
        if (g >= ALIVE)
            end(own);
        make(g, g > 0 ? alive[(g - 1) % ALIVE].comm : MPI_COMM_WORLD, own);
        for (; made < calls / communicators * (g + 1); number++) {
            int more = make_call(number % 7 == 0 && g >= ALIVE ? &alive[(g + 1) % ALIVE] : own, number);
            right = right && more > 0;
            made += more > 0 ? more : 1;
        }
        if (g == communicators / 10)
            first = measure();
    }
    last = measure();
    for (int i = 0; i < ALIVE; i++)
        end(&alive[i]);
    *ret_growth =
        (struct memory){last.blocks - first.blocks, last.heap - first.heap, last.resident - first.resident};
    return right;
}

int main(int argc, char **argv)
{
    long calls = argc > 2 ? atol(argv[1]) : 0, communicators = argc > 2 ? atol(argv[2]) : 0;
    struct memory growth;
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > RANKS_MOST || communicators < 10 || calls < communicators) {
        fprintf(stderr,
                "endurance: expected at least 10 communicators, as many calls, and at most %d ranks\n",
                RANKS_MOST);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    for (int i = 0; i < INTS; i++)
        sent[i] = 1;
    double begun = MPI_Wtime();
    bool right = call_for_long(calls, communicators, &growth);
    bool is_steady = growth.blocks <= growth_most.blocks + (size > 2 ? more_blocks : 0) &&
                     growth.heap <= growth_most.heap && growth.resident <= growth_most.resident;
    printf("rank %d: %ld calls on %ld communicators in %.1f s, then more in use: %ld blocks of the library, "
           "%ld bytes of the heap, %ld bytes resident: %s\n",
           rank, calls, communicators, MPI_Wtime() - begun, growth.blocks, growth.heap, growth.resident,
           !right      ? "WRONG"
           : is_steady ? "ALL RIGHT"
                       : "GROWS");
    MPI_Finalize();
    return right && is_steady ? 0 : 1;
}
