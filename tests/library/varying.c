/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives whose counts change from call to call under a preloaded tuned library, in random order with
 * other types, operations and roots, in place or not, and on a copy of the communicator. Derived types and
 * operations are freed and made again. Some calls are refused. The argument says how many calls. Compares
 * with the MPI library's own results. Each rank prints ALL RIGHT at the end. */
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6000, COMMS = 2, BYTES = MOST * 16 };

static int rank, size;
static unsigned long long state = 1;
static char data[BYTES], native[BYTES], tuned[BYTES];

/* The same at all ranks. */
static unsigned below(unsigned limit)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % limit;
}

/* Mostly short ones, some of which repeat. */
static int any_count(void)
{
    const unsigned kind = below(8);
    return (int)(kind == 0 ? below(3) : kind < 5 ? below(100) : kind < 7 ? below(1000) : below(MOST));
}

/* Some words of four, with a gap after them. */
static MPI_Datatype make_derived(void)
{
    MPI_Datatype words, type;
    MPI_Type_contiguous(1 + (int)below(3), MPI_INT, &words);
    MPI_Type_create_resized(words, 0, 4 * sizeof(int), &type);
    MPI_Type_free(&words);
    MPI_Type_commit(&type);
    return type;
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((unsigned *)inout)[i] += ((unsigned *)in)[i];
}

static void take_first(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in, (size_t)*count * sizeof(unsigned));
}

/* Commutative or not. */
static MPI_Op make_op(void)
{
    MPI_Op op;
    const int commutes = below(2) == 0;
    MPI_Op_create(commutes ? add : take_first, commutes, &op);
    return op;
}

static void fill(void)
{
    int *words = (int *)data;
    for (size_t i = 0; i < BYTES / sizeof(int); i++)
        words[i] = (int)(i * 7 + (size_t)rank * 13 + state % 5) % 1000;
    memcpy(native, data, BYTES);
    memcpy(tuned, data, BYTES);
}

static void move(MPI_Datatype type, int count, int root, MPI_Comm comm)
{
    PMPI_Bcast(native, count, type, root, comm);
    MPI_Bcast(tuned, count, type, root, comm);
}

static void reduce(unsigned kind, int count, int root, MPI_Op op, MPI_Comm comm)
{
    const MPI_Datatype type = below(2) ? MPI_INT : MPI_UNSIGNED;
    const bool in_place = below(2);
    /* MPICH 4.0.2 ends with a segmentation fault where long data are reduced in place at another root than 0.
     */
    const void *own = in_place && (kind != 0 || (rank == root && root == 0)) ? MPI_IN_PLACE : data;
    if (kind == 0) {
        PMPI_Reduce(own, native, count, type, op, root, comm);
        MPI_Reduce(own, tuned, count, type, op, root, comm);
    } else if (kind == 1) {
        PMPI_Allreduce(own, native, count, type, op, comm);
        MPI_Allreduce(own, tuned, count, type, op, comm);
    } else if (kind == 2) {
        PMPI_Scan(own, native, count, type, op, comm);
        MPI_Scan(own, tuned, count, type, op, comm);
    } else if (kind == 3) {
        PMPI_Exscan(data, native, count, type, op, comm);
        MPI_Exscan(data, tuned, count, type, op, comm);
    } else {
        PMPI_Reduce_scatter_block(data, native, count / size, type, op, comm);
        MPI_Reduce_scatter_block(data, tuned, count / size, type, op, comm);
    }
}

/* Blocks that differ. Programs may fill the same arrays again, or others. */
enum { RANKS_MOST = 8, ARRAYS = 2 };

struct side {
    int counts[RANKS_MOST], places[RANKS_MOST];
};

struct arrays {
    struct side sent, received;
    int own_sent, own_received; /* where a rank has one block on that side */
    int multiple;               /* elements sent for each received */
    MPI_Datatype type;          /* received */
    bool in_place;
    int root;
    MPI_Comm comm;
};

static struct arrays all_arrays[ARRAYS];

/* With gaps. */
static void place(struct side *side, int multiple)
{
    int at = 0;
    for (int i = 0; i < size; i++) {
        side->places[i] = at;
        at += side->counts[i] + 1 + multiple;
    }
}

/* The length of a block in alltoallv depends on both ranks, elsewhere on one. */
static struct arrays *make_arrays(MPI_Datatype pair, bool of_both, int count, int root, MPI_Comm comm)
{
    struct arrays *a = &all_arrays[below(ARRAYS)];
    int lengths[RANKS_MOST][RANKS_MOST];
    for (int from = 0; from < size; from++)
        for (int to = 0; to < size; to++) /* MPICH says nothing if an own block is to have no length */
            lengths[from][to] = of_both || from == 0
                                    ? (int)below((unsigned)(count / (4 * size) + 1)) + (of_both && from == to)
                                    : lengths[0][to];
    a->in_place = below(4) == 0;
    a->multiple = below(2) && !a->in_place ? 2 : 1;
    a->type = a->multiple == 2 ? pair : MPI_INT;
    for (int i = 0; i < size; i++) {
        /* in place both lengths are those received */
        const int other =
            of_both ? (a->in_place && rank < i ? lengths[rank][i] : lengths[i][rank]) : lengths[0][i];
        a->received.counts[i] = other;
        a->sent.counts[i] = (of_both ? lengths[rank][i] : lengths[0][i]) * a->multiple;
    }
    a->own_received = lengths[0][rank];
    a->own_sent = lengths[0][rank] * a->multiple;
    a->root = root;
    a->comm = comm;
    place(&a->sent, a->multiple);
    place(&a->received, 1);
    return a;
}

/* Each block has one of two types. */
static void exchange_types(const struct arrays *a)
{
    const void *from = a->in_place ? MPI_IN_PLACE : data;
    MPI_Datatype sent[RANKS_MOST], received[RANKS_MOST];
    int sent_at[RANKS_MOST], received_at[RANKS_MOST];
    for (int i = 0; i < size; i++) {
        sent[i] = (rank + i) % 2 ? MPI_INT : MPI_UNSIGNED;
        received[i] = a->multiple == 2 ? a->type : sent[i];
        sent_at[i] = a->sent.places[i] * (int)sizeof(int);
        received_at[i] = a->received.places[i] * a->multiple * (int)sizeof(int);
    }
    PMPI_Alltoallw(from, a->sent.counts, sent_at, sent, native, a->received.counts, received_at, received,
                   a->comm);
    MPI_Alltoallw(from, a->sent.counts, sent_at, sent, tuned, a->received.counts, received_at, received,
                  a->comm);
}

static void exchange_blocks(unsigned kind, const struct arrays *a, MPI_Op op)
{
    const struct side *sent = &a->sent, *received = &a->received;
    const bool is_root = rank == a->root;
    if (kind == 0) {
        const void *from = a->in_place ? MPI_IN_PLACE : data;
        PMPI_Alltoallv(from, sent->counts, sent->places, MPI_INT, native, received->counts, received->places,
                       a->type, a->comm);
        MPI_Alltoallv(from, sent->counts, sent->places, MPI_INT, tuned, received->counts, received->places,
                      a->type, a->comm);
    } else if (kind == 1) {
        const void *from = a->in_place ? MPI_IN_PLACE : data;
        PMPI_Allgatherv(from, a->own_sent, MPI_INT, native, received->counts, received->places, a->type,
                        a->comm);
        MPI_Allgatherv(from, a->own_sent, MPI_INT, tuned, received->counts, received->places, a->type,
                       a->comm);
    } else if (kind == 2) {
        const void *from = a->in_place && is_root ? MPI_IN_PLACE : data;
        PMPI_Gatherv(from, a->own_sent, MPI_INT, native, received->counts, received->places, a->type, a->root,
                     a->comm);
        MPI_Gatherv(from, a->own_sent, MPI_INT, tuned, is_root ? received->counts : NULL, received->places,
                    a->type, a->root, a->comm);
    } else if (kind == 3) {
        void *to = a->in_place && is_root ? MPI_IN_PLACE : native;
        PMPI_Scatterv(data, sent->counts, sent->places, MPI_INT, to, a->own_received, a->type, a->root,
                      a->comm);
        to = a->in_place && is_root ? MPI_IN_PLACE : tuned;
        MPI_Scatterv(data, is_root ? sent->counts : NULL, sent->places, MPI_INT, to, a->own_received, a->type,
                     a->root, a->comm);
    } else if (kind == 4) {
        exchange_types(a);
    } else {
        const void *from = a->in_place ? MPI_IN_PLACE : data;
        PMPI_Reduce_scatter(from, native, received->counts, MPI_INT, op, a->comm);
        MPI_Reduce_scatter(from, tuned, received->counts, MPI_INT, op, a->comm);
    }
}

/* A block of `count` elements for each rank, or from each. */
struct blocks {
    int count, sent; /* elements received, and sent, of a block */
    MPI_Datatype type, sent_type;
    bool in_place;
    int root;
    MPI_Comm comm;
};

/* Half of them send two words for each element received. */
static struct blocks make_blocks(MPI_Datatype pair, int count, int root, MPI_Comm comm)
{
    const bool is_of_pairs = below(2);
    count /= 2 * size;
    return (struct blocks){.count = count,
                           .sent = is_of_pairs ? 2 * count : count,
                           .type = is_of_pairs ? pair : MPI_INT,
                           .sent_type = MPI_INT,
                           .in_place = below(3) == 0,
                           .root = root,
                           .comm = comm};
}

static void exchange(unsigned kind, struct blocks b)
{
    const bool is_root = rank == b.root;
    const void *sent = b.in_place && (kind != 1 || is_root) ? MPI_IN_PLACE : data;
    if (kind == 0) {
        void *place = b.in_place && is_root ? MPI_IN_PLACE : native;
        PMPI_Scatter(data, b.sent, b.sent_type, place, b.count, b.type, b.root, b.comm);
        place = b.in_place && is_root ? MPI_IN_PLACE : tuned;
        MPI_Scatter(data, b.sent, b.sent_type, place, b.count, b.type, b.root, b.comm);
    } else if (kind == 1) {
        PMPI_Gather(sent, b.sent, b.sent_type, native, b.count, b.type, b.root, b.comm);
        MPI_Gather(sent, b.sent, b.sent_type, tuned, b.count, b.type, b.root, b.comm);
    } else if (kind == 2) {
        PMPI_Allgather(sent, b.sent, b.sent_type, native, b.count, b.type, b.comm);
        MPI_Allgather(sent, b.sent, b.sent_type, tuned, b.count, b.type, b.comm);
    } else {
        PMPI_Alltoall(sent, b.sent, b.sent_type, native, b.count, b.type, b.comm);
        MPI_Alltoall(sent, b.sent, b.sent_type, tuned, b.count, b.type, b.comm);
    }
}

static void check_class(int round, int class, int expected)
{
    if (class == expected)
        return;
    printf("rank %d, round %d: error class %d instead of %d\n", rank, round, class, expected);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rank 0 sends more to itself than it receives, to the others what they receive. */
static void refuse_block(int round, const struct arrays *a)
{
    if (a->in_place) /* other blocks would differ */
        return;
    struct arrays wrong = *a;
    wrong.sent.counts[0] += rank == 0;
    int class = PMPI_Alltoallv(data, wrong.sent.counts, a->sent.places, MPI_INT, native, a->received.counts,
                               a->received.places, a->type, a->comm);
    int tuned_class = MPI_Alltoallv(data, wrong.sent.counts, a->sent.places, MPI_INT, tuned,
                                    a->received.counts, a->received.places, a->type, a->comm);
    MPI_Error_class(class, &class);
    MPI_Error_class(tuned_class, &tuned_class);
    check_class(round, tuned_class, class);
}

static void gather_bytes(const char *own, int sent, int count, int *ret_class)
{
    int code =
        PMPI_Allgather(native + (own - tuned), sent, MPI_CHAR, native, count, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Error_class(code, &ret_class[0]);
    code = MPI_Allgather(own, sent, MPI_CHAR, tuned, count, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Error_class(code, &ret_class[1]);
}

/* After calls that are right, each rank sends more than is received, or the very block that it receives from
 * itself. MPICH refuses that, at a distance of the buffers that depends on the count. */
static void refuse(int round, int count)
{
    enum { CALLS = 3 };
    const bool is_longer = below(2);
    int class[2];
    count = 1 + count / (2 * size);
    for (int i = 1; i <= CALLS; i++)
        gather_bytes(tuned + BYTES / 2, count + i, count + i, class);
    gather_bytes(is_longer ? tuned + BYTES / 2 : tuned + (size_t)rank * (size_t)count, count + is_longer,
                 count, class);
    check_class(round, class[1], class[0]);
    /* Rank 0 alone. MPICH 4.0.2 itself hangs sometimes, or tells rank 0 alone. */
    for (int i = 1; i <= CALLS && getenv("LD_PRELOAD"); i++) {
        int code = MPI_Allgather(tuned + BYTES / 2, (rank == 0 ? 2 : 1) * (count + i), MPI_CHAR, tuned,
                                 count + i, MPI_CHAR, MPI_COMM_WORLD);
        MPI_Error_class(code, &code);
        if (rank == 0 || code == MPI_SUCCESS) /* the other rank notices that something is wrong */
            check_class(round, code, MPI_ERR_TRUNCATE);
    }
}

static void check(int round, unsigned kind, int count)
{
    if (memcmp(native, tuned, BYTES) == 0)
        return;
    printf("rank %d, round %d, kind %u, count %d: wrong\n", rank, round, kind, count);
    fflush(stdout);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* An operation whose handle was that of another, in calls that repeat others. */
static void repeat(int round, MPI_Op op)
{
    enum { CALLS = 8, COUNT = 5, ALLREDUCE = 1 };
    for (int i = 0; i < CALLS; i++) {
        fill();
        reduce(ALLREDUCE, COUNT, 0, op, MPI_COMM_WORLD);
        check(round, ALLREDUCE, COUNT);
    }
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    /* By some methods other ranks notice the error of one, too. */
    const bool refuses = size == 2 && !getenv("COLLTUNE_ADAPT");
    MPI_Comm comms[COMMS] = {MPI_COMM_WORLD};
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Datatype derived = make_derived();
    MPI_Op own_op = make_op();
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int round = 0; round < rounds; round++) {
        MPI_Comm comm = comms[below(8) == 0];
        const unsigned kind = below(22);
        const int count = any_count(), root = below(3) == 0 ? (int)below((unsigned)size) : 0;
        if (below(20) == 0) {
            MPI_Type_free(&derived);
            derived = make_derived();
            MPI_Op_free(&own_op);
            own_op = make_op();
            repeat(round, own_op);
        }
        const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_BOR, own_op};
        fill();
        if (kind < 5)
            move(kind == 0 ? MPI_CHAR : kind == 1 ? derived : MPI_DOUBLE, count, root, comm);
        else if (kind < 10)
            reduce(kind - 5, count, root, ops[below(4)], comm);
        else if (kind < 14)
            exchange(kind - 10, make_blocks(pair, count, root, comm));
        else if (kind < 20)
            exchange_blocks(kind - 14, make_arrays(pair, kind == 14 || kind == 18, count, root, comm),
                            ops[below(4)]);
        else if (!refuses)
            continue;
        else if (kind == 20)
            refuse_block(round, make_arrays(pair, true, count, root, MPI_COMM_WORLD));
        else
            refuse(round, count);
        if (kind < 20) /* an error may leave anything */
            check(round, kind, count);
    }
    MPI_Type_free(&derived);
    MPI_Type_free(&pair);
    MPI_Op_free(&own_op);
    MPI_Comm_free(&comms[1]);
    puts("ALL RIGHT");
    MPI_Finalize();
    return 0;
}
