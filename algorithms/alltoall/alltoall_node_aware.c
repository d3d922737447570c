/* SPDX-License-Identifier: BSD-3-Clause */
/* Three steps, with one message for each pair of nodes between them. Some ranks of each node are leaders, and
 * the other nodes are divided among them. First a rank hands to each leader of its node the blocks for that
 * leader's nodes, in one message with the block for the leader itself. Then leaders exchange messages with
 * those of the other nodes. Finally they hand out what has come. With one leader this is alltoall/two_level
 * with direct messages; with more, they share the work.
 * Memory: 3 n P m / leaders at a leader, P m at the others. */
#include "algorithms/alltoall/alltoall_blocks.h"
#include "algorithms/descriptor.h"
#include "plan/shapes.h"

static const struct ct_parameter leaders_parameter = {
    "leaders",    "ranks of a node that send to other nodes, 0 for all", "0,1", .least = 0, .most = 4096,
    .standard = 0};

/* One rank's view of its node. */
struct desk {
    struct ct_plan *plan;
    const struct ct_call *call;
    const struct ct_nodes *nodes;
    int node;
    const int *members; /* of our node */
    int count;          /* of them */
    int own;            /* our place among them */
    int leaders;        /* those at the first places */
    int *ranks;         /* room for those of one leader's nodes */
    int served;         /* how many ranks our nodes have; 0: we are no leader */
};

/* The node `distance` nodes further on, which the leader at place (distance - 1) mod leaders serves. */
static int node_after(const struct desk *desk, int distance)
{
    return ct_actual(desk->node, distance, desk->nodes->count);
}

/* Writes the ranks of the nodes that the one at `place` serves; returns how many. */
static int ranks_of(const struct desk *desk, int place)
{
    int count = 0;
    for (int d = place + 1; place < desk->leaders && d < desk->nodes->count; d += desk->leaders) {
        int node = node_after(desk, d);
        for (int i = 0; i < ct_node_size(desk->nodes, node); i++)
            desk->ranks[count++] = ct_node_members(desk->nodes, node)[i];
    }
    return count;
}

static int run_end(const struct desk *desk, int count, int i)
{
    int end = i + 1;
    while (end < count && desk->ranks[end] == desk->ranks[end - 1] + 1)
        end++;
    return end;
}

/* The piece that the rank at another place sends us first: its block for us, then those for our nodes. */
static size_t piece_begin(const struct desk *desk, int place)
{
    return (size_t)(place < desk->own ? place : place - 1) * (size_t)(desk->served + 1);
}

/* Packs for each other leader, one behind the other. */
static void pack_for_leaders(const struct desk *desk, unsigned leaving)
{
    size_t m = desk->call->count, at = 0;
    for (int place = 0; place < desk->count; place++) {
        int count = place == desk->own ? 0 : ranks_of(desk, place);
        if (count == 0)
            continue;
        ct_copy(desk->plan, leaving, at++ * m, CT_BUFFER_SEND, (size_t)desk->members[place] * m, m);
        for (int i = 0, end; i < count; i = end) {
            end = run_end(desk, count, i);
            size_t n = (size_t)(end - i);
            ct_copy(desk->plan, leaving, at * m, CT_BUFFER_SEND, (size_t)desk->ranks[i] * m, n * m);
            at += n;
        }
    }
    ct_round_end(desk->plan);
}

static void collect(const struct desk *desk, unsigned leaving, unsigned pieces)
{
    size_t m = desk->call->count, at = 0, piece = (size_t)desk->served + 1;
    for (int place = 0; place < desk->count; place++) {
        int peer = desk->members[place];
        if (place == desk->own)
            continue;
        if (desk->served > 0)
            ct_receive(desk->plan, peer, pieces, piece_begin(desk, place) * m, piece * m);
        else
            ct_receive_slice(desk->plan, peer, ct_recv_block(desk->call, peer));
        size_t n = (size_t)ranks_of(desk, place) + 1;
        if (n > 1) {
            ct_send(desk->plan, peer, leaving, at * m, n * m);
            at += n;
        } else {
            ct_send_slice(desk->plan, peer, ct_send_block(desk->call, peer));
        }
    }
    ct_alltoall_own(desk->plan, desk->call);
    ct_round_end(desk->plan);
}

/* For each of our nodes a message: by receiver, and there by sender. */
static void pack_for_nodes(const struct desk *desk, unsigned leaving, unsigned pieces)
{
    size_t m = desk->call->count, at = 0;
    for (int place = 0; place < desk->count; place++)
        if (place != desk->own)
            ct_copy(desk->plan, CT_BUFFER_RECV, (size_t)desk->members[place] * m, pieces,
                    piece_begin(desk, place) * m, m);
    int count = ranks_of(desk, desk->own);
    for (int i = 0; i < count; i++)
        for (int place = 0; place < desk->count; place++, at++) {
            if (place == desk->own)
                ct_copy(desk->plan, leaving, at * m, CT_BUFFER_SEND, (size_t)desk->ranks[i] * m, m);
            else
                ct_copy(desk->plan, leaving, at * m, pieces, (piece_begin(desk, place) + 1 + (size_t)i) * m,
                        m);
        }
    ct_round_end(desk->plan);
}

/* The leader of another node that serves ours. */
static int leader_for_us(const struct desk *desk, int node)
{
    size_t leaders = ct_value(desk->call, &leaders_parameter), size = (size_t)ct_node_size(desk->nodes, node);
    int back = ct_virtual(desk->node, node, desk->nodes->count);
    size_t place = (size_t)(back - 1) % (leaders == 0 || leaders > size ? size : leaders);
    return ct_node_members(desk->nodes, node)[place];
}

static void swap_with_nodes(const struct desk *desk, unsigned leaving, unsigned came)
{
    size_t m = desk->call->count, at = 0;
    for (int d = desk->own + 1; d < desk->nodes->count; d += desk->leaders) {
        int node = node_after(desk, d), peer = leader_for_us(desk, node);
        size_t n = (size_t)ct_node_size(desk->nodes, node) * (size_t)desk->count;
        ct_receive(desk->plan, peer, came, at * m, n * m);
        ct_send(desk->plan, peer, leaving, at * m, n * m);
        at += n;
    }
    ct_round_end(desk->plan);
}

/* Sorts what came by node and receiver: by receiver, and there by node. */
static void pack_for_receivers(const struct desk *desk, unsigned leaving, unsigned came)
{
    size_t m = desk->call->count, at = 0;
    for (int place = 0; place < desk->count; place++) {
        size_t begin = 0;
        for (int d = desk->own + 1; d < desk->nodes->count; d += desk->leaders) {
            size_t n = (size_t)ct_node_size(desk->nodes, node_after(desk, d));
            ct_copy(desk->plan, leaving, at * m, came, (begin + (size_t)place * n) * m, n * m);
            at += n;
            begin += n * (size_t)desk->count;
        }
    }
    ct_round_end(desk->plan);
}

/* Blocks from the ranks of one leader's nodes lie as in the result. */
static bool is_one_run(const struct desk *desk, int count)
{
    return run_end(desk, count, 0) == count;
}

static void place_blocks(const struct desk *desk, int count, unsigned from, size_t at)
{
    size_t m = desk->call->count;
    for (int i = 0, end; i < count; i = end) {
        end = run_end(desk, count, i);
        ct_copy(desk->plan, CT_BUFFER_RECV, (size_t)desk->ranks[i] * m, from, (at + (size_t)i) * m,
                (size_t)(end - i) * m);
    }
}

/* How much comes from other leaders that is to be sorted. */
static size_t scattered_arrivals(const struct desk *desk)
{
    size_t n = 0;
    for (int place = 0; place < desk->leaders; place++) {
        int count = place == desk->own ? 0 : ranks_of(desk, place);
        if (count > 0 && !is_one_run(desk, count))
            n += (size_t)count;
    }
    return n;
}

static void hand_out(const struct desk *desk, unsigned leaving, unsigned arriving)
{
    size_t m = desk->call->count, at = 0, n = (size_t)desk->served;
    for (int place = 0; place < desk->leaders; place++) {
        int peer = desk->members[place], count = place == desk->own ? 0 : ranks_of(desk, place);
        if (count == 0)
            continue;
        if (is_one_run(desk, count)) {
            ct_receive(desk->plan, peer, CT_BUFFER_RECV, (size_t)desk->ranks[0] * m, (size_t)count * m);
        } else {
            ct_receive(desk->plan, peer, arriving, at * m, (size_t)count * m);
            at += (size_t)count;
        }
    }
    for (int place = 0; place < desk->count; place++)
        if (place != desk->own)
            ct_send(desk->plan, desk->members[place], leaving, (size_t)place * n * m, n * m);
    if (desk->served > 0)
        place_blocks(desk, ranks_of(desk, desk->own), leaving, (size_t)desk->own * n);
    ct_round_end(desk->plan);
}

static void sort_arrivals(const struct desk *desk, unsigned arriving)
{
    size_t at = 0;
    for (int place = 0; place < desk->leaders; place++) {
        int count = place == desk->own ? 0 : ranks_of(desk, place);
        if (count == 0 || is_one_run(desk, count))
            continue;
        place_blocks(desk, count, arriving, at);
        at += (size_t)count;
    }
}

/* What the rank packs for other leaders. */
static size_t packed_for_leaders(const struct desk *desk)
{
    size_t n = 0;
    for (int place = 0; place < desk->leaders; place++) {
        int count = place == desk->own ? 0 : ranks_of(desk, place);
        n += count > 0 ? (size_t)count + 1 : 0;
    }
    return n;
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_nodes *nodes = call->nodes;
    struct desk desk = {.plan = plan, .call = call, .nodes = nodes, .node = nodes->node_of[call->rank]};
    size_t leaders = ct_value(call, &leaders_parameter), m = call->count;
    desk.members = ct_node_members(nodes, desk.node);
    desk.count = ct_node_size(nodes, desk.node);
    desk.own = nodes->place[call->rank];
    desk.leaders = leaders == 0 || leaders > (size_t)desk.count ? desk.count : (int)leaders;
    desk.ranks = ct_scratch(plan, (size_t)call->size, sizeof *desk.ranks);
    if (!desk.ranks)
        return;
    desk.served = ranks_of(&desk, desk.own);
    size_t served = (size_t)desk.served, whole = served * (size_t)desk.count;

    unsigned first = ct_temporary(plan, packed_for_leaders(&desk) * m);
    unsigned pieces = ct_temporary(plan, desk.served > 0 ? (size_t)(desk.count - 1) * (served + 1) * m : 0);
    unsigned leaving = ct_temporary(plan, whole * m), came = ct_temporary(plan, whole * m);
    unsigned arriving = ct_temporary(plan, scattered_arrivals(&desk) * m);
    pack_for_leaders(&desk, first);
    collect(&desk, first, pieces);
    if (desk.served > 0) {
        pack_for_nodes(&desk, leaving, pieces);
        swap_with_nodes(&desk, leaving, came);
        pack_for_receivers(&desk, leaving, came);
    }
    hand_out(&desk, leaving, arriving);
    sort_arrivals(&desk, arriving);
}

const struct ct_descriptor ct_alltoall_node_aware = {
    .text = "blocks go through leaders on each node, one message for each pair of nodes",
    .source = "Bienz, Gropp, Olson 2019, Node aware sparse matrix-vector multiplication (three steps); "
              "Kandalla et al. 2009 (several leaders)",
    .cost = "2 (n - 1) (alpha + P / l m beta) + (P / n - 1) / l (alpha + n^2 m beta) with l leaders",
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .parameters = {&leaders_parameter},
    .build = build,
};
