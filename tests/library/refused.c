/* SPDX-License-Identifier: BSD-3-Clause */
/* An application that calls every blocking collective with wrong arguments of all kinds, at the ranks where
 * they count. What comes back from MPI_ is what comes back from PMPI_: the class of the error, and one call
 * of the communicator's error handler. A rank whose call is refused makes it again without the flaw, as the
 * other ranks have made it from the start; so a call that is refused must not have sent anything, and results
 * are right. Errors of MPI_COMM_WORLD are fatal, except where no communicator is valid. Usage: refused
 * [threads], where MPI_THREAD_MULTIPLE is asked for. Ends with "all right", or with 1. */
#include "library/execute/operands.h"
#include "plan/collective.h"

#include <stdbool.h>
#include <stdio.h>
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

enum { RANKS_MOST = 16, LENGTH = 4, INTS = RANKS_MOST * LENGTH };

/* Where this rank is, and what it calls. */
static struct place {
    int rank, size, root;
    bool is_large; /* calls the large-count form */
    MPI_Comm comm;
    MPI_Comm comms[2]; /* of dense collectives, and of sparse ones: each rank is a neighbor of all */
    enum ct_collective collective;
    const struct ct_collective_description *about;
} here;

/* A block of LENGTH ints for each rank, with room for any predefined type. */
static struct buffers {
    long double send[INTS], recv[INTS];
} buffers;
/* Counts and displacements of the blocks, as both forms of the collectives have them. */
static int counts[RANKS_MOST], displacements[RANKS_MOST], byte_displacements[RANKS_MOST];
static MPI_Count large_counts[RANKS_MOST];
static MPI_Aint large_displacements[RANKS_MOST], large_byte_displacements[RANKS_MOST];
static MPI_Datatype ints[RANKS_MOST];

/* What the flaws are made of. */
static struct material {
    MPI_Datatype uncommitted[RANKS_MOST], nulls[RANKS_MOST], ops[RANKS_MOST], block;
    MPI_Comm freed_comm, flat_comm;
    MPI_Count negative[RANKS_MOST]; /* also as ints */
} material;

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

/* --- flaws --- */

static bool has_data(const struct ct_collective_description *about, int rank)
{
    (void)rank;
    return about->has_data;
}

static bool has_root(const struct ct_collective_description *about, int rank)
{
    (void)rank;
    return about->has_root;
}

static bool reduces(const struct ct_collective_description *about, int rank)
{
    (void)rank;
    return about->reduces;
}

static bool any(const struct ct_collective_description *about, int rank)
{
    (void)rank;
    return about != NULL;
}

static bool is_sparse(const struct ct_collective_description *about, int rank)
{
    (void)rank;
    return about->is_sparse;
}

static bool has_input(const struct ct_collective_description *about, int rank)
{
    return !about->one_buffer && about->input[about->has_root && !(rank == here.root)] != CT_CONTENTS_NOTHING;
}

/* Rank 0 of an exscan has none. */
static bool has_result(const struct ct_collective_description *about, int rank)
{
    if (about->result[0] == CT_CONTENTS_OF_EARLIER && rank == 0)
        return false;
    return about->result[about->has_root && !(rank == here.root)] != CT_CONTENTS_NOTHING;
}

/* The root of scatter, the others of gather and reduce. */
static bool has_input_not_in_place(const struct ct_collective_description *about, int rank)
{
    bool is_scatter = about->in_place == CT_IN_PLACE_RESULT_IN_INPUT;
    return about->has_root && !about->one_buffer && (rank == here.root) == is_scatter;
}

static bool has_result_not_in_place(const struct ct_collective_description *about, int rank)
{
    bool is_scatter = about->in_place == CT_IN_PLACE_RESULT_IN_INPUT;
    return has_result(about, rank) && !(is_scatter && (rank == here.root));
}

static bool has_both(const struct ct_collective_description *about, int rank)
{
    return has_input(about, rank) && has_result(about, rank);
}

static void negative_counts(struct ct_operands *operands)
{
    struct ct_side *const sides[] = {&operands->send, &operands->recv};
    for (int i = 0; i < 2; i++) {
        sides[i]->count = (size_t)-1;
        sides[i]->counts = sides[i]->counts ? material.negative : NULL;
    }
}

static void set_types(struct ct_operands *operands, const MPI_Datatype types[RANKS_MOST])
{
    struct ct_side *const sides[] = {&operands->send, &operands->recv};
    for (int i = 0; i < 2; i++) {
        sides[i]->type = types[0];
        sides[i]->types = sides[i]->types ? types : NULL;
    }
}

static void null_types(struct ct_operands *operands)
{
    set_types(operands, material.nulls);
}

/* Handles of something else. */
static void ops_as_types(struct ct_operands *operands)
{
    set_types(operands, material.ops);
}

static void uncommitted_types(struct ct_operands *operands)
{
    set_types(operands, material.uncommitted);
}

static void large_root(struct ct_operands *operands)
{
    operands->root = here.size;
}

static void negative_root(struct ct_operands *operands)
{
    operands->root = -77;
}

static void null_send(struct ct_operands *operands)
{
    operands->send.buffer = NULL;
}

static void null_recv(struct ct_operands *operands)
{
    operands->recv.buffer = NULL;
}

static void in_place_send(struct ct_operands *operands)
{
    operands->send.buffer = MPI_IN_PLACE;
}

static void in_place_recv(struct ct_operands *operands)
{
    operands->recv.buffer = MPI_IN_PLACE;
}

/* This rank's own block at the same place in both. */
static void alias(struct ct_operands *operands)
{
    bool is_scatter = here.about->result[0] == CT_CONTENTS_PART_OF_ROOT,
         is_gather = here.about->result[0] == CT_CONTENTS_OF_EACH;
    if (is_scatter)
        operands->recv.buffer = (int *)operands->send.buffer + LENGTH * here.rank;
    else
        operands->send.buffer = (int *)operands->recv.buffer + (is_gather ? LENGTH * here.rank : 0);
}

static void null_op(struct ct_operands *operands)
{
    operands->op = MPI_OP_NULL;
}

/* A handle of something else. */
static void type_as_op(struct ct_operands *operands)
{
    operands->op = (MPI_Op)MPI_INT;
}

static void band_of_doubles(struct ct_operands *operands)
{
    operands->op = MPI_BAND;
    operands->recv.type = MPI_DOUBLE;
}

static void sum_of_bytes(struct ct_operands *operands)
{
    operands->recv.type = MPI_BYTE;
}

static void largest_complex(struct ct_operands *operands)
{
    operands->op = MPI_MAX;
    operands->recv.type = MPI_C_DOUBLE_COMPLEX;
}

static void place_of_largest_int(struct ct_operands *operands)
{
    operands->op = MPI_MAXLOC;
}

static void sum_of_pairs(struct ct_operands *operands)
{
    operands->recv.type = MPI_DOUBLE_INT;
}

static void sum_of_blocks(struct ct_operands *operands)
{
    operands->recv.type = material.block;
}

static void replace(struct ct_operands *operands)
{
    operands->op = MPI_REPLACE;
}

/* Collectives in which the MPI library itself does not survive a flaw, as found by running this program
 * without a tuned library. MPICH 4.0.2 uses what it has not looked at, such as neighbors that a communicator
 * does not have. Open MPI 4.1.4 does not look at buffers, reads the memory of communicators that are freed,
 * and takes types that are not committed where it receives. */
#define ONLY(collective) (1u << CT_COLLECTIVE_##collective)
#define ALL              (~0u)
#define SPARSE_V         (ONLY(NEIGHBOR_ALLGATHERV) | ONLY(NEIGHBOR_ALLTOALLV) | ONLY(NEIGHBOR_ALLTOALLW))
#define SPARSE           (SPARSE_V | ONLY(NEIGHBOR_ALLGATHER) | ONLY(NEIGHBOR_ALLTOALL))
#ifdef MPICH
#define BEYOND(mpich, openmpi) (mpich)
#else
#define BEYOND(mpich, openmpi) (openmpi)
#endif

static const struct flaw {
    const char *name;
    bool (*concerns)(const struct ct_collective_description *about, int rank); /* its arguments */
    void (*spoil)(struct ct_operands *operands);                               /* NULL: nothing of these */
    const MPI_Comm *comm;                                                      /* NULL: a right one */
    unsigned beyond;
} flaws[] = {
    {"negative counts", has_data, negative_counts, NULL,
     BEYOND(ONLY(REDUCE) | ONLY(REDUCE_SCATTER_BLOCK) | ONLY(ALLREDUCE) | ONLY(SCAN) | ONLY(EXSCAN), 0)},
    {"no type", has_data, null_types, NULL, 0},
    {"an operation as type", has_data, ops_as_types, NULL, BEYOND(0, ALL)},
    {"a type that is not committed", has_data, uncommitted_types, NULL, BEYOND(0, ALL)},
    {"a root beyond the last rank", has_root, large_root, NULL, 0},
    {"a negative root", has_root, negative_root, NULL, 0},
    {"no send buffer", has_input, null_send, NULL, BEYOND(0, ALL)},
    {"no receive buffer", has_result, null_recv, NULL, BEYOND(0, ALL)},
    {"MPI_IN_PLACE to send", has_input_not_in_place, in_place_send, NULL,
     BEYOND(ONLY(GATHER) | ONLY(GATHERV) | ONLY(REDUCE), 0)},
    {"MPI_IN_PLACE to receive", has_result_not_in_place, in_place_recv, NULL,
     BEYOND(ONLY(BCAST) | ONLY(SCATTER) | ONLY(SCATTERV) | SPARSE,
            ONLY(ALLTOALL) | ONLY(ALLREDUCE) | ONLY(EXSCAN) | ONLY(NEIGHBOR_ALLTOALL))},
    {"aliased buffers", has_both, alias, NULL, BEYOND(0, ONLY(ALLREDUCE))},
    {"no operation", reduces, null_op, NULL, 0},
    {"a type as operation", reduces, type_as_op, NULL, BEYOND(0, ALL)},
    {"MPI_BAND of MPI_DOUBLE", reduces, band_of_doubles, NULL, 0},
    {"MPI_SUM of MPI_BYTE", reduces, sum_of_bytes, NULL, 0},
    {"MPI_MAX of MPI_C_DOUBLE_COMPLEX", reduces, largest_complex, NULL, 0},
    {"MPI_MAXLOC of MPI_INT", reduces, place_of_largest_int, NULL, 0},
    {"MPI_SUM of MPI_DOUBLE_INT", reduces, sum_of_pairs, NULL, 0},
    {"MPI_SUM of a derived type", reduces, sum_of_blocks, NULL, 0},
    {"MPI_REPLACE", reduces, replace, NULL, 0},
    {"a communicator without neighbors", is_sparse, NULL, &material.flat_comm, BEYOND(SPARSE_V, 0)},
    {"no communicator", any, NULL, &(const MPI_Comm){MPI_COMM_NULL},
     BEYOND(0, ONLY(ALLGATHER) | ONLY(NEIGHBOR_ALLGATHER))},
    {"a communicator that is freed", any, NULL, &material.freed_comm, BEYOND(SPARSE_V, ALL)},
};

enum { FLAWS = sizeof flaws / sizeof flaws[0] };

/* Does the flaw concern some rank, and do the MPI library's own calls survive it? */
static bool is_tried(const struct flaw *flaw)
{
    bool is_tried = false;
    for (int rank = 0; rank < here.size; rank++)
        is_tried = is_tried || flaw->concerns(here.about, rank);
    return is_tried && !(flaw->beyond & 1u << here.collective);
}

static bool is_everywhere(const struct flaw *flaw)
{
    bool is_everywhere = true;
    for (int rank = 0; rank < here.size; rank++)
        is_everywhere = is_everywhere && flaw->concerns(here.about, rank);
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

/* Calls with the flaw at the ranks that it concerns. If the call is refused at some of them, these make it
 * again, since the others wait for them; with `repeats` always. */
static struct outcome attempt(call_function *call, const struct flaw *flaw, bool repeats)
{
    struct outcome outcome = {.class = MPI_SUCCESS, .right_class = MPI_SUCCESS};
    bool is_concerned = flaw->concerns(here.about, here.rank);
    if (is_concerned) {
        struct ct_operands wrong = plain();
        int length, code;
        fill();
        if (flaw->spoil)
            flaw->spoil(&wrong);
        handled = 0;
        code = call(here.collective, &wrong, flaw->comm ? *flaw->comm : here.comm);
        outcome.handled = handled;
        MPI_Error_class(code, &outcome.class);
        MPI_Error_string(code, outcome.text, &length);
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
    bool is_accepted = native.class == MPI_SUCCESS && flaw->concerns(here.about, here.rank);
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
            MPI_Comm_set_errhandler(MPI_COMM_WORLD, flaws[f].comm ? handler : fatal);
            MPI_Comm_set_errhandler(material.flat_comm, handler);
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
    MPI_Comm_dup(MPI_COMM_WORLD, &material.flat_comm);
    MPI_Type_vector(2, 1, 2, MPI_INT, &uncommitted);
    MPI_Type_contiguous(2, MPI_INT, &material.block);
    MPI_Type_commit(&material.block);
    /* A library may make a communicator of its own now. Later it might get the handle that is freed. */
    MPI_Barrier(here.comms[0]);
    MPI_Neighbor_alltoall(buffers.send, 1, MPI_INT, buffers.recv, 1, MPI_INT, here.comms[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &material.freed_comm);
    MPI_Barrier(material.freed_comm);
    for (int i = 0; i < RANKS_MOST; i++) {
        counts[i] = LENGTH;
        displacements[i] = LENGTH * i;
        byte_displacements[i] = LENGTH * i * (int)sizeof(int);
        large_counts[i] = counts[i];
        large_displacements[i] = displacements[i];
        large_byte_displacements[i] = byte_displacements[i];
        ints[i] = MPI_INT;
        material.uncommitted[i] = uncommitted;
        material.nulls[i] = MPI_DATATYPE_NULL;
        material.ops[i] = (MPI_Datatype)MPI_SUM;
        material.negative[i] = -1;
    }
    MPI_Comm freed_comm = material.freed_comm;
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
    MPI_Type_free(&material.block);
    MPI_Type_free(&material.uncommitted[0]);
    MPI_Comm_free(&material.flat_comm);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&here.comms[i]);
    PMPI_Allreduce(&tally.wrong, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (here.rank == 0)
        printf("%d wrong calls are refused: %s\n", tally.refused, all == 0 ? "all right" : "WRONG");
    MPI_Finalize();
    return all == 0 ? 0 : 1;
}
