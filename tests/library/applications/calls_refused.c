/* SPDX-License-Identifier: BSD-3-Clause */
/* Wrong arguments, the same at all ranks: what comes back from MPI_ is what comes back from PMPI_, with as
 * many calls of the communicator's error handler. Where errors return, calls go on to work. */
#include "tests/library/applications/calls.h"
#include "tests/library/trial.h"

#include <stdio.h>

#define CT_MPI(name) PMPI_##name

static int call_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi_calls.def"
}

static bool has_data(const struct ct_collective_description *about)
{
    return about->has_data;
}

/* Of types: Open MPI 4.1.4 takes what is not committed where it receives. */
static bool has_commit(const struct ct_collective_description *about)
{
#ifdef OPEN_MPI
    (void)about;
    return false;
#else
    return about->has_data && !about->reduces;
#endif
}

static bool has_root(const struct ct_collective_description *about)
{
    return about->has_root;
}

/* Where counts are tested: MPICH 4.0.2 crashes of negative ones in reductions, but for MPI_Reduce_scatter. */
static bool has_counts(const struct ct_collective_description *about)
{
#ifdef MPICH
    if (about->reduces && !about->varies)
        return false;
#endif
    return about->has_data;
}

static bool reduces(const struct ct_collective_description *about)
{
    return about->reduces;
}

static void spoil_counts(struct ct_operands *operands)
{
    static const MPI_Count negative[RANKS_MOST] = {[0 ... RANKS_MOST - 1] = -1}; /* also as ints */
    struct ct_side *const sides[] = {&operands->send, &operands->recv};
    for (int i = 0; i < 2; i++) {
        sides[i]->count = (size_t)-1;
        sides[i]->counts = sides[i]->counts ? negative : NULL;
    }
}

static void spoil_types(struct ct_operands *operands)
{
    static MPI_Datatype nulls[RANKS_MOST];
    struct ct_side *const sides[] = {&operands->send, &operands->recv};
    for (int i = 0; i < RANKS_MOST; i++)
        nulls[i] = MPI_DATATYPE_NULL;
    for (int i = 0; i < 2; i++) {
        sides[i]->type = MPI_DATATYPE_NULL;
        sides[i]->types = sides[i]->types ? nulls : NULL;
    }
}

/* One type that is not committed, over and over. */
static MPI_Datatype fresh[RANKS_MOST];

static void spoil_commit(struct ct_operands *operands)
{
    struct ct_side *const sides[] = {&operands->send, &operands->recv};
    for (int i = 0; i < 2; i++) {
        sides[i]->type = fresh[0];
        sides[i]->types = sides[i]->types ? fresh : NULL;
    }
}

static void spoil_operation(struct ct_operands *operands)
{
    operands->op = MPI_OP_NULL;
}

static void make_root_large(struct ct_operands *operands)
{
    operands->root = RANKS_MOST;
}

static void make_root_negative(struct ct_operands *operands)
{
    operands->root = -77;
}

/* Open MPI 4.1.4 crashes in MPI_Allgather. */
static bool has_communicator(const struct ct_collective_description *about)
{
#ifdef OPEN_MPI
    return about != &ct_collectives[CT_COLLECTIVE_ALLGATHER];
#else
    return about != NULL;
#endif
}

static const struct flaw {
    const char *name;
    bool (*can_be)(const struct ct_collective_description *about); /* the MPI library notices */
    void (*spoil)(struct ct_operands *operands);                   /* NULL: it is the communicator */
} flaws[] = {
    {"negative counts", has_counts, spoil_counts},
    {"no type", has_data, spoil_types},
    {"a type that is not committed", has_commit, spoil_commit},
    {"no operation", reduces, spoil_operation},
    {"a root beyond the last rank", has_root, make_root_large},
    {"a negative root", has_root, make_root_negative},
    {"no communicator", has_communicator, NULL},
};

enum { FLAWS = sizeof flaws / sizeof flaws[0] };

static int handled;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

/* A call with data at all ranks, and not in place. */
static void draw_whole(struct trial *trial, enum ct_collective collective, MPI_Comm comm)
{
    int rank, size;
    bool whole = false;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (unsigned seed = 1; !whole; seed++) {
        trial_draw(trial, collective, rank, size, seed, 0);
        whole = !trial->asks_in_place && (trial->count > 0 || !ct_collectives[collective].has_data);
        for (int i = 0; i < size; i++)
            whole = whole && (trial->lengths[i] > 0 || !ct_collectives[collective].has_data);
    }
}

static void refuse(struct calls *calls, enum ct_collective collective, const char *flaw,
                   const struct ct_operands *operands, MPI_Comm comm)
{
    int ours, theirs;
    handled = 0;
    MPI_Error_class(call_native(collective, operands, comm), &theirs);
    int handled_there = handled;
    handled = 0;
    MPI_Error_class(calls_call(collective, operands, comm), &ours);
    if (theirs == MPI_SUCCESS || ours != theirs || handled != handled_there)
        calls_wrong(calls, "%s with %s: error class %d, handler called %d times; natively %d and %d",
                    ct_collectives[collective].name, flaw, ours, handled, theirs, handled_there);
}

static void refuse_all(struct calls *calls, MPI_Comm comm)
{
    for (int c = 0; c < CT_COLLECTIVES; c++)
        for (int i = 0; i < FLAWS; i++) {
            struct trial trial;
            if (!flaws[i].can_be(&ct_collectives[c]))
                continue;
            draw_whole(&trial, (enum ct_collective)c, comm);
            if (flaws[i].spoil)
                flaws[i].spoil(&trial.operands);
            refuse(calls, (enum ct_collective)c, flaws[i].name, &trial.operands,
                   flaws[i].spoil ? comm : MPI_COMM_NULL);
        }
}

void calls_refused(struct calls *calls)
{
    MPI_Comm comm;
    MPI_Errhandler counting, before;
    MPI_Comm_create_errhandler(count_error, &counting);
    MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &fresh[0]);
    for (int i = 1; i < RANKS_MOST; i++)
        fresh[i] = fresh[0];
    const MPI_Errhandler handlers[] = {MPI_ERRORS_RETURN, counting};
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &before); /* where there is no communicator, this one's */
    for (int i = 0; i < 2; i++) {
        MPI_Comm_set_errhandler(comm, handlers[i]);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handlers[i]);
        refuse_all(calls, comm);
        calls_right(calls, comm, "refused", 1);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, before);
    MPI_Errhandler_free(&counting);
    MPI_Type_free(&fresh[0]);
    MPI_Comm_free(&comm);
}
