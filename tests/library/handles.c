/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators, datatypes and operations whose handles come back as something else, and communicators that
 * overlap, under a preloaded tuned library. Usage: handles [few|threads|flights] [forgetful]: `few` leaves
 * one tag for all communicators; `threads` asks for MPI_THREAD_MULTIPLE; `flights`: COLLTUNE_NONBLOCKING=1 is
 * set; `forgetful`: on rank 1 the library can attach nothing to most communicators. Prints ALL RIGHT at the
 * end. Wants COLLTUNE_BCAST=binomial. */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 40, MANY = 8 };

struct counter {
    const char *method;
    unsigned long long calls;
    unsigned long long messages;
};

static int small_limit = 0, is_limited, is_forgetful;
static int created; /* private communicators that the library has made */
static int reduced; /* native collectives that it has called */

/* The library's own calls come here. */
int PMPI_Comm_get_attr(MPI_Comm comm, int keyval, void *value, int *flag)
{
    if (is_limited && keyval == MPI_TAG_UB) {
        *(int **)value = &small_limit;
        *flag = 1;
        return MPI_SUCCESS;
    }
    int (*next)(MPI_Comm, int, void *, int *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_get_attr");
    return next(comm, keyval, value, flag);
}

int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *made)
{
    int (*next)(MPI_Comm, MPI_Group, MPI_Comm *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_create");
    created++;
    return next(comm, group, made);
}

int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *made, MPI_Request *request)
{
    int (*next)(MPI_Comm, MPI_Comm *, MPI_Request *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_idup");
    created++;
    return next(comm, made, request);
}

int PMPI_Iallreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                    MPI_Request *request)
{
    int (*next)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Iallreduce");
    reduced++;
    return next(send, recv, count, type, op, comm, request);
}

int PMPI_Comm_set_attr(MPI_Comm comm, int keyval, void *value)
{
    static int number;
    if (is_forgetful && ++number % 4 != 0)
        return MPI_ERR_OTHER;
    int (*next)(MPI_Comm, int, void *);
    *(void **)&next = dlsym(RTLD_NEXT, "PMPI_Comm_set_attr");
    return next(comm, keyval, value);
}

/* Messages that the library has sent from this rank. */
static unsigned long long messages(void)
{
    static struct counter counters[1000];
    size_t (*count)(struct counter *, size_t);
    *(void **)&count = dlsym(RTLD_DEFAULT, "colltuned_counters");
    size_t n = count ? count(counters, sizeof counters / sizeof counters[0]) : 0;
    unsigned long long sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += counters[i].messages;
    return sum;
}

/* Are the results of some calls on `comm` right? */
static int use(MPI_Comm comm, int number)
{
    int rank, size, word, sum = 0, in_place, all[64];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int root = 0; root < size; root++) {
        word = rank == root ? number + root : -1;
        MPI_Bcast(&word, 1, MPI_INT, root, comm);
        if (word != number + root)
            return 0;
    }
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comm);
    /* Alike but for the place. */
    in_place = rank;
    MPI_Allreduce(MPI_IN_PLACE, &in_place, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, comm);
    MPI_Barrier(comm);
    return sum == size * (size - 1) / 2 && in_place == sum && all[size - 1] == size - 1;
}

/* A communicator of all ranks, then one without the last, in turn. */
static int reuse_communicators(int rank, int size)
{
    MPI_Comm before = MPI_COMM_NULL;
    int right = 1, came_back = 0;
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm comm;
        MPI_Comm_split(MPI_COMM_WORLD, i % 2 && rank == size - 1, i % 3 ? rank : -rank, &comm);
        came_back += comm == before;
        right = use(comm, i) && right;
        before = comm;
        MPI_Comm_free(&comm);
    }
    if (came_back == 0)
        printf("rank %d: no handle of a communicator came back\n", rank);
    return right && came_back > 0;
}

static int reuse_types(int rank)
{
    MPI_Datatype before = MPI_DATATYPE_NULL;
    int right = 1, came_back = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int count = i % 5 + 1, words[16];
        MPI_Datatype type;
        if (i % 3)
            MPI_Type_contiguous(count, MPI_INT, &type);
        else
            MPI_Type_vector(count, 1, 2, MPI_INT, &type);
        MPI_Type_commit(&type);
        came_back += type == before;
        for (int w = 0; w < 16; w++)
            words[w] = rank == 0 ? 100 * i + w : -1;
        MPI_Bcast(words, 1, type, 0, MPI_COMM_WORLD);
        for (int w = 0; w < 16 && rank != 0; w++) {
            int is_data = i % 3 ? w < count : w < 2 * count && w % 2 == 0;
            right = right && words[w] == (is_data ? 100 * i + w : -1);
        }
        before = type;
        MPI_Type_free(&type);
    }
    if (came_back == 0)
        printf("rank %d: no handle of a datatype came back\n", rank);
    return right && came_back > 0;
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* Does not commute: the lowest rank's operand. */
static void first(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    memcpy(inout, in, (size_t)*count * sizeof(int));
}

static int reuse_operations(int rank, int size)
{
    MPI_Op before = MPI_OP_NULL;
    int right = 1, came_back = 0;
    for (int i = 0; i < ROUNDS; i++) {
        int adds = i % 2, value = rank + 7, result = 0;
        MPI_Op op;
        MPI_Op_create(adds ? add : first, adds, &op);
        came_back += op == before;
        MPI_Allreduce(&value, &result, 1, MPI_INT, op, MPI_COMM_WORLD);
        right = right && result == (adds ? 7 * size + size * (size - 1) / 2 : 7);
        before = op;
        MPI_Op_free(&op);
    }
    if (came_back == 0)
        printf("rank %d: no handle of an operation came back\n", rank);
    return right && came_back > 0;
}

/* Halves by parity, halves by order, and pairs of neighbours, used for the first time and later in orders
 * that differ between ranks as far as MPI allows. */
static int overlap(int rank, int size)
{
    MPI_Comm parity, half, pairs[2], all;
    int right = 1;
    for (int i = 0; i < ROUNDS / 4; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &parity);
        MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
        MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pairs[0]);
        MPI_Comm_split(MPI_COMM_WORLD, (rank + 1) / 2, -rank, &pairs[1]);
        MPI_Comm_dup(MPI_COMM_WORLD, &all);
        for (int round = 0; round < 3; round++) {
            right = use(pairs[0], i) && right;
            right = use(pairs[1], i + 1) && right;
            if (round > 0)
                right = use(all, i + 2) && right;
            right = use(parity, i + 3) && right;
            right = use(half, i + 4) && right;
            right = use(MPI_COMM_WORLD, i + 5) && right;
        }
        MPI_Comm_free(&half);
        MPI_Comm_free(&pairs[rank % 2]);
        MPI_Comm_free(&pairs[1 - rank % 2]);
        MPI_Comm_free(&parity);
        MPI_Comm_free(&all);
    }
    return right;
}

/* More groups of ranks at once, in more orders, than the library shares its channels for; then the same
 * groups again. */
static int many_groups(int rank, int size)
{
    enum { GROUPS = 12 };
    MPI_Comm held[GROUPS];
    int right = 1;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < GROUPS; i++) {
            int leaves_out = i >= 2 * size, turned = (rank + i) % size;
            MPI_Comm_split(MPI_COMM_WORLD, leaves_out && rank == i % size, i / size % 2 ? -turned : turned,
                           &held[i]);
            right = use(held[i], i) && right;
        }
        for (int i = 0; i < GROUPS; i++) {
            right = use(held[i], i + round) && right;
            MPI_Comm_free(&held[i]);
        }
    }
    return right;
}

/* Many communicators at once: are they all tuned, and is a first call like a later one? */
static int hold_many(int is_carried)
{
    MPI_Comm held[MANY];
    int right = 1;
    for (int i = 0; i < MANY; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &held[i]);
        unsigned long long begin = messages();
        int natively = reduced;
        right = use(held[i], i) && right;
        unsigned long long first = messages() - begin;
        natively = reduced - natively;
        right = use(held[i], i) && right;
        unsigned long long later = messages() - begin - first;
        if (later == 0 || first != later || (natively == 0) != is_carried) {
            printf("a first call sends %llu messages, a later one %llu; %d native collectives\n", first,
                   later, natively);
            right = 0;
        }
    }
    for (int i = 0; i < MANY; i++)
        MPI_Comm_free(&held[i]);
    return right;
}

int main(int argc, char **argv)
{
    int rank, size, provided, right;
    int has_threads = argc > 1 && strcmp(argv[1], "threads") == 0;
    int has_flights = argc > 1 && strcmp(argv[1], "flights") == 0;
    is_limited = argc > 1 && strcmp(argv[1], "few") == 0;
    int forgets = argc > 1 && strcmp(argv[argc - 1], "forgetful") == 0;
    MPI_Init_thread(&argc, &argv, has_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int at_first = created;
    is_forgetful = forgets && rank == 1;
    right = reuse_communicators(rank, size);
    right = reuse_types(rank) && right;
    right = reuse_operations(rank, size) && right;
    right = overlap(rank, size) && right;
    right = many_groups(rank, size) && right;
    if (!has_flights && (!has_threads || !forgets))
        right = hold_many(!has_threads) && right;
    /* Only where threads may call in any order is a communicator made for each, or for calls in flight whose
     * messages go through MPI. There are at first one of the node, one for all calls and one for meetings. */
    const char *channel = getenv("COLLTUNE_NODE");
    int makes_more = has_threads || (has_flights && channel && strcmp(channel, "mpi") == 0);
    if (makes_more ? created == at_first : at_first != 2 + has_flights || created != at_first) {
        printf("rank %d: %d private communicators at first, %d at the end\n", rank, at_first, created);
        right = 0;
    }
    printf("rank %d: %s\n", rank, right ? "ALL RIGHT" : "WRONG");
    MPI_Finalize();
    return right ? 0 : 1;
}
