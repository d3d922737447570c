/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads call collectives, each on communicators of its own, through the tuned library that is
 * linked in: results are right, and every call is counted. While other threads make communicators, calls may
 * be native; afterwards none is, unless methods are tried. The recorded profile adds up, too. It is run as it
 * is, and under ThreadSanitizer. Usage: test_threads [race | late | adapt]: with `race` the threads also
 * race, which the sanitizer must notice; with `late` MPI_Init goes past the library, which then begins in the
 * threads; with `adapt` methods are chosen while the threads run. Exits 77 if the MPI library does not
 * support threads. */
#include "library/colltuned.h"
#include "library/compiled.h"

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    THREADS = 4,
    COMMUNICATORS = 3,
    ROUNDS = 20,
    COUNT = 300,
    CALLS = THREADS * (COMMUNICATORS + 1) * ROUNDS
};

/* The decisions that are compiled in. */
static struct ct_compiled_choice first(const struct ct_features *features)
{
    (void)features;
    return (struct ct_compiled_choice){0, 0};
}

static struct ct_compiled_choice second(const struct ct_features *features)
{
    (void)features;
    return (struct ct_compiled_choice){1, 1};
}

static struct ct_compiled_choice third(const struct ct_features *features)
{
    (void)features;
    return (struct ct_compiled_choice){2, 2};
}

static const char *const methods[] = {"barrier/dissemination", "bcast/binomial", "allgather/bruck"};
const struct ct_compiled_decisions ct_compiled_decisions = {
    .provenance = "a test",
    .methods = methods,
    .method_count = sizeof methods / sizeof methods[0],
    .decide = {
        [CT_COLLECTIVE_BARRIER] = first, [CT_COLLECTIVE_BCAST] = second, [CT_COLLECTIVE_ALLGATHER] = third}};

struct thread {
    pthread_t thread;
    MPI_Comm comm;
    bool right;
    unsigned long long native; /* bcasts of the process before the calls at the end */
};

static pthread_barrier_t together; /* so that all begin at once */
static volatile int raced;
static bool races;

/* One call of each kind; pairs of ints with a gap are packed. */
static bool call_all(MPI_Comm comm, MPI_Datatype gapped, int number)
{
    int rank, size, words[2 * COUNT], all[64];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 2 * COUNT; i++)
        words[i] = rank == 0 ? number + i : -1;
    MPI_Bcast(words, number % COUNT + 1, gapped, 0, comm);
    bool right = words[2 * (number % COUNT)] == number + 2 * (number % COUNT);
    right = right && words[1] == (rank == 0 ? number + 1 : -1);
    int value = number + rank;
    MPI_Allgather(&value, 1, MPI_INT, all, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        right = right && all[i] == number + i;
    MPI_Barrier(comm);
    return right;
}

/* A ring, whose calls forward blocks and so set routes up. Each rank has a number for the one below and one
 * for the one above. */
static bool call_neighbors(MPI_Comm comm, int number)
{
    MPI_Comm ring;
    int rank, size;
    bool right = true;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Cart_create(comm, 1, &size, &(int){1}, 0, &ring);
    for (int round = 0; round < ROUNDS; round++) {
        const int below = (rank + size - 1) % size, above = (rank + 1) % size,
                  mine = number + 10 * rank + round;
        int sent[2] = {mine, -mine}, received[2];
        MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring);
        right = right && received[0] == -(number + 10 * below + round) &&
                received[1] == number + 10 * above + round;
    }
    MPI_Comm_free(&ring);
    return right;
}

/* Bcasts of this process that were native. */
static unsigned long long native_bcasts(void)
{
    struct colltuned_counter counters[128];
    size_t count = colltuned_counters(counters, sizeof counters / sizeof counters[0]);
    for (size_t i = 0; i < count; i++)
        if (strcmp(counters[i].method, "bcast/native") == 0)
            return counters[i].calls;
    return 0;
}

/* Calls on a communicator that is there, when no thread of any rank makes one. The first of them may still
 * make what the library needs. */
static void call_at_last(struct thread *thread, MPI_Comm comm, MPI_Datatype gapped)
{
    pthread_barrier_wait(&together);
    PMPI_Barrier(thread->comm);
    pthread_barrier_wait(&together);
    thread->native = native_bcasts();
    pthread_barrier_wait(&together);
    for (int round = 0; round < ROUNDS; round++)
        thread->right = call_all(comm, gapped, round) && thread->right;
    pthread_barrier_wait(&together);
}

static void *run(void *argument)
{
    struct thread *thread = argument;
    int own = 1, sum = 0, size;
    MPI_Datatype gapped;
    MPI_Type_create_resized(MPI_INT, 0, 2 * (MPI_Aint)sizeof(int), &gapped);
    MPI_Type_commit(&gapped);
    pthread_barrier_wait(&together);
    MPI_Allreduce(&own, &sum, 1, MPI_INT, MPI_SUM, thread->comm);
    MPI_Comm_size(thread->comm, &size);
    thread->right = sum == size;
    for (int c = 0; c < COMMUNICATORS; c++) {
        MPI_Comm comm;
        MPI_Comm_dup(thread->comm, &comm);
        for (int round = 0; round < ROUNDS; round++)
            thread->right = call_all(comm, gapped, c * ROUNDS + round) && thread->right;
        thread->right = call_neighbors(comm, 1000 * c) && thread->right;
        if (c + 1 == COMMUNICATORS)
            call_at_last(thread, comm, gapped);
        MPI_Comm_free(&comm);
        if (races)
            raced++;
    }
    MPI_Type_free(&gapped);
    return NULL;
}

/* Is this the counter of the method, or of the native one of its collective? */
static bool is_counter_of(const struct colltuned_counter *counter, const char *method)
{
    size_t collective = strcspn(method, "/");
    return strcmp(counter->method, method) == 0 || (strncmp(counter->method, method, collective) == 0 &&
                                                    strcmp(counter->method + collective, "/native") == 0);
}

/* Does the library count the calls of all threads? Native ones are among them where methods are tried, and
 * may be among them while other threads make communicators. */
static bool are_counted(bool adapts)
{
    struct colltuned_counter counters[128];
    size_t count = colltuned_counters(counters, sizeof counters / sizeof counters[0]);
    bool counted = true;
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        unsigned long long calls = 0, native = 0;
        for (size_t i = 0; i < count; i++)
            if (is_counter_of(&counters[i], methods[m])) {
                calls += counters[i].calls;
                native += strcmp(counters[i].method, methods[m]) != 0 ? counters[i].calls : 0;
            }
        counted = counted && calls == CALLS && native < calls && (!adapts || native > 0);
    }
    return counted;
}

/* Do the profile's lines for bcast, whose sizes repeat, add up? It has no calls that are native because their
 * communicator has no private one. */
static bool is_profiled(const char *path, unsigned long long native)
{
    char line[256], method[64];
    unsigned long long calls, sum = 0;
    int rank;
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%d,bcast,blocking,%*d,%*d,\"%63[^\"]\",%llu", &rank, method, &calls) == 3 &&
            rank == 0)
            sum += calls;
    fclose(file);
    return sum <= CALLS && sum >= CALLS - native;
}

int main(int argc, char **argv)
{
    struct thread threads[THREADS];
    char profile[] = "/tmp/threads-XXXXXX";
    int provided, rank;
    int file = mkstemp(profile);
    if (file < 0 || setenv("COLLTUNE_PROFILE", profile, 1) != 0 ||
        setenv("COLLTUNE_NEIGHBOR_ALLTOALL", "grid", 1) != 0)
        return 1;
    close(file);
    races = argc > 1 && strcmp(argv[1], "race") == 0;
    bool is_late = argc > 1 && strcmp(argv[1], "late") == 0;
    bool adapts = argc > 1 && strcmp(argv[1], "adapt") == 0;
    if (adapts && setenv("COLLTUNE_ADAPT", "1,model", 1) != 0)
        return 1;
    /* It is no table, but takes a while to read, so that all threads meet in the beginning. */
    if (is_late && setenv("COLLTUNE_TABLE", "/proc/self/exe", 1) != 0)
        return 1;
    (is_late ? PMPI_Init_thread : MPI_Init_thread)(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool right = true;
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; provided == MPI_THREAD_MULTIPLE && i < THREADS; i++)
        PMPI_Comm_dup(MPI_COMM_WORLD, &threads[i].comm);
    for (int i = 0; provided == MPI_THREAD_MULTIPLE && i < THREADS; i++)
        if (pthread_create(&threads[i].thread, NULL, run, &threads[i]) != 0)
            abort();
    for (int i = 0; provided == MPI_THREAD_MULTIPLE && i < THREADS; i++) {
        pthread_join(threads[i].thread, NULL);
        right = right && threads[i].right;
        PMPI_Comm_free(&threads[i].comm);
    }
    pthread_barrier_destroy(&together);
    const unsigned long long native = native_bcasts();
    bool counted = are_counted(adapts) && (adapts || native == threads[0].native);
    MPI_Finalize();
    /* Without MPI_Init each rank writes a file of its own. */
    char part[sizeof profile + 2];
    snprintf(part, sizeof part, "%s%s", profile, is_late ? ".0" : "");
    bool profiled = rank != 0 || is_profiled(part, native);
    remove(profile);
    remove(part);
    if (provided != MPI_THREAD_MULTIPLE)
        return 77;
    printf("rank %d: results %s, counters %s, profile %s\n", rank, right ? "right" : "WRONG",
           counted ? "right" : "WRONG", profiled ? "right" : "WRONG");
    return right && counted && profiled ? 0 : 1;
}
