/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef CT_PLAN_NODES_H
#define CT_PLAN_NODES_H

#include <stdbool.h>

/* Which ranks of a communicator share a node. Nodes are numbered in the order of their lowest ranks; they may
 * hold any ranks. Equal on all ranks. */
struct ct_nodes {
    int size;           /* ranks */
    int count;          /* nodes */
    const int *node_of; /* by rank */
    const int *place;   /* by rank: how many ranks of its node come before it */
    const int *members; /* ranks, node by node, rising within each */
    const int *begin;   /* by node, and one more: where its ranks begin in `members` */
    bool in_order;      /* ranks on a node follow one another: `members` is 0, 1, 2, ... */
    int fullest;        /* ranks on the node that holds most of them */
};

/* From a label for each rank, equal where ranks share a node. CT_OK or CT_E_MEMORY; ct_nodes_free() frees. */
int ct_nodes_make(const int *labels, int size, struct ct_nodes *ret_nodes);
void ct_nodes_free(struct ct_nodes *nodes);

/* Writes each rank's node, "0 0 1 1"; of many ranks the first ones and "...". Returns `text`. */
enum { CT_NODES_TEXT = 240 };
char *ct_nodes_format(const struct ct_nodes *nodes, char text[CT_NODES_TEXT]);

/* How many ranks are on a node. */
static inline int ct_node_size(const struct ct_nodes *nodes, int node)
{
    return nodes->begin[node + 1] - nodes->begin[node];
}

/* Do the ranks share a node? */
static inline bool ct_nodes_join(const struct ct_nodes *nodes, int a, int b)
{
    return nodes->node_of[a] == nodes->node_of[b];
}

/* The ranks of a node. */
static inline const int *ct_node_members(const struct ct_nodes *nodes, int node)
{
    return nodes->members + nodes->begin[node];
}

/* The end of the run of consecutive ranks in `members` that begins at place `i`: such ranks can move
 * together. */
int ct_nodes_run(const struct ct_nodes *nodes, int i);

#endif
