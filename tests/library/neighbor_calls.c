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
#include "neighbor_arguments.h"
#include "neighbor_trials.h"

static int rank, size, failures, calls;
static MPI_Datatype gapped; /* two ints of three */
static struct arguments args = {.longer_from = -1};

static void compare(const char *topology, int mode, int round, MPI_Comm comm)
{
    static int expected[ROOM], found[ROOM];
    static const char *const modes[] = {"blocking", "non-blocking", "persistent"};
    for (int i = 0; i < ROOM; i++)
        expected[i] = found[i] = -1 - i;
    call_by_hand(&args, expected, comm);
    int code = call_tuned(&args, mode, found, comm);
    calls++;
    if (code == MPI_SUCCESS && memcmp(expected, found, sizeof found) == 0)
        return;
    if (failures++ < 5) {
        int at = 0;
        while (at < ROOM - 1 && expected[at] == found[at])
            at++;
        printf("rank %d of %d, %s, %s %s, round %d: code %d; at %d %d, expected %d\n", rank, size, topology,
               modes[mode], neighbor_names[args.collective], round, code, at, found[at], expected[at]);
        fflush(stdout);
    }
}

static void try_all(const char *topology, MPI_Comm comm)
{
    /* MPICH 4.0.2 leaves blocks of some alltoallw calls out. */
    const char *others = getenv("COLLTUNE_NONBLOCKING");
    int modes = others && *others == '1' ? MODES : 1;
    find_neighbors(&args.neighbors, comm);
    const char *without = getenv("WITHOUT_NONBLOCKING"); /* they are native where a table decides */
    for (int collective = 0; collective < COLLECTIVES; collective++)
        for (int mode = 0; mode < modes; mode++)
            for (int round = 0; round < 4; round++) {
                /* Each call comes twice, so that plans are kept. */
                if (without && mode == NONBLOCKING)
                    continue;
                set_arguments(&args, collective, 1 + round / 2, round < 2 ? MPI_INT : gapped);
                compare(topology, mode, round, comm);
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
    size_t count, length = strlen(neighbor_names[collective]);
    struct colltuned_counter *all = read_counters(&count);
    unsigned long long sent = 0;
    for (size_t i = 0; i < count; i++)
        if (strncmp(all[i].method, neighbor_names[collective], length) == 0 && all[i].method[length] == '/')
            sent += all[i].messages;
    free(all);
    return sent;
}

/* The ranks settle. Then non-blocking calls take the same way as blocking ones. Then lengths change, in v and
 * w forms at some ranks alone, for longer than the ranks do without an agreement, and change back. */
static void try_settled(const char *topology, MPI_Comm comm)
{
    const char *others = getenv("COLLTUNE_NONBLOCKING");
    find_neighbors(&args.neighbors, comm);
    for (int collective = 0; collective < COLLECTIVES; collective++) {
        unsigned long long sent[MODES] = {0};
        for (int i = 0; i < SETTLING; i++) {
            set_arguments(&args, collective, 1, MPI_INT);
            compare(topology, BLOCKING, i, comm);
        }
        for (int mode = 0; mode <= NONBLOCKING && others && *others == '1'; mode++) {
            sent[mode] = messages_of(collective);
            compare(topology, mode, SETTLING, comm);
            sent[mode] = messages_of(collective) - sent[mode];
        }
        if (sent[BLOCKING] != sent[NONBLOCKING] && ++failures)
            printf("rank %d, %s, %s: %llu messages of a blocking call, %llu of a non-blocking one\n", rank,
                   topology, neighbor_names[collective], sent[BLOCKING], sent[NONBLOCKING]);
        for (int i = 0; i < SETTLED + SETTLING; i++) {
            args.longer_from = i < SETTLED ? size / 2 : -1;
            set_arguments(&args, collective, i < SETTLED ? 2 : 1, i % 2 ? MPI_INT : gapped);
            compare(topology, BLOCKING, SETTLING + i, comm);
            if (i % 16 == 0 && others && *others == '1' && !getenv("WITHOUT_NONBLOCKING"))
                compare(topology, NONBLOCKING, SETTLING + i, comm);
        }
    }
    MPI_Comm_free(&comm);
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
        snprintf(spelling, sizeof spelling, "%s/%s", neighbor_names[c], method);
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
        failures += try_lengths_of_neighbors();
        failures += try_wrong_lengths();
        all = sum_of_failures();
    }
    if (all == 0)
        printf("ALL RIGHT, %d calls\n", calls);
    MPI_Finalize();
    return failures > 0;
}
