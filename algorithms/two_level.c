/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/two_level.h"
#include "algorithms/inner_plan.h"

/* In scratch memory; if that fails the plan fails. */
static const int *find_heads(struct ct_plan *plan, const struct ct_call *call)
{
    const struct ct_nodes *nodes = call->nodes;
    int *heads = ct_scratch(plan, (size_t)nodes->count, sizeof *heads);
    for (int node = 0; heads && node < nodes->count; node++)
        heads[node] = *ct_node_members(nodes, node);
    if (heads)
        heads[nodes->node_of[call->root]] = call->root;
    return heads;
}

struct ct_levels ct_levels_of(struct ct_plan *plan, const struct ct_call *call,
                              const struct ct_parameter *intra, const struct ct_parameter *inter)
{
    const struct ct_nodes *nodes = call->nodes;
    assert(nodes && nodes->size == call->size);
    int node = nodes->node_of[call->rank], root_node = nodes->node_of[call->root];
    struct ct_group ours = {.ranks = ct_node_members(nodes, node),
                            .size = ct_node_size(nodes, node),
                            .rank = nodes->place[call->rank],
                            .root = node == root_node ? nodes->place[call->root] : 0};
    bool is_head = ours.rank == ours.root;
    struct ct_group heads = {.size = nodes->count, .rank = -1, .root = root_node};
    if (is_head && (heads.ranks = find_heads(plan, call)))
        heads.rank = node;
    return (struct ct_levels){.plan = plan,
                              .call = call,
                              .parameters = {intra, inter},
                              .groups = {ours, heads},
                              .node = node,
                              .is_head = is_head};
}

bool ct_level_tables(const struct ct_levels *levels, size_t one, const size_t **ret_counts,
                     const size_t **ret_begins)
{
    const struct ct_nodes *nodes = levels->call->nodes;
    size_t *counts = ct_scratch(levels->plan, (size_t)nodes->count, sizeof *counts);
    size_t *begins = ct_scratch(levels->plan, (size_t)nodes->count, sizeof *begins);
    if (!counts || !begins)
        return false;
    for (int node = 0; node < nodes->count; node++) {
        counts[node] = (size_t)ct_node_size(nodes, node) * one;
        begins[node] = (size_t)nodes->begin[node] * one;
    }
    *ret_counts = counts;
    *ret_begins = begins;
    return true;
}

void ct_level_build(const struct ct_levels *levels, enum ct_level level, enum ct_collective collective,
                    struct ct_view view, struct ct_call inner)
{
    const struct ct_group *group = &levels->groups[level];
    if (group->rank < 0)
        return;
    view.peers = group->ranks;
    inner.rank = group->rank;
    inner.size = group->size;
    inner.root = ct_collectives[collective].has_root ? group->root : 0;
    inner.unit_bytes = levels->call->unit_bytes;
    inner.commutative = levels->call->commutative;
    ct_view_enter(levels->plan, &view);
    ct_inner_build(levels->plan, levels->call,
                   ct_inner_descriptor(levels->call, levels->parameters[level], collective), &inner);
    ct_view_leave(levels->plan);
}
