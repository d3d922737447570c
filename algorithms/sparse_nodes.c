/* SPDX-License-Identifier: BSD-3-Clause */
#include "algorithms/sparse.h"
#include "base/memory.h"

#include <stdlib.h>

const struct ct_parameter ct_leaders_parameter = {
    "leaders", "ranks of a node that talk to other nodes", "1,2", .least = 1, .most = 4096, .standard = 1};

struct rule {
    const struct ct_nodes *nodes;
    size_t leaders;
};

static int begin(const struct ct_call *call, void **ret_rule)
{
    struct rule *rule = ct_allocate(1, sizeof *rule);
    if (!rule)
        return CT_E_MEMORY;
    *rule = (struct rule){call->nodes, ct_value_or(call, &ct_leaders_parameter, SIZE_MAX)};
    *ret_rule = rule;
    return CT_OK;
}

enum { GATHER, TRAVEL, SCATTER, STAGES };

static unsigned stages(const void *rule)
{
    (void)rule;
    return STAGES;
}

/* The rank of `node` that talks to `other`. */
static int representative(const struct rule *rule, int node, int other)
{
    size_t size = (size_t)ct_node_size(rule->nodes, node);
    size_t leaders = rule->leaders < size ? rule->leaders : size;
    return ct_node_members(rule->nodes, node)[(size_t)other % leaders];
}

static int next(const void *given, unsigned stage, int holder, int destination)
{
    const struct rule *rule = given;
    const int *node_of = rule->nodes->node_of;
    int here = node_of[holder], there = node_of[destination];
    if (here == there)
        return destination;
    return stage == GATHER ? representative(rule, here, there) : representative(rule, there, here);
}

const struct ct_forwarding ct_forwarding_nodes = {
    .begin = begin, .end = free, .stages = stages, .next = next};
