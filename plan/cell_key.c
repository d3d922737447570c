/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/cell_key.h"
#include "base/hash.h"
#include "base/sort.h"
#include "plan/pattern_features.h"

#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Where it lies. */
#define MEMBER(name)                                                                                         \
    .offset = offsetof(struct ct_cell_key, name), .bytes = sizeof(((struct ct_cell_key *)0)->name)

const struct ct_key_descriptor ct_key_descriptors[CT_KEYS] = {
    [CT_KEY_NODES] =
        {.name = "nodes", .text = "nodes that the ranks lie on", MEMBER(nodes), .least = 1, .most = INT_MAX},
    [CT_KEY_PPN] = {.name = "ppn",
                    .text = "ranks on a node; where that differs, on the fullest",
                    MEMBER(ppn),
                    .least = 1,
                    .most = INT_MAX},
    [CT_KEY_COMM_SIZE] = {.name = "comm_size",
                          .text = "ranks of the communicator",
                          MEMBER(comm_size),
                          .least = 1,
                          .most = INT_MAX},
    [CT_KEY_MSG_BYTES] =
        {.name = "msg_bytes", .text = "message size", MEMBER(msg_bytes), .most = INT64_MAX, .in_bytes = true},
    [CT_KEY_YIELD] = {.name = "yield",
                      .text = "1 where ranks yield the CPU while they wait, else 0",
                      MEMBER(yield),
                      .most = 1},
    [CT_KEY_BY] = {.name = "by",
                   .text = "how ranks are mapped: 1 by core, 2 by socket, 3 by node; 0 unknown",
                   MEMBER(by),
                   .most = CT_MAPPED_WAYS - 1},
    [CT_KEY_MODE] = {.name = "mode",
                     .text = "how calls are made: 0 blocking, 1 nonblocking, 2 persistent",
                     MEMBER(mode),
                     .most = CT_MODES - 1},
    [CT_KEY_ROOT] = {.name = "root",
                     .text = "root of the call; 0 where the collective has none",
                     MEMBER(root),
                     .most = INT_MAX},
    [CT_KEY_DEGREE] = {.name = "degree",
                       .text = "neighbors of the rank that has most; 0 where all ranks are neighbors",
                       MEMBER(degree),
                       .most = UINT32_MAX},
    [CT_KEY_MEAN_DEGREE] = {.name = "mean_degree",
                            .text = "mean number of destinations of a rank, in hundredths: 250 is 2.5",
                            MEMBER(mean_degree),
                            .most = UINT32_MAX},
    [CT_KEY_IMBALANCE] = {.name = "imbalance",
                          .text = "bytes that one rank sends or receives at most, in percent of the mean",
                          MEMBER(imbalance),
                          .most = UINT32_MAX},
    [CT_KEY_ON_NODE] = {.name = "on_node",
                        .text = "neighbors that share a node, in percent of all",
                        MEMBER(on_node),
                        .most = 100},
};

size_t ct_pattern_id(const char *text)
{
    const uint64_t hash = ct_hash(0, text, strlen(text));
    return hash ? (size_t)hash : 1;
}

const char *const ct_mapped_names[CT_MAPPED_WAYS + 1] = {
    [CT_MAPPED_BY_UNKNOWN] = "unknown",
    [CT_MAPPED_BY_CORE] = "core",
    [CT_MAPPED_BY_SOCKET] = "socket",
    [CT_MAPPED_BY_NODE] = "node",
};

enum ct_mapped_by ct_mapped_find(const char *name)
{
    size_t mapping = 0;
    while (mapping < CT_MAPPED_WAYS && strcmp(ct_mapped_names[mapping], name) != 0)
        mapping++;
    return (enum ct_mapped_by)mapping;
}

int ct_cell_key_compare(const struct ct_cell_key *left, const struct ct_cell_key *right)
{
    for (int i = 0; i < CT_KEYS; i++) {
        size_t a = ct_key_value(left, &ct_key_descriptors[i]);
        size_t b = ct_key_value(right, &ct_key_descriptors[i]);
        if (a != b)
            return CT_COMPARE(a, b);
    }
    return CT_COMPARE(left->pattern, right->pattern);
}

/* Sockets cannot be told from cores here. */
static enum ct_mapped_by mapping_of(const struct ct_nodes *nodes)
{
    return !nodes ? CT_MAPPED_BY_UNKNOWN : nodes->in_order ? CT_MAPPED_BY_CORE : CT_MAPPED_BY_NODE;
}

struct ct_cell_key ct_call_key(enum ct_collective collective, const struct ct_call *call)
{
    const struct ct_nodes *nodes = call->nodes;
    const struct ct_pattern_features none = {0}, *pattern = call->pattern ? call->pattern : &none;
    return (struct ct_cell_key){
        .nodes = (uint32_t)(nodes ? nodes->count : call->size),
        .ppn = nodes ? (uint32_t)nodes->fullest : 1,
        .comm_size = (uint32_t)call->size,
        .msg_bytes = ct_call_bytes(collective, call),
        .yield = call->yield,
        .by = mapping_of(nodes),
        .mode = call->mode,
        .root = ct_collectives[collective].has_root ? (uint32_t)call->root : 0,
        .degree = pattern->degree,
        .mean_degree = pattern->mean_degree,
        .imbalance = pattern->imbalance,
        .on_node = pattern->on_node,
    };
}
