/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges of colltuned.h on random patterns: what arrives is what was sent; and what is wrong at one rank
 * is an error at all, after which exchanges go on. Prints ALL RIGHT at the end.
 *
 * exchanges KNOWN UNKNOWN: the methods that must be in force, as "grid:dims=3".
 * exchanges fatal: a wrong rank, where errors end the job. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/colltuned.h"

enum { EDGES_MOST = 512, LENGTHS = 40, LONG = 70000, ROUNDS = 3, KINDS = 6, TOGETHER = 3 };

struct edge {
    int from;
    int to;
    size_t length;
};

static int rank, size, failures, compared;
static MPI_Comm comm;

static unsigned next(unsigned *state)
{
    return (*state = *state * 1103515245 + 12345) >> 16;
}

static void report(const char *what)
{
    failures++;
    printf("rank %d of %d: %s (%s)\n", rank, size, what, colltuned_error());
}

static void expect(int code, int class, const char *what)
{
    if (code != class || (class != MPI_SUCCESS && !*colltuned_error())) {
        report(what);
        printf("   class %d, expected %d\n", code, class);
    }
}

/* --- patterns --- */

/* The same at all ranks; also several edges between two ranks, and of a rank to itself. */
static int make_edges(unsigned seed, struct edge *edges)
{
    unsigned state = seed;
    int kind = (int)seed % KINDS;
    int count = kind == 0 ? 0 : kind == 1 ? (int)(next(&state) % 5) : (int)(next(&state) % EDGES_MOST);
    for (int i = 0; i < count; i++) {
        edges[i].from = kind == 2 && i % 2 ? 0 : (int)next(&state) % size;
        edges[i].to = kind == 3 && i % 2 ? size - 1 : (int)next(&state) % size;
        edges[i].length = kind == 4 && i % 16 == 0 ? LONG : next(&state) % LENGTHS;
    }
    return count;
}

static unsigned char letter(const struct edge *edges, int edge, size_t place, int round)
{
    return (unsigned char)(edges[edge].from * 31 + edges[edge].to * 17 + edge * 7 + (int)place * 3 + round);
}

/* This rank's part of a pattern. */
struct part {
    int out, in;
    int destinations[EDGES_MOST], sources[EDGES_MOST];
    int out_edges[EDGES_MOST], in_edges[EDGES_MOST]; /* by block */
    size_t lengths[EDGES_MOST], source_lengths[EDGES_MOST];
    size_t sent, received;
};

/* Sources by rank, or, if `turned`, in the opposite order of ranks. */
static void take_part(const struct edge *edges, int count, int turned, struct part *part)
{
    memset(part, 0, sizeof *part);
    for (int i = 0; i < count; i++) {
        if (edges[i].from != rank)
            continue;
        part->destinations[part->out] = edges[i].to;
        part->lengths[part->out] = edges[i].length;
        part->sent += edges[i].length;
        part->out_edges[part->out++] = i;
    }
    for (int k = 0; k < size; k++)
        for (int i = 0; i < count; i++) {
            if (edges[i].to != rank || edges[i].from != (turned ? size - 1 - k : k))
                continue;
            part->sources[part->in] = edges[i].from;
            part->source_lengths[part->in] = edges[i].length;
            part->received += edges[i].length;
            part->in_edges[part->in++] = i;
        }
}

static unsigned char *fill(const struct edge *edges, const struct part *part, int round)
{
    unsigned char *send = malloc(part->sent + 1), *to = send;
    for (int i = 0; i < part->out; i++)
        for (size_t k = 0; k < part->lengths[i]; k++)
            *to++ = letter(edges, part->out_edges[i], k, round);
    return send;
}

static int is_right(const struct edge *edges, const struct part *part, int round, const unsigned char *recv)
{
    for (int i = 0; i < part->in; i++)
        for (size_t k = 0; k < part->source_lengths[i]; k++)
            if (*recv++ != letter(edges, part->in_edges[i], k, round))
                return 0;
    compared++;
    return 1;
}

/* --- right exchanges --- */

enum { KNOWN, WITHOUT_LENGTHS, UNKNOWN, FORMS };

static colltuned_exchange make(const struct part *part, int form)
{
    colltuned_exchange exchange = NULL;
    expect(colltuned_exchange_make(comm, part->out, part->destinations, part->lengths,
                                   form == UNKNOWN ? COLLTUNED_UNKNOWN : part->in, part->sources,
                                   form == KNOWN ? part->source_lengths : NULL, &exchange),
           MPI_SUCCESS, "an exchange is not made");
    return exchange;
}

static void compare_sources(const struct part *part, colltuned_exchange exchange)
{
    const int *sources;
    const size_t *lengths;
    int count;
    colltuned_exchange_sources(exchange, &count, &sources, &lengths);
    if (count != part->in ||
        (count > 0 && (memcmp(sources, part->sources, (size_t)count * sizeof *sources) ||
                       memcmp(lengths, part->source_lengths, (size_t)count * sizeof *lengths))))
        report("other sources");
}

static void wait_for(colltuned_exchange exchange, int by_tests)
{
    int done = 0, code = MPI_SUCCESS;
    while (by_tests && !done && code == MPI_SUCCESS)
        code = colltuned_exchange_test(exchange, &done);
    expect(by_tests ? code : colltuned_exchange_wait(exchange), MPI_SUCCESS, "an exchange fails");
}

static void repeat(unsigned seed, int form, const char *method)
{
    static struct edge edges[EDGES_MOST];
    static struct part part;
    take_part(edges, make_edges(seed, edges), form != UNKNOWN && seed % 2, &part);
    colltuned_exchange exchange = make(&part, form);
    if (!exchange)
        return;
    compare_sources(&part, exchange);
    if (strcmp(strchr(colltuned_exchange_method(exchange), '/') + 1, method) != 0)
        report(colltuned_exchange_method(exchange));
    for (int round = 0; round < ROUNDS; round++) {
        unsigned char *send = fill(edges, &part, round), *recv = malloc(part.received + 1);
        expect(colltuned_exchange_start(exchange, send, round == 1 ? part.lengths : NULL, recv), MPI_SUCCESS,
               "an exchange is not started");
        wait_for(exchange, round == 2);
        if (!is_right(edges, &part, round, recv))
            report("a repeated exchange brings something else");
        free(send);
        free(recv);
    }
    expect(colltuned_exchange_free(&exchange), MPI_SUCCESS, "an exchange is not freed");
}

/* Several exchanges are under way, started and completed in different orders at different ranks. */
static void overlap(unsigned seed)
{
    static struct edge edges[TOGETHER][EDGES_MOST];
    static struct part parts[TOGETHER];
    colltuned_exchange exchanges[TOGETHER];
    unsigned char *sends[TOGETHER], *recvs[TOGETHER];
    for (int i = 0; i < TOGETHER; i++) {
        take_part(edges[i], make_edges(seed + (unsigned)i, edges[i]), 0, &parts[i]);
        exchanges[i] = make(&parts[i], i % FORMS);
    }
    for (int i = 0; i < TOGETHER; i++) {
        int k = (i + rank) % TOGETHER;
        sends[k] = fill(edges[k], &parts[k], k);
        recvs[k] = malloc(parts[k].received + 1);
        expect(colltuned_exchange_start(exchanges[k], sends[k], NULL, recvs[k]), MPI_SUCCESS, "start");
    }
    for (int i = 0; i < TOGETHER; i++) {
        int k = (TOGETHER - 1 - i + rank) % TOGETHER;
        wait_for(exchanges[k], i == 1);
        if (!is_right(edges[k], &parts[k], k, recvs[k]))
            report("exchanges at a time bring something else");
        free(sends[k]);
        free(recvs[k]);
        colltuned_exchange_free(&exchanges[k]);
    }
}

static void at_once(unsigned seed, const char *method)
{
    static struct edge edges[EDGES_MOST];
    static struct part part;
    struct colltuned_arrivals arrivals;
    take_part(edges, make_edges(seed, edges), 0, &part);
    unsigned char *send = fill(edges, &part, 5);
    int code = colltuned_exchange_once(comm, part.out, part.destinations, part.lengths, send, &arrivals);
    expect(code, MPI_SUCCESS, "an exchange at once fails");
    free(send);
    if (code != MPI_SUCCESS)
        return;
    if (strcmp(strchr(arrivals.method, '/') + 1, method) != 0)
        report(arrivals.method);
    if (arrivals.count != part.in ||
        (part.in > 0 &&
         (memcmp(arrivals.sources, part.sources, (size_t)part.in * sizeof *part.sources) ||
          memcmp(arrivals.lengths, part.source_lengths, (size_t)part.in * sizeof *part.source_lengths))) ||
        !is_right(edges, &part, 5, arrivals.data))
        report("an exchange at once brings something else");
    colltuned_arrivals_free(&arrivals);
}

/* --- errors --- */

enum {
    NO_RANK,
    NEGATIVE_RANK,
    NEGATIVE_COUNT,
    NO_LIST,
    TOO_LONG,
    MORE_SOURCES,
    FEWER_SOURCES,
    OTHER_LENGTH,
    WRONGS
};

static const int classes[WRONGS] = {MPI_ERR_RANK,  MPI_ERR_RANK,     MPI_ERR_COUNT,    MPI_ERR_ARG,
                                    MPI_ERR_COUNT, MPI_ERR_TOPOLOGY, MPI_ERR_TOPOLOGY, MPI_ERR_TRUNCATE};

/* One rank is wrong; a ring of all. */
static void be_wrong(int wrong)
{
    colltuned_exchange exchange = NULL;
    struct colltuned_arrivals arrivals = {0};
    const int is_wrong = rank == size / 2;
    const int right = (rank + 1) % size, left = (rank + size - 1) % size;
    int destination = right, count = 1, in = 1, sources[2] = {left, left};
    size_t length = 8, lengths[2] = {8, 8};
    const int *destinations = &destination;
    char data[8] = "";
    if (is_wrong && wrong == NO_RANK)
        destination = size;
    if (is_wrong && wrong == NEGATIVE_RANK)
        destination = -1;
    if (is_wrong && wrong == NEGATIVE_COUNT)
        count = -3;
    if (is_wrong && wrong == NO_LIST)
        destinations = NULL;
    if (is_wrong && wrong == TOO_LONG)
        length = (size_t)1 << 40;
    if (is_wrong && wrong == MORE_SOURCES)
        in = 2;
    if (is_wrong && wrong == FEWER_SOURCES)
        in = 0;
    if (is_wrong && wrong == OTHER_LENGTH)
        lengths[0] = 9;
    expect(colltuned_exchange_make(comm, count, destinations, &length, in, sources, lengths, &exchange),
           classes[wrong], "a wrong exchange is made");
    if (exchange)
        report("there is an exchange after an error");
    if (wrong <= TOO_LONG)
        expect(colltuned_exchange_once(comm, count, destinations, &length, data, &arrivals), classes[wrong],
               "a wrong exchange is carried out");
}

/* One rank calls with other lengths than it has made the exchange with. */
static void change(int is_again)
{
    colltuned_exchange exchange;
    const int changes = rank == 0 && !is_again;
    int right = (rank + 1) % size, left = (rank + size - 1) % size, done;
    size_t length = 8, other = 3;
    char send[8] = "seven..", recv[8] = "";
    expect(colltuned_exchange_make(comm, 1, &right, &length, 1, &left, &length, &exchange), MPI_SUCCESS,
           "make");
    for (int round = 0; round < 2; round++) {
        int is_wrong = round == 0 && changes;
        expect(colltuned_exchange_start(exchange, send, is_wrong ? &other : &length, recv), MPI_SUCCESS,
               "start after a change");
        if (round == 1)
            expect(colltuned_exchange_start(exchange, send, NULL, recv), MPI_ERR_REQUEST, "started twice");
        int code = colltuned_exchange_wait(exchange);
        int all = MPI_SUCCESS, own = code;
        MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, comm);
        if (round == 0 && !is_again) {
            if (rank == 0)
                expect(code, MPI_ERR_COUNT, "changed lengths");
#ifndef SMPI_H /* which does not say how long a message was */
            else if (rank == 1)
                expect(code, MPI_ERR_TRUNCATE, "the lengths of another rank have changed");
#endif
            continue;
        }
        expect(all, MPI_SUCCESS, "after a change");
        if (memcmp(send, recv, sizeof send) != 0)
            report("after a change something else arrives");
    }
    expect(colltuned_exchange_test(exchange, &done), MPI_SUCCESS,
           "a test of an exchange that is not started");
    if (!done)
        report("an exchange that is not started is under way");
    expect(colltuned_exchange_wait(exchange), MPI_SUCCESS, "a wait for one");
    colltuned_exchange_free(&exchange);
    if (exchange)
        report("an exchange is there after it was freed");
    expect(colltuned_exchange_free(&exchange), MPI_SUCCESS, "nothing is freed");
}

/* A rank that waits in a receive forwards blocks meanwhile. */
static void wait_elsewhere(unsigned seed)
{
    static struct edge edges[EDGES_MOST];
    static struct part part;
    take_part(edges, make_edges(seed, edges), 0, &part);
    colltuned_exchange exchange = make(&part, KNOWN);
    unsigned char *send = fill(edges, &part, 1), *recv = malloc(part.received + 1);
    int token = 0;
    expect(colltuned_exchange_start(exchange, send, NULL, recv), MPI_SUCCESS, "start");
    if (rank > 0)
        MPI_Recv(&token, 1, MPI_INT, rank - 1, 9, comm, MPI_STATUS_IGNORE);
    expect(colltuned_exchange_wait(exchange), MPI_SUCCESS, "wait");
    if (rank + 1 < size)
        MPI_Send(&token, 1, MPI_INT, rank + 1, 9, comm);
    if (!is_right(edges, &part, 1, recv))
        report("an exchange beside a receive brings something else");
    free(send);
    free(recv);
    colltuned_exchange_free(&exchange);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc == 2) {
        comm = MPI_COMM_WORLD;
        be_wrong(NO_RANK);
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (unsigned seed = 0; seed < 3 * KINDS; seed++) {
        repeat(seed, (int)(seed / KINDS) % FORMS, argv[1]);
        at_once(seed, argv[2]);
    }
    overlap(100);
    overlap(104);
    for (int wrong = 0; wrong < WRONGS && size > 1; wrong++) {
        be_wrong(wrong);
        repeat(11, KNOWN, argv[1]);
    }
    if (size > 1)
        change(0);
    change(1);
    if (getenv("MOVES"))
        wait_elsewhere(5);
    MPI_Comm_free(&comm);
    comm = MPI_COMM_WORLD; /* which MPI_Finalize frees */
    at_once(5, argv[2]);
    MPI_Allreduce(MPI_IN_PLACE, &failures, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (failures == 0 && compared > 0)
        printf("ALL RIGHT\n");
    MPI_Finalize();
    return failures > 0;
}
