/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages between two ranks of a node: through lanes, through MPI, and by hand-written loads and stores of
 * cache lines that both ranks share; broadcasts with alternating root against memcpy() and native ones; and
 * reductions whose messages are reduced while they arrive, against plans as they are written and native ones.
 */
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/executor.h"
#include "library/execute/operands.h"
#include "tests/benchmarks/blocks.h"
#include "tests/library/open_node.h"

#include <stdio.h>
#include <string.h>

enum { LARGEST = 4 << 20, STEPS = 32, LINE_WORDS = 8 };

struct pair {
    MPI_Comm comm;
    struct ct_channel *channel;
    struct ct_channel *plain; /* carries out plans as they are written */
    struct ct_lane *lane;
    struct ct_method method;
    int rank;
    size_t bytes;
    char *from;
    char *to;
    _Atomic uint64_t *own;   /* a line for each step, which this rank writes */
    _Atomic uint64_t *other; /* those of the other rank */
    uint64_t number;
};

static void store_lines(struct pair *pair, int lines)
{
    pair->number++;
    for (int i = 0; i < lines; i++)
        atomic_store_explicit(&pair->own[i * LINE_WORDS], pair->number, memory_order_release);
}

static void load_lines(struct pair *pair, int lines)
{
    pair->number++;
    for (int i = 0; i < lines; i++)
        while (atomic_load_explicit(&pair->other[i * LINE_WORDS], memory_order_acquire) != pair->number) {
        }
}

static void lines_there_and_back(struct pair *pair, size_t repetitions, int lines)
{
    for (size_t i = 0; i < 2 * repetitions; i++) {
        if ((int)(i & 1) == pair->rank)
            store_lines(pair, lines);
        else
            load_lines(pair, lines);
    }
}

static void line_by_hand(void *context, size_t repetitions)
{
    lines_there_and_back(context, repetitions, 1);
}

static void steps_by_hand(void *context, size_t repetitions)
{
    lines_there_and_back(context, repetitions, STEPS);
}

static void through_lanes(void *context, size_t repetitions)
{
    struct pair *pair = context;
    for (size_t i = 0; i < 2 * repetitions; i++) {
        bool sends = (int)(i & 1) == pair->rank;
        struct ct_transfer transfer = {.lane = pair->lane,
                                       .address = sends ? pair->from : pair->to,
                                       .left = pair->bytes,
                                       .slot = CT_NO_SLOT};
        while (!(sends ? ct_lane_send(&transfer) : ct_lane_receive(&transfer)))
            ct_lane_pass_time(pair->lane); /* as the library does */
    }
}

static void through_mpi(void *context, size_t repetitions)
{
    struct pair *pair = context;
    for (size_t i = 0; i < 2 * repetitions; i++) {
        if ((int)(i & 1) == pair->rank)
            PMPI_Send(pair->from, (int)pair->bytes, MPI_BYTE, 1 - pair->rank, 1, pair->comm);
        else
            PMPI_Recv(pair->to, (int)pair->bytes, MPI_BYTE, 1 - pair->rank, 1, pair->comm, MPI_STATUS_IGNORE);
    }
}

static void copy(void *context, size_t repetitions)
{
    struct pair *pair = context;
    for (size_t i = 0; i < repetitions; i++) {
        memcpy(pair->to, pair->from, pair->bytes);
        __asm__ volatile("" ::: "memory");
    }
}

static void bcast_by_plan(void *context, size_t repetitions)
{
    struct pair *pair = context;
    struct ct_operands operands = ct_broadcast(pair->to, pair->bytes, MPI_BYTE, 0);
    for (size_t i = 0; i < repetitions; i++) {
        operands.root = (int)(i & 1);
        ct_execute(pair->channel, &pair->method, &operands);
    }
}

static void bcast_natively(void *context, size_t repetitions)
{
    struct pair *pair = context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Bcast(pair->to, (int)pair->bytes, MPI_BYTE, (int)(i & 1), pair->comm);
}

/* Plans of many steps of 8 bytes, there and back, as the library carries them out once calls repeat. */
static void steps_by_plan(void *context, size_t repetitions)
{
    struct pair *pair = context;
    struct ct_operands operands[2];
    struct ct_call calls[2];
    struct ct_short_call shorter[2] = {{0}};
    for (int root = 0; root < 2; root++) {
        operands[root] = ct_broadcast(pair->to, pair->bytes, MPI_BYTE, root);
        ct_call_describe(pair->channel, CT_COLLECTIVE_BCAST, &operands[root], &calls[root]);
    }
    for (size_t i = 0; i < 2 * repetitions; i++) {
        const size_t root = i & 1;
        if (ct_short_call_is_kept(&shorter[root])) {
            ct_execute_short(pair->channel, &shorter[root], &pair->method, &operands[root], &calls[root]);
            continue;
        }
        ct_execute_call(pair->channel, &pair->method, &operands[root], &calls[root]);
        ct_short_call_find(pair->channel, &shorter[root]);
    }
}

/* Reductions of doubles. The size is that of the vector in allreduce, of a block in reduce_scatter_block. */
static void reduce_by(struct pair *pair, struct ct_channel *channel, const void *from, size_t repetitions)
{
    const struct ct_operands operands =
        ct_reduction(from, pair->to, pair->bytes / sizeof(double), MPI_DOUBLE, MPI_SUM, 0);
    for (size_t i = 0; i < repetitions; i++)
        ct_execute(channel, &pair->method, &operands);
}

static void reduce_as_written(void *context, size_t repetitions)
{
    struct pair *pair = context;
    reduce_by(pair, pair->plain, pair->from, repetitions);
}

static void reduce_fused(void *context, size_t repetitions)
{
    struct pair *pair = context;
    reduce_by(pair, pair->channel, pair->from, repetitions);
}

static void reduce_in_place_as_written(void *context, size_t repetitions)
{
    struct pair *pair = context;
    reduce_by(pair, pair->plain, MPI_IN_PLACE, repetitions);
}

static void reduce_in_place_fused(void *context, size_t repetitions)
{
    struct pair *pair = context;
    reduce_by(pair, pair->channel, MPI_IN_PLACE, repetitions);
}

static void allreduce_natively(void *context, size_t repetitions)
{
    struct pair *pair = context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Allreduce(pair->from, pair->to, (int)(pair->bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM,
                       pair->comm);
}

static void allreduce_in_place_natively(void *context, size_t repetitions)
{
    struct pair *pair = context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Allreduce(MPI_IN_PLACE, pair->to, (int)(pair->bytes / sizeof(double)), MPI_DOUBLE, MPI_SUM,
                       pair->comm);
}

static void reduce_scatter_natively(void *context, size_t repetitions)
{
    struct pair *pair = context;
    for (size_t i = 0; i < repetitions; i++)
        PMPI_Reduce_scatter_block(pair->from, pair->to, (int)(pair->bytes / sizeof(double)), MPI_DOUBLE,
                                  MPI_SUM, pair->comm);
}

struct way {
    const char *name;
    void (*run)(void *context, size_t repetitions);
};

static const struct way trips[] = {{"through MPI", through_mpi}, {"through lanes", through_lanes}},
                        short_trips[] = {{"by hand", line_by_hand},
                                         {"through lanes", through_lanes},
                                         {"through MPI", through_mpi}},
                        steps[] = {{"by hand", steps_by_hand}, {"by plan", steps_by_plan}},
                        bcasts[] = {{"memcpy", copy},
                                    {"bcast by plan", bcast_by_plan},
                                    {"native bcast", bcast_natively}},
                        allreduces[] = {{"as written", reduce_as_written},
                                        {"fused", reduce_fused},
                                        {"native", allreduce_natively}},
                        allreduces_in_place[] = {{"as written", reduce_in_place_as_written},
                                                 {"fused", reduce_in_place_fused},
                                                 {"native", allreduce_in_place_natively}},
                        reduce_scatters[] = {{"as written", reduce_as_written},
                                             {"fused", reduce_fused},
                                             {"native", reduce_scatter_natively}};

static const struct comparison {
    const char *what;
    size_t bytes;
    size_t repetitions;
    const char *method;
    const struct way *ways;
    size_t count;
} comparisons[] = {
    {"round trips", 8, 1000, "bcast/binomial", short_trips, 3},
    {"round trips", 1 << 10, 1000, "bcast/binomial", trips, 2},
    {"round trips", 64 << 10, 50, "bcast/binomial", trips, 2},
    {"round trips", 1 << 20, 3, "bcast/binomial", trips, 2},
    {"32 steps of 8 bytes, there and back", STEPS * sizeof(uint64_t), 200, "bcast/binomial:seg=8", steps, 2},
    {"broadcasts", 64 << 10, 100, "bcast/binomial", bcasts, 3},
    {"broadcasts", 256 << 10, 20, "bcast/binomial", bcasts, 3},
    {"broadcasts", 1 << 20, 5, "bcast/binomial", bcasts, 3},
    {"broadcasts", LARGEST, 2, "bcast/binomial", bcasts, 3},
    {"allreduce/ring", 1 << 10, 1000, "allreduce/ring", allreduces, 3},
    {"allreduce/ring", 16 << 10, 200, "allreduce/ring", allreduces, 3},
    {"allreduce/ring", 256 << 10, 20, "allreduce/ring", allreduces, 3},
    {"allreduce/ring", 1 << 20, 5, "allreduce/ring", allreduces, 3},
    {"allreduce/ring", LARGEST, 2, "allreduce/ring", allreduces, 3},
    {"allreduce/ring in place", 16 << 10, 200, "allreduce/ring", allreduces_in_place, 3},
    {"allreduce/ring in place", 256 << 10, 20, "allreduce/ring", allreduces_in_place, 3},
    {"allreduce/ring in place", LARGEST, 2, "allreduce/ring", allreduces_in_place, 3},
    {"reduce_scatter_block/pairwise", 16 << 10, 200, "reduce_scatter_block/pairwise", reduce_scatters, 3},
    {"reduce_scatter_block/pairwise", 256 << 10, 20, "reduce_scatter_block/pairwise", reduce_scatters, 3},
    {"reduce_scatter_block/pairwise", LARGEST / 2, 2, "reduce_scatter_block/pairwise", reduce_scatters, 3},
};

static void compare(struct pair *pair, const struct comparison *comparison)
{
    enum { BLOCKS = 200 };
    static struct contender contenders[3];
    for (size_t i = 0; i < comparison->count; i++) {
        contenders[i].name = comparison->ways[i].name;
        contenders[i].run = comparison->ways[i].run;
    }
    blocks_repeat(contenders, comparison->count, comparison->repetitions);
    pair->bytes = comparison->bytes;
    if (ct_method_parse(comparison->method, CT_COLLECTIVES, NULL, &pair->method) != CT_OK)
        MPI_Abort(MPI_COMM_WORLD, 1);
    blocks_run(contenders, comparison->count, BLOCKS, pair);
    if (pair->rank != 0)
        return;
    printf("%s, %zu bytes, %d blocks of %zu\n", comparison->what, comparison->bytes, BLOCKS,
           comparison->repetitions);
    blocks_print(contenders, comparison->count, BLOCKS, 1e-6, "us");
}

/* The line of each rank, in memory of both. */
static MPI_Win make_lines(struct pair *pair)
{
    MPI_Win window;
    MPI_Aint size;
    int unit;
    void *own, *other;
    PMPI_Win_allocate_shared(STEPS * LINE_WORDS * sizeof(uint64_t), 1, MPI_INFO_NULL, pair->comm, &own,
                             &window);
    memset(own, 0, STEPS * LINE_WORDS * sizeof(uint64_t));
    PMPI_Win_shared_query(window, 1 - pair->rank, &size, &unit, &other);
    pair->own = own;
    pair->other = other;
    PMPI_Barrier(pair->comm);
    return window;
}

static struct ct_channel *open_channel(MPI_Comm comm, struct ct_node *node)
{
    struct ct_channel *channel = NULL;
    if (!node || ct_channel_open(comm, CT_WAIT_SPIN, &channel) != MPI_SUCCESS ||
        ct_channel_use_lanes(channel, node) != MPI_SUCCESS) {
        fprintf(stderr, "bench_node: expected 2 ranks on one node\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    ct_channel_set_context(channel, 1);
    return channel;
}

int main(int argc, char **argv)
{
    static _Alignas(CT_LINE) char from[LARGEST], to[LARGEST];
    const struct ct_node_wishes wishes = {.lanes = true}, plain_wishes = {.lanes = true, .plain = true};
    struct pair pair = {.from = from, .to = to};
    MPI_Comm plain_comm;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &pair.rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &pair.comm);
    MPI_Comm_dup(MPI_COMM_WORLD, &plain_comm);
    struct ct_node *node = size == 2 ? open_node_of_world(&wishes) : NULL;
    struct ct_node *plain = node ? open_node_of_world(&plain_wishes) : NULL;
    pair.channel = open_channel(pair.comm, node);
    pair.plain = open_channel(plain_comm, plain);
    pair.lane = ct_node_lane(node, 1 - pair.rank);
    MPI_Win window = make_lines(&pair);
    for (size_t i = 0; i < sizeof comparisons / sizeof comparisons[0]; i++)
        compare(&pair, &comparisons[i]);
    ct_channel_close(pair.channel);
    ct_channel_close(pair.plain);
    MPI_Win_free(&window);
    ct_node_close(node);
    ct_node_close(plain);
    MPI_Comm_free(&pair.comm);
    MPI_Comm_free(&plain_comm);
    MPI_Finalize();
    return 0;
}
