/* SPDX-License-Identifier: BSD-3-Clause */
#include "measure/benchmark/sparse_call.h"
#include "library/communicators/private_comm.h"
#include "library/execute/channel.h"
#include "library/execute/describe_call.h"
#include "library/execute/topology.h"
#include "library/interpose/interpose_internal.h"
#include "library/mpi/backend_mpi.h"
#include "library/sparse/sparse_calls.h"
#include "measure/benchmark/groups.h"
#include "measure/benchmark/program.h"
#include "measure/benchmark/start.h"
#include "measure/benchmark/user_call.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Calls of sparse collectives: communicators with the topology of a pattern, and buffers. All data are bytes.
 * The simulator's MPI has neither such communicators nor such functions: there the library is told the
 * neighbors, and called where its own functions call it. */

/* Does a rank send the same block to all destinations? */
static bool sends_one_slice(enum ct_collective collective)
{
    return ct_collectives[collective].input[0] == CT_CONTENTS_OWN;
}

/* The neighbors of this rank, in the order of the edges. */
static void find_neighbors(const struct ct_bench *bench, const struct ct_job_cell *cell,
                           struct ct_bench_sparse *sparse)
{
    const struct ct_job_pattern *pattern = &bench->job.patterns[cell->pattern - 1];
    const double mean = ct_edges_mean(pattern->edges, pattern->count);
    size_t out = 0, in = 0, at_out = 0, at_in = 0;
    for (size_t i = 0; i < pattern->count; i++) {
        out += pattern->edges[i].from == bench->rank;
        in += pattern->edges[i].to == bench->rank;
    }
    sparse->ends = ct_bench_allocate(out + in + 1, sizeof *sparse->ends);
    sparse->lengths = ct_bench_allocate(out + in + 1, sizeof *sparse->lengths);
    for (size_t i = 0; i < pattern->count; i++) {
        const struct ct_edge *edge = &pattern->edges[i];
        const size_t length = ct_edge_bytes(cell->collective, edge, mean, cell->key.msg_bytes);
        if (edge->from == bench->rank) {
            sparse->ends[at_out] = edge->to;
            sparse->lengths[at_out++] = length;
        }
        if (edge->to == bench->rank) {
            sparse->ends[out + at_in] = edge->from;
            sparse->lengths[out + at_in++] = length;
        }
    }
    sparse->neighbors = (struct ct_neighbors){.out_count = out,
                                              .out = sparse->ends,
                                              .out_lengths = sparse->lengths,
                                              .in_count = in,
                                              .in = sparse->ends + out,
                                              .in_lengths = sparse->lengths + out};
}

/* --- the communicator --- */

static void open_comm(const struct ct_bench_group *group, struct ct_bench_sparse *sparse)
{
    const struct ct_neighbors *neighbors = &sparse->neighbors;
#if CT_SIMULATED
    ct_bench_check(PMPI_Comm_dup(group->comm, &sparse->comm), "MPI_Comm_dup");
    ct_bench_check(ct_topology_attach(sparse->comm, neighbors), "telling neighbors");
#else
    ct_bench_check(PMPI_Dist_graph_create_adjacent(group->comm, (int)neighbors->in_count, neighbors->in,
                                                   MPI_UNWEIGHTED, (int)neighbors->out_count, neighbors->out,
                                                   MPI_UNWEIGHTED, MPI_INFO_NULL, false, &sparse->comm),
                   "MPI_Dist_graph_create_adjacent");
#endif
    struct ct_private_comm *own = ct_private_comm_of(sparse->comm);
    if (!own || !own->channel || own->agreement != CT_AGREEMENT_AGREED)
        return;
    ct_channel_set_policy(own->channel, group->policy);
    sparse->channel = own->channel;
}

/* --- buffers --- */

static size_t sum_of(const size_t *lengths, size_t count)
{
    size_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += lengths[i];
    if (sum > INT_MAX)
        ct_bench_abort("%zu neighbors with %zu bytes in all are too many", count, sum);
    return sum;
}

/* Blocks of a v or w form, end to end. */
static void set_blocks(struct ct_bench_sparse *sparse, unsigned which, const size_t *lengths, size_t count,
                       struct ct_side *side)
{
    const bool is_wide = sparse->call.collective == CT_COLLECTIVE_NEIGHBOR_ALLTOALLW;
    int *counts = ct_bench_allocate(count + 1, sizeof *counts);
    int *places = ct_bench_allocate(count + 1, sizeof *places);
    MPI_Aint *wide = ct_bench_allocate(count + 1, sizeof *wide);
    MPI_Datatype *types = ct_bench_allocate(count + 1, sizeof *types);
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        counts[i] = (int)lengths[i];
        places[i] = (int)at;
        wide[i] = (MPI_Aint)at;
        types[i] = MPI_BYTE;
        at += lengths[i];
    }
    sparse->arrays[which] = (struct ct_bench_arrays){counts, places, wide, types};
    side->counts = counts;
    side->displacements = is_wide ? (const void *)wide : (const void *)places;
    side->types = is_wide ? types : NULL;
    side->has_large_places = is_wide;
}

static void set_sparse_side(struct ct_bench_sparse *sparse, unsigned which, bool varies, void *buffer,
                            const size_t *lengths, size_t count, size_t own, struct ct_side *side)
{
    *side = (struct ct_side){.buffer = buffer, .count = own, .type = MPI_BYTE};
    if (!varies)
        return;
    side->count = 0;
    set_blocks(sparse, which, lengths, count, side);
}

/* What a rank sends in an allgather, which it knows also if it has no neighbors. */
static size_t own_length(const struct ct_bench *bench, const struct ct_job_cell *cell)
{
    const struct ct_edge own = {.from = bench->rank};
    return ct_edge_bytes(cell->collective, &own, 1, cell->key.msg_bytes);
}

static void make_buffers(const struct ct_bench *bench, const struct ct_job_cell *cell,
                         struct ct_bench_sparse *sparse)
{
    const struct ct_neighbors *neighbors = &sparse->neighbors;
    struct ct_bench_call *call = &sparse->call;
    const bool varies = ct_collectives[cell->collective].varies, one = sends_one_slice(cell->collective);
    const size_t own = one ? own_length(bench, cell) : cell->key.msg_bytes;
    const size_t sent = one ? own : sum_of(neighbors->out_lengths, neighbors->out_count);
    *call = (struct ct_bench_call){
        .collective = cell->collective,
        .rank = bench->rank,
        .size = (int)cell->key.comm_size,
        .neighbors = neighbors,
        .sent = sent,
        .send = ct_bench_allocate_pages(sent + 1),
        .recv = ct_bench_allocate_pages(sum_of(neighbors->in_lengths, neighbors->in_count) + 1)};
    set_sparse_side(sparse, CT_BUFFER_SEND, varies && !one, call->send, neighbors->out_lengths,
                    neighbors->out_count, own, &call->operands.send);
    set_sparse_side(sparse, CT_BUFFER_RECV, varies, call->recv, neighbors->in_lengths, neighbors->in_count,
                    own, &call->operands.recv);
    call->operands.op = MPI_OP_NULL;
}

void ct_bench_sparse_open(const struct ct_bench *bench, const struct ct_bench_group *group,
                          const struct ct_job_cell *cell, struct ct_bench_sparse *ret_sparse)
{
    *ret_sparse = (struct ct_bench_sparse){.comm = MPI_COMM_NULL};
    find_neighbors(bench, cell, ret_sparse);
    open_comm(group, ret_sparse);
    make_buffers(bench, cell, ret_sparse);
}

void ct_bench_sparse_close(struct ct_bench_sparse *sparse)
{
    for (int i = 0; i < 2; i++) {
        free(sparse->arrays[i].counts);
        free(sparse->arrays[i].places);
        free(sparse->arrays[i].wide_places);
        free(sparse->arrays[i].types);
    }
    free(sparse->call.send);
    free(sparse->call.recv);
    free(sparse->ends);
    free(sparse->lengths);
    PMPI_Comm_free(&sparse->comm);
}

/* The first one, which makes a communicator for them, does not count. */
enum { SET_UPS = CT_SIMULATED ? 2 : 4 };

double ct_bench_time_set_up(const struct ct_bench *bench, const struct ct_bench_group *group,
                            const struct ct_job_cell *cell, size_t method, struct ct_bench_sparse *sparse)
{
    double own[2 * SET_UPS], agreed[2 * SET_UPS], least = INFINITY;
    for (size_t i = 0; i < SET_UPS; i++) {
        struct ct_call call;
        struct ct_method used;
        ct_bench_check(ct_call_describe(sparse->channel, cell->collective, &sparse->call.operands, &call),
                       "describing a call");
        ct_topology_forget_routes(sparse->channel->topology, &bench->job.methods[method]);
        const double gathered = ct_bench_gather(bench, group);
        if (bench->rank == 0)
            ct_bench_tell(bench, cell->id, method);
        ct_bench_release(bench, group, gathered);
        const double begin = ct_bench_now(bench);
        const int code =
            ct_sparse_call_prepare(sparse->channel, sparse->comm, &bench->job.methods[method], &call, &used);
        const double end = ct_bench_now(bench);
        ct_bench_check(code, "a set-up");
        ct_bench_span(bench, begin, end, &own[i], &own[SET_UPS + i]);
        ct_bench_rest();
    }
    const struct ct_operands operands = ct_reduction(own, agreed, 2 * SET_UPS, MPI_DOUBLE, MPI_MAX, 0);
    ct_bench_run(group, &bench->agreement, &operands);
    /* An application agrees on the lengths in its first calls, and then in few: samples show the others. */
    ct_sparse_call_settle(sparse->channel, sparse->comm, &bench->job.methods[method]);
    for (size_t i = 1; i < SET_UPS; i++)
        least = fmin(least, ct_bench_seconds(agreed[i], agreed[SET_UPS + i]));
    return least;
}

int ct_bench_sparse_call(enum ct_collective collective, const struct ct_operands *operands, MPI_Comm comm)
{
    return CT_SIMULATED ? ct_interposed_decide(collective, *operands, comm)
                        : ct_bench_user_call(collective, operands, comm);
}
