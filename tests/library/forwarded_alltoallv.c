/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Alltoallv under a preloaded tuned library, by a method that forwards blocks: blocking, non-blocking and
 * persistent, in place and not, with types that have gaps, blocks of no length and ranks that have nothing to
 * send, on communicators with and without a topology. What arrives is known beforehand. Prints ALL RIGHT at
 * the end.
 *
 * forwarded_alltoallv [METHOD]: that method must have carried out calls, and have sent messages. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/colltuned.h"

enum { RANKS_MOST = 16, LENGTH_MOST = 6, SPREAD = 3, ROOM = RANKS_MOST * LENGTH_MOST * SPREAD };

static int rank, size, failures, calls;
static MPI_Datatype gapped; /* two ints of three */

/* --- who sends how much to whom --- */

/* How many items a rank has for another one, by kind. */
enum { FULL, FEW, ROWS, NOTHING, KINDS };

/* Changes the lengths of what ranks from this one on send. */
static int longer_from = RANKS_MOST;

static int items(int kind, int from, int to)
{
    int length = 0;
    if (kind == FULL)
        length = 1 + (2 * from + to) % 3;
    else if (kind == FEW)
        length = (from + 3 * to) % 4 == 1 ? 2 : 0;
    else if (kind == ROWS)
        length = from % 2 ? 1 + to % 2 : 0;
    return from >= longer_from && length > 0 ? length + 1 : length;
}

/* In place both directions have the same length. */
static int items_both(int kind, int from, int to)
{
    return from < to ? items(kind, from, to) : items(kind, to, from);
}

static int value(int from, int to, int i)
{
    return 10000 * from + 100 * to + i + 1;
}

/* --- calls --- */

enum { BLOCKING, NONBLOCKING, PERSISTENT, MODES };

static struct {
    int send[ROOM], recv[ROOM], expected[ROOM];
    int send_counts[RANKS_MOST], recv_counts[RANKS_MOST], places[RANKS_MOST];
} data;

/* Ints of a block, of which every third is a gap in the one type. */
static void write_block(int *block, int count, int from, int to, int has_gaps)
{
    for (int i = 0, k = 0; i < count * (has_gaps ? 2 : 1); i++, k++) {
        k += has_gaps && k % SPREAD == 2;
        block[k] = value(from, to, i);
    }
}

/* Fills the buffers for a call among so many ranks; in place, RECV has what is sent. */
static void fill(int kind, int own, int ranks, int has_gaps, int in_place)
{
    const int items_of_block = LENGTH_MOST * SPREAD;
    memset(&data, 0, sizeof data);
    for (int i = 0; i < ROOM; i++)
        data.recv[i] = data.expected[i] = -1 - i;
    for (int other = 0; other < ranks; other++) {
        data.send_counts[other] = in_place ? items_both(kind, own, other) : items(kind, own, other);
        data.recv_counts[other] = in_place ? data.send_counts[other] : items(kind, other, own);
        /* Blocks lie in the other order, with room between them. */
        const int place = (ranks - 1 - other) * items_of_block;
        data.places[other] = has_gaps ? place / SPREAD : place;
        write_block((in_place ? data.recv : data.send) + place, data.send_counts[other], own, other,
                    has_gaps);
        write_block(data.expected + place, data.recv_counts[other], other, own, has_gaps);
    }
}

static int call(int mode, MPI_Datatype type, int in_place, MPI_Comm comm)
{
    const void *send = in_place ? MPI_IN_PLACE : data.send;
    const int *counts = in_place ? NULL : data.send_counts, *places = in_place ? NULL : data.places;
    const MPI_Datatype send_type = in_place ? MPI_DATATYPE_NULL : type;
    MPI_Request request;
    int code;
    if (mode == NONBLOCKING) {
        code = MPI_Ialltoallv(send, counts, places, send_type, data.recv, data.recv_counts, data.places, type,
                              comm, &request);
        return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
    }
#if MPI_VERSION >= 4
    if (mode == PERSISTENT) {
        code = MPI_Alltoallv_init(send, counts, places, send_type, data.recv, data.recv_counts, data.places,
                                  type, comm, MPI_INFO_NULL, &request);
        /* What is sent in place is gone after the first start. */
        for (int i = 0; i < (in_place ? 1 : 3) && code == MPI_SUCCESS; i++) {
            code = MPI_Start(&request);
            if (code == MPI_SUCCESS)
                code = MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        return code == MPI_SUCCESS ? MPI_Request_free(&request) : code;
    }
#endif
    return MPI_Alltoallv(send, counts, places, send_type, data.recv, data.recv_counts, data.places, type,
                         comm);
}

static void compare(const char *where, int mode, int kind, int has_gaps, int in_place, MPI_Comm comm)
{
    static const char *const modes[] = {"blocking", "non-blocking", "persistent"};
    int own, ranks;
    MPI_Comm_rank(comm, &own);
    MPI_Comm_size(comm, &ranks);
    fill(kind, own, ranks, has_gaps, in_place);
    int code = call(mode, has_gaps ? gapped : MPI_INT, in_place, comm);
    calls++;
    if (code == MPI_SUCCESS && memcmp(data.recv, data.expected, sizeof data.recv) == 0)
        return;
    if (failures++ < 5) {
        int at = 0;
        while (at < ROOM - 1 && data.recv[at] == data.expected[at])
            at++;
        printf("rank %d of %d, %s, %s, kind %d%s%s: code %d; at %d %d, expected %d\n", rank, size, where,
               modes[mode], kind, has_gaps ? ", with gaps" : "", in_place ? ", in place" : "", code, at,
               data.recv[at], data.expected[at]);
        fflush(stdout);
    }
}

static int modes_tried(void)
{
    const char *others = getenv("COLLTUNE_NONBLOCKING");
    return others && *others == '1' ? MODES : 1;
}

/* Each call comes twice, so that plans are kept. */
static void try_all(const char *where, MPI_Comm comm)
{
    for (int mode = 0; mode < modes_tried(); mode++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int form = 0; form < 8; form++)
                compare(where, mode, kind, form / 2 % 2, form / 4, comm);
}

/* Lengths that no longer change, then at some ranks, for longer than ranks go without an agreement, and back.
 */
static void try_settled(MPI_Comm comm)
{
    enum { SETTLING = 20, SETTLED = 70 };
    for (int i = 0; i < 2 * SETTLING + SETTLED; i++) {
        longer_from = i >= SETTLING && i < SETTLING + SETTLED ? size / 2 : RANKS_MOST;
        compare("settled", BLOCKING, FEW, 0, 0, comm);
        if (i % 8 == 0 && modes_tried() > 1)
            compare("settled", NONBLOCKING, FEW, i % 16 == 0, 0, comm);
    }
}

/* A copy of a communicator may be called in another order than the first, since calls are non-blocking. */
static void try_two(MPI_Comm comm)
{
    MPI_Comm copy;
    MPI_Request request;
    int sent = rank, received[RANKS_MOST], counts[RANKS_MOST], places[RANKS_MOST], zeroes[RANKS_MOST] = {0};
    MPI_Comm_dup(comm, &copy);
    for (int i = 0; i < size; i++)
        counts[i] = 1, places[i] = i;
    for (int i = 0; i < 12; i++) {
        const int is_late = rank % 2 && modes_tried() > 1;
        if (is_late)
            compare("two", BLOCKING, FULL, 0, 0, copy);
        MPI_Ialltoallv(&sent, counts, zeroes, MPI_INT, received, counts, places, MPI_INT, comm, &request);
        if (!is_late)
            compare("two", BLOCKING, FULL, 0, 0, copy);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int k = 0; k < size; k++)
            failures += received[k] != k;
        compare("two", BLOCKING, FULL, 0, 0, comm);
    }
    MPI_Comm_free(&copy);
}

/* One rank expects less than is sent to it: it gets an error, no rank hangs, and later calls are right. */
static void try_wrong_length(void)
{
    int class = MPI_SUCCESS;
    MPI_Comm comm; /* on which ranks are not settled */
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    fill(FULL, rank, size, 0, 0);
    if (rank == 0)
        data.recv_counts[size - 1]--;
    int code = call(BLOCKING, MPI_INT, 0, comm);
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    if (rank == 0 && class != MPI_ERR_TRUNCATE && ++failures)
        printf("a wrong length: class %d\n", class);
    for (int i = 0; i < 2; i++)
        compare("after a wrong length", BLOCKING, FULL, 0, 0, comm);
    MPI_Comm_free(&comm);
}

static void check_use(const char *method)
{
    char spelling[128];
    size_t (*counters)(struct colltuned_counter *, size_t);
    *(void **)&counters = dlsym(RTLD_DEFAULT, "colltuned_counters");
    size_t count = counters ? counters(NULL, 0) : 0;
    unsigned long long used = 0, sent = 0;
    struct colltuned_counter *all = calloc(count + 1, sizeof *all);
    if (counters)
        counters(all, count);
    snprintf(spelling, sizeof spelling, "alltoallv/%s", method);
    for (size_t i = 0; i < count; i++)
        if (strcmp(all[i].method, spelling) == 0)
            used += all[i].calls, sent += all[i].messages;
    if ((used == 0 || sent == 0) && ++failures)
        printf("%s: %llu calls, %llu messages\n", spelling, used, sent);
    free(all);
}

int main(int argc, char **argv)
{
    int all, from, to, weight = 1;
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Datatype vector;
    MPI_Type_vector(2, 1, 1, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, SPREAD * sizeof(int), &gapped);
    MPI_Type_commit(&gapped);
    MPI_Type_free(&vector);
    try_all("all", MPI_COMM_WORLD);
    /* The neighbors of a communicator have nothing to do with it. */
    to = (rank + 1) % size;
    from = (rank + size - 1) % size;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &from, &weight, 1, &to, &weight, MPI_INFO_NULL, 0,
                                   &other);
    try_all("a ring", other);
    MPI_Comm_free(&other);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, -rank, &other);
    try_all("the others", other);
    MPI_Comm_free(&other);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    try_settled(other);
    try_two(other);
    MPI_Comm_free(&other);
    if (argc > 1) {
        try_wrong_length();
        check_use(argv[1]);
    }
    MPI_Type_free(&gapped);
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (all == 0)
        printf("ALL RIGHT, %d calls\n", calls);
    MPI_Finalize();
    return failures > 0;
}
