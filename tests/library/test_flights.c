/* SPDX-License-Identifier: BSD-3-Clause */
/* Many calls in flight on two channels, begun in one order and advanced in another on each rank: all results
 * are right, and so are those of the same calls begun again with other data. With LANES=1 in the environment
 * messages go through the lanes of the node, and calls of a few bytes take shortcuts where all ranks are on
 * it; most leave them, since not all messages are there at once. Flights are made before the channels have
 * their contexts, as those of adaptation are, and calls of both channels have the same tags. */
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/mpi_progress.h"
#include "library/execute/operands.h"
#include "tests/library/open_node.h"

#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 1000, FEW = 2, RANKS_MOST = 16, ROUNDS = 20 };

static const char *const methods[] = {"bcast/chain:seg=64",
                                      "allreduce/ring_segmented:seg=256",
                                      "allgather/bruck",
                                      "alltoall/pairwise",
                                      "reduce/binomial:seg=512",
                                      "bcast/split_binary:seg=64",
                                      "allreduce/recursive_doubling",
                                      "gather/binomial",
                                      "scan/recursive_doubling",
                                      "alltoall/linear_sync:reqs=2",
                                      "barrier/dissemination",
                                      "scatter/binomial"};
enum {
    METHODS = sizeof methods / sizeof methods[0],
    CHANNELS = 2,
    SIZES = 2,
    CALLS = CHANNELS * METHODS * SIZES
};

struct call {
    struct ct_method method;
    int count; /* of a block */
    struct ct_operands operands;
    struct ct_call call;
    struct ct_flight *flight;
    int from[RANKS_MOST * COUNT], to[RANKS_MOST * COUNT];
};

static int rank, size;

static void check(int code)
{
    if (code != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Rank r sends the numbers r + round + 0, 1, ... */
static void fill(struct call *call, int round)
{
    const struct ct_collective_description *about = &ct_collectives[call->method.algorithm->collective];
    for (int i = 0; i < size * call->count; i++) {
        call->from[i] = rank + round + i % call->count;
        call->to[i] = about->one_buffer && rank == 0 ? call->from[i] : -1;
    }
}

/* The number at place i of block `block` of the result. */
static int expected(const struct ct_collective_description *about, int round, int block, int i)
{
    int ranks = about->result[rank > 0] == CT_CONTENTS_OF_FIRST ? rank + 1 : size;
    if (about->reduces)
        return ranks * (round + i) + ranks * (ranks - 1) / 2;
    return (about->has_root && about->input[1] == CT_CONTENTS_NOTHING ? 0 : block) + round + i;
}

static bool is_right(const struct call *call, int round)
{
    const struct ct_collective_description *about = &ct_collectives[call->method.algorithm->collective];
    enum ct_contents result = about->result[about->has_root && rank > 0];
    int blocks = ct_contents_are_many(result) ? size : result != CT_CONTENTS_NOTHING;
    for (int i = 0; about->has_data && i < blocks * call->count; i++)
        if (call->to[i] != expected(about, round, i / call->count, i % call->count))
            return false;
    return true;
}

/* Differs between rounds and between channels. */
static int content_of(int round, int call)
{
    return round * CHANNELS + call % CHANNELS;
}

static void prepare(struct call *call, const char *spelling, int count, struct ct_channel *channel, int tag)
{
    call->count = count;
    if (ct_method_parse(spelling, CT_COLLECTIVES, NULL, &call->method) != CT_OK)
        abort();
    enum ct_collective collective = call->method.algorithm->collective;
    call->operands = ct_reduction(call->from, call->to, (size_t)count, MPI_INT, MPI_SUM, 0);
    if (!ct_collectives[collective].reduces) {
        call->operands.send.count = (size_t)count;
        call->operands.send.type = MPI_INT;
    }
    call->flight = ct_flight_make(channel, tag);
    if (!call->flight)
        abort();
    check(ct_flight_describe(call->flight, collective, &call->operands, &call->call));
    check(ct_flight_plan(call->flight, &call->method, &call->call, true));
}

static void begin(struct call *call)
{
    if (ct_flight_begin_again(call->flight))
        return;
    check(ct_flight_begin(call->flight, call->method.algorithm->collective, &call->operands, &call->call));
}

/* Advances the calls in an order that only this rank has. */
static void advance_in_disorder(struct call *calls, unsigned seed)
{
    bool done[CALLS] = {false};
    srand(seed);
    for (int left = CALLS; left > 0;) {
        int i = rand() % CALLS;
        int code = done[i] ? CT_PENDING : ct_flight_advance(calls[i].flight, CT_UNTIL_TESTED);
        if (code == CT_PENDING)
            continue;
        check(code);
        done[i] = true;
        left--;
    }
}

static void advance_by_progress(struct call *calls)
{
    for (int i = 0; i < CALLS; i++)
        ct_progress_add(calls[i].flight);
    while (ct_progress_is_needed())
        ct_progress();
    for (int i = 0; i < CALLS; i++)
        check(calls[i].flight->code);
}

int main(int argc, char **argv)
{
    struct ct_channel *channels[CHANNELS];
    MPI_Comm comms[CHANNELS];
    int right = true;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const struct ct_node_wishes wishes = {.lanes = true, .sleep = true};
    struct ct_node *node = getenv("LANES") ? open_node_of_world(&wishes) : NULL;
    if (getenv("LANES") && !node)
        abort();
    for (int i = 0; i < CHANNELS; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
        check(ct_channel_open(comms[i], CT_WAIT_YIELD, &channels[i]));
        check(ct_channel_use_lanes(channels[i], node));
    }
    struct call *calls = calloc(CALLS, sizeof *calls);
    if (!calls)
        abort();
    for (int i = 0; i < CALLS; i++)
        prepare(&calls[i], methods[i / CHANNELS % METHODS], i / CHANNELS < METHODS ? COUNT : FEW,
                channels[i % CHANNELS], i / CHANNELS + 1);
    for (int i = 0; i < CHANNELS; i++)
        ct_channel_set_context(channels[i], (unsigned)i + 1);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < CALLS; i++) {
            fill(&calls[i], content_of(round, i));
            begin(&calls[i]);
        }
        if (round % 2 == 0)
            advance_in_disorder(calls, (unsigned)(round * 100 + rank));
        else
            advance_by_progress(calls);
        for (int i = 0; i < CALLS; i++)
            if (!is_right(&calls[i], content_of(round, i))) {
                printf("rank %d, round %d: %s is wrong\n", rank, round, methods[i / CHANNELS % METHODS]);
                right = false;
            }
    }
    int shortcuts = 0;
    for (int i = 0; i < CALLS; i++) {
        shortcuts += calls[i].flight->shortcut != NULL;
        ct_flight_free(calls[i].flight);
    }
    if (rank == 0)
        printf("%d calls take shortcuts\n", shortcuts);
    if (!node != !shortcuts && !getenv("MPIR_CVAR_NUM_CLIQUES"))
        right = false;
    free(calls);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d rounds of %d calls in flight: %s\n", ROUNDS, CALLS, right ? "all right" : "WRONG");
    for (int i = 0; i < CHANNELS; i++) {
        ct_channel_close(channels[i]);
        MPI_Comm_free(&comms[i]);
    }
    ct_node_close(node);
    MPI_Finalize();
    return right ? 0 : 1;
}
