/* SPDX-License-Identifier: BSD-3-Clause */
/* The lowest rank on each node gathers the node's blocks, these ranks allgather them, then each broadcasts
 * the whole on its node: three calls of other algorithms. On the way blocks lie in the order of nodes, in the
 * result itself where that is the order of ranks.
 * Memory: P m where the ranks on a node are not consecutive, and that of the three. */
#include "algorithms/descriptor.h"
#include "algorithms/two_level.h"

static const struct ct_parameter intra = {
    .name = "intra",
    .text = "gather and bcast among the ranks on a node",
    .standard_name = "binomial",
    .inner_count = 2,
    .inner = {CT_COLLECTIVE_GATHER, CT_COLLECTIVE_BCAST},
    .sweep = "binomial,linear",
};

static const struct ct_parameter inter = {
    .name = "inter",
    .text = "allgatherv among one rank of each node",
    .standard_name = "ring",
    .inner_count = 1,
    .inner = {CT_COLLECTIVE_ALLGATHERV},
    .sweep = "ring,bruck",
};

static void gather(const struct ct_levels *levels, unsigned all)
{
    const struct ct_call *call = levels->call;
    size_t begin = (size_t)call->nodes->begin[levels->node] * call->count;
    struct ct_view view = {.map = {{.buffer = CT_BUFFER_SEND}, {.buffer = all, .offset = begin}}};
    if (call->in_place) {
        view.map[0].buffer = CT_BUFFER_RECV;
        view.map[0].offset = (size_t)call->rank * call->count;
    }
    ct_level_build(levels, CT_LEVEL_INTRA, CT_COLLECTIVE_GATHER, view,
                   (struct ct_call){.count = call->count,
                                    .in_place = call->in_place && levels->is_head && all == CT_BUFFER_RECV});
}

/* The data of each node are at their final place. */
static void swap(const struct ct_levels *levels, unsigned all)
{
    const size_t *counts, *begins;
    if (!ct_level_tables(levels, levels->call->count, &counts, &begins))
        return;
    ct_level_build(levels, CT_LEVEL_INTER, CT_COLLECTIVE_ALLGATHERV,
                   (struct ct_view){.map = {{.buffer = CT_BUFFER_SEND}, {.buffer = all, .blocks = begins}}},
                   (struct ct_call){.count = counts[levels->node], .recv_counts = counts, .in_place = true});
}

/* From the order of the nodes to that of the ranks; our own block too, which came with the others. */
static void unpack(struct ct_plan *plan, const struct ct_call *call, unsigned all)
{
    const struct ct_nodes *nodes = call->nodes;
    for (int i = 0, end; i < nodes->size; i = end) {
        end = ct_nodes_run(nodes, i);
        ct_copy(plan, CT_BUFFER_RECV, (size_t)nodes->members[i] * call->count, all, (size_t)i * call->count,
                (size_t)(end - i) * call->count);
    }
}

static void build(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_levels levels = ct_levels_of(plan, call, &intra, &inter);
    size_t whole = (size_t)call->size * call->count;
    unsigned all = call->nodes->in_order ? CT_BUFFER_RECV : ct_temporary(plan, whole);
    gather(&levels, all);
    if (levels.is_head)
        swap(&levels, all);
    ct_level_build(&levels, CT_LEVEL_INTRA, CT_COLLECTIVE_BCAST,
                   (struct ct_view){.map = {{.buffer = CT_BUFFER_SEND}, {.buffer = all}}},
                   (struct ct_call){.count = whole});
    if (all != CT_BUFFER_RECV)
        unpack(plan, call, all);
}

const struct ct_descriptor ct_allgather_two_level = {
    .text = "gather on each node, allgatherv among one rank of each node, bcast on each node",
    .source = "Traeff 2006, Efficient allgather for regular SMP-clusters",
    .cost = "T_gather(n, m) + T_allgatherv(P / n, n m) + T_bcast(n, P m)",
    .constraints = CT_CONSTRAINT_NODES_KNOWN,
    .parameters = {&intra, &inter},
    .build = build,
};
