/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that calls every blocking collective with wrong arguments of all kinds, at the ranks where
 * they count. What comes back from MPI_ is what comes back from PMPI_: the class of the error, and one call
 * of the communicator's error handler. A rank whose call is refused makes it again without the flaw, as the
 * other ranks have made it from the start; so a call that is refused must not have sent anything, and results
 * are right. Errors of MPI_COMM_WORLD are fatal, except where no communicator is valid. Usage: refused
 * [threads], where MPI_THREAD_MULTIPLE is asked for. Ends with "all right", or with 1. */
#include "call_flaws.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CT_SMALL(name, lower) MPI_##name
#define CT_LARGE(name, lower) MPI_##name##_c
#define CT_MORE
static int call_tuned(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi/mpi_calls.def"
}
#undef CT_SMALL
#undef CT_LARGE
#undef CT_MORE

#define CT_SMALL(name, lower) PMPI_##name
#define CT_LARGE(name, lower) PMPI_##name##_c
#define CT_MORE
static int call_native(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
#include "library/mpi/mpi_calls.def"
}

/* --- right calls --- */

enum { INTS = RANKS_MOST * LENGTH };

static struct place here; /* this rank's */

/* A block of LENGTH ints for each rank, with room for any predefined type. */
static struct buffers {
    long double send[INTS], recv[INTS];
} buffers;
/* Counts and displacements of the blocks, as both forms of the collectives have them. */
static int counts[RANKS_MOST], displacements[RANKS_MOST], byte_displacements[RANKS_MOST];
static MPI_Count large_counts[RANKS_MOST];
static MPI_Aint large_displacements[RANKS_MOST], large_byte_displacements[RANKS_MOST];
static MPI_Datatype ints[RANKS_MOST];

static struct ct_side side(void *buffer, enum ct_contents contents)
{
    struct ct_side made = {.buffer = buffer, .count = LENGTH, .type = MPI_INT, .is_large = here.is_large};
    bool is_one_block = here.about->is_sparse ? contents == CT_CONTENTS_OWN : !ct_contents_are_many(contents);
    if (!here.about->varies || is_one_block)
        return made;
    bool is_wide = here.collective == CT_COLLECTIVE_NEIGHBOR_ALLTOALLW,
         in_bytes = is_wide || here.collective == CT_COLLECTIVE_ALLTOALLW;
    const void *const places[2][2] = {{displacements, byte_displacements},
                                      {large_displacements, large_byte_displacements}};
    made.counts = here.is_large ? (const void *)large_counts : counts;
    made.displacements = places[here.is_large || is_wide][in_bytes];
    made.types = in_bytes ? ints : NULL;
    return made;
}

/* A call that is right. */
static struct ct_operands plain(void)
{
    struct ct_operands operands = {.root = here.root, .op = MPI_SUM};
    operands.send = side(buffers.send, here.about->input[0]);
    operands.recv = side(buffers.recv, here.about->reduces ? here.about->input[0] : here.about->result[0]);
    return operands;
}

static void fill(void)
{
    int *send = (int *)buffers.send, *recv = (int *)buffers.recv;
    memset(&buffers, 0, sizeof buffers);
    for (int i = 0; i < INTS; i++) {
        send[i] = 1000 * here.rank + i;
        recv[i] = -1 - i - 1000 * here.rank;
    }
}

/* Does the flaw concern some rank, and do the MPI library's own calls survive it? */
static bool is_tried(const struct flaw *flaw)
{
    bool is_tried = false;
    for (int rank = 0; rank < here.size; rank++)
        is_tried = is_tried || flaw->concerns(&here, rank);
    return is_tried && !(flaw->beyond & 1u << here.collective);
}

static bool is_everywhere(const struct flaw *flaw)
{
    bool is_everywhere = true;
    for (int rank = 0; rank < here.size; rank++)
        is_everywhere = is_everywhere && flaw->concerns(&here, rank);
    return is_everywhere;
}

/* --- trying them --- */

typedef int call_function(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm);

/* What comes back at this rank. */
struct outcome {
    int class; /* of the error of the wrong call; MPI_SUCCESS if the flaw does not concern this rank */
    int handled;
    int right_class; /* of the call without the flaw; MPI_SUCCESS if there is none */
    char text[MPI_MAX_ERROR_STRING];
};

static int handled;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

static int call_right(call_function *call)
{
    const struct ct_operands operands = plain();
    int class;
    fill();
    MPI_Error_class(call(here.collective, &operands, here.comm), &class);
    return class;
}

/* MPICH 4.0.2 may write more than MPI_MAX_ERROR_STRING bytes; the library, where it is preloaded, does not.
 */
static void read_text(int code, char text[MPI_MAX_ERROR_STRING])
{
    enum { MOST = MPI_MAX_ERROR_STRING, ROOM = 4 * MOST };
    char whole[ROOM] = "";
    int length;
    const char *preloaded = getenv("LD_PRELOAD");
    const bool is_guarded = preloaded && strstr(preloaded, "libcolltuned");
    if (is_guarded)
        memset(whole + MOST, 'x', MOST); /* MPICH would go on behind it */
    MPI_Error_string(code, whole, &length);
    for (int i = MOST; is_guarded && i < ROOM; i++)
        if (whole[i] != (i < 2 * MOST ? 'x' : '\0')) {
            printf("MPI_Error_string has written behind its buffer\n");
            fflush(stdout);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    snprintf(text, MOST, "%.*s", MOST - 1, whole);
}

/* Calls with the flaw at the ranks that it concerns. If the call is refused at some of them, these make it
 * again, since the others wait for them; with `repeats` always. */
static struct outcome attempt(call_function *call, const struct flaw *flaw, bool repeats)
{
    struct outcome outcome = {.class = MPI_SUCCESS, .right_class = MPI_SUCCESS};
    bool is_concerned = flaw->concerns(&here, here.rank);
    if (is_concerned) {
        struct ct_operands wrong = plain();
        int code;
        fill();
        if (flaw->spoil)
            flaw->spoil(&here, &wrong);
        handled = 0;
        code = call(here.collective, &wrong, flawed_comm(flaw, &here));
        outcome.handled = handled;
        MPI_Error_class(code, &outcome.class);
        read_text(code, outcome.text);
    }
    if (!is_concerned || (outcome.class != MPI_SUCCESS && (repeats || !is_everywhere(flaw))))
        outcome.right_class = call_right(call);
    return outcome;
}

struct tally {
    int refused; /* by this rank */
    int wrong;
};

static void try_flaw(const struct flaw *flaw, const struct buffers *expected, struct tally *tally)
{
    struct outcome native = attempt(call_native, flaw, false), tuned = attempt(call_tuned, flaw, true);
    bool is_accepted = native.class == MPI_SUCCESS && flaw->concerns(&here, here.rank);
    tally->refused += tuned.class != MPI_SUCCESS;
    if (native.class == tuned.class && native.handled == tuned.handled && tuned.right_class == MPI_SUCCESS &&
        strcmp(native.text, tuned.text) == 0 &&
        (is_accepted || memcmp(&buffers, expected, sizeof buffers) == 0))
        return;
    printf(
        "rank %d of %d: %s with %s: class %d, handler called %d times, then class %d; natively %d, %d, %d\n"
        "    %s\n    natively %s\n",
        here.rank, here.size, here.about->name, flaw->name, tuned.class, tuned.handled, tuned.right_class,
        native.class, native.handled, native.right_class, tuned.text, native.text);
    fflush(stdout);
    tally->wrong++;
}

static void try_all(MPI_Errhandler handler, struct tally *tally)
{
    static struct buffers expected;
    MPI_Errhandler fatal;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &fatal);
    for (int i = 0; i < 2; i++)
        MPI_Comm_set_errhandler(here.comms[i], handler);
    for (int c = 0; c < CT_MPI_COLLECTIVES; c++) {
        here.collective = (enum ct_collective)c;
        here.about = &ct_collectives[c];
        here.comm = here.comms[here.about->is_sparse];
        call_right(call_native);
        expected = buffers;
        for (int f = 0; f < FLAWS; f++) {
            if (!is_tried(&flaws[f]))
                continue;
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, flaws[f].of == FLAW_OF_ARGUMENTS ? fatal : handler);
            MPI_Comm_set_errhandler(here.material.flat_comm, handler);
            try_flaw(&flaws[f], &expected, tally);
        }
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, fatal);
    }
    MPI_Errhandler_free(&fatal);
}

/* --- the program --- */

static void prepare(void)
{
    MPI_Datatype uncommitted;
    int ranks[RANKS_MOST];
    MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &here.size);
    for (int i = 0; i < RANKS_MOST; i++)
        ranks[i] = i;
    MPI_Comm_dup(MPI_COMM_WORLD, &here.comms[0]);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, here.size, ranks, ranks, here.size, ranks, ranks,
                                   MPI_INFO_NULL, false, &here.comms[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &here.material.flat_comm);
    MPI_Type_vector(2, 1, 2, MPI_INT, &uncommitted);
    MPI_Type_contiguous(2, MPI_INT, &here.material.block);
    MPI_Type_commit(&here.material.block);
    /* A library may make a communicator of its own now. Later it might get the handle that is freed. */
    MPI_Barrier(here.comms[0]);
    MPI_Neighbor_alltoall(buffers.send, 1, MPI_INT, buffers.recv, 1, MPI_INT, here.comms[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &here.material.freed_comm);
    MPI_Barrier(here.material.freed_comm);
    for (int i = 0; i < RANKS_MOST; i++) {
        counts[i] = LENGTH;
        displacements[i] = LENGTH * i;
        byte_displacements[i] = LENGTH * i * (int)sizeof(int);
        large_counts[i] = counts[i];
        large_displacements[i] = displacements[i];
        large_byte_displacements[i] = byte_displacements[i];
        ints[i] = MPI_INT;
        here.material.uncommitted[i] = uncommitted;
        here.material.nulls[i] = MPI_DATATYPE_NULL;
        here.material.ops[i] = (MPI_Datatype)MPI_SUM;
        here.material.negative[i] = -1;
    }
    MPI_Comm freed_comm = here.material.freed_comm;
    MPI_Comm_free(&freed_comm);
}

/* An error that no rank sees when it calls. */
static void end_job(void)
{
    int buffer[2] = {0};
    MPI_Bcast(buffer, here.rank == 0 ? 2 : 1, MPI_INT, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int provided, all;
    bool has_threads = argc > 1 && strcmp(argv[1], "threads") == 0;
    struct tally tally = {0};
    MPI_Errhandler counting;
    MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
    prepare();
    if (argc > 1 && strcmp(argv[1], "fatal") == 0)
        end_job();
    MPI_Comm_create_errhandler(count_error, &counting);
    const MPI_Errhandler handlers[] = {MPI_ERRORS_RETURN, counting};
    for (int form = 0; form <= CT_HAS_LARGE_FORMS; form++)
        for (int i = 0; i < 2; i++) {
            here.is_large = form == 1;
            here.root = i == 0 ? 0 : here.size - 1;
            try_all(handlers[i], &tally);
        }
    MPI_Errhandler_free(&counting);
    MPI_Type_free(&here.material.block);
    MPI_Type_free(&here.material.uncommitted[0]);
    MPI_Comm_free(&here.material.flat_comm);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&here.comms[i]);
    PMPI_Allreduce(&tally.wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (here.rank == 0)
        printf("%d wrong calls are refused: %s\n", tally.refused, all == 0 ? "all right" : "WRONG");
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
