/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that calls every blocking collective with random arguments of all kinds, on several
 * communicators, and holds the results against a serial oracle. The same natively and with a tuned library
 * linked or preloaded. Usage: check_calls [TRIALS [tuned]], tuned where no call is passed on to the MPI
 * library, so that its own flaws do not count. Ends with "all right", or with 1. */
#include "tests/library/applications/calls.h"
#include "tests/library/native_flaws.h"
#include "tests/library/other_traffic.h"
#include "tests/library/trial.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CT_SMALL(name, lower) MPI_##name
#define CT_LARGE(name, lower) MPI_##name##_c
#define CT_MORE

int calls_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi/mpi_calls.def"
}

#undef CT_SMALL
#undef CT_LARGE
#undef CT_MORE
#define CT_SMALL(name, lower) MPI_I##lower
#define CT_LARGE(name, lower) MPI_I##lower##_c
#define CT_MORE               , request

typedef int begin_function(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                           MPI_Request *request);

static int begin(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                 MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}

/* Is it a copy of the type that may be freed? There are none of predefined types, and none of no type. */
static bool copy_type(MPI_Datatype *type)
{
    int integers, addresses, types, combiner;
    if (!*type || *type == MPI_DATATYPE_NULL)
        return false;
    MPI_Type_get_envelope(*type, &integers, &addresses, &types, &combiner);
    return combiner != MPI_COMBINER_NAMED && MPI_Type_dup(*type, type) == MPI_SUCCESS;
}

/* Begins a call with types that the program frees at once. */
static int begin_and_free(begin_function *begins, enum ct_collective collective,
                          const struct ct_operands *operands, MPI_Comm comm, MPI_Request *request)
{
    struct ct_operands own = *operands;
    bool is_send = copy_type(&own.send.type), is_recv = copy_type(&own.recv.type);
    int code = begins(collective, &own, comm, request);
    if (is_send)
        MPI_Type_free(&own.send.type);
    if (is_recv)
        MPI_Type_free(&own.recv.type);
    return code;
}

static int call_nonblocking(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
    MPI_Request request;
    int code = begin_and_free(begin, collective, operands, comm, &request);
    return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
}

#if CT_HAS_LARGE_FORMS

#undef CT_SMALL
#undef CT_LARGE
#undef CT_MORE
#define CT_SMALL(name, lower) MPI_##name##_init
#define CT_LARGE(name, lower) MPI_##name##_init_c
#define CT_MORE               , MPI_INFO_NULL, request

static int prepare(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm,
                   MPI_Request *request)
{
#include "library/mpi/mpi_calls.def"
}

static int call_persistent(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
    MPI_Request request;
    int code = begin_and_free(prepare, collective, operands, comm, &request);
    if (code != MPI_SUCCESS)
        return code;
    code = MPI_Start(&request);
    if (code == MPI_SUCCESS)
        code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    return code;
}

#else

/* This MPI has no persistent collectives. */
static int (*const call_persistent)(enum ct_collective collective, const struct ct_operands *operands,
                                    MPI_Comm comm) = call_nonblocking;

#endif

/* The forms that take turns where all of them are tuned: MPICH 4.0.2 itself fails with some types in forms
 * other than the blocking ones. */
static int (*const forms[])(enum ct_collective collective, const struct ct_operands *operands,
                            MPI_Comm comm) = {calls_call, calls_call, call_nonblocking, call_persistent};
enum { FORMS = sizeof forms / sizeof forms[0] };

static bool has_forms(const struct calls *calls)
{
    return calls->all_tuned && getenv("COLLTUNE_NONBLOCKING");
}

void calls_wrong(struct calls *calls, const char *format, ...)
{
    enum { TOLD = 5 };
    int rank;
    va_list arguments;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (calls->wrong++ >= TOLD)
        return;
    va_start(arguments, format);
    printf("rank %d: ", rank);
    vprintf(format, arguments);
    puts("");
    va_end(arguments);
    fflush(stdout);
}

static void try_call(struct calls *calls, MPI_Comm comm, const char *name, enum ct_collective collective,
                     unsigned seed)
{
    int rank, size;
    struct trial trial;
    struct other_traffic traffic;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    trial_draw(&trial, collective, rank, size, seed, seed);
    if (!native_can(&trial) && (!calls->all_tuned || size == 1))
        return;
    trial_fill(&trial);
    other_traffic_begin(&traffic, comm, seed);
    int form = has_forms(calls) && size > 1 ? (int)(seed % FORMS) : 0;
    int code = forms[form](collective, &trial.operands, comm);
    bool undisturbed = other_traffic_end(&traffic), right = code == MPI_SUCCESS && trial_right(&trial);
    calls->made[collective]++;
    if (!right || !undisturbed)
        calls_wrong(calls, "%s on %s, %d ranks, root %d, count %zu, '%s'%s%s, seed %u: %s",
                    ct_collectives[collective].name, name, size, trial.root, trial.count,
                    trial.types ? trial.types : "", trial.in_place ? ", in place" : "",
                    trial.operands.recv.is_large ? ", large-count form" : "", seed,
                    code != MPI_SUCCESS ? "MPI error"
                    : !right            ? "wrong result"
                                        : "other messages are disturbed");
}

void calls_right(struct calls *calls, MPI_Comm comm, const char *name, int trials)
{
    if (has_forms(calls)) { /* calls that are not waited for are native before it */
        MPI_Barrier(comm);
        calls->made[CT_COLLECTIVE_BARRIER]++;
    }
    for (int trial = 0; trial < trials; trial++)
        for (int i = 0; i < CT_DENSE_COLLECTIVES; i++)
            try_call(calls, comm, name, (enum ct_collective)i,
                     1000003u * (unsigned)trial + 1009u * (unsigned)i + (unsigned)name[0]);
}

/* The communicators that an application has of itself, and some that it makes. */
static void call_everywhere(struct calls *calls, int trials)
{
    int rank;
    MPI_Comm duplicate, reversed, halves;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &duplicate);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &halves);
    calls_right(calls, MPI_COMM_WORLD, "world", trials);
    calls_right(calls, MPI_COMM_SELF, "self", 1);
    calls_right(calls, duplicate, "duplicate", trials);
    calls_right(calls, reversed, "reversed", trials);
    calls_right(calls, halves, "halves", trials);
    MPI_Comm_free(&duplicate);
    MPI_Comm_free(&reversed);
    MPI_Comm_free(&halves);
}

int main(int argc, char **argv)
{
    enum { TRIALS = 6 };
    int rank, all;
    struct calls calls = {.all_tuned = argc > 2 && strcmp(argv[2], "tuned") == 0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    trials_begin();
    call_everywhere(&calls, argc > 1 ? atoi(argv[1]) : TRIALS);
    calls_between(&calls);
    calls_large(&calls);
    calls_counted(&calls);
    trials_end();
    size_t made = 0;
    for (int i = 0; i < CT_DENSE_COLLECTIVES; i++)
        made += calls.made[i];
    int mine = calls.wrong == 0;
    PMPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%zu calls: %s\n", made, all ? "all right" : "WRONG");
    MPI_Finalize();
    return all ? 0 : 1;
}
