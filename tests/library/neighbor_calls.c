/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighborhood collectives under a preloaded tuned library, on communicators with topologies of all kinds:
 * their results are those of messages along each edge. Prints ALL RIGHT at the end.
 *
 * neighbors [METHOD]: that method, of each collective, must have carried out calls. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/colltuned.h"

enum {
    RANKS_MOST = 16,
    BLOCKS_MOST = 64,
    LENGTH_MOST = 4,
    SPREAD = 3,
    ROOM = BLOCKS_MOST * LENGTH_MOST * SPREAD
};

static int rank, size, failures, calls;
static MPI_Datatype gapped; /* two ints of three */

/* --- communicators --- */

static MPI_Comm make_graph(int count, const int *from, const int *to)
{
    MPI_Comm comm;
    int sources[BLOCKS_MOST], destinations[BLOCKS_MOST], weights[BLOCKS_MOST] = {0}, in = 0, out = 0;
    for (int i = 0; i < count; i++) {
        if (to[i] == rank)
            sources[in++] = from[i];
        if (from[i] == rank)
            destinations[out++] = to[i];
    }
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, in, sources, weights, out, destinations, weights,
                                   MPI_INFO_NULL, 0, &comm);
    return comm;
}

static unsigned next(unsigned *state)
{
    return (*state = *state * 1103515245 + 12345) >> 16;
}

/* Edges of a distributed graph, by kind. */
enum { EMPTY, RING, HUBS, LOOPS, DUPLICATES, RANDOM, COMPLETE, GRAPHS };

static MPI_Comm make_distributed(int kind)
{
    static int from[BLOCKS_MOST], to[BLOCKS_MOST];
    unsigned state = 7;
    int count = 0;
    for (int i = 0; i < size && kind == RING; i++)
        from[count] = i, to[count++] = (i + 1) % size;
    for (int i = 1; i < size && kind == HUBS; i++) {
        from[count] = 0, to[count++] = i;
        from[count] = i, to[count++] = size - 1;
    }
    for (int i = 0; i < size && kind == LOOPS; i += 2) {
        from[count] = i, to[count++] = i;
        from[count] = i, to[count++] = size - 1 - i;
    }
    for (int i = 0; i < 3 * size && kind == DUPLICATES; i++)
        from[count] = i % size, to[count++] = (i + i % 2) % size;
    for (int i = 0; i < 3 * size && kind == RANDOM; i++)
        from[count] = (int)(next(&state) % (unsigned)size),
        to[count++] = (int)(next(&state) % (unsigned)size);
    for (int i = 0; i < size * size && kind == COMPLETE && size * size <= BLOCKS_MOST; i++)
        from[count] = i / size, to[count++] = i % size;
    return make_graph(count, from, to);
}

static MPI_Comm make_cartesian(int dimensions, const int periods[3], int reorder)
{
    MPI_Comm comm;
    int lengths[3] = {0};
    MPI_Dims_create(size, dimensions, lengths);
    MPI_Cart_create(MPI_COMM_WORLD, dimensions, lengths, periods, reorder, &comm);
    return comm;
}

/* A path, whose neighbors go both ways. */
static MPI_Comm make_path(void)
{
    MPI_Comm comm;
    int ends[RANKS_MOST], edges[2 * RANKS_MOST], count = 0;
    for (int i = 0; i < size; i++) {
        if (i > 0)
            edges[count++] = i - 1;
        if (i < size - 1)
            edges[count++] = i + 1;
        ends[i] = count;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, ends, edges, 0, &comm);
    return comm;
}

/* --- the neighbors, as MPI has them --- */

static int in, out, sources[BLOCKS_MOST], destinations[BLOCKS_MOST];

static void find_neighbors(MPI_Comm comm)
{
    int kind, weights[2][BLOCKS_MOST], dimensions;
    MPI_Topo_test(comm, &kind);
    if (kind == MPI_DIST_GRAPH) {
        MPI_Dist_graph_neighbors_count(comm, &in, &out, &kind);
        MPI_Dist_graph_neighbors(comm, in, sources, weights[0], out, destinations, weights[1]);
    } else if (kind == MPI_GRAPH) {
        MPI_Graph_neighbors_count(comm, rank, &out);
        MPI_Graph_neighbors(comm, rank, out, destinations);
        memcpy(sources, destinations, sizeof sources);
        in = out;
    } else {
        MPI_Cartdim_get(comm, &dimensions);
        in = out = 2 * dimensions;
        for (int i = 0; i < dimensions; i++)
            MPI_Cart_shift(comm, i, 1, &destinations[2 * i], &destinations[2 * i + 1]);
        memcpy(sources, destinations, sizeof sources);
    }
}

/* --- calls --- */

enum { ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, COLLECTIVES };
enum { BLOCKING, NONBLOCKING, PERSISTENT, MODES };
static const char *const names[] = {"neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall",
                                    "neighbor_alltoallv", "neighbor_alltoallw"};

static struct {
    MPI_Datatype type, types[BLOCKS_MOST];
    int count, send_counts[BLOCKS_MOST], recv_counts[BLOCKS_MOST];
    int send_places[BLOCKS_MOST], recv_places[BLOCKS_MOST]; /* in elements */
    MPI_Aint send_bytes[BLOCKS_MOST], recv_bytes[BLOCKS_MOST];
    int send[ROOM];
} args;

static int longer_from = -1; /* blocks of this rank have other lengths than usual */

static int length_between(int from, int to, int round)
{
    return from < 0 || to < 0 ? 1 : (from * 3 + to * 5 + round + (from == longer_from)) % LENGTH_MOST;
}

static void set_arguments(int collective, int round, MPI_Datatype type)
{
    MPI_Aint lb, extent;
    MPI_Type_get_extent(type, &lb, &extent);
    args.type = type;
    args.count = collective == ALLGATHERV ? length_between(rank, 0, round) : 1 + round % LENGTH_MOST;
    for (int i = 0; i < BLOCKS_MOST; i++) {
        int gathers = collective == ALLGATHERV;
        args.types[i] = type;
        args.send_counts[i] = i < out ? length_between(rank, destinations[i], round) : 0;
        args.recv_counts[i] = i < in ? length_between(sources[i], gathers ? 0 : rank, round) : 0;
        /* Blocks lie in another order than neighbors. */
        args.send_places[i] = (out > 0 ? (i * 7 + 1) % BLOCKS_MOST : 0) * LENGTH_MOST;
        args.recv_places[i] = (in > 0 ? (i * 5 + 2) % BLOCKS_MOST : 0) * LENGTH_MOST;
        args.send_bytes[i] = args.send_places[i] * extent;
        args.recv_bytes[i] = args.recv_places[i] * extent;
    }
    for (int i = 0; i < ROOM; i++)
        args.send[i] = rank * ROOM + i;
}

/* By messages of each edge, in the order of the neighbors. MPICH 4.0.2 takes several edges between two ranks
 * in another order (MPI 4.0, section 8.6, has them in that of the lists). In a Cartesian grid, what is sent
 * in one direction arrives from the other. */
static void call_by_hand(int collective, int *recv, MPI_Comm comm)
{
    MPI_Request requests[2 * BLOCKS_MOST];
    MPI_Aint lb, extent;
    int kind, count = 0, gathers = collective <= ALLGATHERV;
    MPI_Topo_test(comm, &kind);
    MPI_Type_get_extent(args.type, &lb, &extent);
    for (int i = 0; i < in; i++) {
        MPI_Aint place =
            collective == ALLGATHER || collective == ALLTOALL ? i * args.count * extent : args.recv_bytes[i];
        int length = collective == ALLGATHER || collective == ALLTOALL ? args.count : args.recv_counts[i];
        PMPI_Irecv((char *)recv + place, length, args.type, sources[i], kind == MPI_CART ? i ^ 1 : 0, comm,
                   &requests[count++]);
    }
    for (int i = 0; i < out; i++) {
        MPI_Aint place = gathers ? 0 : collective == ALLTOALL ? i * args.count * extent : args.send_bytes[i];
        int length = gathers || collective == ALLTOALL ? args.count : args.send_counts[i];
        PMPI_Isend((char *)args.send + place, length, args.type, destinations[i], kind == MPI_CART ? i : 0,
                   comm, &requests[count++]);
    }
    PMPI_Waitall(count, requests, MPI_STATUSES_IGNORE);
}

static int call_blocking(int collective, int *recv, MPI_Comm comm)
{
    switch (collective) {
    case ALLGATHER:
        return MPI_Neighbor_allgather(args.send, args.count, args.type, recv, args.count, args.type, comm);
    case ALLGATHERV:
        return MPI_Neighbor_allgatherv(args.send, args.count, args.type, recv, args.recv_counts,
                                       args.recv_places, args.type, comm);
    case ALLTOALL:
        return MPI_Neighbor_alltoall(args.send, args.count, args.type, recv, args.count, args.type, comm);
    case ALLTOALLV:
        return MPI_Neighbor_alltoallv(args.send, args.send_counts, args.send_places, args.type, recv,
                                      args.recv_counts, args.recv_places, args.type, comm);
    default:
        return MPI_Neighbor_alltoallw(args.send, args.send_counts, args.send_bytes, args.types, recv,
                                      args.recv_counts, args.recv_bytes, args.types, comm);
    }
}

static int begin(int collective, int *recv, MPI_Comm comm, MPI_Request *request)
{
    switch (collective) {
    case ALLGATHER:
        return MPI_Ineighbor_allgather(args.send, args.count, args.type, recv, args.count, args.type, comm,
                                       request);
    case ALLGATHERV:
        return MPI_Ineighbor_allgatherv(args.send, args.count, args.type, recv, args.recv_counts,
                                        args.recv_places, args.type, comm, request);
    case ALLTOALL:
        return MPI_Ineighbor_alltoall(args.send, args.count, args.type, recv, args.count, args.type, comm,
                                      request);
    case ALLTOALLV:
        return MPI_Ineighbor_alltoallv(args.send, args.send_counts, args.send_places, args.type, recv,
                                       args.recv_counts, args.recv_places, args.type, comm, request);
    default:
        return MPI_Ineighbor_alltoallw(args.send, args.send_counts, args.send_bytes, args.types, recv,
                                       args.recv_counts, args.recv_bytes, args.types, comm, request);
    }
}

#if MPI_VERSION >= 4
static int prepare(int collective, int *recv, MPI_Comm comm, MPI_Request *request)
{
    const MPI_Info info = MPI_INFO_NULL;
    switch (collective) {
    case ALLGATHER:
        return MPI_Neighbor_allgather_init(args.send, args.count, args.type, recv, args.count, args.type,
                                           comm, info, request);
    case ALLGATHERV:
        return MPI_Neighbor_allgatherv_init(args.send, args.count, args.type, recv, args.recv_counts,
                                            args.recv_places, args.type, comm, info, request);
    case ALLTOALL:
        return MPI_Neighbor_alltoall_init(args.send, args.count, args.type, recv, args.count, args.type, comm,
                                          info, request);
    case ALLTOALLV:
        return MPI_Neighbor_alltoallv_init(args.send, args.send_counts, args.send_places, args.type, recv,
                                           args.recv_counts, args.recv_places, args.type, comm, info,
                                           request);
    default:
        return MPI_Neighbor_alltoallw_init(args.send, args.send_counts, args.send_bytes, args.types, recv,
                                           args.recv_counts, args.recv_bytes, args.types, comm, info,
                                           request);
    }
}
#endif

static int call_tuned(int mode, int collective, int *recv, MPI_Comm comm)
{
    MPI_Request request;
    int code = MPI_SUCCESS;
    if (mode == BLOCKING)
        return call_blocking(collective, recv, comm);
    if (mode == NONBLOCKING) {
        code = begin(collective, recv, comm, &request);
        return code == MPI_SUCCESS ? MPI_Wait(&request, MPI_STATUS_IGNORE) : code;
    }
#if MPI_VERSION >= 4
    code = prepare(collective, recv, comm, &request);
    for (int i = 0; i < 3 && code == MPI_SUCCESS; i++) {
        code = MPI_Start(&request);
        if (code == MPI_SUCCESS)
            code = MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (code == MPI_SUCCESS)
        code = MPI_Request_free(&request);
#else
    code = call_blocking(collective, recv, comm);
#endif
    return code;
}

/* --- comparison --- */

static void compare(const char *topology, int collective, int mode, int round, MPI_Comm comm)
{
    static int expected[ROOM], found[ROOM];
    static const char *const modes[] = {"blocking", "non-blocking", "persistent"};
    for (int i = 0; i < ROOM; i++)
        expected[i] = found[i] = -1 - i;
    call_by_hand(collective, expected, comm);
    int code = call_tuned(mode, collective, found, comm);
    calls++;
    if (code == MPI_SUCCESS && memcmp(expected, found, sizeof found) == 0)
        return;
    if (failures++ < 5) {
        int at = 0;
        while (at < ROOM - 1 && expected[at] == found[at])
            at++;
        printf("rank %d of %d, %s, %s %s, round %d: code %d; at %d %d, expected %d\n", rank, size, topology,
               modes[mode], names[collective], round, code, at, found[at], expected[at]);
        fflush(stdout);
    }
}

static void try_all(const char *topology, MPI_Comm comm)
{
    /* MPICH 4.0.2 leaves blocks of some alltoallw calls out. */
    const char *others = getenv("COLLTUNE_NONBLOCKING");
    int modes = others && *others == '1' ? MODES : 1;
    find_neighbors(comm);
    const char *without = getenv("WITHOUT_NONBLOCKING"); /* they are native where a table decides */
    for (int collective = 0; collective < COLLECTIVES; collective++)
        for (int mode = 0; mode < modes; mode++)
            for (int round = 0; round < 4; round++) {
                /* Each call comes twice, so that plans are kept. */
                if (without && mode == NONBLOCKING)
                    continue;
                set_arguments(collective, 1 + round / 2, round < 2 ? MPI_INT : gapped);
                compare(topology, collective, mode, round, comm);
            }
}

static void try_copy(const char *topology, MPI_Comm comm)
{
    MPI_Comm copy;
    MPI_Comm_dup(comm, &copy);
    try_all(topology, comm);
    try_all(topology, copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&comm);
}

/* A communicator of a part of the ranks, which has no topology. Frees the one that has. */
static void try_part(const char *topology, MPI_Comm comm)
{
    MPI_Group group, others;
    MPI_Comm part;
    int last = size - 1, sum = 0;
    MPI_Comm_group(comm, &group);
    MPI_Group_excl(group, 1, &last, &others);
    MPI_Comm_rank(comm, &last);
    if (size > 1 && last < size - 1) {
        MPI_Comm_create_group(comm, others, 0, &part);
        MPI_Allreduce(&last, &sum, 1, MPI_INT, MPI_SUM, part);
        MPI_Comm_free(&part);
        if (sum != (size - 1) * (size - 2) / 2 && failures++ == 0)
            printf("part of a %s: the sum is %d\n", topology, sum);
    }
    MPI_Group_free(&others);
    MPI_Group_free(&group);
    MPI_Comm_free(&comm);
}

/* --- calls that repeat until the ranks no longer agree before each --- */

static struct colltuned_counter *read_counters(size_t *ret_count)
{
    size_t (*counters)(struct colltuned_counter *, size_t);
    *(void **)&counters = dlsym(RTLD_DEFAULT, "colltuned_counters");
    *ret_count = counters ? counters(NULL, 0) : 0;
    struct colltuned_counter *all = calloc(*ret_count + 1, sizeof *all);
    if (counters)
        counters(all, *ret_count);
    return all;
}

/* Messages of a collective by all methods so far. */
static unsigned long long messages_of(int collective)
{
    size_t count, length = strlen(names[collective]);
    struct colltuned_counter *all = read_counters(&count);
    unsigned long long sent = 0;
    for (size_t i = 0; i < count; i++)
        if (strncmp(all[i].method, names[collective], length) == 0 && all[i].method[length] == '/')
            sent += all[i].messages;
    free(all);
    return sent;
}

enum { SETTLING = 20, SETTLED = 70 };

/* The ranks settle. Then non-blocking calls take the same way as blocking ones. Then lengths change, in v and
 * w forms at some ranks alone, for longer than the ranks do without an agreement, and change back. */
static void try_settled(const char *topology, MPI_Comm comm)
{
    const char *others = getenv("COLLTUNE_NONBLOCKING");
    find_neighbors(comm);
    for (int collective = 0; collective < COLLECTIVES; collective++) {
        unsigned long long sent[MODES] = {0};
        for (int i = 0; i < SETTLING; i++) {
            set_arguments(collective, 1, MPI_INT);
            compare(topology, collective, BLOCKING, i, comm);
        }
        for (int mode = 0; mode <= NONBLOCKING && others && *others == '1'; mode++) {
            sent[mode] = messages_of(collective);
            compare(topology, collective, mode, SETTLING, comm);
            sent[mode] = messages_of(collective) - sent[mode];
        }
        if (sent[BLOCKING] != sent[NONBLOCKING] && ++failures)
            printf("rank %d, %s, %s: %llu messages of a blocking call, %llu of a non-blocking one\n", rank,
                   topology, names[collective], sent[BLOCKING], sent[NONBLOCKING]);
        for (int i = 0; i < SETTLED + SETTLING; i++) {
            longer_from = i < SETTLED ? size / 2 : -1;
            set_arguments(collective, i < SETTLED ? 2 : 1, i % 2 ? MPI_INT : gapped);
            compare(topology, collective, BLOCKING, SETTLING + i, comm);
            if (i % 16 == 0 && others && *others == '1' && !getenv("WITHOUT_NONBLOCKING"))
                compare(topology, collective, NONBLOCKING, SETTLING + i, comm);
        }
    }
    MPI_Comm_free(&comm);
}

/* --- isolated ranks, and lengths that only neighbors share --- */

/* Ranks without neighbors say what they like of lengths; others may send another length than they receive. */
static void try_lengths(void)
{
    MPI_Comm pairs = make_graph(size > 1, (const int[]){0}, (const int[]){size - 1});
    int data[2] = {rank, rank}, result[2] = {-1, -1};
    int count = rank == 0 || rank == size - 1 ? 2 : rank % 2;
    for (int i = 0; i < 3; i++)
        failures += MPI_Neighbor_alltoall(data, count, MPI_INT, result, count, MPI_INT, pairs) != MPI_SUCCESS;
    failures += size > 1 && rank == size - 1 && (result[0] != 0 || result[1] != 0);
    /* They agree on one length, and then some change it. */
    for (int i = 0; i < SETTLING + SETTLED; i++) {
        const int length = i < SETTLING || rank == 0 || rank == size - 1 ? 1 + i / SETTLING % 2 : 1;
        result[0] = result[1] = -1;
        failures +=
            MPI_Neighbor_alltoall(data, length, MPI_INT, result, length, MPI_INT, pairs) != MPI_SUCCESS;
        failures += size > 1 && rank == size - 1 && (result[0] != 0 || result[1] != (length > 1 ? 0 : -1));
    }
    MPI_Comm_free(&pairs);
    MPI_Comm chain = make_graph(size > 2 ? 2 : 0, (const int[]){0, 1}, (const int[]){1, 2});
    int first = rank == 0 ? 2 : 1, second = rank == 1 ? 2 : 1;
    result[0] = result[1] = -1;
    for (int i = 0; i < 3; i++)
        failures +=
            MPI_Neighbor_allgather(data, first, MPI_INT, result, second, MPI_INT, chain) != MPI_SUCCESS;
    failures += size > 2 && ((rank == 1 && (result[0] != 0 || result[1] != 0)) ||
                             (rank == 2 && (result[0] != 1 || result[1] != -1)));
    MPI_Comm_free(&chain);
    if (failures > 0)
        printf("rank %d: %d failures up to lengths that only neighbors share\n", rank, failures);
}

/* --- what is wrong --- */

static int class_of(int code)
{
    int class = MPI_SUCCESS;
    if (code != MPI_SUCCESS)
        MPI_Error_class(code, &class);
    return class;
}

/* A receiver that expects less than is sent gets an error, and no rank hangs; later calls are right. */
static void try_wrong_lengths(void)
{
    int count = size, from[RANKS_MOST], to[RANKS_MOST];
    for (int i = 0; i < size; i++)
        from[i] = i, to[i] = (i + 1) % size;
    MPI_Comm ring = make_graph(count, from, to);
    MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN);
    int data[4] = {rank, rank, rank, rank}, result[4], sent = 4, expected = rank == 0 ? 2 : 4, place = 0;
    int code = MPI_Neighbor_alltoallv(data, &sent, &place, MPI_INT, result, &expected, &place, MPI_INT, ring);
    const int wanted = getenv("COLLTUNE_CHECK") ? MPI_ERR_OTHER : MPI_ERR_TRUNCATE;
    if (rank == 0 && class_of(code) != wanted && ++failures)
        printf("a wrong length: class %d\n", class_of(code));
    for (int i = 0; i < 2; i++) {
        result[3] = -1;
        code = MPI_Neighbor_alltoallv(data, &sent, &place, MPI_INT, result, &sent, &place, MPI_INT, ring);
        if ((code != MPI_SUCCESS || result[3] != (rank + size - 1) % size) && ++failures)
            printf("rank %d: wrong after a wrong length: class %d, %d\n", rank, class_of(code), result[3]);
    }
    code = MPI_Neighbor_alltoall(data, -1, MPI_INT, result, 1, MPI_INT, ring);
    if (class_of(code) != MPI_ERR_COUNT && ++failures)
        printf("a negative count: class %d\n", class_of(code));
    MPI_Comm_free(&ring);
}

/* Has the method carried out calls of all collectives, and sent messages? In v and w forms a method that is
 * decided on by short lengths may have had calls of no bytes alone. */
static void check_use(const char *method)
{
    size_t count;
    struct colltuned_counter *all = read_counters(&count);
    unsigned long long sent = 0;
    for (int c = 0; c < COLLECTIVES; c++) {
        char spelling[128];
        unsigned long long used = 0;
        snprintf(spelling, sizeof spelling, "%s/%s", names[c], method);
        for (size_t i = 0; i < count; i++)
            if (strcmp(all[i].method, spelling) == 0)
                used += all[i].calls, sent += all[i].messages;
        if (used == 0 && ++failures)
            printf("%s: 0 calls\n", spelling);
    }
    if (sent == 0 && size > 1 && strcmp(method, "native") != 0 && ++failures)
        printf("%s: no messages\n", method);
    free(all);
}

static int sum_of_failures(void)
{
    int all;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    static const int periodic[] = {1, 1, 1}, open[] = {0, 0, 0}, mixed[] = {0, 1, 0};
    static const char *const graphs[] = {"empty",      "ring",   "hubs",    "loops",
                                         "duplicates", "random", "complete"};
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Datatype vector;
    MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, 3 * sizeof(int), &gapped);
    MPI_Type_commit(&gapped);
    MPI_Type_free(&vector);
    for (int kind = 0; kind < GRAPHS; kind++)
        try_copy(graphs[kind], make_distributed(kind));
    try_copy("path", make_path());
    try_copy("open line", make_cartesian(1, open, 0));
    try_copy("circle", make_cartesian(1, periodic, 1));
    try_copy("mixed plane", make_cartesian(2, mixed, 1));
    try_copy("torus", make_cartesian(3, periodic, 0));
    try_part("ring", make_distributed(RING));
    try_part("path", make_path());
    try_part("circle", make_cartesian(1, periodic, 0));
    try_part("torus", make_cartesian(3, periodic, 0));
    try_settled("random", make_distributed(RANDOM));
    try_settled("complete", make_distributed(COMPLETE));
    if (argc > 1)
        check_use(argv[1]);
    fflush(stdout);
    MPI_Type_free(&gapped);
    /* Native calls may hang here, as where the library is not used. */
    int all = sum_of_failures();
    if (all == 0) {
        try_lengths();
        try_wrong_lengths();
        all = sum_of_failures();
    }
    if (all == 0)
        printf("ALL RIGHT, %d calls\n", calls);
    MPI_Finalize();
    return failures > 0;
}
