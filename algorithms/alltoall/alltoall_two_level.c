/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks on a node send all they have to the lowest, their head; the heads exchange what is for each
 * other's nodes, one message for each pair of nodes, sort what they received by receiver and scatter it.
 * Fewer and longer messages, but the heads copy all data twice: for small blocks.
 * Memory: 2 n P m at the heads, and that of the three. */
#include "algorithms/descriptor.h"
#include "algorithms/two_level.h"

static const struct ct_parameter intra = {
    .name = "intra",
    .text = "gather and scatter among the ranks on a node",
    .standard_name = "linear",
    .inner_count = 2,
    .inner = {CT_COLLECTIVE_GATHER, CT_COLLECTIVE_SCATTER},
    .sweep = "linear,binomial",
};

static const struct ct_parameter inter = {
    .name = "inter",
    .text = "alltoallv among one rank of each node",
    .standard_name = "pairwise",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_ALLTOALLV},
    .sweep = "pairwise,linear",
};

/* The buffers of a head, whose own data stays in CT_BUFFER_SEND and goes to CT_BUFFER_RECV. Two buffers take
 * turns: one holds a vector of P blocks for each rank on the node, another what is for each node, or comes
 * from it. */
struct desk {
    const struct ct_call *call;
    const struct ct_nodes *nodes;
    int members; /* ranks on our node */
    int own;     /* the head's place among them */
};

/* Block `peer` of the vector of the rank at `place`. */
static struct ct_slice vector_block(const struct desk *desk, int place, int peer, unsigned own,
                                    unsigned others)
{
    size_t size = (size_t)desk->call->size, count = desk->call->count;
    if (place == desk->own)
        return (struct ct_slice){.buffer = own, .offset = (size_t)peer * count};
    return (struct ct_slice){.buffer = others, .offset = ((size_t)place * size + (size_t)peer) * count};
}

/* Sorts the vectors by the node that each block is for, and there by sender. */
static void sort_by_node(struct ct_plan *plan, const struct desk *desk, unsigned to, unsigned vectors)
{
    const struct ct_nodes *nodes = desk->nodes;
    for (int place = 0; place < desk->members; place++, ct_round_end(plan)) {
        for (int i = 0, end; i < nodes->size; i = end) {
            int node = nodes->node_of[nodes->members[i]], begin = nodes->begin[node];
            end = ct_nodes_run(nodes, i);
            if (end > nodes->begin[node + 1])
                end = nodes->begin[node + 1];
            size_t at = (size_t)desk->members * (size_t)begin +
                        (size_t)place * (size_t)ct_node_size(nodes, node) + (size_t)(i - begin);
            struct ct_slice from = vector_block(desk, place, nodes->members[i], CT_BUFFER_SEND, vectors);
            ct_copy(plan, to, at * desk->call->count, from.buffer, from.offset,
                    (size_t)(end - i) * desk->call->count);
        }
    }
}

/* Data from the nodes lie by sender, and there by receiver: sorts them by receiver. */
static void sort_by_receiver(struct ct_plan *plan, const struct desk *desk, unsigned vectors, unsigned came)
{
    for (int place = 0; place < desk->members; place++, ct_round_end(plan)) {
        for (int i = 0; i < desk->nodes->size; i++) {
            size_t at = (size_t)i * (size_t)desk->members + (size_t)place;
            struct ct_slice to = vector_block(desk, place, desk->nodes->members[i], CT_BUFFER_RECV, vectors);
            ct_copy(plan, to.buffer, to.offset, came, at * desk->call->count, desk->call->count);
        }
    }
}

/* Between heads as much goes out as comes in, and lies at the same places. */
static void swap(const struct ct_levels *levels, const struct desk *desk, unsigned out, unsigned in)
{
    const size_t *counts, *begins;
    size_t one = (size_t)desk->members * desk->call->count; /* for or from one rank elsewhere */
    if (!ct_level_tables(levels, one, &counts, &begins))
        return;
    ct_level_build(levels, CT_LEVEL_INTER, CT_COLLECTIVE_ALLTOALLV,
                   (struct ct_view){.map = {{.buffer = out, .blocks = begins}, {in, .blocks = begins}}},
                   (struct ct_call){.send_counts = counts, .recv_counts = counts});
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_levels levels = ct_levels_of(plan, call, &intra, &inter);
    const struct ct_group *node = &levels.groups[CT_LEVEL_INTRA];
    const struct desk desk = {.call = call, .nodes = call->nodes, .members = node->size, .own = node->rank};
    size_t vector = (size_t)call->size * call->count;
    unsigned first = CT_BUFFER_RECV,
             second = CT_BUFFER_SEND; /* the rest of the node has nothing but its own */
    if (levels.is_head) {
        first = ct_temporary(plan, (size_t)node->size * vector);
        second = ct_temporary(plan, (size_t)node->size * vector);
    }
    const struct ct_call whole = {.count = vector, .in_place = levels.is_head};
    ct_level_build(&levels, CT_LEVEL_INTRA, CT_COLLECTIVE_GATHER,
                   (struct ct_view){.map = {{.buffer = CT_BUFFER_SEND}, {.buffer = first}}}, whole);
    if (levels.is_head) {
        sort_by_node(plan, &desk, second, first);
        swap(&levels, &desk, second, first);
        sort_by_receiver(plan, &desk, second, first);
    }
    ct_level_build(&levels, CT_LEVEL_INTRA, CT_COLLECTIVE_SCATTER,
                   (struct ct_view){.map = {{.buffer = second}, {.buffer = CT_BUFFER_RECV}}}, whole);
}

const struct ct_descriptor ct_alltoall_two_level = {
    .text = "gather on each node, alltoallv among one rank of each node, scatter on each node",
    .source =
        "Traeff and Rougier 2014, MPI collectives and datatypes for hierarchical all-to-all communication",
    .cost = "T_gather(n, P m) + T_alltoallv(P / n, n^2 m) + T_scatter(n, P m)",
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .parameters = {&intra, &inter},
    .build = build,
};
