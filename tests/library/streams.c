/* SPDX-License-Identifier: BSD-3-Clause */
/* Streams of colltuned.h: each message of random traffic is handled once, where it was sent to, as it was
 * sent, and in order; handlers that send, several streams and phases, and what is wrong. Prints ALL RIGHT at
 * the end.
 *
 * streams: the test. streams lose: a message too many is expected, which must be noticed. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/colltuned.h"

enum { RANKS_MOST = 128, MESSAGES = 300, LONG = 5000, PHASES = 3, STREAMS = 3, HOPS = 6, CHAINS = 20 };

static int rank, size, failures, handled_all;
static MPI_Comm comm;

static unsigned next(unsigned *state)
{
    return (*state = *state * 1103515245 + 12345) >> 16;
}

static void report(const char *what)
{
    if (failures++ < 10)
        printf("rank %d of %d: %s (%s)\n", rank, size, what, colltuned_error());
}

static void expect(int code, int class, const char *what)
{
    if (code != class || (class != MPI_SUCCESS && !*colltuned_error())) {
        report(what);
        printf("   class %d, expected %d\n", code, class);
    }
}

/* --- random traffic --- */

/* What a message begins with, as far as it is long enough; the other bytes follow from it. */
struct head {
    int source;
    int destination;
    int number; /* among those from source to destination */
    int phase;
};

struct traffic {
    unsigned seed;
    int phase;                /* of this rank */
    int numbers[RANKS_MOST];  /* that were sent, by destination */
    int expected[RANKS_MOST]; /* number of the next message, by source */
    int handled;
};

static size_t length_of(unsigned *state)
{
    unsigned kind = next(state) % 16;
    return sizeof(struct head) + (kind == 0 ? LONG : kind == 1 ? 0 : next(state) % 60);
}

static unsigned char letter(const struct head *head, size_t place)
{
    return (unsigned char)(head->source * 5 + head->destination * 3 + head->number * 7 + head->phase +
                           (int)place);
}

static void check_message(colltuned_stream stream, int source, const void *message, size_t bytes,
                          void *context)
{
    struct traffic *traffic = context;
    struct head head;
    const unsigned char *at = message;
    traffic->handled++;
    if (bytes < sizeof head) {
        report("a message is too short");
        return;
    }
    memcpy(&head, message, sizeof head);
    if (head.source != source || head.destination != rank)
        report("a message came to another rank, or from another one");
    if (head.number != traffic->expected[source]++)
        report("messages of one rank are not in order");
    if (head.phase != traffic->phase)
        report("a message is handled in another phase");
    for (size_t i = sizeof head; i < bytes; i++)
        if (at[i] != letter(&head, i)) {
            report("a message has other bytes");
            break;
        }
    if (head.number == 0)
        expect(colltuned_stream_poll(stream), MPI_ERR_OTHER, "a handler polls");
}

static void send_one(colltuned_stream stream, struct traffic *traffic, unsigned *state)
{
    static unsigned char bytes[sizeof(struct head) + LONG];
    size_t length = length_of(state);
    int kind = (int)(next(state) % 8);
    struct head head = {.source = rank,
                        .destination = kind == 0   ? rank
                                       : kind == 1 ? 0
                                                   : (int)next(state) % size,
                        .phase = traffic->phase};
    head.number = traffic->numbers[head.destination]++;
    memcpy(bytes, &head, sizeof head);
    for (size_t i = sizeof head; i < length; i++)
        bytes[i] = letter(&head, i);
    expect(colltuned_stream_send(stream, head.destination, bytes, length), MPI_SUCCESS,
           "a message is refused");
}

/* How many messages a rank sends in a phase; some send none. */
static int amount(unsigned seed, int sender, int phase)
{
    unsigned state = seed + (unsigned)(sender * 31 + phase);
    next(&state);
    return next(&state) % 4 == 0 ? 0 : (int)(next(&state) % MESSAGES);
}

/* All messages to this rank were handled, as the senders say. */
static void compare(const struct traffic *traffic)
{
    int received[RANKS_MOST];
    MPI_Alltoall(traffic->numbers, 1, MPI_INT, received, 1, MPI_INT, comm);
    for (int i = 0; i < size; i++)
        if (received[i] != traffic->expected[i])
            report("messages are missing");
    handled_all += traffic->handled;
}

/* Several streams at a time, each with its own options, and several phases of each. */
static void run_traffic(unsigned seed, const struct colltuned_stream_options *options)
{
    colltuned_stream streams[STREAMS];
    struct traffic traffic[STREAMS];
    unsigned state = seed * 77 + (unsigned)rank;
    for (int i = 0; i < STREAMS; i++) {
        memset(&traffic[i], 0, sizeof traffic[i]);
        traffic[i].seed = seed + (unsigned)i;
        expect(colltuned_stream_open(comm, &options[i], check_message, &traffic[i], &streams[i]), MPI_SUCCESS,
               "a stream is not opened");
    }
    for (int phase = 0; phase < PHASES; phase++) {
        int left[STREAMS], all = 0;
        for (int i = 0; i < STREAMS; i++)
            all += left[i] = amount(seed + (unsigned)i, rank, phase);
        while (all > 0) {
            int i = (int)next(&state) % STREAMS;
            if (left[i] == 0)
                continue;
            send_one(streams[i], &traffic[i], &state);
            left[i]--;
            all--;
            if (next(&state) % 64 == 0)
                expect(colltuned_stream_flush(streams[i]), MPI_SUCCESS, "a flush fails");
            if (next(&state) % 64 == 0)
                expect(colltuned_stream_poll(streams[i]), MPI_SUCCESS, "a poll fails");
        }
        for (int i = 0; i < STREAMS; i++) {
            expect(colltuned_stream_end(streams[i]), MPI_SUCCESS, "an end fails");
            traffic[i].phase++;
        }
    }
    for (int i = 0; i < STREAMS; i++) {
        expect(colltuned_stream_close(&streams[i]), MPI_SUCCESS, "a stream is not closed");
        if (streams[i])
            report("a stream is there after its close");
        compare(&traffic[i]);
    }
}

/* --- handlers that send --- */

static int hops_seen;

static void pass_on(colltuned_stream stream, int source, const void *message, size_t bytes, void *context)
{
    int hops;
    (void)source;
    (void)context;
    hops_seen++;
    if (bytes != sizeof hops) {
        report("a message of another length");
        return;
    }
    memcpy(&hops, message, sizeof hops);
    for (int i = 0; hops > 0 && i < 2; i++) { /* two for one */
        int less = hops - 1;
        expect(colltuned_stream_send(stream, (rank * 3 + hops + i) % size, &less, sizeof less), MPI_SUCCESS,
               "a handler's message is refused");
    }
}

static void run_chains(const struct colltuned_stream_options *options)
{
    colltuned_stream stream;
    const int hops = HOPS;
    int all;
    hops_seen = 0;
    expect(colltuned_stream_open(comm, options, pass_on, NULL, &stream), MPI_SUCCESS, "open");
    for (int i = 0; i < CHAINS && rank == 0; i++)
        expect(colltuned_stream_send(stream, (rank + i) % size, &hops, sizeof hops), MPI_SUCCESS, "send");
    expect(colltuned_stream_end(stream), MPI_SUCCESS, "the end of messages that handlers send");
    MPI_Allreduce(&hops_seen, &all, 1, MPI_INT, MPI_SUM, comm);
    if (all != CHAINS * ((2 << HOPS) - 1))
        report("messages of handlers are missing");
    struct colltuned_stream_counts counts = colltuned_stream_counts(stream);
    if (counts.handled != (unsigned long long)hops_seen)
        report("the counts are wrong");
    expect(colltuned_stream_close(&stream), MPI_SUCCESS, "close");
}

/* --- buckets that leave by age --- */

static int arrived;

static void note(colltuned_stream stream, int source, const void *message, size_t bytes, void *context)
{
    (void)stream;
    (void)source;
    (void)message;
    (void)context;
    arrived += bytes == 1;
}

static void run_age(void)
{
    colltuned_stream stream;
    const struct colltuned_stream_options options = {.bucket_seconds = 1e-6};
    arrived = 0;
    expect(colltuned_stream_open(comm, &options, note, NULL, &stream), MPI_SUCCESS, "open");
    expect(colltuned_stream_send(stream, (rank + 1) % size, "a", 1), MPI_SUCCESS, "send");
    while (arrived == 0)
        expect(colltuned_stream_poll(stream), MPI_SUCCESS, "poll");
    expect(colltuned_stream_close(&stream), MPI_SUCCESS, "close");
    if (arrived != 1)
        report("an old bucket came more than once");
}

/* --- streams with nothing in them, and what is wrong --- */

static void run_empty(const struct colltuned_stream_options *options)
{
    colltuned_stream stream;
    arrived = 0;
    expect(colltuned_stream_open(comm, options, note, NULL, &stream), MPI_SUCCESS, "open");
    expect(colltuned_stream_close(&stream), MPI_SUCCESS, "an empty stream");
    expect(colltuned_stream_open(comm, options, note, NULL, &stream), MPI_SUCCESS, "open");
    expect(colltuned_stream_end(stream), MPI_SUCCESS, "an empty phase");
    expect(colltuned_stream_end(stream), MPI_SUCCESS, "another empty phase");
    expect(colltuned_stream_send(stream, size - 1, NULL, 0), MPI_SUCCESS, "a message without bytes");
    expect(colltuned_stream_end(stream), MPI_SUCCESS, "a phase of these");
    struct colltuned_stream_counts counts = colltuned_stream_counts(stream);
    if (arrived != 0 || counts.sent != 1 || counts.handled != (rank == size - 1 ? (unsigned)size : 0))
        report("messages without bytes");
    expect(colltuned_stream_close(&stream), MPI_SUCCESS, "close");
    expect(colltuned_stream_close(&stream), MPI_SUCCESS, "nothing to close");
}

static void be_wrong(void)
{
    colltuned_stream stream = NULL;
    struct colltuned_stream_options options = {.mesh = 2};
    int is_wrong = rank == size - 1;
    expect(colltuned_stream_open(comm, NULL, is_wrong ? NULL : note, NULL, &stream), MPI_ERR_ARG,
           "no handler");
    options.mesh = is_wrong ? -1 : 2;
    expect(colltuned_stream_open(comm, &options, note, NULL, &stream), MPI_ERR_ARG, "a negative mesh");
    options.mesh = is_wrong && size > 1 ? 3 : 2;
    if (size > 1)
        expect(colltuned_stream_open(comm, &options, note, NULL, &stream), MPI_ERR_ARG, "meshes that differ");
    options.mesh = 0;
    options.bucket_seconds = is_wrong ? -1 : 1;
    expect(colltuned_stream_open(comm, &options, note, NULL, &stream), MPI_ERR_ARG, "a negative age");
    if (stream)
        report("there is a stream after an error");
    arrived = 0;
    expect(colltuned_stream_open(comm, NULL, note, NULL, &stream), MPI_SUCCESS, "open");
    expect(colltuned_stream_send(stream, size, "a", 1), MPI_ERR_RANK, "a rank outside");
    expect(colltuned_stream_send(stream, -1, "a", 1), MPI_ERR_RANK, "a negative rank");
    expect(colltuned_stream_send(stream, 0, "a", (size_t)1 << 31), MPI_ERR_COUNT, "a message too long");
    expect(colltuned_stream_send(stream, 0, "a", 1), MPI_SUCCESS, "after an error");
    expect(colltuned_stream_close(&stream), MPI_SUCCESS, "close");
    if (arrived != (rank == 0 ? size : 0))
        report("messages after an error are missing");
}

int main(int argc, char **argv)
{
    static const struct colltuned_stream_options all[][STREAMS] = {
        {{.bucket_messages = 0}, {.mesh = 2}, {.bucket_messages = 1}},
        {{.mesh = 3, .bucket_messages = 5}, {.bucket_bytes = 100}, {.mesh = 1}},
        {{.mesh = 2, .bucket_bytes = 64}, {.mesh = 31}, {.bucket_messages = 7, .bucket_seconds = 1e-5}},
    };
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        run_traffic(i * 10, all[i]);
        for (int k = 0; k < STREAMS; k++)
            run_chains(&all[i][k]);
        run_empty(&all[i][1]);
    }
    run_empty(NULL);
    run_age();
    be_wrong();
    if (argc > 1) {
        struct traffic none = {.numbers = {1}};
        compare(&none);
    }
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &handled_all, 1, MPI_INT, MPI_SUM, comm);
    if (failures == 0 && handled_all > MESSAGES)
        printf("ALL RIGHT\n");
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return failures > 0;
}
